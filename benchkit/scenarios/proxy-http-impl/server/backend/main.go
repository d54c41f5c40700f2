// The web server behind the proxy: it sleeps and then answers with a body of a given size.
//
//	backend -port 8081 -sleep 100 -bytes 3000
//
// It is made with fasthttp for both proxies, because it has to share the machine with them: what it
// needs itself is not to be what is measured.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/valyala/fasthttp"
)

func main() {
	port := flag.Int("port", 8081, "port of 127.0.0.1 to listen on")
	sleep := flag.Int("sleep", 0, "milliseconds before each answer")
	size := flag.Int("bytes", 3000, "bytes of each answer")
	flag.Parse()

	wait := time.Duration(*sleep) * time.Millisecond
	body := bytes.Repeat([]byte("x"), *size)
	server := &fasthttp.Server{
		Handler: func(ctx *fasthttp.RequestCtx) {
			if wait > 0 {
				time.Sleep(wait)
			}
			ctx.SetContentType("text/plain")
			ctx.SetBody(body)
		},
		Logger: silent{},
	}
	log.Fatal(server.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port)))
}

// silent drops what the server says of connections that the load generator leaves at its end.
type silent struct{}

func (silent) Printf(string, ...any) {}
