package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// shownPiece is a piece as the table as JSON has it (docs/protocol/http.md).
type shownPiece struct {
	ID, Kind, Face, Angle, Holder, Owner uint32
	X, Y                                 int32
	Z                                    string
	Text                                 string
	Value                                int32
}

// onLink returns the pieces that a replica has, by their identifiers, as far as C23 shows them, and
// what people read of them.
func onLink(t *testing.T, e *engine) (pieces map[uint32]shownPiece, texts map[uint32]string) {
	t.Helper()
	pieces, texts = map[uint32]shownPiece{}, map[uint32]string{}
	for wire := range e.replica.Entities(0, crdt.MaxEntity) {
		data, ok := e.replica.Get(wire, schema.Kind)
		if !ok {
			continue
		}
		name := uint32(wire - schema.EntityOfPiece(0))
		name &= 1<<21 - 1
		if e.flat {
			data, _ := e.replica.Get(wire, schema.Identity)
			name = decodedAs[componentpb.Identity](t, data).GetPiece()
		}
		kind := decodedAs[componentpb.Kind](t, data)
		data, _ = e.replica.Get(wire, schema.Place)
		place := decodedAs[componentpb.Place](t, data)
		data, _ = e.replica.Get(wire, schema.Face)
		face := decodedAs[componentpb.Face](t, data)
		data, _ = e.replica.Get(wire, schema.Holder)
		pieces[name] = shownPiece{
			ID: name, Kind: kind.GetNumber(), Face: face.GetFace(), Angle: place.GetAngle(),
			Holder: decodedAs[componentpb.Seat](t, data).GetSeat(), Owner: place.GetOwner(),
			X: place.GetX(), Y: place.GetY(), Z: place.GetZ(),
			Text: face.GetText(), Value: face.GetValue(),
		}
		texts[name] = kind.GetName() + "/" + face.GetName()
	}
	return pieces, texts
}

func decodedAs[M any, P interface {
	*M
	proto.Message
}](t *testing.T, data []byte) P {
	t.Helper()
	m, err := schema.Decode[M, P](data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// handsOf returns how many pieces lie in the hands of a seat, as a replica has it.
func handsOf(t *testing.T, e *engine, seat uint32) (n uint32) {
	t.Helper()
	for wire := range e.replica.Entities(0, crdt.MaxEntity) {
		place, _ := e.replica.Get(wire, schema.Place)
		held, _ := e.replica.Get(wire, schema.Contents)
		if decodedAs[componentpb.Place](t, place).GetOwner() == seat {
			n += decodedAs[componentpb.Contents](t, held).GetCount()
		}
	}
	return n
}

// Clauses: C23.1, C23.2, C23.3, C23.8
func TestC23LinksShowWhatTheirViewSees(t *testing.T) {
	s := newStack(t)
	ada := s.open("cards")
	ben := s.join(ada, ada.Invites.Player, "Ben")
	eve := s.join(ada, ada.Invites.Spectator, "Eve")
	seats := []seat{ada, ben, eve}
	seq := 0
	update := func(by seat, op string) {
		t.Helper()
		seq++
		client := fmt.Sprintf("q83vEjRWeJCrze8SN%04dA", seq)
		var state struct {
			Epoch, Mark uint64
			Life        string
		}
		s.get(by.api(""), by.bearer()...).json(s, &state)
		body := fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[{"seq":1,%s}]}`, client, state.Epoch, op)
		a := s.post(by.api(fmt.Sprintf("/updates?life=%s&mark=%d", state.Life, state.Mark)), body,
			append(by.bearer(), "Content-Type", "application/json")...)
		if a.StatusCode != http.StatusAccepted {
			t.Fatalf("%s: %s %s", op, a.Status, a.body)
		}
	}
	links := map[string]*engine{}
	for i, k := range seats {
		for _, form := range []string{"flat", "protobuf"} {
			links[fmt.Sprint(i, form)] = s.link(k, form)
		}
	}
	// agree waits until all links show what their views see.
	agree := func(what string) (views []map[uint32]shownPiece, texts []map[uint32]string) {
		t.Helper()
		for i, k := range seats {
			var state struct{ Pieces []shownPiece }
			s.get(k.api(""), k.bearer()...).json(s, &state)
			want := map[uint32]shownPiece{}
			for _, p := range state.Pieces {
				want[p.ID] = p
			}
			var read map[uint32]string
			for _, form := range []string{"flat", "protobuf"} {
				e := links[fmt.Sprint(i, form)]
				e.reads(func() bool {
					var got map[uint32]shownPiece
					got, read = onLink(t, e)
					return fmt.Sprint(got) == fmt.Sprint(want)
				})
			}
			views, texts = append(views, want), append(texts, read)
		}
		if len(views[0]) == 0 {
			t.Fatal(what, ": there is nothing to see")
		}
		return views, texts
	}
	find := func(view map[uint32]shownPiece, is func(shownPiece) bool) uint32 {
		t.Helper()
		var all []uint32
		for name, p := range view {
			if is(p) {
				all = append(all, name)
			}
		}
		if len(all) == 0 {
			t.Fatal("C23.2 there is no such piece")
		}
		slices.Sort(all)
		return all[0]
	}
	mark := func(by seat, piece uint32) (tag uint64) {
		t.Helper()
		var state struct {
			Pieces []struct {
				ID   uint32
				Mark uint64
			}
		}
		s.get(by.api(""), by.bearer()...).json(s, &state)
		for _, p := range state.Pieces {
			if p.ID == piece {
				return p.Mark
			}
		}
		t.Fatalf("there is no piece %d", piece)
		return 0
	}

	views, texts := agree("at the beginning")
	data, _ := links["2flat"].replica.Get(schema.TheTable, schema.About)
	if about := decodedAs[componentpb.About](t, data); about.GetTitle() == "" ||
		about.GetWidth() == 0 || about.GetHeight() == 0 || about.GetSurface() == "" {
		t.Errorf("C23.1 the table is %v", about)
	}
	data, _ = links["2flat"].replica.Get(schema.EntityOfSeat(1), schema.Person)
	if p := decodedAs[componentpb.Person](t, data); p.GetName() != "Ada" || p.GetRole() != 1 ||
		p.GetPresence() != 1 || p.GetColour() == 0 {
		t.Errorf("C23.1 Ada is %v", p)
	}
	deck := find(views[0], func(p shownPiece) bool { return texts[0][p.ID] == "Deck/Deck" })
	hand := find(views[0], func(p shownPiece) bool { return texts[0][p.ID] == "Hand/Hand" })
	at := views[0][hand]

	update(ada, fmt.Sprintf(`"op":"claim","piece":%d`, hand))
	update(ada, fmt.Sprintf(`"op":"draw","piece":%d,"n":2,"x":%d,"y":%d`, deck, at.X, at.Y))
	views, texts = agree("after a draw into a hand")
	mine := find(views[0], func(p shownPiece) bool { return p.Owner == 1 && p.ID != hand })
	secret := texts[0][mine]
	if len(views[0]) != len(views[2])+2 || secret == "" {
		t.Errorf("C23.3 Ada sees %d pieces, Eve %d; hers is %q", len(views[0]), len(views[2]), secret)
	}
	hidden := func(when string) {
		t.Helper()
		for _, link := range []string{"1flat", "1protobuf", "2flat", "2protobuf"} {
			for op := range links[link].replica.Ops() {
				if bytes.Contains(op.Data, []byte(secret[:len(secret)/2])) {
					t.Errorf("C23.3 %s link %s has %q", when, link, op.Data)
				}
			}
			links[link].reads(func() bool { return handsOf(t, links[link], 1) == 2 })
		}
	}
	hidden("in the hand")

	// It is played face down, held, turned up, and shuffled with others.
	update(ada, fmt.Sprintf(`"op":"flip","piece":%d,"tag":%d,"face":1`, mine, mark(ada, mine)))
	update(ada, fmt.Sprintf(`"op":"move","piece":%d,"tag":%d,"x":0,"y":-900`, mine, mark(ada, mine)))
	views, texts = agree("after it was played")
	down := find(views[2], func(p shownPiece) bool { return p.Y == -900 })
	if texts[2][down] != "Card/Face down" {
		t.Errorf("C23.3 Eve reads %q", texts[2][down])
	}
	update(ben, fmt.Sprintf(`"op":"grab","piece":%d,"tag":%d`, down, mark(ben, down)))
	if views, _ = agree("while it is held"); views[2][down].Holder != 2 {
		t.Errorf("C23.2 Eve sees %d as holder", views[2][down].Holder)
	}
	update(ben, fmt.Sprintf(`"op":"release","piece":%d,"tag":%d,"x":0,"y":-950`,
		down, mark(ben, down)))
	update(ben, fmt.Sprintf(`"op":"flip","piece":%d,"tag":%d,"face":0`, down, mark(ben, down)))
	views, texts = agree("after it was turned up")
	up := find(views[2], func(p shownPiece) bool { return p.Y == -950 })
	if texts[2][up] != texts[1][up] || texts[2][up] == "Card/Face down" {
		t.Errorf("C23.3 Eve reads %q, Ben %q", texts[2][up], texts[1][up])
	}
	update(ada, fmt.Sprintf(`"op":"shuffle","piece":%d`, deck))
	agree("after a shuffle")

	// Nobody can write it, and nobody else gets it.
	const client = "q83vEjRWeJCrze8SNFZ4kA"
	frames, fresh := s.streamRaw(ada, client), true
	s.operateAs(ada, client, crdt.Op{
		Kind: crdt.Put, Component: schema.About, Timestamp: 9,
		Data: schema.Encode(&componentpb.About{Title: "Mine"}),
	}, crdt.Op{
		Kind: crdt.Put, Entity: schema.EntityOfPiece(0) + crdt.Entity(deck), Component: schema.Place,
		Timestamp: 9, Data: schema.Encode(&componentpb.Place{X: 1}),
	})
	for refused := 0; refused < 2; fresh = false {
		f := frames.frame()
		if fresh && f.GetEvents()[0].GetFull() == nil {
			t.Fatal("S5 the first frame does not begin with the full state")
		}
		for _, event := range f.GetEvents() {
			for _, body := range [][]byte{event.GetFull().GetComponents(), event.GetComponents()} {
				checkNoneDerived(t, "the stream", body)
			}
			if r := event.GetRefused(); r != nil {
				refused++
				if schema.Refusal(r.GetReason()) != schema.NotAllowed {
					t.Errorf("C23.8 component %d is refused for %d", r.GetComponent(), r.GetReason())
				}
			}
		}
	}
	checkNoneDerived(t, "a new stream",
		s.streamRaw(ben, "q83vEjRWeJCrze8SNFZ5kA").frame().GetEvents()[0].GetFull().GetComponents())
	agree("after somebody has written it")
	a := s.get(ada.api("/components"), ada.bearer()...)
	checkNoneDerived(t, "the table", []byte(a.body))
}

// checkNoneDerived shows that a WireMessage has no component that bridges alone have (C23.8).
func checkNoneDerived(t *testing.T, what string, body []byte) {
	t.Helper()
	m, err := crdt.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	for op := range m.Ops() {
		if schema.Derived(op.Component) {
			t.Errorf("C23.8 %s has %+v", what, op)
		}
	}
}

// operateAs writes components as a client with a stream, which gets the refusals.
func (s *stack) operateAs(k seat, client string, ops ...crdt.Op) {
	s.Helper()
	a := s.post(s.components(k)+"&client="+client, wireMessage(ops...),
		append(k.bearer(), "Content-Type", "application/x-protobuf")...)
	if a.StatusCode != http.StatusNoContent {
		s.Fatalf("%s %s", a.Status, a.body)
	}
}
