package object

import (
	"testing"

	"holt/server/id"
)

func TestRights(t *testing.T) {
	t.Run("O35.4 an unlinked host gets no answer", func(t *testing.T) {
		w, set := apart(t)
		w.paused[1][2] = true
		if a := w.ask(2, 1, &Find{set}); a != nil {
			t.Errorf("it is answered %+v", a)
		}
	})
	// Clauses: O14.23, O35.1, O35.2, O35.5, O35.6
	t.Run("O35 a host that holds nothing may not call, ping, retain or report", func(t *testing.T) {
		w, set := apart(t)
		other := w.create(1, Set)
		w.create(1, Table, other)
		w.settle()
		for _, b := range []Body{
			&Call{OID: other, Number: 5, Held: 9, Method: "add"}, &Ping{other},
			&Retain{OID: other, For: hostID(0)}, &Take{other},
			&Gone{other, 9}, &Gone{set, 9},
			&Offer{Deed: Deed{OID: other, From: hostID(2), To: hostID(1), Term: 2,
				Signature: []byte{1}}, Envelope: []byte{1}},
			&Swap{Deed{OID: other, From: hostID(1), To: hostID(2), Term: 2, Signature: []byte{1}}},
		} {
			w.take()
			if why := refusal(w.ask(2, 1, b)); why != Forbidden {
				t.Errorf("%T is answered %d", b, why)
			}
			if o, ok := of[Offended](w.take()); !ok || o.Host != hostID(2) {
				t.Errorf("%T is not counted: %+v", b, o)
			}
		}
		if why := refusal(w.ask(2, 0, &Gone{set, 9})); why != Forbidden ||
			w.boxes[0].disk.values[Forwards][set] == nil {
			t.Error("a host that does not own an object reports it gone, and is believed")
		}
		if w.at(other) != 1 || w.boxes[1].durable[other].Term != 1 ||
			len(w.boxes[1].durable[other].Holders) != 0 {
			t.Errorf("it is %+v", w.boxes[1].durable[other])
		}
	})
	t.Run("O35.6 each of many offences is reported", func(t *testing.T) {
		w, _ := apart(t)
		other := w.create(1, Set)
		w.settle()
		w.take()
		reported := 0
		for range 2000 {
			w.now += 5
			w.ask(2, 1, &Ping{other})
		}
		for _, e := range w.take() {
			if e == (Offended{hostID(2)}) {
				reported++
			}
		}
		if reported != 2000 {
			t.Errorf("reported %d times", reported)
		}
	})
	t.Run("O36 more than 64 concurrent requests are put off", func(t *testing.T) {
		w, set := apart(t)
		h := w.boxes[1].host
		for n := range uint64(maxPending) {
			h.peer(hostID(2)).pending[asked{1, n}] = true
		}
		if why := refusal(w.ask(2, 1, &Find{set})); why != Busy {
			t.Errorf("it is answered %d", why)
		}
	})
	t.Run("O21.6, O35.1 a forged reference is useless", func(t *testing.T) {
		w := scene(t, 3, nil)
		secret := w.create(0, Set)
		w.create(0, Table, secret)
		table := w.create(1, Table)
		w.settle()
		// 2 makes 1 believe that it may have what 0 has never given away.
		w.ask(2, 1, &Give{[]Passed{{secret, 5}}})
		w.does(1, table, "lay", nil, secret)
		if a := w.does(1, secret, "add", nil); a.Refusal != Forbidden {
			t.Errorf("it is called: %+v", a)
		}
		w.does(1, table, "cut", []byte{0})
		w.collectTimes(3)
		if w.at(secret) != 0 {
			t.Error("it is gone")
		}
	})
	// Clauses: O8.9, O35.2
	t.Run("O8, O35 an offer of another host does not replace an arriving object", func(t *testing.T) {
		w, set := apart(t)
		w.cut[2][0] = true // 2 cannot ask the creator
		w.move(1, set, hostID(2))
		for w.boxes[2].durable[set] == nil {
			w.nudge()
		}
		before := *w.boxes[2].durable[set]
		d := Deed{OID: set, From: hostID(0), To: hostID(2), Term: 99}
		d.Signature = sum(hostID(0), d.Statement())
		m := Message{Process: stranger, Number: 1, Body: &Offer{Deed: d,
			Envelope: (&Envelope{OID: set, Term: 99, Class: Set}).Append(nil)}}
		s, err := w.boxes[2].host.Receive(w.moment(2), hostID(0), m)
		w.input(2, s, err)
		w.flush(2, 1<<30)
		if now := w.boxes[2].durable[set]; now.Term != before.Term || now.Peer != hostID(1) ||
			refusal(w.heard[1]) != Busy {
			t.Errorf("it is %+v now", now)
		}
		w.cut[2][0] = false
		w.up(0, 2)
		w.settle()
		if at := w.at(set); at != 1 && at != 2 {
			t.Errorf("it is at %d", at)
		}
	})
	t.Run("O3.7, O35.5 an envelope of another object, term or size is refused", func(t *testing.T) {
		w, set := apart(t)
		hd := w.boxes[1].durable[set]
		good := Envelope{OID: set, Term: hd.Term + 1, Class: Set}
		d := Deed{OID: set, From: hostID(1), To: hostID(2), Term: hd.Term + 1}
		d.Signature = sum(hostID(1), d.Statement())
		for name, b := range map[string][]byte{
			"of another object": (&Envelope{OID: id.OID{1},
				Term: good.Term, Class: Set}).Append(nil),
			"of another term": (&Envelope{OID: set, Term: 9, Class: Set}).Append(nil),
			"cut short":       good.Append(nil)[:20],
			"with more":       append(good.Append(nil), 0),
		} {
			if why := refusal(w.ask(1, 2, &Offer{Deed: d, Envelope: b})); why != Forbidden ||
				w.boxes[2].durable[set] != nil {
				t.Errorf("one %s is answered %d", name, why)
			}
		}
	})
}
