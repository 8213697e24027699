package people

import (
	"context"
	"errors"
	"slices"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// bags are objects of a host: to what each refers, and which are boxes.
type bags struct {
	Objects
	self  id.HostID
	refs  map[id.OID][]id.OID
	boxes map[id.OID]bool
	ties  map[id.OID]id.OID // the box to which a set refers
	on    map[id.OID]id.OID // the table on which a set lies
	away  map[id.OID]error  // why a set cannot be called
	shut  error             // why no box can be opened
	calls int
	wait  chan struct{} // Tie waits for it; nil: it does not wait
}

func (b *bags) Found(_ context.Context, oid id.OID, c object.Class) error {
	b.boxes[oid] = c == object.Bag
	return nil
}

func (b *bags) List(_ context.Context, owner id.OID) ([]id.OID, error) {
	if b.boxes[owner] && b.shut != nil {
		return nil, b.shut
	}
	return b.refs[owner], nil
}

func (b *bags) Has(_ context.Context, owner, oid id.OID) (bool, error) {
	return slices.Contains(b.refs[owner], oid), nil
}

func (b *bags) Boxes(_ context.Context, oids []id.OID) (boxes []id.OID, err error) {
	for _, oid := range oids {
		if b.boxes[oid] {
			boxes = append(boxes, oid)
		}
	}
	return boxes, nil
}

func (b *bags) Put(_ context.Context, owner, oid id.OID) error {
	b.refs[owner] = append(b.refs[owner], oid)
	return nil
}

func (b *bags) Take(_ context.Context, owner id.OID, oids ...id.OID) error {
	b.calls++
	b.refs[owner] = slices.DeleteFunc(
		b.refs[owner], func(o id.OID) bool { return slices.Contains(oids, o) },
	)
	return nil
}

func (b *bags) Tie(_ context.Context, set, box id.OID) error {
	if b.wait != nil {
		<-b.wait
	}
	if err := b.away[set]; err != nil {
		return err
	}
	b.ties[set] = box
	return nil
}

func (b *bags) Where(_ context.Context, set id.OID) (id.HostID, error) {
	return b.self, b.away[set]
}

func (b *bags) About(_ context.Context, set id.OID) (string, id.OID, error) {
	return "Deck", b.on[set], nil
}

func (b *bags) Newer(context.Context, id.OID) (bool, error) { return false, nil }

// packed returns the visits of a host, a person there, and sets in the bag of that person.
func packed(n int) (*server, *bags, id.OID, []id.OID) {
	s := newServer(linksOf(1, 2))
	ada := person(s.Self())
	b := &bags{self: s.Self(), refs: map[id.OID][]id.OID{}, boxes: map[id.OID]bool{},
		ties: map[id.OID]id.OID{}, on: map[id.OID]id.OID{}, away: map[id.OID]error{}}
	s.cfg.Objects = b
	made := byte(0)
	s.cfg.Mint = func() (oid id.OID, _ error) {
		made++
		copy(oid[:], b.self[:])
		oid[14], oid[15] = 1, made
		return oid, nil
	}
	for i := range n {
		set := id.OID{}
		copy(set[:], b.self[:])
		set[14], set[15] = 2, byte(i)
		b.refs[ada] = append(b.refs[ada], set)
	}
	return s, b, ada, slices.Clone(b.refs[ada])
}

func TestBox(t *testing.T) {
	ctx := t.Context()
	absent := &room.Unreachable{Reason: table.AwayOwner}
	t.Run("O53.8 if a set cannot be tied nothing has changed", func(t *testing.T) {
		for _, why := range []error{absent, &room.Refusal{Reason: table.ReasonNotAllowed}} {
			s, b, ada, sets := packed(3)
			b.away[sets[1]] = why
			err := s.Tie(ctx, ada, sets[0], sets[1])
			var refused Refused
			if err == nil || errors.As(why, new(*room.Refusal)) != errors.As(err, &refused) {
				t.Errorf("%v: %v", why, err)
			}
			if !slices.Equal(b.refs[ada], sets) || !b.ties[sets[0]].IsZero() {
				t.Errorf("%v: the bag has %v, the first set is in %v", why, b.refs[ada], b.ties[sets[0]])
			}
			// A box that was there stays as it is.
			if err := s.Tie(ctx, ada, sets[0], sets[2]); err != nil {
				t.Fatal(err)
			}
			box := b.ties[sets[0]]
			if err := s.Tie(ctx, ada, sets[1], sets[2]); err == nil ||
				!slices.Equal(b.refs[box], []id.OID{sets[0], sets[2]}) ||
				!slices.Contains(b.refs[ada], box) {
				t.Errorf("%v: %v, in the box are %v", why, err, b.refs[box])
			}
		}
	})
	t.Run("O53.9, O53.10 who cannot be reached is untied and thrown away", func(t *testing.T) {
		s, b, ada, sets := packed(3)
		err := errors.Join(s.Tie(ctx, ada, sets[0], sets[1]), s.Tie(ctx, ada, sets[0], sets[2]))
		if err != nil {
			t.Fatal(err)
		}
		box := b.ties[sets[0]]
		b.away[sets[0]], b.away[sets[1]] = absent, absent
		if err := s.Untie(ctx, ada, sets[0]); err != nil || !slices.Equal(b.refs[box], sets[1:]) {
			t.Errorf("%v, in the box are %v", err, b.refs[box])
		}
		if err := s.Throw(ctx, ada, sets[1]); err != nil || slices.Contains(b.refs[ada], sets[1]) {
			t.Errorf("%v, in the bag are %v", err, b.refs[ada])
		}
	})
	t.Run("O53.10 what lies on a table at home is not thrown away", func(t *testing.T) {
		s, b, ada, sets := packed(1)
		b.on[sets[0]] = id.OID{7}
		var refused Refused
		if err := s.Throw(ctx, ada, sets[0]); !errors.As(err, &refused) || len(b.refs[ada]) != 1 {
			t.Errorf("%v, in the bag are %v", err, b.refs[ada])
		}
	})
	t.Run("O53.12 a box goes in the same batch as its last set", func(t *testing.T) {
		s, b, ada, sets := packed(3)
		if err := errors.Join(s.Tie(ctx, ada, sets[0], sets[1]), s.Throw(ctx, ada, sets[0])); err != nil {
			t.Fatal(err)
		}
		if len(b.refs[ada]) != 3 { // a set, its box, and the set that is tied to nothing
			t.Errorf("in the bag are %v", b.refs[ada])
		}
		// What is left when the host stops in the middle goes, too.
		empty := id.OID{8}
		b.boxes[empty], b.refs[ada] = true, append(b.refs[ada], empty)
		if err := s.Untie(ctx, ada, sets[2]); err != nil || slices.Contains(b.refs[ada], empty) {
			t.Errorf("%v, in the bag are %v", err, b.refs[ada])
		}
		b.calls = 0
		if err := s.Throw(ctx, ada, sets[1]); err != nil || b.calls != 1 ||
			!slices.Equal(b.refs[ada], sets[2:]) {
			t.Errorf("%v, %d calls, in the bag are %v", err, b.calls, b.refs[ada])
		}
	})
	t.Run("O53.12 what was thrown away goes when the rest belongs with nothing", func(t *testing.T) {
		s, b, ada, sets := packed(2)
		if err := errors.Join(s.Tie(ctx, ada, sets[0], sets[1]), s.Throw(ctx, ada, sets[0]),
			s.Untie(ctx, ada, sets[1])); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.refs[ada], sets[1:]) || !b.ties[sets[1]].IsZero() {
			t.Errorf("in the bag are %v", b.refs[ada])
		}
		var refused Refused
		if err := s.TakeBack(ctx, ada, sets[0]); !errors.As(err, &refused) {
			t.Errorf("it is taken back: %v", err)
		}
	})
	t.Run("O53.13 a visited server learns of sets of the bag only", func(t *testing.T) {
		s, b, ada, sets := packed(3)
		if err := errors.Join(s.Tie(ctx, ada, sets[0], sets[1]), s.Tie(ctx, ada, sets[0], sets[2]),
			s.Throw(ctx, ada, sets[0])); err != nil {
			t.Fatal(err)
		}
		a := s.itemsOf(ctx, ada)
		if len(a.Items) != 2 || !slices.Equal(a.Items[0].With, []string{sets[2].String()}) {
			t.Fatalf("%+v", a)
		}
		for _, j := range a.Items {
			if i, ok := j.item(); !ok || len(i.With) != 1 || len(i.Thrown) != 0 {
				t.Errorf("%+v", i)
			}
		}
		a.Items[0].With = []string{"nothing"}
		if i, ok := a.Items[0].item(); ok {
			t.Errorf("%+v", i)
		}
		// At home the same bag names what can be taken back.
		items, err := s.Bag(ctx, ada)
		if err != nil || len(items) != 2 || len(items[1].Thrown) != 1 ||
			items[1].Thrown[0].Set != sets[0] {
			t.Errorf("%+v, %v", items, err)
		}
		if b.refs[ada][2] == sets[0] {
			t.Error("it is in the bag")
		}
	})
	t.Run("O53.1 nobody ties or throws away for a person of another server", func(t *testing.T) {
		s, b, _, sets := packed(2)
		visitor := person(hostOf(keyOf(2)))
		b.refs[visitor] = sets
		var refused Refused
		for n, err := range []error{
			s.Tie(ctx, visitor, sets[0], sets[1]), s.Untie(ctx, visitor, sets[0]),
			s.Throw(ctx, visitor, sets[0]), s.TakeBack(ctx, visitor, sets[0]),
		} {
			if !errors.As(err, &refused) {
				t.Errorf("%d: %v", n, err)
			}
		}
		// Nor does a linked server get that done with a request.
		s.records.visited[visitor.Creator()] = s.now
		for _, do := range []string{"tie", "untie", "throw", "back"} {
			a := s.answerTo(ctx, hostOf(keyOf(2)), []byte(`{"do":"`+do+`","person":"`+
				person(s.Self()).String()+`","set":"`+sets[0].String()+`"}`))
			if a.Refuse == "" {
				t.Errorf("%s is done: %+v", do, a)
			}
		}
		if len(b.refs[visitor]) != 2 || len(b.refs[person(s.Self())]) != 2 {
			t.Errorf("%v", b.refs)
		}
	})
	t.Run("O53.17 a bag can be seen while its boxes cannot be opened", func(t *testing.T) {
		s, b, ada, sets := packed(2)
		if err := s.Tie(ctx, ada, sets[0], sets[1]); err != nil {
			t.Fatal(err)
		}
		b.shut = absent
		if items, err := s.Bag(ctx, ada); err != nil || len(items) != 2 || items[0].With != nil {
			t.Errorf("%+v, %v", items, err)
		}
		if err := s.Throw(ctx, ada, sets[0]); !errors.Is(err, absent) || len(b.refs[ada]) != 3 {
			t.Errorf("%v, in the bag are %v", err, b.refs[ada])
		}
	})
	t.Run("O53.7 a person does one thing at a time", func(t *testing.T) {
		s, b, ada, sets := packed(3)
		b.wait = make(chan struct{})
		first := make(chan error)
		go func() { first <- s.Tie(ctx, ada, sets[0], sets[1]) }()
		b.wait <- struct{}{} // the first one is being done
		if err := s.Tie(ctx, ada, sets[0], sets[2]); !errors.Is(err, errBusy) {
			t.Errorf("at the same time: %v", err)
		}
		close(b.wait)
		if err := <-first; err != nil {
			t.Error(err)
		}
		if err := s.Tie(ctx, ada, sets[0], sets[2]); err != nil || len(b.boxes) != 1 {
			t.Errorf("after it: %v, %v", err, b.boxes)
		}
	})
	t.Run("O53.16 what is taken home and in no box refers to none", func(t *testing.T) {
		s, b, ada, sets := packed(2)
		b.self = hostOf(keyOf(2)) // where the sets are
		lost := id.OID{9}
		b.ties[sets[0]], b.ties[sets[1]] = lost, lost
		s.cfg.Objects = bringing{b}
		if err := s.TakeHome(ctx, ada, sets[0]); err != nil || !b.ties[sets[0]].IsZero() {
			t.Errorf("%v, it is in %v", err, b.ties[sets[0]])
		}
		b.boxes[lost] = true
		b.refs[ada], b.refs[lost] = append(b.refs[ada], lost), sets[1:]
		if err := s.TakeHome(ctx, ada, sets[1]); err != nil || b.ties[sets[1]] != lost {
			t.Errorf("%v, it is in %v", err, b.ties[sets[1]])
		}
	})
}

// bringing are objects that come when they are taken home.
type bringing struct{ *bags }

func (bringing) Bring(context.Context, id.OID) error { return nil }
