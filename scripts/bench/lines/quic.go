package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"

	"holt/scripts/bench/lines/emulator"
)

// pair is both ends of a connection of QUIC.
type pair struct {
	server, client *quic.Conn
	ends           []func() error // what is to be closed, the last first
}

// connect opens a connection of QUIC from the client to the server. watch, if not nil, is told by the client's end of each frame of a
// stream that it gets.
func connect(ctx context.Context, l *emulator.Link, watch func(*qlog.StreamFrame)) (p *pair, err error) {
	p = &pair{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	serverTLS, clientTLS, err := certificates()
	if err != nil {
		return nil, err
	}
	server, err := p.transport(l.Server)
	if err != nil {
		return nil, err
	}
	client, err := p.transport(l.Client)
	if err != nil {
		return nil, err
	}
	config := &quic.Config{EnableDatagrams: true, MaxIncomingUniStreams: 1 << 20}
	listener, err := server.Listen(serverTLS, config)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	p.ends = append(p.ends, listener.Close)
	watching := config.Clone()
	if watch != nil {
		watching.Tracer = func(context.Context, bool, quic.ConnectionID) qlogwriter.Trace { return frames(watch) }
	}
	if p.client, err = client.Dial(ctx, server.Conn.LocalAddr(), clientTLS, watching); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	p.ends = append(p.ends, func() error { return p.client.CloseWithError(0, "") })
	if p.server, err = listener.Accept(ctx); err != nil {
		return nil, fmt.Errorf("accept: %w", err)
	}
	p.ends = append(p.ends, func() error { return p.server.CloseWithError(0, "") })
	return p, nil
}

// transport opens a socket of a host.
func (p *pair) transport(h *emulator.Host) (*quic.Transport, error) {
	socket, err := h.ListenUDP()
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	t := &quic.Transport{Conn: socket}
	p.ends = append(p.ends, socket.Close, t.Close)
	return t, nil
}

func (p *pair) close() {
	for i := len(p.ends) - 1; i >= 0; i-- {
		_ = p.ends[i]() // nothing is wanted of it any more
	}
}

// certificates returns what both sides need to know each other.
func certificates() (server, client *tls.Config, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key: %w", err)
	}
	const name, protocol = "line.invalid", "line"
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(24 * time.Hour)}
	b, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		return nil, nil, fmt.Errorf("make a certificate: %w", err)
	}
	made, err := x509.ParseCertificate(b)
	if err != nil {
		return nil, nil, fmt.Errorf("read a certificate: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(made)
	server = &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocol},
		Certificates: []tls.Certificate{{Certificate: [][]byte{b}, PrivateKey: key}},
	}
	return server, &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, RootCAs: roots, ServerName: name}, nil
}

// frames is a trace of a connection that is told of nothing but frames of streams that have come.
type frames func(*qlog.StreamFrame)

func (f frames) AddProducer() qlogwriter.Recorder { return f }
func (frames) SupportsSchemas(string) bool        { return true }
func (frames) Close() error                       { return nil }

func (f frames) RecordEvent(e qlogwriter.Event) {
	if e, ok := e.(qlog.PacketReceived); ok {
		for _, frame := range e.Frames {
			if s, ok := frame.Frame.(*qlog.StreamFrame); ok {
				f(s)
			}
		}
	}
}

// streams is a connection of QUIC on which the server opens streams.
type streams struct {
	// Set at construction.
	bout    *bout
	pair    *pair
	channel func(n int) int // of each message
	ctx     context.Context //nolint:containedctx // of the goroutines: ended by close
	stop    context.CancelFunc
	running sync.WaitGroup

	writers map[int]*streamWriter // of send

	mu      sync.Mutex
	arrives map[quic.StreamID]*coverage // Guarded by mu.
}

// streamWriter is one stream, at the server.
type streamWriter struct {
	stream   *quic.SendStream
	messages chan []byte // it has room for all that there are
}

func openOneStream(ctx context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
	return openChannels(ctx, l, b, func(int) int { return 0 })
}

func openStreams(ctx context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
	return openChannels(ctx, l, b, b.channel)
}

func openChannels(ctx context.Context, l *emulator.Link, b *bout, channel func(int) int) (carrier, error) {
	s := &streams{bout: b, channel: channel, writers: map[int]*streamWriter{}, arrives: map[quic.StreamID]*coverage{}}
	var err error
	if s.pair, err = connect(ctx, l, s.came); err != nil {
		return nil, err
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// came notes bytes that have come on a stream.
func (s *streams) came(f *qlog.StreamFrame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.arrives[f.StreamID]; c != nil {
		c.came(int(f.Offset), int(f.Length), s.bout.arrive)
	}
}

// send writes the messages of each stream at once.
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
