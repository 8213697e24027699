package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/transport/simline"
)

var (
	record = flag.String("record", "", "folder into which TestRecord writes its recordings")
	share  = flag.Float64("share", 1, "how much of the evening TestRecord plays then")
)

const ms = time.Millisecond

// TestRecord plays an evening of four games at tables of the real rooms, in virtual time, and
// records what a player is sent. Without -record the evening has two minutes of each.
func TestRecord(t *testing.T) {
	for _, g := range []struct {
		name, game string
		players    int
		lasts      time.Duration
		play       func(*evening)
		least      int // messages in two minutes
	}{
		{"cards", "cards", 4, 90 * time.Minute, (*evening).cards, 60},
		{"tokens", "tokens", 4, time.Hour, (*evening).tokens, 60},
		{"chess", "chess", 2, time.Hour, (*evening).board, 15},
		{"draughts", "draughts", 2, 30 * time.Minute, (*evening).board, 15},
	} {
		t.Run(g.name, func(t *testing.T) {
			dir, lasts := t.TempDir(), 2*time.Minute
			if *record != "" {
				lasts = time.Duration(float64(g.lasts) * *share)
			}
			var frames []frame
			synctest.Test(t, func(t *testing.T) {
				e, p := sit(t, dir, g.game, g.players, 1)
				g.play(e)
				<-time.After(lasts)
				e.leave()
				p.mu.Lock()
				defer p.mu.Unlock()
				frames = p.frames
			})
			got, err := replay(frames, simline.Config{Delay: 50 * ms, Loss: 0.02}, 1)
			if err != nil {
				t.Fatal(err)
			}
			// In two minutes of a board game it may happen that no message depends on another.
			isBusy := g.least > 30
			if got.messages < g.least || got.headers[0] == 0 ||
				isBusy && got.headers[0] == got.messages {
				t.Errorf("%d messages in %v, %d of which name nothing", got.messages, lasts, got.headers[0])
			}
			t.Logf("%d frames, %d messages, %d bytes: %v", len(frames), got.messages, got.bytes, got.row())
			if *record == "" {
				return
			}
			var b bytes.Buffer
			if err := writeRecording(&b, frames); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*record, g.name+".frames"), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestRecording(t *testing.T) {
	made := []frame{{0, []byte("one")}, {1500 * time.Microsecond, []byte{}},
		{time.Hour, make([]byte, 300)}}
	var b bytes.Buffer
	if err := writeRecording(&b, made); err != nil {
		t.Fatal(err)
	}
	t.Run("a written recording is read back", func(t *testing.T) {
		got, err := readRecording(bytes.NewReader(b.Bytes()))
		if err != nil || !reflect.DeepEqual(got, made) {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("a recording that is cut off is refused", func(t *testing.T) {
		whole := 0
		for n := range b.Len() {
			got, err := readRecording(bytes.NewReader(b.Bytes()[:n]))
			switch {
			case err == nil && len(got) < len(made):
				whole++ // between two frames
			case !errors.Is(err, errRecording):
				t.Errorf("%d bytes: got %d frames, %v", n, len(got), err)
			}
		}
		if whole != len(made) {
			t.Errorf("%d places are between frames, want %d", whole, len(made))
		}
	})
	for why, text := range map[string]string{
		"another file": "# microseconds", "a time of a year": magic + "\xff\xff\xff\xff\xff\xff\x07",
		"a frame of a gigabyte": magic + "\x00\x80\x80\x80\x80\x04",
	} {
		t.Run("refused: "+why, func(t *testing.T) {
			if got, err := readRecording(strings.NewReader(text)); !errors.Is(err, errRecording) {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

// TestRun replays a small recording: the program counts, and says what is wrong with its arguments.
func TestRun(t *testing.T) {
	// Frames of one update each of piece 1: time, and the event with the piece. See frames.json.
	update := []byte{0x1a, 0x06, 0x12, 0x04, 0x0a, 0x02, 0x08, 0x01}
	var frames []frame
	for n := range 100 {
		frames = append(frames, frame{time.Duration(n) * 10 * ms, update})
	}
	path := filepath.Join(t.TempDir(), "small.frames")
	var b bytes.Buffer
	if err := writeRecording(&b, frames); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("D6.1, D6.2 a message names the one before it until it is acknowledged",
		func(t *testing.T) {
			for rtt, want := range map[time.Duration][2]int{0: {100, 0}, 300 * ms: {1, 99}} {
				got, err := replay(frames, simline.Config{Delay: rtt / 2}, 1)
				if err != nil {
					t.Fatal(err)
				}
				// An acknowledgement waits for 10 ms or a second packet (D24).
				if got.messages != 100 || rtt > 0 && [2]int(got.headers[:2]) != want ||
					rtt == 0 && got.headers[0] < 40 {
					t.Errorf("round trip %v: %v of %d", rtt, got.headers[:3], got.messages)
				}
			}
		})
	t.Run("it writes its tables", func(t *testing.T) {
		var out strings.Builder
		args := []string{"-rtt", "30", "-loss", "0,5", "-seeds", "2", path}
		if err := run(args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"| 30 ms, 0 % |", "| 30 ms, 5 % |", "| small, ",
			"one ordered channel", `recording "table"`, `recording "drags"`} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it does not say %q: %s", want, out.String())
			}
		}
	})
	for _, args := range []string{"", "-seeds 0 " + path, "-rtt x " + path, "-loss 91 " + path,
		"-rtt -1 " + path, path + ".none"} {
		t.Run("refused: "+args, func(t *testing.T) {
			if err := run(strings.Fields(args), io.Discard, io.Discard); err == nil {
				t.Error("no error")
			}
		})
	}
}
