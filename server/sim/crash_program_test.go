package sim

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// program is the real program in a process of its own, with a folder that outlives it.
type program struct {
	t      *testing.T
	binary string
	data   string
	client *http.Client

	// Set by the first start, kept by the others.
	url string
	// Set by start.
	cmd *exec.Cmd

	keep sync.Mutex
	// Guarded by keep.
	errors bytes.Buffer
}

// newProgram builds the program. It is killed when the test ends.
func newProgram(t *testing.T) *program {
	p := &program{
		t: t, binary: filepath.Join(t.TempDir(), "holt"), data: t.TempDir(),
		client: &http.Client{Transport: &http.Transport{}},
	}
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGKILL")
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.binary, "holt/cmd/holt")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if p.cmd != nil {
			p.kill()
		}
	})
	return p
}

// start starts the program and waits until it says that it serves. Later starts are on the port of
// the first.
func (p *program) start() {
	p.t.Helper()
	listen := "127.0.0.1:0"
	if p.url != "" {
		listen = strings.TrimPrefix(p.url, "http://")
	}
	p.cmd = exec.Command(p.binary, "serve", "--listen", listen, "--data", p.data,
		"--compress", "late") // no browser comes
	p.cmd.Stderr = p
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	at, found := strings.CutPrefix(line, "Holt is serving ")
	if err != nil || !found {
		p.t.Fatalf("start: %q, %v\n%s", line, err, p.log())
	}
	p.url = strings.TrimRight(at, "/\n")
}

// Write collects what the program logs.
func (p *program) Write(b []byte) (int, error) {
	p.keep.Lock()
	defer p.keep.Unlock()
	return p.errors.Write(b)
}

// log returns the end of what the program has logged.
func (p *program) log() string {
	p.keep.Lock()
	defer p.keep.Unlock()
	all := p.errors.String()
	return all[max(0, len(all)-4000):]
}

// kill ends the program at once.
func (p *program) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	p.cmd = nil
	p.client.CloseIdleConnections() // they lead nowhere
}

// terminate asks the program to end, and returns how it ended.
func (p *program) terminate() error {
	defer func() { p.cmd = nil }()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.cmd.Wait()
}

// answer is the answer to one request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call makes one request.
func (p *program) call(
	ctx context.Context, method, path, token string, body []byte,
) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, content}, err
}

// must makes one request that has to be answered with status.
func (p *program) must(status int, method, path, token, body string) []byte {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	a, err := p.call(ctx, method, path, token, []byte(body))
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", method, path, err, p.log())
	}
	if a.status != status {
		p.t.Fatalf("%s %s: %d %s\n%s", method, path, a.status, a.body, p.log())
	}
	return a.body
}

// read returns what the holder of the token may see of the table.
func (p *program) read(table, token string) tableJSON {
	p.t.Helper()
	state, err :=
		decode[tableJSON](p.must(http.StatusOK, http.MethodGet, "/api/v1/tables/"+table, token, ""))
	if err != nil {
		p.t.Fatal(err)
	}
	return state
}

// crashTable is a table at which players play while the program is killed.
type crashTable struct {
	p               *program
	id              string
	host            string // token
	invite, watches string // secrets of the invites
}

func (p *program) createTable(game string) *crashTable {
	p.t.Helper()
	type created struct {
		Table   string
		Token   string
		Invites struct{ Player, Spectator string }
	}
	body := fmt.Sprintf(`{"game":%q,"nick":"Ada","colour":"#d1495b"}`, game)
	c, err :=
		decode[created](p.must(http.StatusCreated, http.MethodPost, "/api/v1/tables", "", body))
	if err != nil {
		p.t.Fatal(err)
	}
	return &crashTable{
		p: p, id: c.Table, host: c.Token, invite: secret(c.Invites.Player),
		watches: secret(c.Invites.Spectator),
	}
}

// secret returns the last part of the path of an invite link.
func secret(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

// seat takes a seat and returns its token.
func (c *crashTable) seat(invite, nick string) string {
	c.p.t.Helper()
	body := fmt.Sprintf(`{"invite":%q,"nick":%q,"colour":"#30638e"}`, invite, nick)
	taken, err := decode[struct{ Token string }](
		c.p.must(http.StatusCreated, http.MethodPost, "/api/v1/tables/"+c.id+"/seats", "", body))
	if err != nil {
		c.p.t.Fatal(err)
	}
	return taken.Token
}
