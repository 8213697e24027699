package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"holt/server/bench"
)

// TestAbuse attacks a server in every way that the bench knows, for a moment each. People play on,
// and nothing breaks.
func TestAbuse(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, "127.0.0.1:0", "--limit-scale", "10")
	var said bytes.Buffer
	args := []string{
		"bench", "--url", s.url, "--abuse", "--players", "3", "--pieces", "0", "--data-dir", dir,
	}
	report := func(more ...string) (r bench.AbuseReport) {
		t.Helper()
		var out bytes.Buffer
		all := slices.Concat(args, []string{"--json"}, more)
		if status := run(t.Context(), all, streams{Out: &out, Err: &said}, nil); status != exitOK {
			t.Fatalf("status %d: %s\n%s", status, said.String(), out.String())
		}
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		return r
	}
	r := report("--seconds", "0.2")
	if len(r.Attacks) < 24 {
		t.Errorf("%d attacks", len(r.Attacks))
	}
	for _, a := range r.Attacks {
		linked := a.By == "a linked server"
		// On a busy machine it may be that nobody moves within 0.2 s, and that no attack gets an
		// answer.
		if a.Players.Count == 0 || linked && a.Prepare == "" && total(a.Answers) == a.Answers[0] {
			a = report("--seconds", "10", "--attack", a.Name).Attacks[0]
		}
		if a.Failed != "" || len(a.Faults) > 0 || a.Players.Count == 0 || a.Answers[500] > 0 {
			t.Errorf("%+v", a)
		}
		if answers := total(a.Answers) - a.Answers[0]; linked && (a.Prepare != "" || answers == 0) {
			t.Errorf("R9 the attack does not reach the server: %+v", a)
		}
	}
	var out bytes.Buffer
	if status := run(t.Context(), append(args, "--seconds", "0.2", "--attack", "pings"),
		streams{Out: &out, Err: &said}, nil); status != exitOK {
		t.Fatalf("status %d: %s", status, said.String())
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 4 ||
		!strings.HasPrefix(lines[3], "pings") {
		t.Errorf("one attack prints %q", lines)
	}
	for _, wrong := range [][]string{
		{"bench", "--abuse", "--url", "http://192.0.2.1:80", "--i-own-this-server"},
		{"bench", "--abuse", "--url", "https://table.example.org", "--i-own-this-server"},
		{"bench", "--abuse", "--url", s.url, "--attack", "rain"},
	} {
		if status := run(t.Context(), wrong,
			streams{Out: &out, Err: &said}, nil); status != exitUsage {
			t.Errorf("%v: status %d", wrong, status)
		}
	}
	s.end(t)
}

func total(answers map[int]uint64) (n uint64) {
	for _, x := range answers {
		n += x
	}
	return n
}
