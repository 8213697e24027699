// Package trace has recordings of the messages of a table's stream: when each message was made, its
// size, the pieces it is about, and the messages for which it has to wait
// (docs/protocol/datagram.md, D31 to D33). It does not have their content. They were made by
//
//	go test ./scripts/bench/lines/trace -run TestRecord -args -record . -seconds 20
//
// which plays at a table in virtual time: record_test.go says how.
package trace

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The recordings.
const (
	// Table is of a busy table: each of fifty pieces is grabbed and put down, and now and then
	// cards are drawn, put back and shuffled.
	Table = "table"
	// Drags is of eight players. Each drags a piece at a time by moves that are recorded, 25 a
	// second.
	Drags = "drags"
)

//go:embed *.trace
var files embed.FS

// ErrFormat says that something is not a recording.
var ErrFormat = errors.New("not a trace")

// Message is a guaranteed message. Its number is its place in the Trace.
type Message struct {
	At    time.Duration // since the first was made
	Size  int           // bytes, from 1 on
	Lanes []int         // the pieces that it is about, from 0 on, ascending
	// numbers of messages that must be executed before, ascending and below its own
	Deps []int
}

// Trace is a recording, in the order in which messages were made.
type Trace []Message

// Open returns one of the recordings.
func Open(name string) (Trace, error) {
	f, err := files.Open(name + ".trace")
	if err != nil {
		return nil, fmt.Errorf("open a recording: %w", err)
	}
	defer func() { _ = f.Close() }()
	return Read(f)
}

// Read reads what Write has written. The error may be ErrFormat.
func Read(r io.Reader) (Trace, error) {
	var t Trace
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		m, err := parse(line)
		if err == nil {
			err = t.check(&m)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		t = append(t, m)
	}
	return t, lines.Err()
}

// check returns what is wrong with the next message.
func (t Trace) check(m *Message) error {
	switch {
	case m.Size < 1:
		return fmt.Errorf("%w: %d bytes", ErrFormat, m.Size)
	case len(t) > 0 && m.At < t[len(t)-1].At, m.At < 0:
		return fmt.Errorf("%w: times go back", ErrFormat)
	case len(m.Deps) > 0 && (m.Deps[0] < 0 || m.Deps[len(m.Deps)-1] >= len(t)):
		return fmt.Errorf("%w: depends on what does not come before", ErrFormat)
	case len(m.Lanes) > 0 && m.Lanes[0] < 0:
		return fmt.Errorf("%w: a piece below 0", ErrFormat)
	case !ascending(m.Deps), !ascending(m.Lanes):
		return fmt.Errorf("%w: numbers do not ascend", ErrFormat)
	}
	return nil
}

func ascending(all []int) bool {
	for i := 1; i < len(all); i++ {
		if all[i] <= all[i-1] {
			return false
		}
	}
	return true
}

// Write writes a trace, a line for each message: its time in microseconds, size, pieces and
// dependencies; "-" stands for none.
func (t Trace) Write(w io.Writer) error {
	b := []byte("# microseconds, bytes, pieces, dependencies\n")
	for i := range t {
		m := &t[i]
		b = fmt.Appendf(b, "%d %d ", m.At.Microseconds(), m.Size)
		b = appendList(b, m.Lanes)
		b = append(b, ' ')
		b = appendList(b, m.Deps)
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}

func appendList(b []byte, all []int) []byte {
	if len(all) == 0 {
		return append(b, '-')
	}
	for i, n := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}

func parse(line string) (m Message, err error) {
	fields := strings.Split(line, " ")
	if len(fields) != 4 {
		return m, fmt.Errorf("%w: %d fields", ErrFormat, len(fields))
	}
	var micros int64
	micros, err = strconv.ParseInt(fields[0], 10, 40)
	m.At = time.Duration(micros) * time.Microsecond
	if err == nil {
		m.Size, err = strconv.Atoi(fields[1])
	}
	if err == nil {
		m.Lanes, err = parseList(fields[2])
	}
	if err == nil {
		m.Deps, err = parseList(fields[3])
	}
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return m, nil
}

func parseList(s string) (all []int, err error) {
	if s == "-" {
		return nil, nil
	}
	for one := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(one)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// Until returns the messages that were made in the first d.
func (t Trace) Until(d time.Duration) Trace {
	n, _ := slices.BinarySearchFunc(t, d, func(m Message, d time.Duration) int {
		return int(m.At - d)
	})
	return t[:n]
}
