package fairness

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"holt/server/id"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// vectors are results on which the server and the page (static/js/parts/fairness and
// static/js/fairnesspage) must agree.
type vectors struct {
	Hashes  []hashVector  `json:"hashes"`
	Mixes   []mixVector   `json:"mixes"`
	Numbers numbersVector `json:"numbers"`
	Records []recordRow   `json:"records"`
	cases
}

// vectors2 are those of rounds of version 2.
type vectors2 struct {
	cases
	// Upgraded is about a table whose first round is of version 1.
	Upgraded cases `json:"upgraded"`
}

// cases are files, and what a check of them finds.
type cases struct {
	// Export and Notes agree. Each of Changes changes one of them, with its own outcome.
	Export  json.RawMessage `json:"export"`
	Notes   json.RawMessage `json:"notes"`
	Report  reportVector    `json:"report"`
	Found   foundVector     `json:"found"`
	Unbound *unboundVector  `json:"unbound,omitempty"`
	Changes []changeVector  `json:"changes"`
}

// unboundVector counts the names that no round binds.
type unboundVector struct {
	Kinds int `json:"kinds"`
	Seats int `json:"seats"`
}

// hashVector has the hashes of F2 and F3 for one set of values.
type hashVector struct {
	Secret     string  `json:"secret"`
	Table      string  `json:"table"`
	Epoch      string  `json:"epoch"` // decimal
	Round      Round   `json:"round"`
	Seed       string  `json:"seed"`
	Commitment string  `json:"commitment"`
	FirstPool  string  `json:"firstPool"`
	Mix        Mix     `json:"mix"`
	Seat       id.Seat `json:"seat"`
	Entropy    string  `json:"entropy"`
	Hash       string  `json:"hash"`
}

// mixVector has a closing and a pool (F4, F5).
type mixVector struct {
	Table   string        `json:"table"`
	Round   Round         `json:"round"`
	Mix     Mix           `json:"mix"`
	Before  string        `json:"before"`
	Shares  []shareVector `json:"shares"`
	Closing string        `json:"closing"`
	Pool    string        `json:"pool"`
}

type shareVector struct {
	Seat    id.Seat `json:"seat"`
	Hash    string  `json:"hash"`
	Entropy string  `json:"entropy"` // "": withheld
}

// lotVector has the inputs of random numbers (F7), and numbers.
type lotVector struct {
	Table    string   `json:"table"`
	Round    Round    `json:"round"`
	Seed     string   `json:"seed"`
	Pool     string   `json:"pool"`
	Audience Audience `json:"audience"`
	Number   Number   `json:"number"`
}

type numbersVector struct {
	Lot   lotVector `json:"lot"`
	Pairs [][2]int  `json:"pairs"` // the bound of each draw, and its number
}

// recordRow is a draw, with its outcome and its seal (F8, F9).
type recordRow struct {
	Lot     lotVector `json:"lot"`
	Mix     Mix       `json:"mix"`
	Last    string    `json:"last"`
	What    string    `json:"what"`
	Seat    id.Seat   `json:"seat"`
	Pieces  []string  `json:"pieces"`
	Inputs  []uint32  `json:"inputs"`
	Outputs []uint32  `json:"outputs"`
	Seal    string    `json:"seal"`
}

type reportVector struct {
	Rounds []roundVector `json:"rounds"`
}

type roundVector struct {
	Round    Round          `json:"round"`
	Revealed bool           `json:"revealed"`
	Bound    bool           `json:"bound,omitempty"`
	Mixes    int            `json:"mixes"`
	Shares   int            `json:"shares"`
	Withheld int            `json:"withheld"`
	Draws    int            `json:"draws"`
	Of       map[string]int `json:"of"`
	Alone    int            `json:"alone"`
}

type foundVector struct {
	Rounds   int `json:"rounds"`
	Closings int `json:"closings"`
	Pools    int `json:"pools"`
	Seals    int `json:"seals"`
	Shares   int `json:"shares"`
	LeftOut  int `json:"leftOut"`
	Absent   int `json:"absent"`
}

// changeVector is a change to an export or to notes, and what a check finds then. In a path, "#2"
// is the second element of a list.
type changeVector struct {
	Name string `json:"name"`
	Of   string `json:"of"` // export or notes
	// Path leads to what is set to Value, removed, or repeated.
	Path   string          `json:"path"`
	Value  json.RawMessage `json:"value,omitempty"`
	Remove bool            `json:"remove,omitempty"`
	Repeat bool            `json:"repeat,omitempty"`
	// Broken says that the file cannot be read. If it can and Difference is null, the files agree.
	Broken     bool              `json:"broken"`
	Difference *differenceVector `json:"difference"`
	Found      *foundVector      `json:"found,omitempty"` // when notes were changed, and agree
}

type differenceVector struct {
	Fault    Fault    `json:"fault"`
	Round    Round    `json:"round"`
	Fact     int      `json:"fact"`
	Audience Audience `json:"audience"`
	Draw     Number   `json:"draw"`
	Position int      `json:"position"`
	Noted    bool     `json:"noted"`
	Want     string   `json:"want"`
	Got      string   `json:"got"`
}

// TestVectors shows that the package computes what the vectors say, which the page must compute,
// too.
func TestVectors(t *testing.T) {
	t.Run("F14 of rounds of version 1", func(t *testing.T) {
		wantVectors(t, "fair.json", computed(t))
	})
	t.Run("F14, F16 of rounds of version 2", func(t *testing.T) {
		whole, upgraded := evening(t), upgradedEvening(t)
		v := vectors2{cases: casesOf(t, whole), Upgraded: casesOf(t, upgraded)}
		v.Changes = changes(t, &v.cases, overrides)
		v.Changes = append(v.Changes, boundChanges(t, &v.cases)...)
		v.Upgraded.Changes = upgradedChanges(t, &v.Upgraded)
		wantVectors(t, "fair2.json", v)
	})
}

// wantVectors compares what the package computes with a file of vectors.
func wantVectors(t *testing.T, file string, v any) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", file)
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	// One row a line, so that a change shows in a diff of this long file.
	for _, row := range []string{
		`{"secret"`, `{"table"`, `{"lot"`, `{"name"`, `{"at"`, `"numbers"`, `"export"`, `"notes"`,
		`"report"`, `"found"`, `"changes"`,
	} {
		got = bytes.ReplaceAll(got, []byte(","+row), []byte(",\n"+row))
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("F14 the vectors have changed; if they should, run go test -update")
	}
}

func computed(t *testing.T) vectors {
	v := vectors{cases: casesOf(t, firstEvening(t))}
	v.Unbound = nil // the file is older than this field
	for i := range 8 {
		v.Hashes = append(v.Hashes, hashes(i))
		v.Mixes = append(v.Mixes, mixes(i))
	}
	l := drawKeyOf(1)
	r := &DrawRand{key: l}
	v.Numbers.Lot = vectorOf(l)
	for i := range 120 {
		n := []int{6, 2, 52, 1, 20, MaxSides, 1<<30 + 1, 3, 10_000, 33, 64, 65}[i%12]
		v.Numbers.Pairs = append(v.Numbers.Pairs, [2]int{n, r.IntN(n)})
	}
	for _, row := range []struct {
		what   DrawKind
		inputs []uint32
		n      int
		pieces []id.OID
	}{
		{Shuffle, upTo(52, 1), 0, []id.OID{aDeck}},
		{Shuffle, []uint32{4, 4, 9}, 0, []id.OID{aDeck, aDie, aBag}},
		{Shuffle, upTo(500, 1), 0, []id.OID{aDeck}},
		{Cut, []uint32{2}, 0, []id.OID{aDeck}},
		{Cut, []uint32{52}, 0, []id.OID{aDeck}},
		{Draw, upTo(5, 20), 7, []id.OID{aBag}},
		{Draw, []uint32{3}, 1, []id.OID{aBag}},
		{Roll, []uint32{1}, 0, []id.OID{aDie}},
		{Roll, []uint32{20}, 0, []id.OID{aDie}},
		{Roll, []uint32{MaxSides}, 0, []id.OID{aDie}},
		{Place, []uint32{40}, 0, []id.OID{aDeck}},
	} {
		l := drawKeyOf(Number(len(v.Records) + 1))
		rand := &DrawRand{key: l}
		f, err := rand.Record(1, row.what, 3, row.pieces, row.inputs,
			drawn(rand, row.what, row.inputs, row.n))
		if err != nil {
			t.Fatal(err)
		}
		pieces := []string{}
		for _, piece := range row.pieces {
			pieces = append(pieces, piece.String())
		}
		v.Records = append(v.Records, recordRow{
			Lot: vectorOf(l), Mix: l.mix, Last: l.last.String(), What: row.what.String(), Seat: 3,
			Pieces: pieces, Inputs: f.Record.Inputs, Outputs: f.Record.Outputs,
			Seal: f.Seal.String(),
		})
	}
	v.Changes = changes(t, &v.cases, nil)
	return v
}

// casesOf returns the files of a play and what a check of them finds.
func casesOf(t *testing.T, p *play) cases {
	v := cases{Export: p.file(), Notes: p.noteFile()}
	report, found, unread, difference := judge(v.Export, v.Notes)
	if unread != "" || difference != nil {
		t.Fatal(unread, difference)
	}
	e, err := ReadExport(bytes.NewReader(v.Export))
	if err != nil {
		t.Fatal(err)
	}
	kinds, seats := e.Unbound()
	v.Unbound = &unboundVector{kinds, seats}
	for _, r := range report.Rounds {
		of := map[string]int{}
		for what, n := range r.Of[1:] {
			of[DrawKind(what+1).String()] = n
		}
		v.Report.Rounds = append(v.Report.Rounds, roundVector{
			r.Round, r.Revealed, r.Bound, r.Mixes, r.Shares, r.Withheld, r.Draws, of, r.Alone,
		})
	}
	v.Found = foundVector(found)
	return v
}

func vectorOf(l drawKey) lotVector {
	return lotVector{
		l.table.String(), l.round, Digest(*l.seed).String(), l.pool.String(), l.audience, l.number,
	}
}

func hashes(i int) hashVector {
	text := strconv.Itoa(i)
	secret, entropy := Secret(sha256.Sum256([]byte("secret"+text))),
		Entropy(sha256.Sum256([]byte("entropy"+text)))
	table := id.OID(sha256.New().Sum(nil)[:16])
	table[0] = byte(i)
	round, mix, seat, epoch := Round(1)<<(4*i), Mix(1)<<(3*i), id.Seat(1)<<(2*i), id.Epoch(1)<<(6*i)
	seed := SeedOf(&secret, table, epoch, round)
	commitment := seed.Commitment(table, round)
	return hashVector{
		Secret: Digest(secret).String(), Table: table.String(),
		Epoch: strconv.FormatUint(uint64(epoch), 10), Round: round,
		Seed: Digest(seed).String(), Commitment: commitment.String(),
		FirstPool: firstPool(commitment).String(),
		Mix:       mix, Seat: seat, Entropy: entropy.String(),
		Hash: entropy.Commitment(table, round, mix, seat).String(),
	}
}

// mixes returns a mix with n shares. Every third of them is withheld.
func mixes(n int) mixVector {
	m := begin(aTable, 5, Digest{byte(n)})
	m.mixed = Mix(n)
	v := mixVector{
		Table: aTable.String(), Round: 5, Mix: m.mixed + 1, Before: m.pool.String(),
		Shares: []shareVector{},
	}
	for i := range n {
		e := entropyOf(id.Seat(i+1), n)
		s := share{seat: id.Seat(i + 1), hash: e.Commitment(aTable, 5, m.mixed+1, id.Seat(i+1))}
		row := shareVector{Seat: s.seat, Hash: s.hash.String()}
		if i%3 != 2 {
			s.entropy, s.revealed, row.Entropy = e, true, e.String()
		}
		m.shares = append(m.shares, s)
		v.Shares = append(v.Shares, row)
	}
	v.Closing, v.Pool = m.closing().String(), m.next().String()
	return v
}

// changed applies a change to a document.
func changed(t *testing.T, document json.RawMessage, c *changeVector) json.RawMessage {
	t.Helper()
	var root any
	if err := json.Unmarshal(document, &root); err != nil {
		t.Fatal(err)
	}
	var value any
	if len(c.Value) > 0 {
		if err := json.Unmarshal(c.Value, &value); err != nil {
			t.Fatal(err)
		}
	}
	steps := strings.Split(c.Path, ".")
	var change func(at any, steps []string) any
	change = func(at any, steps []string) any {
		last := len(steps) == 1
		switch at := at.(type) {
		case map[string]any:
			switch {
			case last && c.Remove:
				delete(at, steps[0])
			case last:
				at[steps[0]] = value
			default:
				at[steps[0]] = change(at[steps[0]], steps[1:])
			}
			return at
		case []any:
			n, err := strconv.Atoi(strings.TrimPrefix(steps[0], "#"))
			if err != nil || n > len(at) {
				t.Fatalf("%s: no element %s", c.Name, steps[0])
			}
			switch {
			case last && c.Remove:
				return append(append([]any{}, at[:n-1]...), at[n:]...)
			case last && c.Repeat:
				return append(append([]any{}, at[:n]...), at[n-1:]...)
			case last:
				at[n-1] = value
			default:
				at[n-1] = change(at[n-1], steps[1:])
			}
			return at
		default:
			t.Fatalf("%s: %s leads nowhere", c.Name, c.Path)
			return nil
		}
	}
	text, err := json.Marshal(change(root, steps))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withoutRecord returns fact 12 of round 1 as it would be if the round were only sealed.
func withoutRecord(t *testing.T, export json.RawMessage) json.RawMessage {
	t.Helper()
	e, err := ReadExport(bytes.NewReader(export))
	if err != nil {
		t.Fatal(err)
	}
	f := &e.Rounds[0].Facts[11]
	return (&Dated{At: f.At, Fact: sealedFact(f.Fact)}).append(nil, false)
}

const (
	broken Fault = "broken" // the file cannot be read
	agrees Fault = "agrees"
)

// changes returns changes to the export and the notes of an evening. Each row names the fault that
// a check finds. Facts of round 1: 1 draw 1, 2–4 commit, 5 close, 6–8 reveal, 9 mix, 10–12 draws
// 2–4, 13 draw of seat 2, 14–15 commit, 16 close, 17 reveal, 18 mix, 19 draw 5, 20 draw of seat 2,
// 21 draw 6.
func changes(t *testing.T, of *cases, instead map[string]Fault) []changeVector {
	t.Helper()
	export := of.Export
	digest := `"` + zeros + `"`
	c := changer{t: t, cases: of, instead: instead}
	add, set, remove, repeat := c.add, c.set, c.remove, c.repeat
	set(agrees, "another name of a kind", "kinds.0", `"Joker"`)
	// Clauses: F14.22
	set(FaultCommitment, "another seed", "rounds.#1.seed", digest)
	// Clauses: F14.22
	set(FaultCommitment, "another commitment", "rounds.#2.commitment", digest)
	set(FaultCommitment, "another table", "table", `"`+zeros[:32]+`"`)
	// Clauses: F14.18
	set(FaultEnd, "the first round has a previous one", "rounds.#1.before", digest[:64]+`1"`)
	// Clauses: F10.2, F14.18
	set(FaultEnd, "another end", "rounds.#2.before", digest)
	// Clauses: F14.15
	set(FaultRound, "another number of a round", "rounds.#2.round", "3")
	// Clauses: F14.15
	remove(FaultRound, "no first round", "rounds.#1")
	// Clauses: F14.15
	repeat(FaultRound, "a round twice", "rounds.#1")
	// Clauses: F14.19
	remove(FaultPhase, "no last round", "rounds.#3")
	// Clauses: F14.17
	set(FaultTime, "a round opened before the last fact of the previous one", "rounds.#2.opened",
		"1750000000000")
	// Clauses: F14.17
	set(FaultTime, "a fact before its round", "rounds.#1.facts.#1.at", "1")
	// Clauses: F14.21
	set(FaultTime, "a seed revealed before the next round was opened", "rounds.#1.told",
		"1750000000500")
	// Clauses: F14.21
	set(FaultTime, "a seed revealed before the previous round's", "rounds.#2.told", "1750000006500")
	// Clauses: F14.26
	set(FaultClosing, "another hash", "rounds.#1.facts.#3.hash", digest)
	set(FaultClosing, "another seat", "rounds.#1.facts.#3.seat", "7")
	// Clauses: F14.26
	set(FaultClosing, "another closing", "rounds.#1.facts.#5.closing", digest)
	// Clauses: F14.25
	set(FaultEntropy, "another entropy", "rounds.#1.facts.#6.entropy", digest)
	// Clauses: F14.28
	set(FaultPool, "another pool", "rounds.#1.facts.#9.pool", digest)
	// Clauses: F14.27
	set(FaultWithheld, "a revealed share is named as withheld",
		"rounds.#1.facts.#9.withheld", "[1]")
	// Clauses: F14.27
	set(FaultWithheld, "nobody is named as withheld", "rounds.#1.facts.#18.withheld", "[]")
	// Clauses: F14.26
	remove(FaultClosing, "a commitment is missing", "rounds.#1.facts.#2")
	// Clauses: F14.23
	remove(FaultPhase, "a close is missing", "rounds.#1.facts.#5")
	// Clauses: F14.27
	remove(FaultWithheld, "a revelation is missing", "rounds.#1.facts.#6")
	// Clauses: F14.24
	remove(FaultMix, "a mix is missing", "rounds.#1.facts.#9")
	repeat(FaultTwice, "a share is revealed twice", "rounds.#1.facts.#6")
	// Clauses: F14.23
	repeat(FaultPhase, "a mix twice", "rounds.#1.facts.#9")
	// Clauses: F14.23
	repeat(FaultPhase, "a close twice", "rounds.#1.facts.#5")
	repeat(FaultClosing, "a commitment twice", "rounds.#1.facts.#2")
	set(FaultShare, "a share of nobody", "rounds.#1.facts.#6.share", "4")
	// Clauses: F14.24
	set(FaultMix, "a commitment for another mix", "rounds.#1.facts.#14.mix", "1")
	// Clauses: F14.31
	set(FaultMix, "a draw from another pool", "rounds.#1.facts.#19.mix", "1")
	// Clauses: F14.32
	set(FaultOutcome, "another outcome of a shuffle", "rounds.#1.facts.#10.outputs.#5", "99")
	// Clauses: F14.32
	set(FaultOutcome, "another outcome of a cut", "rounds.#1.facts.#11.outputs.#1", "27")
	// Clauses: F14.32
	set(FaultOutcome, "another outcome of a roll", "rounds.#1.facts.#12.outputs.#1", "6")
	// Clauses: F14.32
	set(FaultOutcome, "another outcome of a random draw", "rounds.#1.facts.#19.outputs.#4", "3")
	// Clauses: F14.32
	set(FaultOutcome, "other cards in a shuffle", "rounds.#1.facts.#10.inputs.#26", "13")
	// Clauses: F14.32
	set(FaultOutcome, "another outcome of a draw behind a screen", "rounds.#1.facts.#20.outputs.#1",
		"20")
	// Clauses: F14.33
	set(FaultSeal, "a draw by another seat", "rounds.#1.facts.#21.seat", "9")
	set(FaultSeal, "a die with an extra side", "rounds.#1.facts.#12.inputs.#1", "7")
	// Clauses: F14.33
	set(FaultSeal, "another piece", "rounds.#1.facts.#12.pieces.#1",
		`"03000000000000000000000000000000"`)
	// Clauses: F14.33
	set(FaultSeal, "another seal", "rounds.#1.facts.#12.seal", digest)
	// Clauses: F8.2, F14.29
	set(FaultRecord, "the inputs of a shuffle in another order", "rounds.#1.facts.#10.inputs.#1",
		"12")
	add(FaultRecord, changeVector{
		// Clauses: F14.29
		Name: "only the seal of a draw that was revealed", Path: "rounds.#1.facts.#12",
		Value: withoutRecord(t, export),
	})
	// Clauses: F14.29
	set(FaultRecord, "a die without sides", "rounds.#1.facts.#12.inputs", "[0]")
	// Clauses: F14.29
	set(FaultRecord, "no outputs", "rounds.#1.facts.#12.outputs", "[]")
	// Clauses: F14.29
	set(FaultRecord, "more drawn than there were", "rounds.#1.facts.#19.outputs", "[2,2,2,5,9,9,9]")
	// Clauses: F8.5, F14.29
	set(FaultRecord, "no pieces", "rounds.#1.facts.#10.pieces", "[]")
	// Clauses: F8.4, F14.29
	set(FaultRecord, "pieces in another order", "rounds.#2.facts.#7.pieces",
		`["02000000000000000000000000000000","01000000000000000000000000000000"]`)
	// Clauses: F14.30
	remove(FaultNumber, "a draw is missing", "rounds.#1.facts.#10")
	// Clauses: F14.30
	remove(FaultNumber, "a draw behind a screen is missing", "rounds.#1.facts.#13")
	remove(FaultEnd, "the last draw is missing", "rounds.#1.facts.#21")
	remove(FaultEnd, "the last draw behind a screen is missing", "rounds.#1.facts.#20")
	// Clauses: F14.30
	repeat(FaultNumber, "a draw twice", "rounds.#1.facts.#12")
	// Clauses: F14.30
	set(FaultNumber, "another number of a draw", "rounds.#1.facts.#12.number", "5")
	set(FaultOutcome, "another audience", "rounds.#1.facts.#13.audience", "3")
	// Clauses: F14.30
	set(FaultNumber, "another number of a sealed draw", "rounds.#3.facts.#5.number", "2")
	// Clauses: F14.13
	set(FaultRecord, "a sealed audience", "rounds.#3.facts.#5.audience", "1")
	set(FaultSeal, "another seal of a sealed draw", "rounds.#3.facts.#5.seal", digest)
	remove(agrees, "a draw is missing at the end of the file", "rounds.#3.facts.#5")
	set(broken, "another format", "format", `"holt.fair/2"`)
	// Clauses: F14.6
	set(broken, "no table", "table", `"DEADBEEF0102030405060708090A0B0C"`)
	// Clauses: F14.10
	remove(broken, "no rounds", "rounds")
	// Clauses: F14.11
	set(broken, "something unknown", "rounds.#1.luck", "1")
	// Clauses: F14.10
	remove(broken, "no commitment", "rounds.#1.commitment")
	// Clauses: F14.6
	set(broken, "a short digest", "rounds.#1.commitment", `"00"`)
	// Clauses: F14.10
	set(broken, "null for a digest", "rounds.#1.before", "null")
	// Clauses: F14.10
	remove(broken, "a seed revealed at no time", "rounds.#1.told")
	// Clauses: F14.7
	set(broken, "a negative time", "rounds.#1.opened", "-1")
	// Clauses: F14.8
	set(broken, "a fraction", "rounds.#1.facts.#2.seat", "1.5")
	// Clauses: F14.8
	set(broken, "a number beyond 32 bits", "rounds.#1.facts.#2.seat", "4294967296")
	// Clauses: F14.8
	set(broken, "a number as text", "rounds.#1.facts.#2.mix", `"1"`)
	set(broken, "an unknown fact", "rounds.#1.facts.#2.fact", `"open"`)
	set(broken, "a fact of another kind", "rounds.#1.facts.#2.fact", `"close"`)
	set(broken, "null for a fact", "rounds.#1.facts.#2", "null")
	set(broken, "a list for a fact", "rounds.#1.facts.#2", "[]")
	set(broken, "an unknown draw", "rounds.#1.facts.#12.what", `"toss"`)
	// Clauses: F14.10
	remove(broken, "half a record", "rounds.#1.facts.#12.inputs")
	// Clauses: F14.10
	set(broken, "null for an input", "rounds.#1.facts.#12.inputs.#1", "null")
	// Clauses: F14.10
	set(broken, "null for a piece", "rounds.#1.facts.#12.pieces.#1", "null")
	set(broken, "an invalid name", "kinds.0", "7")
	// Clauses: F14.9
	set(broken, "an empty name", "kinds.x", `"x"`)

	noted := c.noted
	// Clauses: F14.44
	noted(FaultTable, "notes of another table", "table", `"`+zeros[:32]+`"`)
	// Clauses: F14.44
	noted(FaultCommitment, "another commitment was noted", "rounds.#1.commitment", digest)
	// Clauses: F14.44
	noted(FaultEnd, "another end was noted", "rounds.#2.before", digest)
	// Clauses: F14.44
	noted(FaultClosing, "another closing was noted", "rounds.#1.closings.#2.closing", digest)
	// Clauses: F14.44
	noted(FaultPool, "another pool was noted", "rounds.#1.pools.#1.pool", digest)
	// Clauses: F14.45
	noted(FaultPool, "a missing pool was noted", "rounds.#1.pools.#1.mix", "9")
	// Clauses: F14.44
	noted(FaultSeal, "another seal was noted", "rounds.#2.seals.#1.seal", digest)
	// Clauses: F14.44
	noted(FaultSeal, "another seal of a sealed round was noted", "rounds.#3.seals.#1.seal", digest)
	// Clauses: F14.45
	noted(FaultSeal, "a missing seal was noted", "rounds.#1.seals.#1.number", "99")
	// Clauses: F14.45
	noted(FaultSeal, "a missing seal behind a screen was noted",
		"rounds.#1.seals.#5.number", "99")
	// Clauses: F14.47
	noted(agrees, "a seal of a sealed round behind a screen", "rounds.#3.seals.#2.seal", digest)
	// Clauses: F14.46
	noted(agrees, "a seal from after the file", "rounds.#3.seals.#1.number", "99")
	// Clauses: F14.45
	noted(FaultShare, "a missing share", "rounds.#1.shares.#1.entropy", digest)
	// Clauses: F14.46
	noted(agrees, "a share from after the file", "rounds.#3.shares.#1.mix", "2")
	// Clauses: F14.49
	noted(agrees, "a withheld share", "rounds.#1.shares.#1",
		`{"mix":2,"seat":3,"entropy":"`+entropyOf(3, 3).String()+`"}`)
	noted(agrees, "nothing of a round", "rounds.#1", "")
	noted(agrees, "the end of the previous round was not seen", "rounds.#2.before", "")
	// Clauses: F14.46
	noted(agrees, "a round from after the file", "rounds.#3.round", "4")
	// Clauses: F14.43
	noted(broken, "rounds out of order", "rounds.#2.round", "1")
	// Clauses: F14.43
	noted(broken, "round 0", "rounds.#1.round", "0")
	// Clauses: F14.43
	noted(broken, "notes of another format", "format", `"holt.fair/1"`)
	noted(broken, "notes without seals", "rounds.#1.seals", "")
	noted(broken, "null for a seal", "rounds.#1.seals.#1", "null")
	return c.rows
}
