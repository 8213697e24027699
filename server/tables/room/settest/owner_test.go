package settest_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/room/settest"
)

// The parts of the set of these tests: a deck of six cards. There are also sets of one piece.
const cards = 6

var (
	deck, counter, die, note = id.OID{1}, id.OID{2}, id.OID{3}, id.OID{4}
	here, there              = id.OID{8}, id.OID{9}
)

// kind returns a version of a kind. more follows its faces.
func kind(name, weight, function string, faces int, more string) []byte {
	face := fmt.Sprintf(`{"name":%q,"art":"%064d"}`, name, 0)
	return fmt.Appendf(nil, `{"format":"holt.kind/1","name":%q,"width":100,"height":100,`+
		`"shape":"rect","weight":%q,"secret":%t%s,"faces":[%s]%s}`,
		name, weight, more != "" && weight == "light", function,
		string(bytes.Join(slices.Repeat([][]byte{[]byte(face)}, faces), []byte(","))), more)
}

func version(doc []byte) room.Hash { return sha256.Sum256(doc) }

// newOwner returns an owner of those sets. The deck belongs to ada, who has seat 1.
func newOwner(t *testing.T) *settest.Owner {
	t.Helper()
	back := kind("Back", "light", "", 1, "")
	of := version(back)
	mask := hex.EncodeToString(of[:])
	box := kind("Deck", "heavy", "", 1, `,"container":{"draws":"top","takes":"`+mask+`"}`)
	c := room.Contents{Kinds: [][]byte{box, back}, Parts: []room.Part{{Kind: version(box)}}}
	for i := range uint32(cards) {
		card := kind(fmt.Sprint("Card ", i), "light", "", 2, `,"mask":"`+mask+`"`)
		c.Kinds = append(c.Kinds, card)
		c.Parts = append(c.Parts, room.Part{
			Number: i + 1, Kind: version(card), Secret: true, Face: 1,
		})
	}
	o := settest.New(rand.Reader, func(s room.Session, set id.OID) bool {
		return s.Seat == 1 || set != deck
	})
	for set, contents := range map[id.OID]room.Contents{
		deck: c,
		counter: single(kind(
			"Counter", "light",
			`,"counter":{"min":0,"max":9,"initial":5},"display":{"x":0,"y":0,"width":50,"height":50}`, 1, "",
		)),
		die: single(kind("Die", "light", `,"die":{"cooldown":0}`, 6, "")),
		note: single(kind("Note", "light",
			`,"text":{"initial":""},"display":{"x":0,"y":0,"width":50,"height":50}`, 1, "")),
	} {
		if _, err := game.ReadVersions(contents.Kinds); err != nil {
			t.Fatal(err)
		}
		for range 2 { // it is repeated until it succeeds
			if err := o.Make(t.Context(), room.Session{}, set, contents); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := o.Hold(t.Context(), room.Session{Table: here, Seat: 1}, set); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func single(doc []byte) room.Contents {
	return room.Contents{Kinds: [][]byte{doc}, Parts: []room.Part{{Kind: version(doc), Value: 5}}}
}

func request(set id.OID, seq id.ClientSeq) room.Request {
	return room.Request{Table: here, Set: set, Client: id.Client{7}, Seq: seq}
}

func wantRefused(t *testing.T, err error, reason table.Reason) {
	t.Helper()
	if refusal := new(room.Refusal); !errors.As(err, &refusal) || refusal.Reason != reason {
		t.Errorf("the error is %v, want a refusal with %d", err, reason)
	}
}

func TestOwner(t *testing.T) {
	ctx := t.Context()
	all := []uint32{1, 2, 3, 4, 5, 6}
	t.Run("T41 a set is given to one table at a time, only to its owner's", func(t *testing.T) {
		o := newOwner(t)
		_, err := o.Hold(ctx, room.Session{Table: there, Seat: 1}, deck)
		wantRefused(t, err, table.ReasonNotAllowed)
		_, err = o.Hold(ctx, room.Session{Table: here, Seat: 2}, deck)
		wantRefused(t, err, table.ReasonNotAllowed)
		_, err = o.Reveal(ctx, there, deck, all)
		wantRefused(t, err, table.ReasonNotAllowed)
		g, err := o.Hold(ctx, room.Session{Table: here, Seat: 1}, deck)
		if err != nil || len(g.Parts) != cards+1 {
			t.Fatalf("%v, %+v", err, g)
		}
		for _, p := range g.Parts[1:] {
			if p.Kind != g.Parts[1].Kind || !p.Secret {
				t.Errorf("the table gets part %d as %x", p.Number, p.Kind)
			}
		}
	})
	t.Run("T38 a shuffle deals out all kinds, once per request", func(t *testing.T) {
		o := newOwner(t)
		before, err := o.Reveal(ctx, here, deck, all)
		if err != nil || before.Shuffles != 0 {
			t.Fatal(err, before)
		}
		changed := 0
		for seq := range id.ClientSeq(8) {
			for range 2 {
				if n, err := o.Shuffle(
					ctx, request(deck, seq+1), all, [32]byte{byte(seq)},
				); err != nil ||
					n != uint64(seq)+1 {
					t.Fatalf("%v, shuffle %d", err, n)
				}
			}
			after, _ := o.Reveal(ctx, here, deck, all)
			if !slices.Equal(sorted(after.Parts), sorted(before.Parts)) {
				t.Fatal("a card was lost")
			}
			if !slices.EqualFunc(after.Parts, before.Parts, func(a, b room.Part) bool {
				return a.Kind == b.Kind
			}) {
				changed++
			}
		}
		if changed == 0 {
			t.Error("nothing has changed")
		}
	})
	t.Run("T39 a request is executed once and answered alike", func(t *testing.T) {
		o := newOwner(t)
		for range 2 {
			if v, err := o.Count(ctx, request(counter, 1), 0, 3); err != nil || v != 8 {
				t.Errorf("%v, %d", err, v)
			}
		}
		_, err := o.Count(ctx, request(counter, 2), 0, 3)
		wantRefused(t, err, table.ReasonRange)
		face, err := o.Roll(ctx, request(die, 1), 0, [32]byte{})
		again, _ := o.Roll(ctx, request(die, 1), 0, [32]byte{1})
		if err != nil || face != again {
			t.Errorf("%v, %d and %d", err, face, again)
		}
		_, err = o.Roll(ctx, request(counter, 9), 0, [32]byte{})
		wantRefused(t, err, table.ReasonNotAllowed)
		if err := o.Write(ctx, request(note, 1), 0, "hello"); err != nil {
			t.Error(err)
		}
		wantRefused(t, o.Write(ctx, request(note, 2), 0, "\x00"), table.ReasonNotAllowed)
		if c, _, _ := o.Contents(note); c.Parts[0].Text != "hello" {
			t.Errorf("it says %q", c.Parts[0].Text)
		}
	})
	t.Run("T40 a set comes back as it lay, and only if it is complete", func(t *testing.T) {
		o := newOwner(t)
		parts := []room.Part{{Number: 0}}
		for _, n := range slices.Backward(all) {
			parts = append(parts, room.Part{Number: n, Face: 1})
		}
		for range 2 {
			if err := o.Release(ctx, here, deck, parts); err != nil {
				t.Fatal(err)
			}
		}
		c, on, _ := o.Contents(deck)
		if !on.IsZero() || c.Parts[1].Number != cards || !c.Parts[1].Secret {
			t.Errorf("it is %+v on %v", c.Parts, on)
		}
		if _, err := o.Hold(ctx, room.Session{Table: there, Seat: 1}, deck); err != nil {
			t.Fatal(err)
		}
		if err := o.Release(ctx, there, deck, parts[:3]); err != nil {
			t.Fatal(err)
		}
		if c, _, _ := o.Contents(deck); len(c.Parts) != cards+1 {
			t.Errorf("%d parts are left", len(c.Parts))
		}
	})
	t.Run("T39 an unreachable set does not answer, an unknown one is lost", func(t *testing.T) {
		o := newOwner(t)
		why := &room.Unreachable{Reason: table.AwayFrozen}
		o.SetUnreachable(deck, why)
		if _, err := o.Reveal(ctx, here, deck, all); !errors.Is(err, why) {
			t.Errorf("the error is %v", err)
		}
		o.SetUnreachable(deck, nil)
		if _, err := o.Reveal(ctx, here, deck, all); err != nil {
			t.Error(err)
		}
		var absent *room.Unreachable
		if _, err := o.Hold(ctx, room.Session{Table: here}, id.OID{99}); !errors.As(err, &absent) ||
			absent.Reason != table.AwayLost {
			t.Errorf("the error is %v", err)
		}
	})
}

// sorted returns the kinds of parts, in the order of their versions.
func sorted(parts []room.Part) []room.Hash {
	var kinds []room.Hash
	for _, p := range parts {
		kinds = append(kinds, p.Kind)
	}
	slices.SortFunc(kinds, func(a, b room.Hash) int { return slices.Compare(a[:], b[:]) })
	return kinds
}
