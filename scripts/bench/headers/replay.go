package main

import (
	"fmt"
	"time"

	"holt/scripts/bench/lines/trace"
	"holt/scripts/bench/virtual"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
	"holt/server/transport/framing"
	"holt/server/transport/simline"
)

// tally counts the headers of guaranteed messages by how many dependencies they name.
type tally struct {
	headers  [depgraph.MaxDependencies + 1]int
	messages int
	bytes    int // of messages, without headers
}

func (t *tally) add(o *tally) {
	for n, count := range &o.headers {
		t.headers[n] += count
	}
	t.messages += o.messages
	t.bytes += o.bytes
}

// most returns the most dependencies in a header.
func (t *tally) most() (most int) {
	for n, count := range &t.headers {
		if count > 0 {
			most = n
		}
	}
	return most
}

// named returns how many dependencies all headers have.
func (t *tally) named() (sum int) {
	for n, count := range &t.headers {
		sum += n * count
	}
	return sum
}

// replay cuts a recording into messages (D31 to D33), sends them over a line, and counts the
// headers. The client says nothing but acknowledgements.
func replay(all []frame, line simline.Config, seed uint64) (*tally, error) {
	r, w := newReplayer(line, seed)
	for i := range all {
		if err := w.Run(all[i].at); err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		if err := r.splitter.Add(append([]byte(nil), all[i].bytes...)); err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
		if err := r.flush(w.Now()); err != nil {
			return nil, fmt.Errorf("frame %d: %w", i, err)
		}
	}
	return r.settle(w)
}

// replayTrace does the same with a recording of scripts/bench/lines, which says itself what depends
// on what.
func replayTrace(all trace.Trace, line simline.Config, seed uint64) (*tally, error) {
	r, w := newReplayer(line, seed)
	handles := make([]depgraph.Handle, len(all))
	for i := range all {
		err := w.Run(all[i].At)
		var deps []*depgraph.Handle
		for _, d := range all[i].Deps {
			deps = append(deps, &handles[d])
		}
		if err == nil {
			err = r.server.Send(w.Now(), make([]byte, all[i].Size), deps, &handles[i])
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	return r.settle(w)
}

func newReplayer(line simline.Config, seed uint64) (*replayer, *virtual.World) {
	r := &replayer{splitter: framing.NewSplitter()}
	config := connection.Config{
		Number: 1, Path: connection.Path{Largest: connection.UDPSize, UDP: true},
		Takes: connection.FromServer, PeerLimits: connection.FromServer, RepeatOverdue: true,
		Execute: func(uint64, []byte) {}, Unguaranteed: func(uint32, []byte) {},
	}
	r.server = &counter{Conn: connection.NewConn(config)}
	config.Execute = func(uint64, []byte) { r.executed++ }
	r.client = connection.NewConn(config)
	return r, virtual.New(r, simline.NewPair(line, line, seed))
}

// settle waits until all has been executed.
func (r *replayer) settle(w *virtual.World) (*tally, error) {
	const patience = time.Minute
	if err := w.Run(w.Now() + patience); err != nil {
		return nil, err
	}
	if waiting, _ := r.splitter.Waiting(); waiting > 0 || r.executed != r.server.messages {
		return nil, fmt.Errorf("%d of %d messages were executed, %d were not sent", r.executed,
			r.server.messages, waiting)
	}
	return &r.server.tally, nil
}

// replayer is both ends of a connection over which a recording goes.
type replayer struct {
	splitter *framing.Splitter
	server   *counter
	client   *connection.Conn
	executed int
}

// counter is a connection whose headers are counted.
type counter struct {
	*connection.Conn
	tally
}

// Send implements framing.Conn.
func (c *counter) Send(now time.Duration, msg []byte, deps []*depgraph.Handle,
	h *depgraph.Handle) error {
	names := 0
	for _, d := range deps { // they are distinct
		if d != nil && !d.Executed() {
			names++
		}
	}
	if err := c.Conn.Send(now, msg, deps, h); err != nil {
		return err
	}
	c.headers[names]++
	c.messages++
	c.bytes += len(msg)
	return nil
}

func (r *replayer) flush(now time.Duration) error {
	_, err := r.splitter.Flush(now, r.server)
	return err
}

// Receive implements virtual.Ends.
func (r *replayer) Receive(now time.Duration, side int, p []byte) error {
	if side == 1 {
		return r.client.Receive(now, p)
	}
	if err := r.server.Receive(now, p); err != nil {
		return err
	}
	return r.flush(now)
}

// Next implements virtual.Ends.
func (r *replayer) Next(now time.Duration, side int, to []byte) ([]byte, bool) {
	if side == 1 {
		return r.client.Next(now, to)
	}
	return r.server.Next(now, to)
}

// Wake implements virtual.Ends.
func (r *replayer) Wake(side int) (time.Duration, bool) {
	if side == 1 {
		return r.client.Wake()
	}
	return r.server.Wake()
}
