package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"

	"holt/scripts/bench/lines/emulator"
)

// pair is both ends of a connection of QUIC.
type pair struct {
	server, client *quic.Conn
	ends           []func() error // to be closed, the last first
}

// connect opens a connection of QUIC from the client to the server. watch, if not nil, is called
// with each frame of a stream that the client's end gets.
func connect(ctx context.Context, l *emulator.Link,
	watch func(*qlog.StreamFrame)) (p *pair, err error) {
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
		watching.Tracer = func(context.Context, bool, quic.ConnectionID) qlogwriter.Trace {
			return frames(watch)
		}
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
		_ = p.ends[i]() // nothing else is needed of it
	}
}

// certificates returns TLS configurations by which both sides accept each other.
func certificates() (server, client *tls.Config, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key: %w", err)
	}
	const name, protocol = "line.invalid", "line"
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name},
		NotAfter: time.Now().Add(24 * time.Hour)}
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
	return server, &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{protocol},
		RootCAs: roots, ServerName: name}, nil
}

// frames is a trace of a connection that records nothing but frames of streams that have arrived.
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
