package main

import (
	"sync"
	"time"

	"holt/server/transport/connection"
)

// end is one end of a connection by datagrams. Three goroutines run it: one owns the connection,
// one reads from the path, and one writes to it, which may wait.
type end struct {
	// Set at construction.
	bout  *bout
	core  *connection.Conn
	path  path
	start time.Time
	retry func(now time.Duration) // called when something has come; nil: nothing
	sees  func(p []byte)          // called with what has come; nil: nothing

	do       chan func(now time.Duration) // unbuffered
	incoming chan []byte                  // capacity 1: more wait in the path
	outgoing chan []byte                  // unbuffered
	over     chan struct{}
}

func newEnd(b *bout, c connection.Config, p path) *end {
	return &end{
		bout: b, core: connection.NewConn(c), path: p, start: time.Now(),
		do: make(chan func(time.Duration)), incoming: make(chan []byte, 1),
		outgoing: make(chan []byte), over: make(chan struct{}),
	}
}

func (e *end) run(in *sync.WaitGroup) {
	in.Go(e.step)
	in.Go(e.read)
	in.Go(e.write)
}

// call makes the goroutine of the connection call f, unless the bout is over.
func (e *end) call(f func(now time.Duration)) {
	select {
	case e.do <- f:
	case <-e.bout.done:
	}
}

// broken ends the bout, unless the end was closed.
func (e *end) broken(err error) {
	select {
	case <-e.over:
	default:
		e.bout.breakOff(err)
	}
}

func (e *end) read() {
	for {
		p, err := e.path.receive()
		if err != nil {
			e.broken(err)
			return
		}
		if e.sees != nil {
			e.sees(p)
		}
		select {
		case e.incoming <- p:
		case <-e.over:
			return
		}
	}
}

func (e *end) write() {
	for {
		select {
		case p := <-e.outgoing:
			if err := e.path.send(p); err != nil {
				e.broken(err)
			}
		case <-e.over:
			return
		}
	}
}

// step passes events to the connection, and its packets to the path.
func (e *end) step() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var ready []byte // a packet that the path has not taken
	for {
		now := time.Since(e.start)
		if ready == nil {
			ready, _ = e.core.Next(now, nil)
		}
		var outgoing chan []byte
		if ready != nil {
			outgoing = e.outgoing
		} else if at, ok := e.core.Wake(); ok {
			timer.Reset(at - now)
		}
		select {
		case outgoing <- ready:
			ready = nil
		case p := <-e.incoming:
			now = time.Since(e.start)
			if err := e.core.Receive(now, p); err != nil {
				e.bout.breakOff(err)
				return
			}
			if e.retry != nil {
				e.retry(now)
			}
		case f := <-e.do:
			f(time.Since(e.start))
		case <-timer.C:
			if err := e.core.Err(); err != nil {
				e.bout.breakOff(err)
				return
			}
		case <-e.over:
			return
		}
	}
}
