// A reverse proxy made of fasthttp's server and client.
//
//	fasthttp -port 8080 -backend 127.0.0.1:8081 -keepalive -connections 100
//
// Without -keepalive each request to the backend has a connection of its own.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/valyala/fasthttp"
)

func main() {
	port := flag.Int("port", 8080, "port of 127.0.0.1 to listen on")
	backend := flag.String("backend", "127.0.0.1:8081", "host and port of the backend")
	keepalive := flag.Bool("keepalive", false, "keep connections to the backend")
	connections := flag.Int("connections", 100, "connections to the backend at most")
	flag.Parse()

	p := &proxy{
		client: &fasthttp.HostClient{
			Addr:                     *backend,
			MaxConns:                 *connections,
			NoDefaultUserAgentHeader: true,
		},
		keepalive: *keepalive,
	}
	server := &fasthttp.Server{Handler: p.serve, Logger: silent{}}
	log.Fatal(server.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port)))
}

type proxy struct {
	client    *fasthttp.HostClient
	keepalive bool
}

// serve passes one request on. The server has decided before whether the client's connection is
// kept, and what it decides afterwards depends on the client's protocol: it is put back.
func (p *proxy) serve(ctx *fasthttp.RequestCtx) {
	request, response := &ctx.Request, &ctx.Response
	// What an HTTP/1.0 client asks for would be asked of the backend in HTTP/1.0, which closes the
	// connection after each answer.
	spoken := string(request.Header.Protocol())
	request.Header.SetProtocol("HTTP/1.1")
	request.Header.Del(fasthttp.HeaderConnection)
	if !p.keepalive {
		request.Header.SetConnectionClose()
	}
	err := p.client.Do(request, response)
	request.Header.SetProtocol(spoken)
	response.Header.Del(fasthttp.HeaderConnection)
	if err != nil {
		log.Print(err)
		ctx.Error("Bad Gateway", fasthttp.StatusBadGateway)
	}
}

// silent drops what the server says of connections that the load generator leaves at its end.
type silent struct{}

func (silent) Printf(string, ...any) {}
