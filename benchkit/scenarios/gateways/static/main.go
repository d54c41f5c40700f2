// The backend behind every gateway, and the whole of the baseline: one small file from memory.
package main

import (
	"flag"
	"log"
	"net"
	"net/http"
	"strconv"
)

var body = []byte("The quick brown fox says hello\n")

func main() {
	port := flag.Int("port", 8000, "port of 127.0.0.1")
	flag.Parse()
	http.HandleFunc("/hello.txt", func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/plain; charset=utf-8")
		header.Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)), nil))
}
