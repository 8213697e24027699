package node_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// villain is the machine of a linked host that sends anything.
type villain struct {
	*server
	mu       sync.Mutex
	number   uint64
	answers  map[uint64]object.Body
	fetched  [][]byte
	offers   []*object.Offer
	asked    chan struct{}
	obliging bool // it accepts what it is offered
}

func newVillain(s *server) *villain {
	return &villain{server: s, answers: map[uint64]object.Body{}, asked: make(chan struct{}, 1)}
}

func (v *villain) Up(id.HostID)   {}
func (v *villain) Down(id.HostID) {}

func (v *villain) Receive(host id.HostID, m peer.Message) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if m.Bytes[0] == 3 {
		v.fetched = append(v.fetched, m.Bytes)
		return
	}
	msg, err := object.ReadMessage(m.Bytes[1:])
	if err != nil {
		return
	}
	if _, ok := msg.Body.(*object.Recall); ok { // it knows nothing, and is believed
		_ = v.links.Send(host, peer.Message{Bytes: (&object.Message{Process: msg.Process,
			Number: msg.Number, Body: &object.Remembered{}}).Append([]byte{1})})
		return
	}
	if o, ok := msg.Body.(*object.Offer); ok {
		v.offers = append(v.offers, o)
		if v.obliging {
			_ = v.links.Send(host, peer.Message{Bytes: (&object.Message{Process: msg.Process,
				Number: msg.Number, Body: &object.Done{}}).Append([]byte{1})})
		}
		return
	}
	if msg.Process == 7 {
		v.answers[msg.Number] = msg.Body
	}
}

// says sends a request to a server, and returns the answer.
func (v *villain) says(to *server, b object.Body) object.Body {
	v.Helper()
	v.mu.Lock()
	v.number++
	n := v.number
	v.mu.Unlock()
	v.must(v.links.Send(to.self(), peer.Message{
		Request: true, Bytes: (&object.Message{Process: 7, Number: n, Body: b}).Append([]byte{1}),
	}))
	var a object.Body
	v.await("an answer", func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		a = v.answers[n]
		return a != nil
	})
	return a
}

func (v *villain) refused(to *server, b object.Body, why object.Refusal) {
	v.Helper()
	if a, ok := v.says(to, b).(*object.Refused); !ok || a.Why != why {
		v.Errorf("%T was answered %+v, and not %s", b, a, why.String())
	}
}

// withVillain returns two servers, and a hostile third one that is linked with both.
func withVillain(t *testing.T) (p *place, ada, ben *server, v *villain) {
	p = newPlace(t, "Ada", "Ben", "Mal")
	ada, ben = p.servers[0], p.servers[1]
	mal := p.servers[2]
	mal.stop()
	v = newVillain(mal)
	mal.machine = v
	mal.start()
	p.together(ada, mal)
	p.together(ben, mal)
	return p, ada, ben, v
}

func TestHostile(t *testing.T) {
	// Clauses: O8.13, O14.23, O35.1, O35.2, O35.3, O35.5, O35.6, O35.7
	t.Run("O35 calls by non-holders and forgeries are refused and logged", func(t *testing.T) {
		p, ada, ben, v := withVillain(t)
		_, set, c := ada.owned()
		on, _ := ada.visit(ben, set)
		ask := behaviour.Arguments{Table: v.mint(), Parts: []uint32{1}}
		v.refused(ada, &object.Call{OID: set, Number: 1, Method: behaviour.Hold,
			Args: ask.Append(nil)}, object.Forbidden)
		v.refused(ada, &object.Retain{OID: set, For: v.self()}, object.Forbidden)
		v.refused(ada, &object.Take{OID: set}, object.Forbidden)
		v.refused(ada, &object.Ping{OID: set}, object.Forbidden)
		v.refused(ada, &object.Gone{OID: set, Term: 9}, object.Forbidden)
		deed := object.Deed{OID: set, From: ada.self(), To: v.self(), Term: 2,
			Signature: make([]byte, 64)}
		v.refused(ada, &object.Swap{Deed: deed}, object.Forbidden)
		e := object.Envelope{OID: set, Term: 2, Class: object.Set}
		deed.To = ben.self()
		v.refused(ben, &object.Offer{Deed: deed, Envelope: e.Append(nil)}, object.Forbidden)
		// It offers an object of its own with an identifier of Ada's.
		forged := set
		forged[15]++
		deed = object.Deed{OID: forged, From: v.self(), To: ben.self(), Term: 2,
			Signature: v.links.Sign([]byte("anything"))}
		e.OID = forged
		v.refused(ben, &object.Offer{Deed: deed, Envelope: e.Append(nil)}, object.Forbidden)
		v.must(v.links.Send(ada.self(), peer.Message{Bytes: []byte{1, 0xff}}))
		v.must(v.links.Send(ada.self(), peer.Message{Bytes: []byte{9}}))
		v.must(v.links.Send(ada.self(), peer.Message{Bytes: nil}))
		v.must(v.links.Send(ada.self(), peer.Message{Request: true, Bytes: []byte{2, 1}}))
		p.await("the count", func() bool {
			k, _ := ada.links.Link(v.self())
			return k.Refused >= 8
		})
		if log := ada.log.String(); !strings.Contains(log,
			"a linked server asked for what it may not") ||
			!strings.Contains(log, "object="+set.String()) || !strings.Contains(log, "what=swap") {
			t.Errorf("the log does not have it")
		}
		if k, _ := ada.links.Link(ben.self()); k.Refused != 0 {
			t.Errorf("%d requests of Ben were refused", k.Refused)
		}
		if said, err := ben.world.Reveal(t.Context(), on, set, []uint32{9}); err != nil ||
			said.Parts[0].Kind != c.Parts[9].Kind {
			t.Errorf("%+v, %v", said, err)
		}
		if !ada.owns(set) || ben.owns(set) || ben.owns(forged) {
			t.Error("the set is not where it was")
		}
	})
	t.Run("O35, T41.2 giving others' sets puts them on no table", func(t *testing.T) {
		p, ada, ben, v := withVillain(t)
		sits := map[id.Seat]id.OID{1: ada.person(), 2: v.mint()}
		ben.stop()
		ben.sits = func(s room.Session) id.OID { return sits[s.Seat] }
		ben.start()
		p.together(ada, ben)
		p.together(ben, v.server)
		_, set, _ := ada.owned()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		if a, ok := v.says(ben, &object.Give{
			Passed: []object.Passed{{OID: set, Number: 9}},
		}).(*object.Done); !ok {
			t.Fatalf("the forged reference: %+v", a)
		}
		on := ben.mint()
		var refusal *room.Refusal
		if _, err := ben.world.Hold(t.Context(),
			room.Session{Table: on, Seat: 2}, set); !errors.As(err, &refusal) {
			t.Errorf("it lies on the table for a claimant: %v", err)
		}
		if _, err := ben.world.Hold(t.Context(),
			room.Session{Table: on, Seat: 1}, set); err != nil {
			t.Errorf("its owner cannot put it there any more: %v", err)
		}
	})
	t.Run("O36.15 a request that does not count as one is refused", func(t *testing.T) {
		p, ada, _, v := withVillain(t)
		ask := (&object.Message{Process: 7, Number: 1000,
			Body: &object.Find{OID: v.mint()}}).Append([]byte{1})
		for _, b := range [][]byte{ask, append([]byte{2}, make([]byte, 48)...)} {
			was, _ := ada.links.Link(v.self())
			v.must(v.links.Send(ada.self(), peer.Message{Bytes: b}))
			p.await("the count", func() bool {
				k, _ := ada.links.Link(v.self())
				return k.Refused > was.Refused
			})
		}
	})
	t.Run("O36.7 kinds and pictures from a peer count for its quota", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, c := ada.owned()
		limits := peer.DefaultLimits
		limits.Bytes = 2000
		p.must(ben.links.SetLimits(t.Context(), ada.self(), limits))
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		at := room.Session{Table: ben.mint(), Seat: 1}
		var absent *room.Unreachable
		if _, err := ben.world.Hold(t.Context(), at, set); !errors.As(err, &absent) {
			t.Errorf("it lies there with all its pictures: %v", err)
		}
		for _, b := range c.Art {
			if _, err := ben.db.Blob(t.Context(), b.Hash); err == nil {
				t.Errorf("picture %x is here", b.Hash)
			}
		}
		p.must(ben.links.SetLimits(t.Context(), ada.self(), peer.DefaultLimits))
		if g, err := ben.world.Hold(t.Context(), at, set); err != nil || len(g.Art) != len(c.Art) {
			t.Errorf("%d pictures, %v", len(g.Art), err)
		}
	})
	t.Run("O8.15, O9.3 a deed is valid once", func(t *testing.T) {
		p, ada, _, v := withVillain(t)
		_, set, _ := ada.owned()
		v.mu.Lock()
		v.obliging = true
		v.mu.Unlock()
		moved := make(chan error, 1)
		go func() { moved <- ada.world.Move(context.WithoutCancel(t.Context()), set, v.self()) }()
		p.await("the offer", func() bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return len(v.offers) > 0
		})
		v.mu.Lock()
		offer := v.offers[0]
		v.mu.Unlock()
		// It accepts the set and never swaps. Ada takes the set back after a while, in a later
		// term.
		if err := <-moved; err == nil {
			t.Error("the move of a set that was never taken succeeds")
		}
		p.await("the set to be served again", func() bool {
			_, err := ada.world.Where(t.Context(), set)
			return err == nil && ada.owns(set)
		})
		if a, ok := v.says(ada, &object.Swap{Deed: offer.Deed}).(*object.Swapped); !ok || a.Moved {
			t.Errorf("the old deed: %+v", a)
		}
		if owner, err := ada.world.Where(t.Context(), set); owner != ada.self() || err != nil {
			t.Errorf("%s, %v", owner, err)
		}
	})
	// Clauses: O3.7, O3.10, O5.3, O12.2, O34.4, O36.6
	t.Run("O3 O12 an object that does not fit its class is refused", func(t *testing.T) {
		p, ada, _, v := withVillain(t)
		set := v.mint()
		offer := func(e *object.Envelope, size int) *object.Offer {
			d := object.Deed{OID: e.OID, From: v.self(), To: ada.self(), Term: e.Term}
			d.Signature = v.links.Sign(d.Statement())
			return &object.Offer{Deed: d, Envelope: append(e.Append(nil), make([]byte, size)...)}
		}
		v.refused(ada, offer(&object.Envelope{OID: set, Term: 2, Class: object.Set}, 0),
			object.Unwanted)
		v.refused(ada, offer(&object.Envelope{OID: set, Term: 2, Class: object.Person}, 0),
			object.Fixed)
		v.refused(ada, offer(&object.Envelope{OID: set, Term: 2, Class: object.Bag}, 100),
			object.Forbidden)
		p.must(ada.links.SetRights(t.Context(), v.self(), peer.Visit|peer.Bring))
		v.refused(ada, offer(&object.Envelope{OID: set, Term: 2, Class: object.Bag}, 0),
			object.Unwanted)
		p.must(ada.links.SetRights(t.Context(), v.self(), everything))
		limits := peer.DefaultLimits
		limits.Objects = 0
		p.must(ada.links.SetLimits(t.Context(), v.self(), limits))
		v.refused(ada, offer(&object.Envelope{OID: set, Term: 2, Class: object.Bag}, 0),
			object.Quota)
		if ada.owns(set) {
			t.Error("it is here")
		}
	})
	t.Run("O30 a kind with a wrong hash is refused, an unknown one not invented", func(t *testing.T) {
		p, ada, _, v := withVillain(t)
		// It asks for a picture without knowing its hash.
		b := binary.BigEndian.AppendUint64([]byte{2}, 1)
		none := sha256.Sum256([]byte("nothing"))
		b = binary.BigEndian.AppendUint64(append(b, none[:]...), 0)
		v.must(v.links.Send(ada.self(), peer.Message{Request: true, Bytes: b}))
		p.await("an answer", func() bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return len(v.fetched) == 1 && len(v.fetched[0]) == 17 &&
				slices.Max(v.fetched[0][9:]) == 0
		})
		person, set, c := ada.owned()
		var refusal *room.Refusal
		if _, err := ada.world.Hold(t.Context(),
			room.Session{Table: ada.mint()}, v.mint()); !errors.As(err, &refusal) {
			t.Errorf("a set that was not given: %v", err)
		}
		if all, err := ada.world.List(t.Context(), person); err != nil ||
			!slices.Equal(all, []id.OID{set}) {
			t.Errorf("%v, %v", all, err)
		}
		// With the hash of a picture it gets the picture, like everybody who was given the kind.
		b = binary.BigEndian.AppendUint64([]byte{2}, 2)
		b = binary.BigEndian.AppendUint64(append(b, c.Art[0].Hash[:]...), 0)
		v.must(v.links.Send(ada.self(), peer.Message{Request: true, Bytes: b}))
		p.await("the picture", func() bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return len(v.fetched) == 2 && sha256.Sum256(v.fetched[1][17:]) == c.Art[0].Hash
		})
	})
}
