package fairness

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"holt/server/id"
)

// The formats of exports: the first member of the file. Format2 is that of files with rounds of
// version 2.
const (
	Format  = "holt.fair/1"
	Format2 = "holt.fair/2"
)

// format returns the format of the file of e.
func (e *Export) format() string {
	for i := range e.Rounds {
		if e.Rounds[i].Bound != nil {
			return Format2
		}
	}
	return Format
}

// boundMembers are the additional members of a round of version 2.
var boundMembers = []string{"version", "catalog", "kinds", "names", "seats", "line"}

// recordMembers are the additional members of a draw whose round is revealed.
var recordMembers = []string{"what", "seat", "pieces", "inputs", "outputs"}

// ReadExport reads the file of an export. It refuses what is unknown, missing or of another type.
// It does not check whether the content is right; Verify does. Errors wrap ErrFile unless reading
// itself failed.
func ReadExport(r io.Reader) (*Export, error) {
	raw, err := readDocument(r)
	if err != nil {
		return nil, err
	}
	m, err := members(raw, []string{"format", "table", "rounds"},
		[]string{"kinds", "seats", "dropped"})
	if err != nil {
		return nil, err
	}
	f := fields{members: m}
	format := f.text("format")
	if f.err == nil && format != Format && format != Format2 {
		return nil, fmt.Errorf("%w: format %q, want %q or %q", ErrFile, format, Format, Format2)
	}
	e := &Export{Kinds: f.names("kinds"), Seats: f.names("seats")}
	if f.has("dropped") {
		if e.Dropped = Round(f.u32("dropped")); f.err == nil && e.Dropped == 0 {
			return nil, fmt.Errorf("%w: dropped is 0", ErrFile)
		}
	}
	f.hex("table", f.text("table"), e.Table[:])
	f.each("rounds", []string{"round", "opened", "commitment", "before", "facts"},
		append([]string{"seed", "told"}, boundMembers...), func(f *fields) {
			e.Rounds = append(e.Rounds, f.round())
		})
	if f.err != nil {
		return nil, f.err
	}
	if want := e.format(); format != want {
		return nil, fmt.Errorf("%w: format %q, and its rounds are of %q", ErrFile, format, want)
	}
	return e, nil
}

func (f *fields) round() ExportedRound {
	r := ExportedRound{
		Round: Round(f.u32("round")), Opened: f.time("opened"), Commitment: f.digest("commitment"),
		Before: f.digest("before"),
	}
	if f.err == nil && f.has("seed") != f.has("told") {
		f.err = fmt.Errorf("%w: seed and told belong together", ErrFile)
	}
	if f.has("seed") {
		seed := Seed(f.digest("seed"))
		r.Seed, r.Published = &seed, f.time("told")
	}
	if f.together(boundMembers) {
		r.Bound, r.Line = f.bound(), f.digest("line")
	}
	var facts []json.RawMessage
	f.read("facts", &facts)
	r.Facts = make([]Dated, 0, len(facts))
	for i, raw := range facts {
		fact, err := readFact(raw, &r)
		if err != nil {
			f.err = fmt.Errorf("fact %d: %w", i+1, err)
			break
		}
		r.Facts = append(r.Facts, fact)
	}
	return r
}

// together reports whether the members names are there. It sets an error if only some of them are.
func (f *fields) together(names []string) bool {
	there := 0
	for _, name := range names {
		if f.has(name) {
			there++
		}
	}
	if f.err == nil && there > 0 && there < len(names) {
		f.err = fmt.Errorf("%w: %s belong together", ErrFile, strings.Join(names, ", "))
	}
	return f.err == nil && there > 0
}

// bound reads the additional members of a round of version 2.
func (f *fields) bound() *Bound {
	if v := f.u32("version"); f.err == nil && v != version2 {
		f.err = fmt.Errorf("%w: a round of version %d", ErrFile, v)
	}
	b := &Bound{Catalog: f.digest("catalog"), Kinds: f.u32("kinds"), Names: f.digest("names")}
	names := f.names("seats")
	for _, seat := range slices.Sorted(maps.Keys(names)) {
		b.Seats = append(b.Seats, Seat{id.Seat(seat), names[seat]})
	}
	return b
}

// lastKind returns the last kind of fact that a round may have. A bound round is of version 2.
func lastKind(bound bool) Kind {
	if bound {
		return KindRewound
	}
	return KindDrawn
}

func readFact(raw json.RawMessage, in *ExportedRound) (d Dated, err error) {
	bound := in.Bound != nil
	var named struct {
		Fact string `json:"fact"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return d, wrong("fact", err)
	}
	kind := KindCommitted
	for kind.String() != named.Fact {
		if kind++; kind > lastKind(bound) {
			return d, fmt.Errorf("%w: there is no fact %q", ErrFile, named.Fact)
		}
	}
	needs := []string{"at"}
	for _, m := range membersOf(facts[kind]) {
		needs = append(needs, m.name)
	}
	may := []string(nil)
	switch {
	case kind == KindDrawn:
		may = recordMembers
	case bound:
		needs = append(needs, "line")
	}
	m, err := members(raw, needs, may)
	if err != nil {
		return d, err
	}
	f := fields{members: m}
	d.At = f.time("at")
	if bound && kind != KindDrawn {
		d.Line = f.digest("line")
	}
	d.Fact = facts[kind].fields(factReader{fields: &f, in: in.Round})
	return d, f.err
}

// draw reads a record. A sealed round has none of recordMembers, a revealed one all.
func (f *fields) draw() Record {
	r := Record{
		Audience: Audience(f.u32("audience")), Number: Number(f.u32("number")),
		Mix: Mix(f.u32("mix")),
	}
	if !f.together(recordMembers) {
		return r
	}
	name := f.text("what")
	what, ok := parseWhat(name)
	if f.err == nil && !ok {
		f.err = fmt.Errorf("%w: there is no draw %q", ErrFile, name)
	}
	r.Kind, r.Seat, r.Inputs, r.Outputs = what, id.Seat(f.u32("seat")), f.u32s("inputs"),
		f.u32s("outputs")
	var pieces []string
	f.read("pieces", &pieces)
	for _, text := range pieces {
		var oid id.OID
		f.hex("a piece", text, oid[:])
		r.Pieces = append(r.Pieces, oid)
	}
	return r
}

// KindName returns the name of a kind of piece for people: in quotes if the export has it, else its
// number.
func (e *Export) KindName(kind uint32) string { return named(e.Kinds, kind, "kind ") }

// SeatName returns the name of a seat for people: in quotes if the export has it, else its number.
func (e *Export) SeatName(seat id.Seat) string { return named(e.Seats, uint32(seat), "seat ") }

// named quotes names, because they come from somebody else's file and may contain anything.
func named(names map[uint32]string, n uint32, what string) string {
	if name, ok := names[n]; ok {
		return strconv.Quote(name)
	}
	return what + strconv.FormatUint(uint64(n), 10)
}
