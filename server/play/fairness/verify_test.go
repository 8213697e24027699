package fairness

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
)

// file returns the export of a play as a file, with names.
func (p *play) file() []byte {
	p.t.Helper()
	e := p.log.Export()
	e.Kinds = map[uint32]string{0: "Ace of spades", 1: "Two of spades"}
	for _, name := range p.grown {
		e.Kinds[uint32(len(e.Kinds))] = name
	}
	e.Seats = map[uint32]string{}
	for _, s := range p.bound.Seats {
		e.Seats[uint32(s.Seat)] = s.Name
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		p.t.Fatal(err)
	}
	return b.Bytes()
}

// object is a JSON object to be written.
type object map[string]any

// noteFile returns the notes of a play as a file.
func (p *play) noteFile() []byte {
	p.t.Helper()
	rounds := []object{}
	for _, r := range p.notes.Rounds {
		closings, pools, seals, shares := []object{}, []object{}, []object{}, []object{}
		for _, m := range r.Closings {
			closings = append(closings, object{"mix": m.Mix, "closing": m.Digest.String()})
		}
		for _, m := range r.Pools {
			pools = append(pools, object{"mix": m.Mix, "pool": m.Digest.String()})
		}
		for _, s := range r.Seals {
			seals = append(seals,
				object{"audience": s.Audience, "number": s.Number, "seal": s.Seal.String()})
		}
		for _, s := range r.Shares {
			shares = append(shares,
				object{"mix": s.Mix, "seat": s.Seat, "entropy": s.Entropy.String()})
		}
		rounds = append(rounds, object{
			"round": r.Round, "commitment": r.Commitment.String(), "before": r.Before.String(),
			"closings": closings, "pools": pools, "seals": seals, "shares": shares,
		})
	}
	text, err := json.Marshal(object{
		"format": NotesFormat, "table": p.notes.Table.String(), "rounds": rounds,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// judge reads an export, and notes unless they are empty, and checks both. unread says which of
// them could not be read.
func judge(
	export, notes []byte,
) (report Report, found Comparison, unread string, difference *Difference) {
	e, err := ReadExport(bytes.NewReader(export))
	if err != nil {
		return report, found, "export", nil
	}
	report, err = Verify(e)
	if errors.As(err, &difference) || len(notes) == 0 {
		return report, found, "", difference
	}
	n, err := ReadNotes(bytes.NewReader(notes))
	if err != nil {
		return report, found, "notes", nil
	}
	found, err = Compare(e, n)
	errors.As(err, &difference)
	return report, found, "", difference
}

// TestF14Agreement shows what a check reports when an export and notes agree (F14).
func TestF14Agreement(t *testing.T) {
	p := evening(t)
	report, found, unread, difference := judge(p.file(), p.noteFile())
	if unread != "" || difference != nil {
		t.Fatal(unread, difference)
	}
	t.Run("F14.40, F14.41 the report counts what was checked", func(t *testing.T) {
		want := Report{Rounds: []RoundReport{
			{
				Round: 1, Revealed: true, Bound: true, Mixes: 2, Shares: 4, Withheld: 1, Draws: 9,
				Alone: 1, Of: [6]int{Shuffle: 2, Cut: 1, Draw: 1, Roll: 4, Place: 1},
			},
			{
				Round: 2, Revealed: true, Bound: true, Mixes: 1, Shares: 2, Draws: 1,
				Of: [6]int{Shuffle: 1},
			},
			{Round: 3, Bound: true, Mixes: 1, Shares: 1, Draws: 1, Of: [6]int{1}},
		}}
		if !reflect.DeepEqual(report, want) {
			t.Errorf("%+v, want %+v", report, want)
		}
	})
	t.Run("F14 so does the comparison", func(t *testing.T) {
		if want := (Comparison{
			Rounds: 3, Closings: 4, Pools: 4, Seals: 11, Shares: 4, Absent: 1,
		}); found != want {
			t.Errorf("%+v, want %+v", found, want)
		}
	})
	t.Run("F14.5 an export is read back", func(t *testing.T) {
		e, err := ReadExport(bytes.NewReader(p.file()))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := e.Write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), p.file()) {
			t.Errorf("%s\n%s", b.Bytes(), p.file())
		}
	})
	t.Run("F2.5, F14.12, F14.13 an export of a sealed round has no secrets", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		e := entropyOf(1, 0)
		hash := e.Commitment(aTable, 1, 1, 1)
		client := id.Client{0xc1, 0x1e, 0x27}
		p.do(Committed{Round: 1, Mix: 1, Seat: 1, Client: client, Hash: hash})
		p.draw(Everybody, Shuffle, 1, aDeck, []uint32{77_001, 77_002, 77_003}, 0)
		p.draw(6, Roll, 6, aDie, []uint32{77_004}, 0)
		file := p.file()
		hidden, _ := p.facts[len(p.facts)-1].(Drawn)
		for _, secret := range []string{
			"7700", "shuffle", "roll", aDeck.String(), aDie.String(), "audience\":6",
			hidden.Seal.String(), Digest(*p.current()).String(),
			Digest(e).String(), client.String(), Digest(aSecret).String(), "epoch",
		} {
			if bytes.Contains(file, []byte(secret)) {
				t.Errorf("it has %q", secret)
			}
		}
		if !bytes.Contains(file, []byte(hash.String())) {
			t.Error("an export lacks a published event")
		}
	})
	t.Run("F14 a log without rounds is invalid", func(t *testing.T) {
		x := NewExporter(aTable)
		if err := x.Add(1, Closed{}); !errors.Is(err, ErrHistory) {
			t.Error(err)
		}
		if err := x.Add(1, Published{Round: 1}); !errors.Is(err, ErrHistory) {
			t.Error(err)
		}
	})
}

// leaf is a value in a document that has no members: its path, and how to change it.
type leaf struct {
	path string
	set  func(any)
	old  any
}

// leaves returns the leaves of a document in a fixed order.
func leaves(path string, v any, set func(any)) []leaf {
	var all []leaf
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			all = append(all, leaves(path+"."+name, v[name], func(x any) { v[name] = x })...)
		}
	case []any:
		for i := range v {
			all = append(all, leaves(path, v[i], func(x any) { v[i] = x })...)
		}
	default:
		all = append(all, leaf{path, set, v})
	}
	return all
}

// unchecked are the leaves of rounds of version 1 whose changes are not noticed: names, and times
// while they are in order.
var unchecked = []string{".kinds.", ".seats.", ".at", ".opened", ".told"}

// TestF14EveryChange changes every value of a file by itself, and removes and repeats every fact.
// It shows that each change is noticed, so an export says nothing that must be believed.
// Clauses: F14.5
func TestF14EveryChange(t *testing.T) {
	t.Run("F14 in rounds of version 1, except names and times", func(t *testing.T) {
		if left := unnoticed(t, firstEvening(t), unchecked); len(left) > 0 {
			t.Errorf("changes of %v were not noticed", left)
		}
	})
	t.Run("F14, F16 in rounds of version 2, except the time of a sealed draw", func(t *testing.T) {
		if left := unnoticed(t, evening(t), nil); !slices.Equal(left,
			[]string{".rounds.facts.at"}) {
			t.Errorf("changes of %v were not noticed", left)
		}
	})
}

// unnoticed returns the changes to the files of a play that are not noticed. It does not change the
// leaves in but.
func unnoticed(t *testing.T, p *play, but []string) (left []string) {
	t.Helper()
	file, notes := p.file(), p.noteFile()
	document := func() (d any) {
		if err := json.Unmarshal(file, &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	noticed := func(what string, d any) {
		t.Helper()
		changed, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, unread, difference := judge(changed, notes); unread == "" && difference == nil {
			left = append(left, what)
		}
	}
	r := rand.New(rand.NewPCG(4, 14))
	n := 0
	for i := range leaves("", document(), nil) {
		d := document()
		l := leaves("", d, nil)[i]
		if slices.ContainsFunc(but, func(u string) bool { return strings.Contains(l.path, u) }) {
			continue
		}
		n++
		switch old := l.old.(type) {
		case float64:
			l.set(old + float64(1+r.IntN(3)))
		case string:
			if old == "" {
				l.set("x")
				break
			}
			at := r.IntN(len(old))
			digit := byte('0')
			if old[at] == digit {
				digit = '1'
			}
			l.set(old[:at] + string(digit) + old[at+1:])
		default:
			t.Fatalf("%s is %v", l.path, old)
		}
		noticed(l.path, d)
	}
	if n < 300 {
		t.Fatalf("only %d values were changed", n)
	}
	rounds := func(d any) []any { return d.(map[string]any)["rounds"].([]any) }
	for i := range rounds(document()) {
		for k := range rounds(document())[i].(map[string]any)["facts"].([]any) {
			d := document()
			round := rounds(d)[i].(map[string]any)
			facts := round["facts"].([]any)
			round["facts"] = slices.Delete(slices.Clone(facts), k, k+1)
			if i < 2 { // the last round of a file may be older than the notes
				noticed("a fact removed", d)
			}
			round["facts"] = slices.Insert(slices.Clone(facts), k, facts[k])
			noticed("a fact twice", d)
		}
		d := document()
		d.(map[string]any)["rounds"] = slices.Delete(rounds(d), i, i+1)
		if i < 2 {
			noticed("a round removed", d)
		}
	}
	return left
}

// FuzzF14Files shows that any file is refused, or is read and judged, and stays the same when it is
// written again.
func FuzzF14Files(f *testing.F) {
	for _, p := range []*play{evening(f), firstEvening(f), upgradedEvening(f)} {
		f.Add(p.file(), p.noteFile())
	}
	f.Add([]byte(`{"format":"holt.fair/1","table":"00000000000000000000000000000000","rounds":[]}`),
		[]byte(`{}`))
	f.Add([]byte(`{"rounds":[null]}`), []byte("null"))
	f.Fuzz(func(t *testing.T, export, notes []byte) {
		e, err := ReadExport(bytes.NewReader(export))
		if err != nil {
			if !errors.Is(err, ErrFile) {
				t.Fatal(err)
			}
			return
		}
		var b bytes.Buffer
		if err := e.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadExport(&b)
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Fatalf("%+v is read as %+v: %v", e, again, err)
		}
		if kinds, seats := e.Unbound(); kinds > len(e.Kinds) || seats > len(e.Seats) {
			t.Fatalf("%d kinds and %d seats are not bound", kinds, seats)
		}
		_, err = Verify(e)
		var difference *Difference
		if err != nil && (!errors.As(err, &difference) || difference.Error() == "") {
			t.Fatal(err)
		}
		n, err := ReadNotes(bytes.NewReader(notes))
		if err != nil {
			if !errors.Is(err, ErrFile) {
				t.Fatal(err)
			}
			return
		}
		if _, err := Compare(e, n); err != nil && !errors.As(err, &difference) {
			t.Fatal(err)
		}
	})
}
