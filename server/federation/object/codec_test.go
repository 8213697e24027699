package object

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/proto/objectpb"
)

var codecs = flag.Int("codecs", 0,
	"how many times as many random codec cases are tried")

func anyOID(r *rand.Rand) (o id.OID) {
	for i := range o {
		o[i] = byte(r.IntN(255) + 1)
	}
	return o
}

func anyOIDs(r *rand.Rand, most int) (refs []id.OID) {
	for range r.IntN(most + 1) {
		refs = append(refs, anyOID(r))
	}
	if len(refs) == 0 {
		return nil
	}
	return setOf(refs)
}

func anyPassed(r *rand.Rand) (ps []Passed) {
	for range r.IntN(4) {
		ps = append(ps, Passed{anyOID(r), r.Uint64N(1 << 40)})
	}
	return ps
}

func anyBytes(r *rand.Rand, most int) []byte {
	n := r.IntN(most + 1)
	if n == 0 {
		return nil
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func anyDeed(r *rand.Rand) Deed {
	return Deed{OID: anyOID(r), From: hostID(r.IntN(9)), To: hostID(r.IntN(9)),
		Term: Term(2 + r.Uint64N(99)), Signature: append(anyBytes(r, 63), 1)}
}

func anyEnvelope(r *rand.Rand) *Envelope {
	e := &Envelope{
		OID: anyOID(r), Term: Term(1 + r.Uint64N(1<<50)), Class: Class(1 + r.IntN(int(Bag))),
		counter: 1 << 40, Refs: anyOIDs(r, 9),
		body: body{Content: anyBytes(r, 99)},
	}
	for i := range r.IntN(5) {
		since := 1 + r.Uint64N(1<<30)
		e.holders = append(e.holders,
			holder{hostID(i), since + r.Uint64N(99), since, uint8(r.IntN(200)), r.Uint64N(99)})
		e.body.Kinds = append(e.body.Kinds, Kind{31: byte(i + 1)})
		c := calls{Host: hostID(i), Process: r.Uint64N(9), Last: r.Uint64N(99)}
		for range r.IntN(3) {
			c.Kept = append(c.Kept,
				kept{r.Uint64N(99), Answer{r.IntN(2) == 0, anyBytes(r, 9), anyPassed(r)}})
		}
		e.body.Calls = append(e.body.Calls, c)
	}
	return e
}

// anyTrace draws a trace, or none.
func anyTrace(r *rand.Rand) *Trace {
	if r.IntN(2) == 0 {
		return nil
	}
	t := &Trace{Process: 1 + r.Uint64N(1<<50), Count: 1 + r.Uint64N(1<<50)}
	binary.BigEndian.PutUint64(t.Start[:], r.Uint64())
	binary.BigEndian.PutUint64(t.Proof[8:], r.Uint64())
	return t
}

// anyBodies draws one body of each kind.
func anyBodies(r *rand.Rand) []Body {
	w := whereabouts{Owner: hostID(r.IntN(9)), Term: Term(r.Uint64N(99))}
	n := 1 + r.Uint64N(1<<50)
	return []Body{
		&Find{anyOID(r)},
		&Call{anyOID(r), n + 9, r.Uint64N(n + 9), r.Uint64N(n + 9), r.Uint64N(9), "draw",
			anyBytes(r, 20), anyPassed(r)},
		&Offer{anyDeed(r), anyEnvelope(r).Append(nil), anyPassed(r), uint8(r.IntN(farthest))},
		&Swap{anyDeed(r)}, &Settle{anyOID(r), Term(n)},
		&Retain{anyOID(r), hostID(1), uint8(r.IntN(9))}, &Release{anyOID(r), n},
		&Renew{[]Renewal{{anyOID(r), n, 3}, {anyOID(r), 1, 0}}}, &Ping{anyOID(r)},
		&Check{anyOID(r), n}, &Gone{anyOID(r), Term(n)},
		&Take{anyOID(r)}, &Survey{uint8(1 + r.IntN(3)), anyOID(r)}, &Give{anyPassed(r)}, &Recall{},
		&Done{}, &Elsewhere{w}, &Moving{}, &Answer{r.IntN(2) == 0, anyBytes(r, 9), anyPassed(r)},
		&Refused{Refusal(1 + r.IntN(10))},
		&Unregistered{anyOIDs(r, 5)}, &Retained{r.Uint64N(9)}, &Swapped{r.IntN(2) == 0, w},
		&Renewed{anyOIDs(r, 5)}, &Holding{r.Uint64N(9)},
		&Surveyed{[]Surveyee{{anyOID(r), Term(n), 0, true}, {anyOID(r), 0, n, false}}, anyOID(r)},
		&Remembered{anyTrace(r)},
	}
}

func TestCodec(t *testing.T) {
	first := firstSeed(*codecs)
	t.Logf("from seed %d", first)
	r := rand.New(rand.NewPCG(first, 0))
	// Clauses: O3.8, O14.1, O47.2
	t.Run("O3 messages are read back, and protobuf reads and writes the same", func(t *testing.T) {
		kinds := map[string]bool{}
		for range 300 * max(*codecs, 1) {
			for _, b := range anyBodies(r) {
				m := Message{1 + r.Uint64N(1<<50), 1 + r.Uint64N(1<<50), b, anyTrace(r)}
				written := m.Append(nil)
				back, err := ReadMessage(written)
				if err != nil || !reflect.DeepEqual(back, m) {
					t.Fatalf("%T %+v comes back as %+v, %v", b, b, back.Body, err)
				}
				var pb objectpb.Message
				if err := (proto.UnmarshalOptions{}).Unmarshal(written, &pb); err != nil ||
					len(pb.ProtoReflect().GetUnknown()) > 0 {
					t.Fatalf("%T: %v", b, err)
				}
				// The trace is encoded by itself. Otherwise protobuf writes it before the body.
				trace := &objectpb.Message{Trace: pb.Trace}
				pb.Trace = nil
				theirs, err := (proto.MarshalOptions{Deterministic: true}).Marshal(&pb)
				last, lastErr := (proto.MarshalOptions{Deterministic: true}).Marshal(trace)
				if theirs = append(theirs, last...); err != nil || lastErr != nil ||
					!bytes.Equal(theirs, written) {
					t.Fatalf("%T: protobuf writes %x, we %x", b, theirs, written)
				}
				kinds[fmt.Sprintf("%T", b)] = true
			}
		}
		if n := (&objectpb.Message{}).ProtoReflect().Descriptor().Oneofs().Get(
			0).Fields().Len(); n != len(kinds) {
			t.Errorf("%d of %d kinds of messages were tried", len(kinds), n)
		}
	})
	// Clauses: O3.4, O3.8
	t.Run("O3 envelopes are read back, and protobuf reads and writes the same", func(t *testing.T) {
		for range 2000 * max(*codecs, 1) {
			e := anyEnvelope(r)
			written := e.Append(nil)
			back, err := ReadEnvelope(written)
			if err != nil || !reflect.DeepEqual(back, e) {
				t.Fatalf("%+v comes back as %+v, %v", e, back, err)
			}
			var pb objectpb.Envelope
			if err := proto.Unmarshal(written, &pb); err != nil {
				t.Fatal(err)
			}
			if theirs, err := (proto.MarshalOptions{Deterministic: true}).Marshal(
				&pb); err != nil || !bytes.Equal(theirs, written) {
				t.Fatalf("protobuf writes %x, we %x", theirs, written)
			}
		}
	})
	t.Run("O3.7, O3.9 an invalid, larger or newer envelope is refused completely", func(t *testing.T) {
		good := func() *Envelope {
			return &Envelope{
				OID: id.OID{1}, Term: 3, Class: Set, counter: 9, Refs: []id.OID{{1}, {2}},
				holders: []holder{{hostID(1), 5, 4, 1, 1}},
				body:    body{Content: []byte{1}},
			}
		}
		if _, err := ReadEnvelope(good().Append(nil)); err != nil {
			t.Fatal(err)
		}
		for name, wrong := range map[string]func(*Envelope){
			"no object":           func(e *Envelope) { e.OID = id.OID{} },
			"no term":             func(e *Envelope) { e.Term = 0 },
			"no class":            func(e *Envelope) { e.Class = 0 },
			"an unknown class":    func(e *Envelope) { e.Class = Bag + 1 },
			"a reference twice":   func(e *Envelope) { e.Refs = []id.OID{{1}, {1}} },
			"references by chaos": func(e *Envelope) { e.Refs = []id.OID{{2}, {1}} },
			"too many references": func(e *Envelope) { e.Refs = make([]id.OID, MaxRefs+1) },
			"a holder twice": func(e *Envelope) {
				e.holders = append(e.holders, e.holders[0])
			},
			"a holder's number": func(e *Envelope) { e.holders[0].Number = 10 },
			"a holder's start":  func(e *Envelope) { e.holders[0].Since = 6 },
			"too many kinds":    func(e *Envelope) { e.body.Kinds = bytes32(MaxKinds + 1) },
			"too large":         func(e *Envelope) { e.body.Content = make([]byte, MaxEnvelope) },
		} {
			e := good()
			wrong(e)
			if _, err := ReadEnvelope(e.Append(nil)); err == nil {
				t.Errorf("%s: it is read", name)
			}
		}
		newer := good().Append(nil)
		newer[1] = envelopeVersion + 1
		if _, err := ReadEnvelope(newer); err == nil {
			t.Error("a newer version is read")
		}
		for name, b := range map[string][]byte{
			"an unknown field":  append(good().Append(nil), 0x78, 1),
			"a field too early": append([]byte{0x18, 3}, good().Append(nil)...),
			"a long number": bytes.Replace(good().Append(nil), []byte{0x18, 3},
				[]byte{0x18, 0x83, 0}, 1),
			"an explicit zero": bytes.Replace(good().Append(nil), []byte{0x18, 3},
				[]byte{0x18, 0}, 1),
			"nothing": nil,
		} {
			if _, err := ReadEnvelope(b); err == nil {
				t.Errorf("%s: it is read", name)
			}
		}
	})
}

func bytes32(n int) (ks []Kind) {
	for i := range n {
		ks = append(ks, Kind{0: 1, 30: byte(i >> 8), 31: byte(i)})
	}
	return ks
}

// Clauses: O3.9
func FuzzO3Envelope(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		f.Add(anyEnvelope(r).Append(nil))
	}
	f.Add(anyEnvelope(r).Append(nil)[2:]) // without its version
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ReadEnvelope(b)
		if err != nil {
			return
		}
		if back := e.Append(nil); !bytes.Equal(back, b) {
			t.Errorf("%x is written as %x", b, back)
		}
	})
}

// Clauses: O3.9
func FuzzO14Message(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, b := range anyBodies(r) {
		f.Add((&Message{1, 2, b, anyTrace(r)}).Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadMessage(b)
		if err != nil {
			return
		}
		if back := m.Append(nil); !bytes.Equal(back, b) {
			t.Errorf("%x is written as %x", b, back)
		}
	})
}

// FuzzO35Hostile gives a machine any bytes as messages of a linked host. It answers or does not,
// and works on.
func FuzzO35Hostile(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, b := range anyBodies(r) {
		f.Add((&Message{1, 2, b, anyTrace(r)}).Append(nil))
	}
	set := id.OID{0: 0x10, 7: 1, 15: 1}
	for _, b := range []Body{&Find{set}, &Ping{set}, &Release{set, 1}, &Check{set, 1},
		&Retain{set, hostID(1), 1}} {
		f.Add((&Message{1, 2, b, anyTrace(r)}).Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadMessage(b)
		if err != nil {
			return
		}
		w := newWorld(t, rand.New(rand.NewPCG(1, 1)), 2, nil)
		oid := w.create(0, Set)
		w.create(0, Table, oid)
		w.settle()
		s, err := w.boxes[0].host.Receive(w.moment(0), hostID(1), m)
		w.input(0, s, err)
		w.settle()
		w.collect(0)
		if w.problem != "" || w.at(oid) != 0 {
			t.Errorf("it is at %d: %s", w.at(oid), w.problem)
		}
	})
}
