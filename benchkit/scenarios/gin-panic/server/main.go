// A gin server with a route that panics, and three ways of surviving that.
//
//	server -port 8080 -router default
//
// GET /ok answers 200 with 12 bytes. GET /panic panics, which the router turns into a 500. Routers:
//
//	default  gin.Default(): an access log to standard output, and a recovery that logs the panic with
//	         its stack to standard error
//	nolog    the same with both writers discarded: everything is formatted, nothing is written
//	recover  no access log, and a recovery that answers with 37 bytes of JSON and logs nothing
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"syscall"

	"github.com/gin-gonic/gin"
)

// quiet survives a panic without a word. Where the client has gone there is nobody to answer.
func quiet(c *gin.Context) {
	defer func() {
		reason := recover()
		if reason == nil {
			return
		}
		err, _ := reason.(error)
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
			c.Abort()
			return
		}
		c.AbortWithStatusJSON(http.StatusInternalServerError, gin.H{
			"code":    http.StatusInternalServerError,
			"message": "server error",
		})
	}()
	c.Next()
}

func routerOf(kind string) (*gin.Engine, error) {
	switch kind {
	case "default":
		return gin.Default(), nil
	case "nolog":
		gin.DefaultWriter = io.Discard
		gin.DefaultErrorWriter = io.Discard
		return gin.Default(), nil
	case "recover":
		router := gin.New()
		router.Use(quiet)
		return router, nil
	}
	return nil, fmt.Errorf("no router %q; there are default, nolog and recover", kind)
}

func main() {
	port := flag.Int("port", 8080, "port of 127.0.0.1 to listen on")
	kind := flag.String("router", "default", "default, nolog or recover")
	flag.Parse()

	router, err := routerOf(*kind)
	if err != nil {
		log.Fatal(err)
	}
	router.GET("/ready", func(c *gin.Context) { c.Status(http.StatusNoContent) })
	router.GET("/ok", func(c *gin.Context) { c.String(http.StatusOK, "All is well.") })
	router.GET("/panic", func(*gin.Context) { panic("as it was asked to") })

	if err := router.Run(fmt.Sprintf("127.0.0.1:%d", *port)); err != nil {
		log.Fatal(err)
	}
}
