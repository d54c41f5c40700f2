// The fixture server: the small HTTP server that the recorded runs in this
// folder were made against. Standard library only.
//
//	go run server.go [-addr 127.0.0.1:8931]
//
// Routes (every route that misbehaves does so for one request in `every`,
// counted per route, so that a run of known length has known failures):
//
//	/ok                    200, 12 bytes, always the same
//	/size?n=3000           200, n bytes
//	/tiny                  200, 2 bytes, no Date header
//	/echo                  201, answers the request body's length as text
//	/slow?ms=20&every=1    200 after ms milliseconds
//	/mixed                 1 in 10 is a 500, 1 in 10 a 404, the rest 200
//	/status?code=503       that status
//	/varying               200, body of 10 to 19 bytes
//	/redirect              301 to /ok
//	/cookie                200 with a Set-Cookie header (an invented value)
//	/drop?every=20         closes the connection without an answer
//	/reset?every=20        resets the connection (RST) without an answer
//	/cut?every=20          promises 100 bytes, sends 10 and closes
//	/stall?every=20        never answers
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var counters sync.Map

// turn tells whether this request is one of those that misbehave.
func turn(r *http.Request, fallback int) bool {
	return next(r.URL.Path)%int64(number(r, "every", fallback)) == 0
}

func next(path string) int64 {
	counter, _ := counters.LoadOrStore(path, new(atomic.Int64))
	return counter.(*atomic.Int64).Add(1)
}

func number(r *http.Request, key string, fallback int) int {
	value, err := strconv.Atoi(r.URL.Query().Get(key))
	if err != nil || value < 1 {
		return fallback
	}
	return value
}

func text(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	io.WriteString(w, body)
}

func ok(w http.ResponseWriter, _ *http.Request) { text(w, 200, "Hello world\n") }

func size(w http.ResponseWriter, r *http.Request) {
	text(w, 200, strings.Repeat("x", number(r, "n", 3000)))
}

func tiny(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Date"] = nil
	text(w, 200, "ok")
}

func echo(w http.ResponseWriter, r *http.Request) {
	n, _ := io.Copy(io.Discard, r.Body)
	text(w, 201, fmt.Sprintf("got %d bytes\n", n))
}

func slow(w http.ResponseWriter, r *http.Request) {
	if turn(r, 1) {
		time.Sleep(time.Duration(number(r, "ms", 20)) * time.Millisecond)
	}
	ok(w, r)
}

func mixed(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	switch next(r.URL.Path) % 10 {
	case 3:
		text(w, 500, "it broke\n")
	case 7:
		text(w, 404, "not here\n")
	default:
		ok(w, r)
	}
}

func status(w http.ResponseWriter, r *http.Request) {
	code := number(r, "code", 503)
	text(w, code, http.StatusText(code)+"\n")
}

func varying(w http.ResponseWriter, r *http.Request) {
	text(w, 200, strings.Repeat("v", 10+int(next(r.URL.Path)%10)))
}

func cookie(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Set-Cookie", "session=fixture-session-value; HttpOnly")
	ok(w, r)
}

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

func drop(w http.ResponseWriter, r *http.Request) {
	if turn(r, 20) {
		hijack(w).Close()
		return
	}
	ok(w, r)
}

func reset(w http.ResponseWriter, r *http.Request) {
	if turn(r, 20) {
		conn := hijack(w)
		if tcp, isTCP := conn.(*net.TCPConn); isTCP {
			tcp.SetLinger(0)
		}
		conn.Close()
		return
	}
	ok(w, r)
}

func cut(w http.ResponseWriter, r *http.Request) {
	if turn(r, 20) {
		conn := hijack(w)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
		conn.Close()
		return
	}
	ok(w, r)
}

func stall(w http.ResponseWriter, r *http.Request) {
	if turn(r, 20) {
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
	ok(w, r)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8931", "address to listen on")
	flag.Parse()
	routes := map[string]http.HandlerFunc{
		"/ok": ok, "/size": size, "/tiny": tiny, "/echo": echo, "/slow": slow,
		"/mixed": mixed, "/status": status, "/varying": varying, "/cookie": cookie,
		"/drop": drop, "/reset": reset, "/cut": cut, "/stall": stall,
		"/redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", 301) },
	}
	for path, handler := range routes {
		http.HandleFunc(path, handler)
	}
	log.Printf("fixture server on http://%s", *addr)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
