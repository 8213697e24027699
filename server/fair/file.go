package fair

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"holt/server/id"
)

// Format is the format of exports: the first member of the file.
const Format = "holt.fair/1"

// Members of the objects of an export, beside at and fact in those of facts.
var factMembers = map[Kind][]string{
	KindCommitted: {"mix", "seat", "hash"},
	KindClosed:    {"mix", "closing"},
	KindRevealed:  {"mix", "share", "entropy"},
	KindMixed:     {"mix", "withheld", "pool"},
	KindDrawn:     {"audience", "number", "mix", "seal"},
}

// recordMembers are the members that a draw has besides when its round is revealed.
var recordMembers = []string{"what", "seat", "pieces", "inputs", "outputs"}

// ReadExport reads the file of an export. It is read strictly: what is unknown, missing or of another type is refused. It
// says nothing of whether the export agrees; Verify does. Errors wrap ErrFile unless reading itself failed.
func ReadExport(r io.Reader) (*Export, error) {
	raw, err := readDocument(r)
	if err != nil {
		return nil, err
	}
	m, err := members(raw, []string{"format", "table", "rounds"}, []string{"kinds", "seats", "dropped"})
	if err != nil {
		return nil, err
	}
	f := fields{members: m}
	if format := f.text("format"); f.err == nil && format != Format {
		return nil, fmt.Errorf("%w: format %q, want %q", ErrFile, format, Format)
	}
	e := &Export{Kinds: f.names("kinds"), Seats: f.names("seats")}
	if f.has("dropped") {
		if e.Dropped = Round(f.u32("dropped")); f.err == nil && e.Dropped == 0 {
			return nil, fmt.Errorf("%w: dropped is 0", ErrFile)
		}
	}
	f.hex("table", f.text("table"), e.Table[:])
	f.each("rounds", []string{"round", "opened", "commitment", "before", "facts"}, []string{"seed", "told"}, func(f *fields) {
		e.Rounds = append(e.Rounds, f.round())
	})
	if f.err != nil {
		return nil, f.err
	}
	return e, nil
}

func (f *fields) round() ExportedRound {
	r := ExportedRound{
		Round: Round(f.u32("round")), Opened: f.time("opened"), Commitment: f.digest("commitment"), Before: f.digest("before"),
	}
	if f.err == nil && f.has("seed") != f.has("told") {
		f.err = fmt.Errorf("%w: seed and told belong together", ErrFile)
	}
	if f.has("seed") {
		seed := Seed(f.digest("seed"))
		r.Seed, r.Told = &seed, f.time("told")
	}
	var facts []json.RawMessage
	f.read("facts", &facts)
	r.Facts = make([]Dated, 0, len(facts))
	for i, raw := range facts {
		fact, err := readFact(raw, r.Round)
		if err != nil {
			f.err = fmt.Errorf("fact %d: %w", i+1, err)
			break
		}
		r.Facts = append(r.Facts, fact)
	}
	return r
}

func readFact(raw json.RawMessage, round Round) (d Dated, err error) {
	var named struct {
		Fact string `json:"fact"`
	}
	if err := json.Unmarshal(raw, &named); err != nil {
		return d, wrong("fact", err)
	}
	kind := KindCommitted
	for kind.String() != named.Fact {
		if kind++; kind > KindDrawn {
			return d, fmt.Errorf("%w: there is no fact %q", ErrFile, named.Fact)
		}
	}
	needs := append([]string{"at", "fact"}, factMembers[kind]...)
	may := []string(nil)
	if kind == KindDrawn {
		may = recordMembers
	}
	m, err := members(raw, needs, may)
	if err != nil {
		return d, err
	}
	f := fields{members: m}
	d.At = f.time("at")
	mix := Mix(f.u32("mix"))
	switch kind {
	case KindCommitted:
		d.Fact = Committed{Round: round, Mix: mix, Seat: id.Seat(f.u32("seat")), Hash: f.digest("hash")}
	case KindClosed:
		d.Fact = Closed{Round: round, Mix: mix, Closing: f.digest("closing")}
	case KindRevealed:
		d.Fact = Revealed{Round: round, Mix: mix, Share: Share(f.u32("share")), Entropy: Entropy(f.digest("entropy"))}
	case KindMixed:
		withheld := []Share{}
		for _, n := range f.u32s("withheld") {
			withheld = append(withheld, Share(n))
		}
		d.Fact = Mixed{Round: round, Mix: mix, Withheld: withheld, Pool: f.digest("pool")}
	default:
		d.Fact = Drawn{Round: round, Record: f.record(mix), Seal: f.digest("seal")}
	}
	return d, f.err
}

// record reads what is there of a record: the members of a revealed round are there all or none.
func (f *fields) record(mix Mix) Record {
	r := Record{Audience: Audience(f.u32("audience")), Number: Number(f.u32("number")), Mix: mix}
	there := 0
	for _, name := range recordMembers {
		if f.has(name) {
			there++
		}
	}
	switch {
	case f.err != nil || there == 0:
		return r
	case there < len(recordMembers):
		f.err = fmt.Errorf("%w: what, seat, pieces, inputs and outputs belong together", ErrFile)
		return r
	}
	name := f.text("what")
	what, ok := parseWhat(name)
	if f.err == nil && !ok {
		f.err = fmt.Errorf("%w: there is no draw %q", ErrFile, name)
	}
	r.What, r.Seat, r.Inputs, r.Outputs = what, id.Seat(f.u32("seat")), f.u32s("inputs"), f.u32s("outputs")
	var pieces []string
	f.read("pieces", &pieces)
	for _, text := range pieces {
		var oid id.OID
		f.hex("a piece", text, oid[:])
		r.Pieces = append(r.Pieces, oid)
	}
	return r
}

// KindName returns how people know a kind of piece: its name in quotes if the export has one, else its number.
func (e *Export) KindName(kind uint32) string { return named(e.Kinds, kind, "kind ") }

// SeatName returns how people know a seat: its nick in quotes if the export has one, else its number.
func (e *Export) SeatName(seat id.Seat) string { return named(e.Seats, uint32(seat), "seat ") }

// named quotes names: they come from a file of others, and may have anything in them.
func named(names map[uint32]string, n uint32, what string) string {
	if name, ok := names[n]; ok {
		return strconv.Quote(name)
	}
	return what + strconv.FormatUint(uint64(n), 10)
}
