package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"holt/server/client"
)

// crowd is a number of idle streams at a server in a process of its own.
type crowd struct {
	*testing.B
	server *client.Server
	url    string
	pid    int
}

// gather starts the program as a process and returns a crowd without streams.
func gather(b *testing.B) *crowd {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self, "serve", "--listen", "127.0.0.1:0", "--data", b.TempDir(),
		"--log-level", "warn", "--limit-scale", "1000")
	cmd.Args[0] = "holt" // TestMain runs the program then
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	c := &crowd{B: b, url: strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line),
		"Holt is serving "), "/"), pid: cmd.Process.Pid}
	if c.server, err = client.NewServer(c.url, nil); err != nil {
		b.Fatal(err)
	}
	return c
}

// stream opens a stream for a seat, reads the full state, and answers pings until ctx is done.
func (c *crowd) stream(ctx context.Context, seat client.Seat, n int) {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], uint64(n)+1)
	address := c.url + "/api/v1/tables/" + seat.Table + "/stream?client=" +
		base64.RawURLEncoding.EncodeToString(id[:])
	ws, _, err := websocket.Dial(ctx, address, //nolint:bodyclose // the library has closed it
		&websocket.DialOptions{
			Subprotocols: []string{"holt.v1"},
			HTTPHeader:   http.Header{"Authorization": {"Bearer " + seat.Token}},
		})
	if err != nil {
		c.Fatal(err)
	}
	ws.SetReadLimit(1 << 20)
	if _, _, err := ws.Read(ctx); err != nil {
		c.Fatal(err)
	}
	go func() {
		for {
			if _, _, err := ws.Read(ctx); err != nil {
				_ = ws.CloseNow()
				return
			}
		}
	}()
}

// sit opens streams at tables, sixteen for each seat.
func (c *crowd) sit(ctx context.Context, streams, tables int) {
	c.Helper()
	for t := range tables {
		host, invites, err := c.server.CreateTable(ctx, "chess", "", client.Person{Nick: "Ada"})
		if err != nil {
			c.Fatal(err)
		}
		seat := host
		for n := range streams / tables {
			if n%16 == 15 {
				if seat, err = c.server.TakeSeat(ctx, host.Table, invites.Player,
					client.Person{Nick: "Guest"}); err != nil {
					c.Fatal(err)
				}
			}
			c.stream(ctx, seat, t*streams+n)
		}
	}
}

// usage returns the resident memory of the server in bytes, and the processor time that it has
// used.
func (c *crowd) usage() (resident float64, processor time.Duration) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.pid))
	if err != nil {
		c.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		c.Fatal(err)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.pid))
	if err != nil {
		c.Fatal(err)
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	for _, f := range fields[11:13] { // user and system, in hundredths of a second
		n, err := strconv.Atoi(string(f))
		if err != nil {
			c.Fatal(err)
		}
		processor += time.Duration(n) * time.Second / 100
	}
	return kb * 1024, processor
}

// BenchmarkIdle measures what ten thousand idle streams cost the server, at ten tables and at a
// table each: resident bytes for each stream, beyond those of the server without streams, and
// processor time in two beats of 15 s.
func BenchmarkIdle(b *testing.B) {
	const streams = 10_000
	for _, tables := range []int{10, streams} {
		b.Run(fmt.Sprintf("streams=%d/tables=%d", streams, tables), func(b *testing.B) {
			c := gather(b)
			ctx, leave := context.WithCancel(b.Context())
			defer leave()
			for b.Loop() {
				before, _ := c.usage()
				c.sit(ctx, streams, tables)
				_, start := c.usage()
				<-time.After(30 * time.Second)
				after, end := c.usage()
				b.ReportMetric((after-before)/streams, "B/stream")
				b.ReportMetric(float64(end-start)/float64(30*time.Second)*100, "%CPU")
				b.ReportMetric(after/(1<<20), "MB")
			}
		})
	}
}
