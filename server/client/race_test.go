package client

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"holt/server/id"
)

func TestRace(t *testing.T) {
	// Clauses: D38.11
	atHarbour(t, "D38.11 a WebSocket is tried 250 ms after QUIC", func(t *testing.T, h *harbour) {
		h.freeze(true)
		begun := time.Now()
		_, _, _ = h.travels(t, Auto)
		h.visited().says(frame(20, full(epoch)))
		if took := time.Since(begun); took != 250*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
	// Clauses: D38.11
	atHarbour(t, "D38.11 a failure of QUIC starts the WebSocket", func(t *testing.T, h *harbour) {
		begun := time.Now()
		c, err := New(Config{
			Server: h.server, Seat: Seat{Table: "ab", Token: "T"}, Client: id.Client{1},
			Transport: Auto,
			Socket: func() (net.PacketConn, error) {
				<-time.After(30 * time.Millisecond)
				return nil, errors.New("not permitted")
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- c.Run(ctx) }()
		h.visited().says(frame(20, full(epoch)))
		if took := time.Since(begun); took != 30*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		cancel()
		<-over
	})
	// Clauses: D38.14
	atHarbour(t, "D38.14 after a WebSocket no datagrams for a minute", func(t *testing.T, h *harbour) {
		h.freeze(true)
		c, events, _ := h.travels(t, Auto)
		h.visited().says(frame(20, full(epoch)))
		h.freeze(false)
		c.Cut(30 * time.Second)
		<-time.After(40 * time.Second)
		if got := events.opened(); !slices.Equal(got, []Transport{WebSocket, WebSocket}) {
			t.Fatalf("streams came by %v", got)
		}
		h.visited().says(frame(20, resumed()))
		if tickets := h.tickets; tickets != 1 {
			t.Errorf("it has asked for %d tickets", tickets)
		}
		c.Cut(time.Minute)
		(<-h.arrived).says(frame(20, resumed()))
		<-time.After(time.Second)
		if got := events.opened(); !slices.Equal(got, []Transport{WebSocket, WebSocket, Datagrams}) {
			t.Errorf("streams came by %v", got)
		}
	})
}
