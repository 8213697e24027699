package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holt/server/testport"
)

// program is a holt that serves a data directory in a process of its own.
type program struct {
	*testing.T
	dir     string
	args    []string
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	address string
}

// command returns a command of holt: the program that HOLT_BINARY names, or else this test binary
// (testscript.Main). With the race detector a program takes seconds to start. The tests of the
// packages look for races in the code that these programs run.
func command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	holt := os.Getenv("HOLT_BINARY")
	if holt == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		holt = self
	}
	cmd := exec.CommandContext(ctx, holt, args...)
	cmd.Args[0] = "holt"
	return cmd
}

// serving starts a holt, and ends it with the test.
func serving(t *testing.T, dir string, args ...string) *program {
	t.Helper()
	p := &program{T: t, dir: dir, args: args}
	p.start()
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			p.end(os.Interrupt)
		}
	})
	return p
}

func (p *program) start() {
	p.Helper()
	p.stderr.Reset()
	// Most of a start is to compress what browsers download, and no browser comes.
	p.cmd = command(context.Background(), p.T,
		append([]string{"serve", "--data", p.dir, "--compress", "late"}, p.args...)...)
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = p.cmd.Wait()
		p.Fatalf("it does not start: %q, %s", line, &p.stderr)
	}
	p.address = strings.TrimSpace(strings.TrimPrefix(line, "Holt is serving "))
}

// end ends a holt by a signal. Unless the signal kills it, the program must exit with 0.
func (p *program) end(s os.Signal) {
	p.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil && s != os.Kill {
		p.Errorf("%v; %s", err, &p.stderr)
	}
}

// peerOf runs holt peer for a data directory, and returns what it prints.
func peerOf(t *testing.T, dir, input string, args ...string) (out, fault string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := command(ctx, t, append(append([]string{"peer"}, args...), "--data", dir)...)
	var o, e bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

func (p *program) peer(args ...string) string {
	p.Helper()
	out, fault, err := peerOf(p.T, p.dir, "", args...)
	if err != nil {
		p.Fatalf("holt peer %v: %v, %s%s; the server: %s", args, err, out, fault, &p.stderr)
	}
	return out
}

func (p *program) list() listAnswer {
	p.Helper()
	var a listAnswer
	if err := json.Unmarshal([]byte(p.peer("list", "--json")), &a); err != nil {
		p.Fatal(err)
	}
	return a
}

// anyNetwork stands for any network that a link may use.
const anyNetwork = "any"

// reaches waits until the links have the given networks, or none.
func (p *program) reaches(want map[string]string) {
	p.Helper()
	// On a busy machine a link may use WebSocket. It tries QUIC again a minute later, and five
	// minutes after that.
	late := time.Now().Add(10 * time.Minute)
	for {
		is := map[string]string{}
		for _, l := range p.list().Links {
			is[l.Name] = l.Network
		}
		same := len(is) == len(want)
		for name, network := range want {
			same = same && (is[name] == network || network == anyNetwork && is[name] != "")
		}
		if same {
			return
		}
		if time.Now().After(late) {
			p.Fatalf("it reaches %v, want %v; %+v; %s", is, want, p.list(), &p.stderr)
		}
	}
}

// ownAddress returns an address for a server that others must find again after a restart.
func ownAddress(t *testing.T) string {
	t.Helper()
	tcp, udp, err := testport.Listen()
	if err == nil {
		err = errors.Join(tcp.Close(), udp.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return tcp.Addr().String()
}

func TestPeerCommands(t *testing.T) {
	work := t.TempDir()
	ada := serving(t, filepath.Join(work, "ada"), "--listen", ownAddress(t), "--name", "Ada")
	ben := serving(t, filepath.Join(work, "ben"), "--listen", ownAddress(t), "--name", "Ben")
	eve := serving(t, filepath.Join(work, "eve"),
		"--listen", ownAddress(t), "--name", "Eve", "--datagrams", "off")
	// Clauses: O32.3, O32.10, O32.11
	t.Run("O32 three servers are linked by what their operators exchange", func(t *testing.T) {
		text := strings.TrimSpace(ada.peer("invite", "--rights", "visit,bring"))
		if strings.ContainsAny(text, " \n") {
			t.Errorf("the invitation is not one word: %q", text)
		}
		out, _, err := peerOf(t, ben.dir, "no\n", "accept", text)
		if err == nil || !strings.Contains(out, `"Ada"`) ||
			!strings.Contains(out, ada.list().Server) || !strings.Contains(out, "visit,bring") {
			t.Errorf("before acceptance it shows %q, %v", out, err)
		}
		if len(ada.list().Links)+len(ben.list().Links) != 0 {
			t.Error("the host that declined is linked")
		}
		out, fault, err := peerOf(t, ben.dir, "yes\n", "accept", text[:20], text[20:],
			"--rights", "keep")
		if err != nil || !strings.Contains(out, `Linked with "Ada"`) {
			t.Fatalf("%q, %q, %v", out, fault, err)
		}
		if _, fault, err := peerOf(t, eve.dir, "", "accept", "--yes", text); err == nil ||
			!strings.Contains(fault, "good once") {
			t.Errorf("a second one: %q, %v", fault, err)
		}
		eve.peer("accept", "--yes", strings.TrimSpace(ada.peer("invite")))
		ben.peer("accept", "--yes", strings.TrimSpace(eve.peer("invite")))
		ada.reaches(map[string]string{"Ben": "quic", "Eve": "websocket"})
		ben.reaches(map[string]string{"Ada": "quic", "Eve": "websocket"})
		eve.reaches(map[string]string{"Ada": "websocket", "Ben": "websocket"})
		if l := ada.list().Links[0]; l.Gives != "visit,bring" || l.Given != "keep" ||
			l.State != "active" {
			t.Errorf("the link is %+v", l)
		}
		if out := ada.peer("list"); !strings.Contains(out, `This server is "Ada"`) ||
			!strings.Contains(out, ben.list().Server) {
			t.Errorf("for people it is %q", out)
		}
	})
	t.Run("O18.1 a killed server is reachable again after a start", func(t *testing.T) {
		ben.end(os.Kill)
		ada.reaches(map[string]string{"Ben": "", "Eve": "websocket"})
		ben.start()
		ben.reaches(map[string]string{"Ada": anyNetwork, "Eve": "websocket"})
		if l := ben.list().Links; len(l) != 2 || l[0].Given != "visit,bring" {
			t.Errorf("after it was killed it knows %+v", l)
		}
	})
	// Clauses: O32.19
	// Clauses: O32.17, O36.2, O36.4
	t.Run("O32, O34, O36 links are changed, paused, resumed and removed", func(t *testing.T) {
		eve.peer("pause", "Ada")
		ada.reaches(map[string]string{"Ben": anyNetwork, "Eve": ""})
		eve.peer("resume", "Ada")
		ada.reaches(map[string]string{"Ben": anyNetwork, "Eve": "websocket"})
		ada.peer("rights", "Eve", "visit")
		ada.peer("limit", "Eve", "--objects", "7")
		if l := ada.list().Links[1]; l.Gives != "visit" || l.Limits.Objects != 7 ||
			l.Limits.PerSecond != 200 {
			t.Errorf("the link is %+v", l)
		}
		if out, _, err := peerOf(t, ada.dir, "\n", "remove", "Eve"); err == nil ||
			!strings.Contains(out, "for good?") || !strings.Contains(out,
			"0 of its objects are here and 0 of ours are there") {
			t.Errorf("it is removed without a yes: %q", out)
		}
		ada.peer("remove", "--yes", "Eve")
		if l := ada.list().Links; len(l) != 1 {
			t.Errorf("left are %+v", l)
		}
		for _, args := range [][]string{{"pause", "Eve"}, {"resume", "Ben"}, {"confirm", "Ben"},
			{"rights", "Ben", "all"}, {"limit", "Ben", "--at-once", "0"}, {"accept", "holt1xyz"}} {
			if _, fault, err := peerOf(t, ada.dir, "", args...); err == nil ||
				!strings.HasPrefix(fault, "holt: ") {
				t.Errorf("%v: %q, %v", args, fault, err)
			}
		}
	})
	t.Run("O32.12 with --confirm both operators confirm", func(t *testing.T) {
		out, _, err := peerOf(t, eve.dir, "", "remove", "--yes", "Ada")
		if err != nil {
			t.Fatal(out)
		}
		if out := eve.peer("accept", "--yes", strings.TrimSpace(
			ada.peer("invite", "--confirm"))); !strings.Contains(out, "as soon as") {
			t.Errorf("%q", out)
		}
		if l := ada.list().Links[1]; l.State != "pending" {
			t.Errorf("the link is %+v", l)
		}
		ada.peer("confirm", "Eve")
		ada.reaches(map[string]string{"Ben": anyNetwork, "Eve": "websocket"})
	})
	t.Run("without a running server or its token nothing is done", func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join(eve.dir, adminFile))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := os.Stat(filepath.Join(eve.dir, adminFile)); err != nil ||
			s.Mode().Perm() != 0o600 {
			t.Errorf("others may read it: %v, %v", s.Mode(), err)
		}
		var e adminEntry
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{"", strings.Repeat("0", 64)} {
			_, status, err := adminEntry{Address: e.Address, Token: token}.request(t.Context(),
				http.MethodPost, "/peer/list", []byte("{}"))
			if err != nil || status != http.StatusUnauthorized {
				t.Errorf("token %q: %d, %v", token, status, err)
			}
		}
		eve.end(os.Interrupt)
		if _, err := os.Stat(filepath.Join(eve.dir, adminFile)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("it is still there: %v", err)
		}
		if _, fault, err := peerOf(t, eve.dir, "", "list"); err == nil ||
			!strings.Contains(fault, "no holt is serving") {
			t.Errorf("%q, %v", fault, err)
		}
		// After a crash another program may have the port.
		asked := make(chan string, 16)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		other := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.Path + r.Header.Get("Authorization")
			_, _ = io.WriteString(w, "{}")
		})}
		served := make(chan error, 1)
		go func() { served <- other.Serve(l) }()
		e.Address = l.Addr().String()
		if text, err = json.Marshal(e); err == nil {
			err = os.WriteFile(filepath.Join(eve.dir, adminFile), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, fault, err := peerOf(t, eve.dir, "", "invite"); err == nil ||
			!strings.Contains(fault, "no holt is serving") {
			t.Errorf("%q, %v", fault, err)
		}
		_ = other.Close()
		<-served
		if got := <-asked; got != "/proof" || len(asked) != 0 {
			t.Errorf("somebody else saw %q, and %d more", got, len(asked))
		}
	})
}
