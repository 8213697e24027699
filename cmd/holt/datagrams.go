package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"holt/server/transport/endpoint"
)

// datagramFlags say where streams can come by datagrams.
type datagramFlags struct {
	Datagrams string `placeholder:"ADDR" help:"Address and UDP port for streams by datagrams, which stand lost packets better, or off. Without it the port of --listen, if that is free; browsers that cannot reach it use the WebSocket."`
	PlainUDP  string `name:"plain-udp" placeholder:"ADDR" help:"Address and port for programs that want datagrams without encryption: for a network that you trust."`
}

// off switches datagrams off.
const off = "off"

// check reports what is wrong with the flags.
func (f *datagramFlags) check() error {
	for _, flag := range []struct{ name, value string }{
		{"--datagrams", f.Datagrams}, {"--plain-udp", f.PlainUDP},
	} {
		if flag.value == "" || flag.value == off && flag.name == "--datagrams" {
			continue
		}
		if _, port, err := net.SplitHostPort(flag.value); err != nil || !isPort(port) {
			return fmt.Errorf("%s %s is not an address and a port, like 0.0.0.0:8443", flag.name,
				flag.value)
		}
	}
	return nil
}

// listenDatagrams opens the sockets. It returns nil if there are none to open. Without --datagrams
// it tries the port of the HTTP listener. If that port is taken, or UDP is not allowed, it logs
// that and goes on without.
func (f *datagramFlags) listenDatagrams(
	ctx context.Context, log *slog.Logger, http net.Addr, scale int,
) (*endpoint.Listener, error) {
	if f.Datagrams == off && f.PlainUDP == "" {
		return nil, nil //nolint:nilnil // none is fine
	}
	certificates, err := endpoint.SelfSigned(time.Now)
	if err != nil {
		return nil, fmt.Errorf("make a certificate for datagrams: %w", err)
	}
	cfg := endpoint.Config{
		Certificates: certificates, Bounds: endpoint.BoundsTimes(scale), Log: log,
	}
	switch f.Datagrams {
	case off:
	case "":
		if cfg.QUIC, err = listenUDP(ctx, "--datagrams", http.String()); err != nil {
			log.Warn(
				"streams come by WebSocket only: the UDP port beside that of --listen cannot be had",
				"error", err)
		}
	default:
		if cfg.QUIC, err = listenUDP(ctx, "--datagrams", f.Datagrams); err != nil {
			return nil, err
		}
	}
	if f.PlainUDP != "" {
		if cfg.Plain, err = listenUDP(ctx, "--plain-udp", f.PlainUDP); err != nil {
			return nil, errors.Join(err, closeSocket(cfg.QUIC))
		}
		log.Warn(
			"what programs send and get by plain UDP is not encrypted: "+
				"anybody on the way can read and forge it",
			"address", cfg.Plain.LocalAddr().String())
	}
	if cfg.QUIC == nil && cfg.Plain == nil {
		return nil, nil //nolint:nilnil // as above
	}
	return endpoint.New(cfg), nil
}

// listenUDP opens a socket. Its error names the flag.
func listenUDP(ctx context.Context, flag, address string) (net.PacketConn, error) {
	c, err := new(net.ListenConfig).ListenPacket(ctx, "udp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: listen at %s: %w", flag, address, err)
	}
	return c, nil
}

func closeSocket(c net.PacketConn) error {
	if c == nil {
		return nil
	}
	return c.Close()
}
