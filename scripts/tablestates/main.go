// Command tablestates serves the states of a real table (server/play/table) to tests of the page's
// client. A test asks what becomes of a state when something arrives there: a batch, the opening of
// a stream, a restart. The program answers with the new state and with the bytes of the frames that
// each client gets. Equal states have equal numbers, so that a test can walk through all of them.
//
// The frames are written by the code that writes those of a room (server/tables/wire), and say what
// a room would say, but the room itself is not there. So some things differ:
//   - There are no ticks: each request that changes something gives one frame, at once, and several
//     updates of a piece are not folded into one.
//   - A stream resumes from any version, because the log keeps everything: there is no floor of the
//     history below which a room sends the full state.
//   - A hello has no attempt. A room takes the second attempt of a client that knows nothing for a
//     return (T10.21), and refuses an attempt that came late (S8).
//
// A state is what it came from and what happened then. The program computes it by doing that again
// on a new table: the judgement is that of the server and not that of a model.
//
// It reads one JSON array of requests a line from its input, and writes one array of answers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "tablestates:", err)
		os.Exit(1)
	}
}

func serve() error {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	lines, out := json.NewDecoder(in), json.NewEncoder(os.Stdout)
	var w world
	if err := lines.Decode(&w); err != nil {
		return fmt.Errorf("read the world: %w", err)
	}
	s, err := newStates(&w)
	if err != nil {
		return err
	}
	for lines.More() {
		var asked []request
		if err := lines.Decode(&asked); err != nil {
			return fmt.Errorf("read requests: %w", err)
		}
		answers := make([]answer, len(asked))
		for i := range asked {
			if answers[i], err = s.answer(&asked[i]); err != nil {
				return fmt.Errorf("request %s of state %d: %w", asked[i].Do, asked[i].From, err)
			}
		}
		if err := out.Encode(answers); err != nil {
			return fmt.Errorf("write answers: %w", err)
		}
	}
	return nil
}
