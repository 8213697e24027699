package main

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"

	"holt/storage"
)

func TestDatagramFlags(t *testing.T) {
	// HTTP has a listener, and another program uses its UDP port.
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	http := net.Addr(net.TCPAddrFromAddrPort(taken.LocalAddr().(*net.UDPAddr).AddrPort()))
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = free.Close() }()
	for _, c := range []struct {
		name        string
		flags       datagramFlags
		http        net.Addr
		quic, plain bool
		wrong       string // part of the error
		warns       string
	}{
		{name: "the port of --listen", http: free.Addr(), quic: true},
		{name: "that is taken", http: http, warns: "WebSocket only"},
		{name: "another port", flags: datagramFlags{Datagrams: "127.0.0.1:0"},
			http: http, quic: true},
		{
			name:  "another port that is taken",
			flags: datagramFlags{Datagrams: taken.LocalAddr().String()}, http: free.Addr(),
			wrong: "--datagrams",
		},
		{name: "off", flags: datagramFlags{Datagrams: "off"}, http: free.Addr()},
		{name: "plain UDP, too", flags: datagramFlags{PlainUDP: "127.0.0.1:0"}, http: free.Addr(),
			quic: true, plain: true, warns: "not encrypted"},
		{name: "plain UDP alone", flags: datagramFlags{Datagrams: "off", PlainUDP: "127.0.0.1:0"},
			http: free.Addr(), plain: true, warns: "not encrypted"},
		{
			name:  "plain UDP at a port that is taken",
			flags: datagramFlags{PlainUDP: taken.LocalAddr().String()}, http: free.Addr(),
			wrong: "--plain-udp",
		},
	} {
		// Clauses: D30.8
		t.Run(c.name, func(t *testing.T) {
			var said bytes.Buffer
			l, err := c.flags.listenDatagrams(t.Context(),
				slog.New(slog.NewTextHandler(&said, nil)), c.http, 1)
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said.String(), c.warns) || c.warns == "" && said.Len() > 0 {
				t.Errorf("it has said %q", said.String())
			}
			if l == nil {
				if c.quic || c.plain {
					t.Error("there is no listener")
				}
				return
			}
			quic, plain := l.Addresses("localhost")
			if (quic != "") != c.quic || (plain != "") != c.plain {
				t.Errorf("addresses %q and %q", quic, plain)
			}
			if c.flags.Datagrams == "" && quic != c.http.String() {
				t.Errorf("QUIC at %s beside %v", quic, c.http)
			}
			if err := l.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, bad := range []datagramFlags{{Datagrams: "8443"}, {Datagrams: "localhost:http3"},
		{PlainUDP: "off"}, {PlainUDP: ":70000"}} {
		if err := bad.check(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	for _, good := range []datagramFlags{{}, {Datagrams: "off"},
		{Datagrams: "0.0.0.0:8443", PlainUDP: "[::1]:0"}} {
		if err := good.check(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
}

// TestResetKey shows that the key of stateless resets lasts as long as the data folder.
// Clauses: D21.12
func TestResetKey(t *testing.T) {
	keyIn := func(dir string) [32]byte {
		t.Helper()
		db, err := storage.Open(t.Context(), dir, storage.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		_, invites, err := openIdentity(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		return resetKeyOf(invites)
	}
	dir := t.TempDir()
	first := keyIn(dir)
	if again := keyIn(dir); again != first || first == [32]byte{} {
		t.Errorf("the key was %x, and is %x after another start", first, again)
	}
	if other := keyIn(t.TempDir()); other == first {
		t.Error("another folder has the same key")
	}
}
