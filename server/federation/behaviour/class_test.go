package behaviour_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

var (
	home, visited = id.HostID{1}, id.HostID{2}
	here          = id.OID{2, 15: 1} // a table of the server visited
	another       = id.OID{2, 15: 2}
	elsewhere     = id.OID{3, 15: 1}
)

// kind returns the document of a kind. more is JSON that follows its faces.
func kind(name, weight, function string, faces int, more string) []byte {
	face := fmt.Sprintf(`{"name":%q,"art":"%064d"}`, name, 0)
	return fmt.Appendf(nil, `{"format":"holt.kind/1","name":%q,"width":100,"height":100,`+
		`"shape":"rect","weight":%q,"secret":%t%s,"faces":[%s]%s}`,
		name, weight, more != "" && weight == "light", function,
		string(bytes.Join(slices.Repeat([][]byte{[]byte(face)}, faces), []byte(","))), more)
}

const cards = 54

// deck is a set of cards, with a die, a counter and a note among its parts.
func deck(t testing.TB) *behaviour.SetContent {
	t.Helper()
	back := kind("Back", "light", "", 1, "")
	of := sha256.Sum256(back)
	mask := hex.EncodeToString(of[:])
	docs := [][]byte{
		kind("Deck", "heavy", "", 1, `,"container":{"draws":"top","takes":"`+mask+`"}`), back,
		kind("Die", "light", `,"die":{"cooldown":0}`, 6, ""),
		kind(
			"Counter", "light",
			`,"counter":{"min":0,"max":9,"initial":5},"display":{"x":0,"y":0,"width":50,"height":50}`, 1, "",
		),
		kind("Note", "light",
			`,"text":{"initial":""},"display":{"x":0,"y":0,"width":50,"height":50}`, 1, ""),
	}
	parts := []behaviour.Part{{Kind: 0}, {Number: 101, Kind: 2}, {Number: 102, Kind: 3, Value: 5},
		{Number: 103, Kind: 4}}
	for i := range uint32(cards) {
		docs = append(docs, kind(fmt.Sprint("Card ", i), "light", "", 2, `,"mask":"`+mask+`"`))
		parts = append(parts, behaviour.Part{Number: i + 1, Kind: int(i) + 5, Face: 1})
	}
	kinds, err := game.ReadVersions(docs)
	if err != nil {
		t.Fatal(err)
	}
	return behaviour.NewSet(kinds, parts)
}

// keeper is an object that tests call.
type keeper struct {
	testing.TB
	does    object.Behaviour
	content []byte
	refs    []id.OID
	random  byte
}

func newKeeper(t testing.TB) *keeper {
	k := &keeper{TB: t, does: behaviour.Of(object.Set, home), content: deck(t).Append(nil)}
	k.call(visited, behaviour.Hold, behaviour.Arguments{Table: here}, 0)
	return k
}

// call calls the object. It returns nil if the call is refused with the reason why.
func (k *keeper) call(from id.HostID, method string, a behaviour.Arguments,
	why table.Reason) *behaviour.Answer {
	k.Helper()
	k.random++
	r := k.does.Invoke(object.Invocation{
		Caller: from, Method: method, Args: a.Append(nil), Content: k.content, Refs: k.refs,
		Random: [32]byte{k.random},
	})
	if r.Refused != (why != 0) || r.Refused && behaviour.Why(r.Answer) != why {
		k.Fatalf("%s: refused %v %v, want reason %d", method, r.Refused, r.Answer, why)
	}
	if r.Changed {
		k.content = r.Content
	}
	if len(k.content) > 64<<10 || len(r.Answer) > object.MaxArgument {
		k.Fatalf("%s: content of %d bytes, answer of %d", method, len(k.content), len(r.Answer))
	}
	if r.Refused || len(r.Answer) == 0 {
		return nil
	}
	said, err := behaviour.ReadAnswer(r.Answer)
	if err != nil {
		k.Fatal(err)
	}
	return said
}

func (k *keeper) set() *behaviour.SetContent {
	k.Helper()
	s, err := behaviour.ReadSet(k.content)
	if err != nil {
		k.Fatal(err)
	}
	return s
}

func all() (numbers []uint32) {
	for i := range uint32(cards) {
		numbers = append(numbers, i+1)
	}
	return numbers
}

func TestSet(t *testing.T) {
	t.Run("O4.3, O4.4 a table with a set does not learn its secret parts", func(t *testing.T) {
		k := newKeeper(t)
		// A repetition gives the same answer.
		said := k.call(visited, behaviour.Hold, behaviour.Arguments{Table: here}, 0)
		if len(said.Parts) != cards+4 || said.Next != 0 || len(said.Kinds) != cards+5 {
			t.Fatalf("%d parts, %d kinds, next %d", len(said.Parts), len(said.Kinds), said.Next)
		}
		for _, p := range said.Parts[4:] {
			if p.Kind != 1 || !p.Secret || p.Face != 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
	// Clauses: O4.4, O4.5, O4.6, O4.7
	t.Run("O4 one table at a time has a set; only its host speaks for it", func(t *testing.T) {
		k := newKeeper(t)
		one := []uint32{1}
		k.call(visited, behaviour.Hold, behaviour.Arguments{Table: another}, table.ReasonNotAllowed)
		k.call(
			id.HostID{3}, behaviour.Hold, behaviour.Arguments{Table: elsewhere}, table.ReasonNotAllowed,
		)
		k.call(visited, behaviour.Reveal, behaviour.Arguments{Table: another, Parts: one},
			table.ReasonNotAllowed)
		k.call(id.HostID{3}, behaviour.Reveal, behaviour.Arguments{Table: here, Parts: one},
			table.ReasonNotAllowed)
		k.call(home, behaviour.Reveal, behaviour.Arguments{Table: here, Parts: one},
			table.ReasonNotAllowed)
		k.call(id.HostID{3}, behaviour.Return, behaviour.Arguments{Table: here}, table.ReasonNotAllowed)
		k.call(visited, "peek", behaviour.Arguments{Table: here}, table.ReasonNotAllowed)
		if said := k.call(visited, behaviour.Reveal,
			behaviour.Arguments{Table: here, Parts: []uint32{3, 101}}, 0); len(said.Parts) != 2 ||
			said.Kinds[said.Parts[0].Kind] != k.set().Kinds[7].Hash || !said.Parts[0].Secret ||
			said.Parts[1].Secret {
			t.Errorf("%+v", said)
		}
		k.call(visited, behaviour.Reveal, behaviour.Arguments{Table: here, Parts: []uint32{999}},
			table.ReasonNotAllowed)
	})
	// Clauses: O4.4, O4.13, O4.14, T38.6
	t.Run("O4, T38 a shuffle deals out all kinds by bytes of both sides", func(t *testing.T) {
		kindsAfter := func(table, owner byte) (kinds []int) {
			k := newKeeper(t)
			k.random = owner
			if n := k.call(visited, behaviour.Shuffle, behaviour.Arguments{Table: here, Parts: all(),
				Random: [32]byte{table}}, 0).Shuffles; n != 1 {
				t.Fatalf("shuffle %d", n)
			}
			for _, p := range k.set().Parts {
				kinds = append(kinds, p.Kind)
			}
			return kinds
		}
		one := kindsAfter(1, 1)
		if !slices.Equal(one, kindsAfter(1, 1)) || slices.Equal(one, kindsAfter(1, 2)) ||
			slices.Equal(one, kindsAfter(2, 1)) {
			t.Error("it does not depend on the bytes of both")
		}
		if slices.IsSorted(one[4:]) || !slices.Equal(one[:4], []int{0, 2, 3, 4}) {
			t.Errorf("%v", one)
		}
		slices.Sort(one)
		if len(slices.Compact(one)) != cards+4 {
			t.Errorf("kinds are missing: %v", one)
		}
	})
	t.Run("O4.9, O12 only the owner of a set learns where it lies", func(t *testing.T) {
		k := newKeeper(t)
		look := func(from id.HostID) object.Result {
			return k.does.Invoke(object.Invocation{Caller: from, Method: behaviour.Look,
				Content: k.content})
		}
		if on, kinds, _, err := behaviour.ReadLook(look(home).Answer); on != here ||
			len(kinds) != cards+5 || err != nil {
			t.Errorf("on %s, %d kinds, %v", on, len(kinds), err)
		}
		if r := look(visited); !r.Refused {
			t.Errorf("%+v", r)
		}
	})
	t.Run("O4.4, O4.10, O14, T39.7 a repeated request is carried out once", func(t *testing.T) {
		k := newKeeper(t)
		roll := behaviour.Arguments{Table: here, Client: id.Client{7}, Seq: 1, Parts: []uint32{101}}
		first := k.call(visited, behaviour.Roll, roll, 0).Number
		different := false
		for seq := range id.ClientSeq(40) {
			if again := k.call(visited, behaviour.Roll, roll, 0).Number; again != first {
				t.Fatalf("the same request: %d after %d", again, first)
			}
			other := roll
			other.Seq = 2 + seq
			different = different || k.call(visited, behaviour.Roll, other, 0).Number != first
		}
		if !different {
			t.Error("40 rolls with the same face")
		}
		k.call(visited, behaviour.Roll, behaviour.Arguments{Table: here, Seq: 99, Parts: []uint32{1}},
			table.ReasonNotAllowed)
		for seq := range id.ClientSeq(2000) {
			k.call(visited, behaviour.Roll,
				behaviour.Arguments{Table: here, Client: id.Client{8}, Seq: seq, Parts: []uint32{101}}, 0)
		}
	})
	t.Run("O4.11 a set remembers the last 256 calls that it has carried out", func(t *testing.T) {
		k := newKeeper(t)
		changes := func(client byte, seq id.ClientSeq) bool {
			before := k.content
			k.call(visited, behaviour.Roll, behaviour.Arguments{
				Table: here, Client: id.Client{client}, Seq: seq, Parts: []uint32{101},
			}, 0)
			return !bytes.Equal(before, k.content)
		}
		for seq := range id.ClientSeq(256) {
			if !changes(byte(seq%2), seq) {
				t.Fatalf("call %d is not carried out", seq)
			}
		}
		for seq := range id.ClientSeq(256) {
			if changes(byte(seq%2), seq) {
				t.Fatalf("call %d is carried out again", seq)
			}
		}
		if !changes(9, 1) || changes(1, 1) || !changes(0, 0) {
			t.Error("after one more call it does not remember the last 256")
		}
	})
	t.Run("O4.4 a counter keeps its bounds, and only notes are written on", func(t *testing.T) {
		k := newKeeper(t)
		ask := func(seq id.ClientSeq, part uint32, n int32, text string) behaviour.Arguments {
			return behaviour.Arguments{Table: here, Seq: seq, Parts: []uint32{part}, N: n, Text: text}
		}
		if v := k.call(visited, behaviour.Count, ask(1, 102, -5, ""), 0).Number; v != 0 {
			t.Errorf("value %d", v)
		}
		k.call(visited, behaviour.Count, ask(2, 102, -1, ""), table.ReasonRange)
		k.call(visited, behaviour.Count, ask(3, 101, 1, ""), table.ReasonNotAllowed)
		k.call(visited, behaviour.Write, ask(4, 103, 0, "hello"), 0)
		k.call(visited, behaviour.Write, ask(5, 103, 0, "a\x00b"), table.ReasonNotAllowed)
		k.call(visited, behaviour.Write, ask(6, 102, 0, "hello"), table.ReasonNotAllowed)
		if p := k.set().Parts; p[3].Text != "hello" || p[2].Text != "" || p[2].Value != 0 {
			t.Errorf("%+v", p[:4])
		}
	})
	// Clauses: O2.7, O4.4, O4.8
	t.Run("O2, O4 a set goes home unchanged, in the order in which it lies", func(t *testing.T) {
		k := newKeeper(t)
		before := k.set()
		now := slices.Clone(before.Parts)
		slices.Reverse(now[1:])
		for i := range now {
			now[i].Kind, now[i].Face, now[i].Value = 0, 0, 9
		}
		k.call(visited, behaviour.SetTexts, behaviour.Arguments{Table: here,
			Now: []behaviour.Part{{Number: 103, Text: "missed"}, {Number: 1, Text: "no note"}}}, 0)
		k.call(visited, behaviour.Return, behaviour.Arguments{Table: here, Now: now}, 0)
		k.call(
			visited, behaviour.Return, behaviour.Arguments{Table: here, Now: now[1:]}, 0,
		) // a repetition
		after := k.set()
		if !after.On.IsZero() || len(after.Parts) != len(before.Parts) {
			t.Fatalf("%+v", after)
		}
		for i, p := range after.Parts {
			j := slices.IndexFunc(before.Parts,
				func(b behaviour.Part) bool { return b.Number == p.Number })
			if p.Number != now[i].Number || p.Kind != before.Parts[j].Kind || p.Number == 102 &&
				p.Value != 5 ||
				p.Number == 103 && p.Text != "missed" || p.Number == 1 && p.Text != "" {
				t.Errorf("%+v", p)
			}
		}
		k.call(visited, behaviour.Hold, behaviour.Arguments{Table: another}, 0)
		// a false report
		k.call(visited, behaviour.Return,
			behaviour.Arguments{Table: another, Now: append(slices.Clone(now[1:]), now[1])}, 0)
		if diff := cmp.Diff(after.Parts, k.set().Parts); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("O4.4, O14.22 a large set is read in pages that fit into answers", func(t *testing.T) {
		s := deck(t)
		for i := range 1000 {
			s.Parts = append(s.Parts, behaviour.Part{Number: uint32(1000 + i), Kind: 4,
				Text: string(bytes.Repeat([]byte("x"), 500))})
		}
		does, content := behaviour.Of(object.Set, home), s.Append(nil)
		method, from, got := behaviour.Hold, 0, 0
		for range 100 {
			a := behaviour.Arguments{Table: here, N: int32(from)}
			r := does.Invoke(object.Invocation{Caller: visited, Method: method, Args: a.Append(nil),
				Content: content})
			said, err := behaviour.ReadAnswer(r.Answer)
			if err != nil || len(r.Answer) > object.MaxArgument {
				t.Fatal(err, len(r.Answer))
			}
			if r.Changed {
				content = r.Content
			}
			if got += len(said.Parts); said.Next == 0 {
				break
			}
			method, from = behaviour.More, said.Next
		}
		if got != len(s.Parts) {
			t.Errorf("%d of %d parts", got, len(s.Parts))
		}
	})
	t.Run("O3.10 content has one encoding", func(t *testing.T) {
		content := newKeeper(t).content
		s, err := behaviour.ReadSet(content)
		if err != nil || !bytes.Equal(s.Append(nil), content) ||
			behaviour.Check(object.Set, content) != nil {
			t.Fatal(err)
		}
		s.Parts = append(s.Parts, s.Parts[0])
		for _, wrong := range [][]byte{nil, content[1:], content[:len(content)-1],
			append(slices.Clone(content), 0), s.Append(nil)} {
			if behaviour.Check(object.Set, wrong) == nil {
				t.Errorf("%d bytes were read", len(wrong))
			}
		}
	})
}

func TestCollection(t *testing.T) {
	invoke := func(c object.Class, i object.Invocation) object.Result {
		return behaviour.Of(c, home).Invoke(i)
	}
	one, two, own := id.OID{1, 15: 1}, id.OID{1, 15: 2}, id.OID{1, 15: 3}
	// Clauses: O4.15, O4.16, O38.1
	t.Run("O4, O38 a bag has what is put into it; only its server uses it", func(t *testing.T) {
		r := invoke(object.Person, object.Invocation{OID: own, Caller: home, Method: behaviour.Put,
			Passed: []id.OID{two}, Refs: []id.OID{one}})
		if !r.Changed || !slices.Equal(r.Refs, []id.OID{one, two}) {
			t.Errorf("%+v", r)
		}
		r = invoke(object.Person, object.Invocation{OID: own, Caller: home, Method: behaviour.Take,
			Passed: []id.OID{one}, Refs: r.Refs})
		if !r.Changed || !slices.Equal(r.Refs, []id.OID{two}) {
			t.Errorf("%+v", r)
		}
		for _, method := range []string{behaviour.Put, behaviour.Take, behaviour.List} {
			if r := invoke(object.Person, object.Invocation{OID: own, Caller: visited, Method: method,
				Args: one[:], Passed: []id.OID{one}}); !r.Refused || r.Changed {
				t.Errorf("%s: %+v", method, r)
			}
		}
	})
	// Clauses: O53.6
	t.Run("O3, O4.15, O53 a bag is listed in pages and has bounds", func(t *testing.T) {
		var refs, listed []id.OID
		for i := range object.MaxRefs {
			refs = append(refs, id.OID{1, 14: byte(i >> 8), 15: byte(i)})
		}
		behind := id.OID{}
		for {
			r := invoke(object.Person, object.Invocation{OID: own, Caller: home,
				Method: behaviour.List, Args: behind[:], Refs: refs})
			if len(r.Passed) == 0 {
				break
			}
			listed = append(listed, r.Passed...)
			behind = listed[len(listed)-1]
		}
		if !slices.Equal(listed, refs) {
			t.Errorf("%d of %d", len(listed), len(refs))
		}
		for n, refs := range map[object.Class][]id.OID{
			object.Person: refs, object.Bag: refs[:behaviour.MaxBoxed],
		} {
			r := invoke(n, object.Invocation{OID: own, Caller: home, Method: behaviour.Put,
				Passed: refs[:1], Refs: refs})
			if r.Refused {
				t.Errorf("a %s is too full for what it has: %+v", n, r)
			}
			r = invoke(n, object.Invocation{OID: own, Caller: home, Method: behaviour.Put,
				Passed: []id.OID{{9}}, Refs: refs})
			if !r.Refused {
				t.Errorf("a %s is never full: %+v", n, r)
			}
		}
	})
	t.Run("O53.5 only its creator learns what is in a box, wherever the box is", func(t *testing.T) {
		for _, method := range []string{behaviour.Put, behaviour.Take, behaviour.List} {
			args := make([]byte, len(id.OID{}))
			for _, self := range []id.HostID{home, visited} {
				for _, caller := range []id.HostID{home, visited} {
					r := behaviour.Of(object.Bag, self).Invoke(object.Invocation{OID: own,
						Caller: caller, Method: method, Args: args, Passed: []id.OID{two},
						Refs: []id.OID{one}})
					if r.Refused != (caller == visited) || r.Refused && (r.Changed || r.Passed != nil) {
						t.Errorf("%s of %x at %x: %+v", method, caller, self, r)
					}
				}
			}
		}
	})
	t.Run("O3.10 the name of a collection is one line", func(t *testing.T) {
		if err := behaviour.Check(object.Bag, []byte("My bag")); err != nil {
			t.Error(err)
		}
		if behaviour.Check(object.Bag, []byte{0}) == nil {
			t.Error("an invalid line is accepted")
		}
	})
}

func TestTie(t *testing.T) {
	set, one, two := id.OID{1, 15: 1}, id.OID{1, 15: 2}, id.OID{1, 15: 3}
	content := deck(t).Append(nil)
	tie := func(caller id.HostID, refs []id.OID, passed ...id.OID) object.Result {
		return behaviour.Of(object.Set, visited).Invoke(object.Invocation{OID: set, Caller: caller,
			Method: behaviour.Tie, Content: content, Refs: refs, Passed: passed})
	}
	t.Run("O53.4 a set refers to the box that it got last, or to nothing", func(t *testing.T) {
		for _, was := range [][]id.OID{nil, {one}, {two}} {
			for _, is := range [][]id.OID{nil, {one}} {
				r := tie(home, was, is...)
				switch {
				case r.Refused || r.Changed == slices.Equal(was, is):
					t.Errorf("from %v to %v: %+v", was, is, r)
				case r.Changed && (!slices.Equal(r.Refs, is) || !bytes.Equal(r.Content, content)):
					t.Errorf("from %v to %v it has %v", was, is, r.Refs)
				}
			}
		}
		for _, passed := range [][]id.OID{{one, two}, {set}} {
			if r := tie(home, nil, passed...); !r.Refused || r.Changed {
				t.Errorf("it refers to %v", passed)
			}
		}
	})
	t.Run("O53.3 nobody but its creator says in which box it is, not its owner", func(t *testing.T) {
		for _, passed := range [][]id.OID{nil, {two}} {
			if r := tie(visited, []id.OID{one}, passed...); !r.Refused || r.Changed {
				t.Errorf("%v: %+v", passed, r)
			}
		}
	})
	t.Run("O53.4 what else is done with a set leaves it in its box", func(t *testing.T) {
		k := newKeeper(t)
		k.refs = []id.OID{one}
		a := behaviour.Arguments{Table: here, Seq: 1, Parts: []uint32{101}}
		r := k.does.Invoke(object.Invocation{OID: set, Caller: visited, Method: behaviour.Roll,
			Args: a.Append(nil), Content: k.content, Refs: k.refs})
		if !r.Changed || !slices.Equal(r.Refs, k.refs) {
			t.Errorf("%+v", r)
		}
	})
}

func FuzzReadSet(f *testing.F) {
	f.Add(deck(f).Append(nil))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := behaviour.ReadSet(b)
		if err == nil && !bytes.Equal(s.Append(nil), b) {
			t.Error("it has two forms")
		}
	})
}

func FuzzCall(f *testing.F) {
	content := deck(f).Append(nil)
	a := behaviour.Arguments{Table: here, Parts: []uint32{1}}
	for _, m := range []string{behaviour.Hold, behaviour.More, behaviour.Reveal, behaviour.Shuffle,
		behaviour.Roll, behaviour.Count, behaviour.Write, behaviour.SetTexts, behaviour.Return} {
		f.Add(m, a.Append(nil))
	}
	f.Fuzz(func(t *testing.T, method string, args []byte) {
		r := behaviour.Of(object.Set, home).Invoke(object.Invocation{Caller: visited,
			Method: method, Args: args, Content: content})
		if r.Changed && behaviour.Check(object.Set, r.Content) != nil {
			t.Error("the set is broken")
		}
	})
}

func BenchmarkReveal(b *testing.B) {
	k := newKeeper(b)
	a := behaviour.Arguments{Table: here, Parts: []uint32{7}}
	args := a.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if r := k.does.Invoke(object.Invocation{Caller: visited, Method: behaviour.Reveal,
			Args: args, Content: k.content}); r.Refused {
			b.Fatal(r)
		}
	}
}
