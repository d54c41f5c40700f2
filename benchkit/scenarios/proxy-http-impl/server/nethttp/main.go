// A reverse proxy of Go's standard library.
//
//	nethttp -port 8080 -backend 127.0.0.1:8081 -keepalive -connections 100
//
// httputil.ReverseProxy as it comes, without a buffer pool. Without -keepalive each request to the
// backend has a connection of its own; with it, as many idle ones are kept as clients may be there.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
)

func main() {
	port := flag.Int("port", 8080, "port of 127.0.0.1 to listen on")
	backend := flag.String("backend", "127.0.0.1:8081", "host and port of the backend")
	keepalive := flag.Bool("keepalive", false, "keep connections to the backend")
	connections := flag.Int("connections", 100, "idle connections to the backend at most")
	flag.Parse()

	target := &url.URL{Scheme: "http", Host: *backend}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: &http.Transport{
			DisableKeepAlives:   !*keepalive,
			DisableCompression:  true,
			MaxIdleConnsPerHost: *connections,
		},
		ErrorHandler: fail,
	}
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), proxy))
}

// fail answers as the standard library does, and says nothing of clients that have left.
func fail(w http.ResponseWriter, _ *http.Request, err error) {
	if !errors.Is(err, context.Canceled) {
		log.Print(err)
	}
	w.WriteHeader(http.StatusBadGateway)
}
