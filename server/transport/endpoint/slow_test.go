package endpoint

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/server/transport/connection"
)

// tellMuch sends the client news of piece 1 with a text of size bytes.
func (s *hosted) tellMuch(n uint64, size int) {
	x, text := int32(n), strings.Repeat("x", size)
	update := &holtpb.Update{Piece: &holtpb.Piece{Id: 1, Mark: n + 1, X: &x, Text: &text}}
	frame, err := wire.EncodeFrame(&holtpb.Frame{
		Time: 1, Mark: n + 1,
		Events: []*holtpb.Event{{Event: &holtpb.Event_Update{Update: update}}},
	})
	if err != nil {
		panic(err)
	}
	s.client.Push(frame)
}

// waiting returns how many unacknowledged bytes the server's only connection has.
func (w *world) waiting() (bytes int) {
	w.listener.mu.Lock()
	defer w.listener.mu.Unlock()
	for m := range w.listener.members {
		// 0 if it is closing
		_ = m.conn.Use(func(core *connection.Conn, _ time.Duration) {
			bytes += core.Stats().Waiting
		})
	}
	return bytes
}

func TestSlowClients(t *testing.T) {
	t.Run("S7, D14 a client that never acknowledges costs 256 KiB, and ends", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			p, err := w.dialer().path(w.Context(), w.target(QUIC))
			if err != nil {
				w.Fatal(err)
			}
			if _, err := handshake(w.Context(), p,
				connection.Hello{Takes: connection.FromServer, Request: "x"}); err != nil {
				w.Fatal(err)
			}
			var all sync.WaitGroup
			over := make(chan struct{})
			all.Go(func() { // it is known and waits for an answer
				for n := byte(0); ; n++ {
					select {
					case <-over:
						return
					case <-time.After(time.Second):
						_ = p.send([]byte{byte(connection.KindData), 0, n, 1}) // until it is closed
					}
				}
			})
			all.Go(func() { // and reads
				defer close(over)
				for {
					if _, err := p.receive(); err != nil {
						return
					}
				}
			})
			hosted := w.host.last(w)
			for n := range 800 {
				hosted.tellMuch(uint64(n+1), 4<<10)
				w.pass(time.Millisecond)
			}
			if n := w.waiting(); n < 128<<10 || n > 320<<10 {
				w.Errorf("%d bytes wait to be acknowledged", n)
			}
			if state := hosted.client.State(); state != stream.Desynced {
				w.Errorf("the stream is %v, not behind", state)
			}
			start := time.Now()
			if err := <-hosted.ended; !errors.Is(err, errStalled) {
				w.Errorf("it has ended with %v", err)
			}
			if took := time.Since(start); took < 28*time.Second || took > 30*time.Second {
				w.Errorf("it took %v to be dropped", took)
			}
			all.Wait()
			p.close(0, "")
		})
	})
}
