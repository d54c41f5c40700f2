// A web server whose one route logs as many lines as it is asked to.
//
//	server -port 8080
//
// POST /logging {"NumLogs": 5, "Size": 20} writes five lines of 20 random letters with logrus to
// standard error, and answers 200 without a body. gin's own access log is off.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	"github.com/sirupsen/logrus"
)

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

type order struct {
	NumLogs int
	Size    int
}

// word returns random letters. It is part of what is measured, as in the published benchmark.
func word(size int) string {
	text := make([]byte, size)
	for at := range text {
		text[at] = letters[rand.IntN(len(letters))]
	}
	return string(text)
}

func logging(log *logrus.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		var wanted order
		if err := c.ShouldBindJSON(&wanted); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		for range wanted.NumLogs {
			log.Debug(word(wanted.Size))
		}
		c.Status(http.StatusOK)
	}
}

func main() {
	port := flag.Int("port", 8080, "port of 127.0.0.1 to listen on")
	flag.Parse()

	log := logrus.New()
	log.SetOutput(os.Stderr)
	log.SetLevel(logrus.DebugLevel)

	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/ready", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	router.POST("/logging", logging(log))

	if err := router.Run(fmt.Sprintf("127.0.0.1:%d", *port)); err != nil {
		log.Fatal(err)
	}
}
