package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"holt/server/play/fairness"
)

type verifyCommand struct {
	File  string `arg:"" help:"The export of a table's randomness, as the page and the server give it."`
	Noted string `placeholder:"FILE" help:"What your page noted while you played. Without it the file can only be shown to agree with itself."`
}

// Run says which parts of an export agree. It returns a *fairness.Difference if something does not,
// and a usage error if a file cannot be read.
func (c *verifyCommand) Run(std streams) error {
	export, err := readFile(c.File, "an export of rounds", fairness.ReadExport)
	if err != nil {
		return err
	}
	var notes *fairness.Notes
	if c.Noted != "" {
		if notes, err = readFile(c.Noted, "notes of rounds", fairness.ReadNotes); err != nil {
			return err
		}
	}
	report, err := fairness.Verify(export)
	printReport(std.Out, export, &report)
	if err != nil {
		return explainDifference(export, err)
	}
	printUnbound(std.Out, export, &report)
	if notes == nil {
		fmt.Fprintln(std.Out,
			"The file agrees with itself. Nothing was compared with notes of the game (--noted), "+
				"so it is not shown to be about the game that was played.")
		return nil
	}
	found, err := fairness.Compare(export, notes)
	if err != nil {
		return explainDifference(export, err)
	}
	printComparison(std.Out, &found)
	return nil
}

// readFile reads a file with one of the readers of package fairness. All its errors are usage
// errors: the exit status is 2 for files that cannot be checked, and 1 for files that do not agree.
func readFile[T any](name, what string, read func(io.Reader) (*T, error)) (*T, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("there is no file %s", name)}
	}
	if err != nil {
		return nil, usageError{err}
	}
	defer func() { _ = file.Close() }()
	document, err := read(file)
	switch {
	case errors.Is(err, fairness.ErrFile):
		return nil, usageError{fmt.Errorf("%s does not hold %s: %w", name, what, err)}
	case err != nil:
		return nil, usageError{err}
	}
	return document, nil
}

func printReport(w io.Writer, e *fairness.Export, report *fairness.Report) {
	fmt.Fprintf(w, "Table %s, %s\n", e.Table, count(len(e.Rounds), "round"))
	if e.Dropped > 0 {
		fmt.Fprintf(w,
			"Before these, %s dropped with the history of the table: nothing can be checked of that\n",
			countWas(int(e.Dropped), "round"))
	}
	for i := range report.Rounds {
		r := &report.Rounds[i]
		state := "sealed: outcomes cannot be checked yet"
		if r.Revealed {
			state = "revealed"
		}
		fmt.Fprintf(w, "Round %d, %s\n", r.Round, state)
		shares := "nobody's entropy"
		if r.Mixes > 0 {
			shares = count(r.Mixes, "mix") + " with " + count(r.Shares, "share") + " of entropy"
		}
		if r.Withheld > 0 {
			shares += fmt.Sprintf(", %d more withheld", r.Withheld)
		}
		fmt.Fprintf(w, "  %s\n", shares)
		fmt.Fprintf(w, "  %s%s\n", count(r.Draws, "draw"), kindsOf(r))
		if r.Alone > 0 {
			fmt.Fprintf(w,
				"  of these %d before any share was in: they rest on the server's word alone\n",
				r.Alone)
		}
		if !r.Bound {
			fmt.Fprintln(w, "  an old round: nothing binds its times, and who is called what in it")
		}
	}
}

// printUnbound says which names and times may have been changed by the people who passed the file
// on.
func printUnbound(w io.Writer, e *fairness.Export, report *fairness.Report) {
	kinds, seats := e.Unbound()
	if kinds > 0 {
		fmt.Fprintf(w, "Not bound, so anybody can have changed them: the names of %s\n",
			count(kinds, "kind"))
	}
	if seats > 0 {
		fmt.Fprintf(w, "Not bound, so anybody can have changed them: the names of %s\n",
			count(seats, "seat"))
	}
	if slices.ContainsFunc(report.Rounds, func(r fairness.RoundReport) bool {
		return r.Bound && !r.Revealed
	}) {
		fmt.Fprintln(w,
			"Names and times of a sealed round are checked for good when it is revealed")
	}
}

// kindsOf says what was drawn: ": 3 shuffles, 1 roll". For a sealed round it returns an empty
// string.
func kindsOf(r *fairness.RoundReport) string {
	var texts []string
	for what := fairness.Shuffle; what <= fairness.Place; what++ {
		if n := r.Of[what]; n > 0 {
			texts = append(texts, count(n, what.String()))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return ": " + strings.Join(texts, ", ")
}

func printComparison(w io.Writer, c *fairness.Comparison) {
	fmt.Fprintf(w, "As noted: %s, %s, %s, %s, %s of your own\n", count(c.Rounds, "commitment"),
		count(c.Closings, "close"),
		count(c.Pools, "pool"), count(c.Seals, "seal"), count(c.Shares, "share"))
	if c.LeftOut > 0 {
		fmt.Fprintf(w, "Left out by the server, as too late: %s of your own\n",
			count(c.LeftOut, "share"))
	}
	if c.Absent > 0 {
		fmt.Fprintf(w,
			"Noted and not in this file, because it is older, or the round is sealed or was dropped: %s\n",
			count(c.Absent, "thing"))
	}
	fmt.Fprintln(w, "Everything agrees, and is about the game that was noted.")
}

// countWas is count with the verb.
func countWas(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " was"
	}
	return count(n, noun) + " were"
}

// count writes a number and its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// explainDifference names the seat and the kinds in a difference, if the export has names for them.
func explainDifference(e *fairness.Export, err error) error {
	var d *fairness.Difference
	if !errors.As(err, &d) || d.Fact == 0 {
		return err
	}
	drawn, is := e.Rounds[d.Round-e.Dropped-1].Facts[d.Fact-1].Fact.(fairness.Drawn)
	if !is || drawn.Record.Kind == 0 {
		return err
	}
	r := &drawn.Record
	about := r.Kind.String()
	if r.Seat > 0 {
		about += " by " + e.SeatName(r.Seat)
	}
	if d.Fault == fairness.FaultOutcome && (r.Kind == fairness.Shuffle || r.Kind == fairness.Draw) {
		about += ", where the file has " + e.KindName(r.Outputs[d.Position-1])
	}
	return fmt.Errorf("%w (%s)", err, about)
}
