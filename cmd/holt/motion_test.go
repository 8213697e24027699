package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/storage"
)

// TestMotionCommand shows what an operator reads of recorded motion.
func TestMotionCommand(t *testing.T) {
	dir := t.TempDir()
	p := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off")
	res, err := http.Post(p.address+"api/v1/tables", "application/json",
		strings.NewReader(`{"game":"chess"}`))
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Table string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	p.end(os.Interrupt)
	recordAt(t, dir, made.Table)
	lines := func(args ...string) (string, error) {
		out, err := command(context.Background(), t,
			append([]string{"motion", "--data", dir}, args...)...).CombinedOutput()
		return string(out), err
	}
	const public = `{"piece":7,"tick":1000,"from":950,"to":1000,"start":[0,0],"end":[30,-40]}
{"piece":7,"tick":1100,"ended":true}
`
	const hidden = `{"piece":70000,"tick":1050,"from":1000,"to":1050,"start":[1,2],"end":[3,4]}
`
	first, last, _ := strings.Cut(public, "\n")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"K17.9 spectators", []string{made.Table}, public},
		{"K17.9 a seat with a hand", []string{made.Table, "--seat", "2"}, first + "\n" + hidden + last},
		{"K17.9 another seat", []string{made.Table, "--seat", "1"}, public},
	} {
		t.Run(c.name, func(t *testing.T) {
			if out, err := lines(c.args...); err != nil || out != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, out, c.want)
			}
		})
	}
	t.Run("K17.9 what does not exist is refused", func(t *testing.T) {
		for _, wrong := range []string{"chess", strings.Repeat("0", 32)} {
			if out, err := lines(wrong); err == nil || !strings.Contains(out, "holt: ") {
				t.Errorf("%s: %v\n%s", wrong, err, out)
			}
		}
	})
}

// recordAt stores motion at a table, as a room does: of a piece that everybody sees, and of one in
// the hand of seat 2.
func recordAt(t *testing.T, dir, name string) {
	t.Helper()
	of, err := id.ParseOID(name)
	if err != nil {
		t.Fatal(err)
	}
	var chunk []byte
	for _, f := range []wire.Recorded{
		{At: 1000, Segments: []wire.Segment{{ID: 7, From: 950, Span: 50, X1: 30, Y1: -40}}},
		{At: 1050, Seats: []id.Seat{2}, Segments: []wire.Segment{
			{ID: 70000, From: 1000, Span: 50, X0: 1, Y0: 2, X1: 3, Y1: 4},
		}},
		{At: 1100, Ended: []id.Piece{7}},
	} {
		if chunk, err = wire.AppendRecorded(chunk, &f); err != nil {
			t.Fatal(err)
		}
	}
	db, err := storage.Open(t.Context(), dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := db.Load(t.Context(), of, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Append(t.Context(), room.Append{
		Table: of, Expect: l.At + room.Position(len(l.Entries)),
		Motion: &room.RecordedMotion{At: 1100, Body: chunk},
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
