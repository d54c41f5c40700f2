// A web server that answers each request with a random message from a database, once asking for
// every request and once asking once for all requests that wait for the same message.
//
//	server -port 8080 -database postgres://… -pool 0
//
// The routes are /ready, /without and /with (request coalescing). The table is filled before the
// port opens. A pool of 0 connections is without bound, as database/sql has it by default.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"golang.org/x/sync/singleflight"
)

const body = "All happy services are alike; each unhappy service is unhappy in its own way."

// A message is what a request asks for.
type message struct {
	ID   int    `json:"id"`
	Body string `json:"body"`
	Sent string `json:"sent"`
}

type server struct {
	database *sql.DB
	messages int
	flights  singleflight.Group
}

func (s *server) fill(ctx context.Context) error {
	_, err := s.database.ExecContext(ctx, `
		CREATE TABLE messages (id integer PRIMARY KEY, body text NOT NULL, sent timestamptz NOT NULL)`)
	if err != nil {
		return err
	}
	_, err = s.database.ExecContext(ctx, `
		INSERT INTO messages SELECT n, $1, timestamptz '2024-01-01' + n * interval '1 minute'
		FROM generate_series(1, $2::int) AS n`, body, s.messages)
	return err
}

func (s *server) find(ctx context.Context, id int) (message, error) {
	var found message
	var sent time.Time
	row := s.database.QueryRowContext(ctx, "SELECT id, body, sent FROM messages WHERE id = $1", id)
	if err := row.Scan(&found.ID, &found.Body, &sent); err != nil {
		return message{}, err
	}
	found.Sent = sent.UTC().Format(time.RFC3339)
	return found, nil
}

func (s *server) answer(w http.ResponseWriter, found message, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found)
}

func (s *server) without(w http.ResponseWriter, r *http.Request) {
	found, err := s.find(r.Context(), 1+rand.IntN(s.messages))
	s.answer(w, found, err)
}

func (s *server) with(w http.ResponseWriter, _ *http.Request) {
	id := 1 + rand.IntN(s.messages)
	// The flight is shared: that one of those who wait leaves must not end it for the others.
	found, err, _ := s.flights.Do(strconv.Itoa(id), func() (any, error) {
		return s.find(context.Background(), id)
	})
	if err != nil {
		s.answer(w, message{}, err)
		return
	}
	s.answer(w, found.(message), nil)
}

func main() {
	port := flag.Int("port", 8080, "port of 127.0.0.1 to listen on")
	address := flag.String("database", "", "URL of the database")
	pool := flag.Int("pool", 0, "connections to the database at most, 0 for any number")
	messages := flag.Int("messages", 100, "messages to choose from")
	flag.Parse()

	database, err := sql.Open("pgx", *address)
	if err != nil {
		log.Fatal(err)
	}
	database.SetMaxOpenConns(*pool)
	if *pool > 0 {
		database.SetMaxIdleConns(*pool)
	}
	s := &server{database: database, messages: *messages}
	if err := s.fill(context.Background()); err != nil {
		log.Fatal(err)
	}

	http.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	http.HandleFunc("GET /without", s.without)
	http.HandleFunc("GET /with", s.with)
	err = http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	if !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
