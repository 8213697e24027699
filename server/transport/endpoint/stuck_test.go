package endpoint

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// fillPipe makes a pipe that accepts nothing any more.
func fillPipe(p *pipe) {
	for range cap(p.out) {
		p.out <- []byte{0}
	}
}

func TestPathsThatTakeNothing(t *testing.T) {
	for _, way := range ways {
		t.Run("D29 a line that dies under load ends in time, by "+way.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				g.play(1, 3)
				hosted := w.host.last(w)
				for n := range 1500 {
					if n == 1000 {
						w.road.losing(1, nil)
					}
					hosted.tellMuch(uint64(n+10), 1<<10)
					w.pass(time.Millisecond)
				}
				start := time.Now()
				if err := <-hosted.ended; err == nil || errors.Is(err, stream.ErrLeft) {
					w.Errorf("the stream has ended with %v", err)
				}
				if took := time.Since(start); took > 11*time.Second {
					w.Errorf("noticed after %v", took)
				}
				<-g.ended
				g.conn.Wait()
			})
		})
	}
	t.Run("D29.10 a path that takes nothing for 10 s is dead, whatever arrives", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			pa, pb := newPipes()
			fillPipe(pa)
			a := newEnd(connection.FromServer, connection.FromServer)
			a.conn.enter(pa, nil)
			start := time.Now()
			for n := byte(0); time.Since(start) < 9*time.Second; n++ {
				pb.out <- []byte{byte(connection.KindData) | 2, 0, n}
				<-time.After(time.Second)
			}
			if a.conn.Err() != nil {
				t.Errorf("after %v: %v", time.Since(start), a.conn.Err())
			}
			if err := <-a.ended; err.Code != connection.CodeSilent ||
				time.Since(start) > 10*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			a.conn.Wait()
		})
	})
	for _, code := range []connection.Code{connection.CodeProtocol, connection.CodeGoing} {
		t.Run(fmt.Sprintf("D29 a blocked connection closes in 1 s with %d", code), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b, pa, pb := newPair()
				synctest.Wait()
				pb.close(0, "")
				fillPipe(pa)
				a.send(t, []byte("it waits"))
				synctest.Wait()
				start := time.Now()
				a.conn.Close(code, "")
				if err := <-a.ended; err.Code != code || time.Since(start) > time.Second {
					t.Errorf("after %v: %v", time.Since(start), err)
				}
				<-b.ended
				a.conn.Wait()
				b.conn.Wait()
			})
		})
	}
}

func TestPathsThatAreNone(t *testing.T) {
	t.Run("D28.2 a path needs at least 512 bytes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			pa, _ := newPipes()
			pa.most.Store(connection.MinSize * 3 / 4)
			a := newEnd(connection.FromServer, connection.FromServer)
			a.conn.enter(pa, nil)
			a.send(t, make([]byte, 100_000))
			<-time.After(time.Second)
			select {
			case <-pa.closed:
			default:
				t.Error("it is used")
			}
			if err := <-a.ended; err.Code != connection.CodeSilent {
				t.Error(err)
			}
			a.conn.Wait()
		})
	})
	t.Run("D20 a UDP path that ends in its handshake leaves nothing behind", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			s := w.listener.plain
			p := newPlainPath(s.socket, plainAddress)
			p.named = func(number uint64) { s.add(plainKey{from: p.peer, number: number}, p) }
			p.close(0, "")
			p.carries(1)
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.paths) > 0 {
				t.Error("it is kept")
			}
		})
	})
}
