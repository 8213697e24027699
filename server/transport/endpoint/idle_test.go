package endpoint

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"holt/server/transport/connection"
)

// idleServer is the environment variable that makes the test binary a server whose memory is
// measured.
const idleServer = "HOLT_TEST_IDLE_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(idleServer) != "" {
		if err := serveIdle(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// serveIdle prints its address. For each line that it reads it prints how many bytes of memory it
// uses, and how many goroutines it has.
func serveIdle() error {
	listen := func() (net.PacketConn, error) {
		return new(net.ListenConfig).ListenPacket(context.Background(), "udp", "127.0.0.1:0")
	}
	quicSocket, err := listen()
	if err != nil {
		return err
	}
	plainSocket, err := listen()
	if err != nil {
		return err
	}
	certificates, err := SelfSigned(time.Now)
	if err != nil {
		return err
	}
	l := New(Config{
		QUIC: quicSocket, Plain: plainSocket, Certificates: certificates,
		Log:    slog.New(slog.DiscardHandler),
		Bounds: Bounds{PerAddress: 5000, PerSecond: 5000},
	})
	h := &host{}
	if err := l.Serve(Host{Open: h.open, Problem: error.Error, Origin: func(*http.Request) bool {
		return true
	}}); err != nil {
		return err
	}
	hashes, err := l.Hashes()
	if err != nil {
		return err
	}
	//nolint:forbidigo // to the test
	fmt.Println(quicSocket.LocalAddr(), plainSocket.LocalAddr(), hashes[0])
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		//nolint:forbidigo // to the test
		fmt.Println(m.HeapInuse+m.StackInuse, runtime.NumGoroutine())
	}
	return nil
}

// BenchmarkIdle measures what a connection costs a server on which both ends send nothing but
// keepalives.
func BenchmarkIdle(b *testing.B) {
	for _, network := range []string{Plain, QUIC, "webtransport"} {
		b.Run(network, func(b *testing.B) {
			for range b.N {
				measureIdle(b, network)
			}
		})
	}
}

func measureIdle(b *testing.B, network string) {
	const connections = 400
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env, cmd.Stderr = append(os.Environ(), idleServer+"=1"), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	lines := bufio.NewReader(out)
	var quicAt, plainAt, hash string
	if _, err := fmt.Fscanln(lines, &quicAt, &plainAt, &hash); err != nil {
		b.Fatal(err)
	}
	ask := func() (bytes, goroutines float64) {
		_, err := io.WriteString(in, "\n")
		if err == nil {
			_, err = fmt.Fscanln(lines, &bytes, &goroutines)
		}
		if err != nil {
			b.Fatal(err)
		}
		return bytes, goroutines
	}
	deaf := Handlers{Execute: func(Message) error { return nil },
		Ended: func(*connection.CloseError) {}}
	var tabs []*browser
	open := func() *Conn {
		if network == "webtransport" {
			tab := &browser{socket: func() (net.PacketConn, error) {
				return new(net.ListenConfig).ListenPacket(b.Context(), "udp", "127.0.0.1:0")
			}}
			c, err := tab.open(b.Context(), netip.MustParseAddrPort(quicAt), "x",
				"https://holt.example", deaf)
			if err != nil {
				b.Fatal(err)
			}
			tabs = append(tabs, tab)
			return c
		}
		to := Target{Network: network, Address: quicAt, Hashes: []string{hash}}
		if network == Plain {
			to.Address = plainAt
		}
		c, err := new(Dialer).Dial(b.Context(), to, "x", deaf)
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	all := []*Conn{open()} // opens what the server opens only once
	before, routines := ask()
	for range connections {
		all = append(all, open())
	}
	settled := time.NewTimer(2 * time.Second)
	<-settled.C
	after, routinesAfter := ask()
	b.ReportMetric((after-before)/connections, "B/connection")
	b.ReportMetric((routinesAfter-routines)/connections, "goroutines/connection")
	for _, c := range all {
		c.Close(connection.CodeDone, "")
	}
	for _, c := range all {
		c.Wait()
	}
	for _, tab := range tabs {
		tab.close()
	}
}
