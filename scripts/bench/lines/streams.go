package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"

	"holt/scripts/bench/lines/emulator"
)

// streams is a connection of QUIC on which the server opens streams.
type streams struct {
	// Set at construction.
	bout    *bout
	pair    *pair
	channel func(n int) int // of each message
	ctx     context.Context //nolint:containedctx // of the goroutines: ended by close
	stop    context.CancelFunc
	running sync.WaitGroup

	writers map[int]*streamWriter // owned by send

	mu      sync.Mutex
	arrives map[quic.StreamID]*coverage // Guarded by mu.
}

// streamWriter is one stream, at the server.
type streamWriter struct {
	stream   *quic.SendStream
	messages chan []byte // it has space for all messages
}

func openOneStream(ctx context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
	return openChannels(ctx, l, b, func(int) int { return 0 })
}

func openStreams(ctx context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
	return openChannels(ctx, l, b, b.channel)
}

func openChannels(ctx context.Context, l *emulator.Link, b *bout,
	channel func(int) int) (carrier, error) {
	s := &streams{bout: b, channel: channel, writers: map[int]*streamWriter{},
		arrives: map[quic.StreamID]*coverage{}}
	var err error
	if s.pair, err = connect(ctx, l, s.came); err != nil {
		return nil, err
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// came records bytes that have come on a stream.
func (s *streams) came(f *qlog.StreamFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.arrives[f.StreamID]; c != nil {
		c.came(int(f.Offset), int(f.Length), s.bout.arrive)
	}
}

// send writes the messages of each stream together.
func (s *streams) send(first, end int) {
	var order []int
	ready := map[int][]byte{}
	for n := first; n < end; n++ {
		k := s.channel(n)
		if ready[k] == nil {
			order = append(order, k)
		}
		m := binary.AppendUvarint(nil, uint64(s.bout.size(n))) //nolint:gosec // a size
		m = append(m, s.bout.message(n)...)
		w, err := s.writer(k)
		if err != nil {
			s.bout.breakOff(err)
			return
		}
		s.mu.Lock()
		s.arrives[w.stream.StreamID()].add(n, len(m))
		s.mu.Unlock()
		ready[k] = append(ready[k], m...)
	}
	for _, k := range order {
		s.writers[k].messages <- ready[k]
	}
}

// writer returns the stream of a channel.
func (s *streams) writer(k int) (*streamWriter, error) {
	if w := s.writers[k]; w != nil {
		return w, nil
	}
	stream, err := s.pair.server.OpenUniStream()
	if err != nil {
		return nil, fmt.Errorf("open a stream: %w", err)
	}
	w := &streamWriter{stream, make(chan []byte, len(s.bout.trace))}
	s.writers[k] = w
	s.mu.Lock()
	s.arrives[stream.StreamID()] = &coverage{}
	s.mu.Unlock()
	s.running.Go(func() {
		for m := range w.messages {
			if _, err := stream.Write(m); err != nil {
				s.broken(err)
			}
		}
	})
	return w, nil
}

// accept reads all streams, at the client.
func (s *streams) accept() {
	for {
		stream, err := s.pair.client.AcceptUniStream(s.ctx)
		if err != nil {
			s.broken(err)
			return
		}
		s.running.Go(func() { s.read(bufio.NewReader(stream)) })
	}
}

func (s *streams) read(r *bufio.Reader) {
	for {
		size, err := binary.ReadUvarint(r)
		if err == nil && size > 16<<20 {
			err = errMessage
		}
		if err != nil {
			s.broken(err)
			return
		}
		m := make([]byte, size)
		if _, err := io.ReadFull(r, m); err != nil {
			s.broken(err)
			return
		}
		s.bout.execute(m)
	}
}

// broken ends the bout, unless it is over.
func (s *streams) broken(err error) {
	if s.ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		s.bout.breakOff(err)
	}
}

func (s *streams) close() {
	s.stop()
	for _, w := range s.writers {
		close(w.messages)
	}
	s.pair.close()
	s.running.Wait()
}
