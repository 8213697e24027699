package fairness

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"testing"
)

var zeros = hex.EncodeToString(make([]byte, 32))

// changer makes rows of changes to files. Each row names the fault that a check finds.
type changer struct {
	t *testing.T
	*cases
	instead map[string]Fault // the faults that are found instead, by the name of the row
	rows    []changeVector
}

func (b *changer) add(want Fault, c changeVector) {
	b.t.Helper()
	if fault, other := b.instead[c.Name]; other {
		want = fault
	}
	e, n := b.Export, b.Notes
	if c.Of == "" {
		c.Of = "export"
		e = changed(b.t, e, &c)
	} else {
		n = changed(b.t, n, &c)
	}
	_, found, unread, d := judge(e, n)
	c.Broken = unread != ""
	got := agrees
	switch {
	case c.Broken:
		got = broken
	case d != nil:
		got = d.Fault
		c.Difference = vectorOfDifference(d)
		if !errors.Is(d, want) || (d.Want == "" || d.Got == "") && d.Fault != FaultName {
			b.t.Errorf("F14 %s: %v", c.Name, d)
		}
	}
	if got == agrees && c.Of == "notes" {
		c.Found = (*foundVector)(&found)
	}
	if got != want {
		b.t.Errorf("F14 %s: %s (%v), want %s", c.Name, got, d, want)
	}
	b.rows = append(b.rows, c)
}

func vectorOfDifference(d *Difference) *differenceVector {
	return &differenceVector{
		d.Fault, d.Round, d.Fact, d.Audience, d.Draw, d.Position, d.Noted, d.Want, d.Got,
	}
}

func (b *changer) set(want Fault, name, path, value string) {
	b.t.Helper()
	b.add(want, changeVector{Name: name, Path: path, Value: json.RawMessage(value)})
}

func (b *changer) remove(want Fault, name, path string) {
	b.t.Helper()
	b.add(want, changeVector{Name: name, Path: path, Remove: true})
}

func (b *changer) repeat(want Fault, name, path string) {
	b.t.Helper()
	b.add(want, changeVector{Name: name, Path: path, Repeat: true})
}

func (b *changer) noted(want Fault, name, path, value string) {
	b.t.Helper()
	b.add(want, changeVector{
		Name: name, Of: "notes", Path: path, Value: json.RawMessage(value), Remove: value == "",
	})
}

// overrides are the faults that changes lead to in version 2, where they are other ones than in
// version 1.
var overrides = map[string]Fault{
	"another name of a kind":   FaultName,
	"another hash":             FaultLine,
	"another seat":             FaultLine,
	"a commitment is missing":  FaultLine,
	"a revelation is missing":  FaultLine,
	"a commitment twice":       FaultLine,
	"the last draw is missing": FaultNumber, // version 2 has one more
	"another format":           agrees,      // it is the same one
}

// forged changes a round of an export and computes its lines again, as a forger would.
func (b *changer) forged(want Fault, name string, round int, forge func(r *ExportedRound)) {
	b.t.Helper()
	e, err := ReadExport(bytes.NewReader(b.Export))
	if err != nil {
		b.t.Fatal(err)
	}
	r := &e.Rounds[round-1]
	forge(r)
	opened := Opened{Round: r.Round, Commitment: r.Commitment, Before: r.Before, Bound: r.Bound}
	line := opened.line(e.Table, r.Opened)
	r.Line = line
	for i := range r.Facts {
		if d := &r.Facts[i]; d.Fact.Kind() != KindDrawn {
			line = line.follow(d.At, d.Fact)
			d.Line = line
		}
	}
	var file bytes.Buffer
	if err := e.Write(&file); err != nil {
		b.t.Fatal(err)
	}
	var again struct{ Rounds []json.RawMessage }
	if err := json.Unmarshal(file.Bytes(), &again); err != nil {
		b.t.Fatal(err)
	}
	b.set(want, name, "rounds.#"+strconv.Itoa(round), string(again.Rounds[round-1]))
}

// boundChanges returns changes to what only rounds of version 2 bind, and the faults that are
// found. After the facts of version 1, round 1 has 22 name of seat 4, 23 grow, 24 roll of seat 4;
// round 2 has 8 reveal of round 1, 9 name of seat 2; round 3 has 6 reveal of round 2.
func boundChanges(t *testing.T, of *cases) []changeVector {
	t.Helper()
	c := changer{t: t, cases: of}
	digest := `"` + zeros + `"`
	c.namesOfFiles()
	// Clauses: F14.35
	c.set(FaultLine, "a round opened at another time", "rounds.#1.opened", "1750000000249")
	// Clauses: F14.35, F16.5
	c.set(FaultLine, "another catalogue", "rounds.#1.catalog", digest)
	// Clauses: F14.34
	c.set(FaultName, "other names of kinds", "rounds.#1.names", digest)
	// Clauses: F14.34
	c.set(FaultName, "fewer kinds", "rounds.#1.kinds", "1")
	c.set(FaultName, "more kinds than have names", "rounds.#1.kinds", "9")
	// Clauses: F16.5
	c.set(FaultLine, "another name of a seat at the opening", "rounds.#1.seats.1", `"Mallory"`)
	c.remove(FaultLine, "a missing seat at the opening", "rounds.#1.seats.3")
	c.set(FaultLine, "an extra seat at the opening", "rounds.#1.seats.5", `"Eve"`)
	// Clauses: F14.35
	c.set(FaultLine, "another line at the opening", "rounds.#1.line", digest)
	c.set(FaultLine, "a sealed round opened at another time", "rounds.#3.opened",
		"1750000009251")
	// Clauses: F14.35
	c.set(FaultLine, "another time of a commitment", "rounds.#1.facts.#2.at", "1750000000501")
	c.set(FaultLine, "another time of a close", "rounds.#1.facts.#5.at", "1750000001499")
	c.set(FaultLine, "another time of a sealed mix", "rounds.#3.facts.#4.at",
		"1750000010251")
	// Clauses: F14.35
	c.set(FaultLine, "another name of a new seat", "rounds.#1.facts.#22.name",
		`"Mallory"`)
	c.set(FaultLine, "another seat of a name", "rounds.#1.facts.#22.seat", "5")
	c.remove(FaultLine, "a name is missing", "rounds.#1.facts.#22")
	c.repeat(FaultLine, "a name twice", "rounds.#1.facts.#22")
	c.set(FaultLine, "another extended catalogue", "rounds.#1.facts.#23.catalog", digest)
	// Clauses: F14.34
	c.set(FaultName, "a catalogue extended by less", "rounds.#1.facts.#23.kinds", "4")
	// Clauses: F14.34
	c.set(FaultName, "other names of new kinds", "rounds.#1.facts.#23.names", digest)
	// Clauses: F9.6
	c.set(FaultSeal, "another time of a draw", "rounds.#1.facts.#10.at", "1750000002749")
	c.set(FaultSeal, "another time of a draw behind a screen", "rounds.#1.facts.#13.at",
		"1750000003499")
	// Clauses: F14.37
	c.set(FaultTime, "a seed revealed at another time", "rounds.#1.told", "1750000008251")
	// Clauses: F14.37
	c.set(FaultTime, "a fact reveals a seed at another time", "rounds.#2.facts.#8.at",
		"1750000008251")
	// Clauses: F14.36
	c.set(FaultRound, "a fact reveals the seed of an open round", "rounds.#2.facts.#8.round",
		"2")
	// Clauses: F14.36
	c.set(FaultRound, "a fact reveals the seed of no round", "rounds.#2.facts.#8.round", "0")
	// Clauses: F14.36
	c.set(FaultRound, "a fact reveals a seed twice", "rounds.#3.facts.#6.round", "1")
	// Clauses: F14.37
	c.set(FaultCommitment, "a fact reveals another seed", "rounds.#2.facts.#8.seed", digest)
	c.remove(FaultLine, "a revealing fact is missing", "rounds.#2.facts.#8")
	// Clauses: F14.38
	c.remove(FaultPhase, "the last revealing fact is missing", "rounds.#3.facts.#6")
	c.remove(FaultEnd, "the last name is missing", "rounds.#2.facts.#9")
	c.remove(FaultEnd, "the last draw of all is missing", "rounds.#1.facts.#24")
	c.set(broken, "a file of the previous format", "format", `"holt.fair/1"`)
	c.set(broken, "a round of a later version", "rounds.#1.version", "3")
	// Clauses: F14.10
	c.remove(broken, "a round without a version", "rounds.#1.version")
	// Clauses: F14.10
	c.remove(broken, "a round without a line", "rounds.#1.line")
	// Clauses: F14.10
	c.remove(broken, "a fact without a line", "rounds.#1.facts.#2.line")
	// Clauses: F14.11
	c.set(broken, "a draw with a line", "rounds.#1.facts.#1.line", digest)
	// Clauses: F14.10
	c.set(broken, "null for a name", "rounds.#1.facts.#22.name", "null")
	// Clauses: F14.9
	c.set(broken, "a seat that is no number", "rounds.#1.seats.x", `"x"`)
	// Clauses: F14.9
	c.set(broken, "a seat with a leading zero", "rounds.#1.seats.01", `"Anna"`)
	// Clauses: F14.10
	c.set(broken, "null for a catalogue", "rounds.#1.facts.#23.catalog", "null")
	c.forgeries()
	return c.rows
}

// namesOfFiles changes the names that a file has outside of the rounds.
func (b *changer) namesOfFiles() {
	b.t.Helper()
	// Clauses: F14.39
	b.set(FaultName, "another name of a seat", "seats.1", `"Mallory"`)
	// Clauses: F14.39
	b.set(FaultName, "an earlier name of a seat", "seats.2", `"Ben"`)
	// Clauses: F14.39
	b.set(FaultName, "an empty name of a seat", "seats.4", `""`)
	// Clauses: F14.34
	b.set(FaultName, "another name of a kind that came later", "kinds.2", `"Jester"`)
	// Clauses: F14.34
	b.remove(FaultName, "no name of a kind", "kinds.1")
	b.set(agrees, "a name of a kind that no round has", "kinds.5", `"Jester"`)
	b.set(agrees, "a name of a seat that no round has", "seats.7", `"Zoe"`)
	b.remove(agrees, "no names of kinds", "kinds")
	b.remove(agrees, "no names of seats", "seats")
}

// forgeries change the inputs of lines, and the lines with them. Seals and ends show the change.
func (b *changer) forgeries() {
	b.t.Helper()
	b.forged(FaultSeal, "a forged name at the opening", 1, func(r *ExportedRound) {
		r.Bound.Seats[0].Name = "Mallory"
	})
	b.forged(FaultSeal, "a forged catalogue", 1, func(r *ExportedRound) { r.Bound.Catalog[31]++ })
	b.forged(FaultSeal, "a forged time of the opening", 1, func(r *ExportedRound) { r.Opened-- })
	b.forged(FaultSeal, "a forged time of a mix", 1, func(r *ExportedRound) { r.Facts[8].At-- })
	b.forged(FaultSeal, "a forged name of a new seat", 1, func(r *ExportedRound) {
		f, _ := r.Facts[21].Fact.(SeatNamed)
		f.Name = "Mallory"
		r.Facts[21].Fact = f
	})
	b.forged(FaultSeal, "a forged extended catalogue", 1, func(r *ExportedRound) {
		f, _ := r.Facts[22].Fact.(CatalogChanged)
		f.Catalog[0]++
		r.Facts[22].Fact = f
	})
	b.forged(FaultEnd, "a forged time of a name", 2, func(r *ExportedRound) { r.Facts[8].At++ })
	b.forged(FaultEnd, "a forged name after the last draw", 2, func(r *ExportedRound) {
		f, _ := r.Facts[8].Fact.(SeatNamed)
		f.Name = "Ben"
		r.Facts[8].Fact = f
	})
	b.forged(agrees, "a forged time in a sealed round cannot be detected yet", 3,
		func(r *ExportedRound) { r.Facts[3].At-- })
}

// upgradedChanges returns changes to the files of a table whose first round is of version 1, and
// the faults that are found. Of the facts of round 2, 1 is name of seat 4, 2 reveal of round 1.
func upgradedChanges(t *testing.T, of *cases) []changeVector {
	t.Helper()
	c := changer{t: t, cases: of}
	c.set(agrees, "another time of a fact of version 1", "rounds.#1.facts.#1.at", "1750000000501")
	c.set(FaultEnd, "another end of a round of version 1", "rounds.#2.before", `"`+zeros+`"`)
	c.remove(FaultEnd, "the last draw of a round of version 1 is missing", "rounds.#1.facts.#8")
	c.set(FaultTime, "the seed of a round of version 1 revealed at another time", "rounds.#1.told",
		"1750000002751")
	c.remove(FaultLine, "nothing reveals the seed of a round of version 1", "rounds.#2.facts.#2")
	c.set(FaultName, "another name of a seat that came later", "seats.4", `"Mallory"`)
	c.set(broken, "a name in a round of version 1", "rounds.#1.facts.#1",
		`{"at":1750000000500,"fact":"name","name":"x","seat":1}`)
	c.set(broken, "a fact with a line in a round of version 1", "rounds.#1.facts.#1.line",
		`"`+zeros+`"`)
	// Clauses: F16.4
	c.set(FaultVersion, "a round of version 1 after one of version 2", "rounds.#3", `{"before":"`+
		zeros+`","commitment":"`+zeros+`","facts":[],"opened":1750000005250,"round":3}`)
	return c.rows
}
