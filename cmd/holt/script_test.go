package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"holt/storage/storagetest"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"holt": main}) }

// TestProgram runs the scripts in testdata against the program as a process.
func TestProgram(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Values[processKey{}] = new(process)
			preferBinary(e)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"up":    up,
			"down":  down,
			"http":  request,
			"shows": shows,
			"json":  field,
			"harm":  harm,
		},
	})
}

// preferBinary makes a script run the program that HOLT_BINARY names, if it is set, instead of this
// test binary (command says why).
func preferBinary(e *testscript.Env) {
	if holt := os.Getenv("HOLT_BINARY"); holt != "" {
		e.Setenv("PATH", filepath.Dir(holt)+string(filepath.ListSeparator)+e.Getenv("PATH"))
	}
}

// processKey is the key of a script's server among its values.
type processKey struct{}

// process is the server of a script.
type process struct {
	cmd    *exec.Cmd
	stderr *os.File
}

// up starts holt with args and waits for its first line. It sets URL, and LINE to the whole line.
func up(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: up [ARGUMENT...]")
	}
	p, _ := ts.Value(processKey{}).(*process)
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "holt")); err == nil {
			path = filepath.Join(dir, "holt")
			break
		}
	}
	var err error
	p.stderr, err = os.Create(ts.MkAbs("stderr"))
	ts.Check(err)
	p.cmd = exec.CommandContext(context.Background(), path, args...)
	p.cmd.Dir = ts.MkAbs(".")
	p.cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"),
		"HOLT_LISTEN="+ts.Getenv("HOLT_LISTEN"))
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(p.cmd.Start())
	ts.Defer(func() {
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		ts.Fatalf("no first line: %v; %s", err, ts.ReadFile("stderr"))
	}
	line = strings.TrimSpace(line)
	ts.Setenv("LINE", line)
	ts.Setenv("URL", strings.TrimPrefix(line, "Holt is serving "))
}

// down sends a signal (TERM, INT, KILL) to the server and waits for its end. It fails unless the
// server exits with 0, or with another status if the command is negated.
func down(ts *testscript.TestScript, neg bool, args []string) {
	p, _ := ts.Value(processKey{}).(*process)
	signal, ok := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT,
		"KILL": syscall.SIGKILL}[strings.Join(args, " ")]
	if !ok {
		ts.Fatalf("usage: [!] down TERM|INT|KILL")
	}
	ts.Check(p.cmd.Process.Signal(signal))
	err := p.cmd.Wait()
	if (err != nil) != neg {
		ts.Fatalf("after %s: %v; %s", args[0], err, ts.ReadFile("stderr"))
	}
	ts.Check(p.stderr.Close())
}

// request sends a request to $URL and fails unless the answer has the given status. It writes the
// body of the answer to the file body. If TOKEN is set the request carries it.
func request(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: http METHOD PATH STATUS [JSON]")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, args[0], strings.TrimSuffix(ts.Getenv("URL"), "/")+
		args[1], strings.NewReader(strings.Join(args[3:], " ")))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	if token := ts.Getenv("TOKEN"); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("body"), body, 0o600))
	if fmt.Sprint(res.StatusCode) != args[2] {
		ts.Fatalf("%s %s: %s, want %s: %s", args[0], args[1], res.Status, args[2], body)
	}
}

// shows requests a path of $URL until the body of the answer matches a regular expression.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shows PATH REGEXP")
	}
	wanted, err := regexp.Compile(args[1])
	ts.Check(err)
	for late := time.Now().Add(5 * time.Minute); ; <-time.After(100 * time.Millisecond) {
		request(ts, false, []string{http.MethodGet, args[0], "200"})
		body := ts.ReadFile("body")
		if wanted.MatchString(body) {
			return
		}
		if time.Now().After(late) {
			ts.Fatalf("%s never shows %s, but %s", args[0], args[1], body)
		}
	}
}

// harm changes the database of a folder, or a backup, by SQL, as a faulty disk might.
func harm(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: harm FILE SQL")
	}
	ts.Check(storagetest.Harm(context.Background(), ts.MkAbs(args[0]), args[1]))
}

// field sets a variable to a member of the JSON object in the file body.
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: json MEMBER VARIABLE")
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader([]byte(ts.ReadFile("body"))))
	d.UseNumber()
	ts.Check(d.Decode(&object))
	value, ok := object[args[0]]
	if !ok {
		ts.Fatalf("no member %s in %s", args[0], ts.ReadFile("body"))
	}
	ts.Setenv(args[1], fmt.Sprint(value))
}
