package object

import (
	"encoding/binary"
	"testing"

	"holt/server/id"
)

// rebuild restores a host whose earlier terms nobody knows any more.
func (w *world) rebuild(i int, backup *memory) {
	w.terms, w.owners = map[id.OID]Term{}, map[tenure]int{}
	w.restore(i, backup)
}

func TestO11Survey(t *testing.T) {
	t.Run("O9.4, O11.4 an object that is arriving counts by its creator's word", func(t *testing.T) {
		w := withLinked(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		w.does(0, set, "add", nil)
		w.cut[0][2] = true // 2 asks for it, and gets no answer
		w.move(1, set, hostID(2))
		for w.boxes[1].durable[set] != nil {
			w.nudge() // 1 has heard from the creator that it is not its own any more
		}
		if h := w.boxes[2].durable[set]; h == nil || h.State != arriving {
			t.Fatalf("it is %+v at 2", h)
		}
		w.rebuild(0, backup)
		w.cut[0][2] = false
		w.up(0, 2)
		w.settle()
		if w.at(set) != 2 || w.boxes[0].durable[set] != nil {
			t.Fatalf("it is at %d", w.at(set))
		}
		if b := w.boxes[2].host.bodies.get(set); len(b.Content) != 8 {
			t.Errorf("changes since the backup are lost: %d bytes", len(b.Content))
		}
	})
	// homecoming is a world in which 0 has received a set back that 2 had, and is restored: it
	// knows that 1 has the set. The offer of 2 comes again.
	homecoming := func(t *testing.T) (w *world, set id.OID, offer packet, backup *memory) {
		t.Helper()
		w, _ = givers(t, 4)
		set = w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		backup = copyOf(w.boxes[0].disk)
		w.moves(1, set, 2)
		w.does(0, set, "add", nil)
		w.move(2, set, hostID(0))
		offer = w.under(2, &Offer{})
		w.settle()
		if w.at(set) != 0 || w.boxes[2].durable[set] != nil {
			t.Fatalf("it is at %d", w.at(set))
		}
		return w, set, offer, backup
	}
	t.Run("O11.16 an object that came home during the survey counts", func(t *testing.T) {
		w, set, offer, backup := homecoming(t)
		w.part(0, 3, true)
		w.rebuild(0, backup)
		w.settleFor(5000)
		w.net = append(w.net, offer)
		w.settleFor(20_000)
		if h := w.boxes[0].durable[set]; h == nil || h.State != arriving {
			t.Fatalf("it is %+v", h)
		}
		w.part(0, 3, false)
		w.settle()
		if h := w.boxes[0].durable[set]; w.at(set) != 0 || h.Term < termLeap ||
			w.calls(0, set) != 1 {
			t.Fatalf("it is at %d with %d calls: %+v", w.at(set), w.calls(0, set), h)
		}
		if _, ok := w.boxes[0].host.Copy(set); ok {
			t.Error("it is at home, and there is a copy")
		}
	})
	t.Run("O11.16 a foreign claim with an equal term does not come home", func(t *testing.T) {
		w, set, offer, backup := homecoming(t)
		w.moves(0, set, 1)
		w.part(0, 3, true)
		w.rebuild(0, backup)
		w.settleFor(5000)
		w.net = append(w.net, offer)
		w.settleFor(20_000)
		if h := w.boxes[0].durable[set]; h == nil || h.State != arriving {
			t.Fatalf("it is %+v", h)
		}
		w.part(0, 3, false)
		w.settle()
		if w.at(set) != 1 || w.boxes[0].durable[set] != nil {
			t.Errorf("it is at %d", w.at(set))
		}
	})
	t.Run("O8.23, O11.17 an old deed after the survey is not kept as arriving", func(t *testing.T) {
		w, set, offer, backup := homecoming(t)
		w.rebuild(0, backup)
		w.settle()
		w.net = append(w.net, offer)
		w.settle()
		if h := w.boxes[0].durable[set]; h != nil {
			t.Errorf("it is %+v", h)
		}
		if _, ok := w.boxes[0].host.Copy(set); !ok {
			t.Error("the frozen copy is not there any more")
		}
	})
	// Clauses: O8.23, O11.5
	t.Run("O8, O11 of two hosts in one term the owner wins over the receiver", func(t *testing.T) {
		for _, first := range []int{1, 2} {
			w := withLinked(t, 3)
			set := w.create(0, Set)
			w.create(0, Table, set)
			w.settle()
			backup := copyOf(w.boxes[0].disk)
			w.moves(0, set, 1)
			w.cut[2][0], w.cut[2][1] = true, true // 2 gets it and cannot inform anybody
			w.move(1, set, hostID(2))
			for h := w.boxes[1].durable[set]; h.State != here ||
				h.Term != 3; h = w.boxes[1].durable[set] {
				w.nudge() // 1 takes it back
			}
			if h := w.boxes[2].durable[set]; h == nil || h.State != arriving || h.Term != 2 {
				t.Fatalf("it is %+v at 2", h)
			}
			for j := 1; j < 3; j++ {
				w.cut[j][0] = j != first
			}
			w.cut[2][1] = false
			w.rebuild(0, backup)
			w.settleFor(20_000)
			w.cut[1][0], w.cut[2][0] = false, false
			w.up(0, 1)
			w.up(0, 2)
			w.settle()
			if w.at(set) != 1 || w.boxes[2].durable[set] != nil || w.boxes[0].durable[set] != nil {
				t.Errorf("first %d: it is at %d", first, w.at(set))
			}
		}
	})
	t.Run("O11, O14.20, O22 a number used since the backup is not used again", func(t *testing.T) {
		w := withLinked(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		for range 3 {
			w.gives(0, set, 1, there)
		}
		late := w.boxes[1].host.helds.get(set).Number
		w.does(1, there, "cut", []byte{0})
		for range 3 {
			w.collect(1)
		}
		if w.boxes[1].disk.values[Disowned][set] == nil {
			t.Fatal("it is not given up")
		}
		process := w.boxes[0].host.self.Process
		w.rebuild(0, backup)
		w.settle()
		w.gives(0, set, 1, there)
		if a := w.does(1, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("given again: %+v", a)
		}
		if n := w.boxes[1].host.helds.get(set).Number; n <= late {
			t.Errorf("number %d after %d", n, late)
		}
		if now := w.boxes[0].host.self.Process; now <= process+1<<10 {
			t.Errorf("process %d after %d", now, process)
		}
	})
	t.Run("O11.9, O22.4 a holder is known again with its latest number", func(t *testing.T) {
		w := withLinked(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		w.gives(0, set, 1, w.root(1))
		old := w.boxes[1].host.helds.get(set).Number
		backup := copyOf(w.boxes[0].disk)
		w.gives(0, set, 1, w.root(1))
		w.rebuild(0, backup)
		w.settle()
		w.ask(1, 0, &Release{set, old})
		if w.boxes[0].durable[set].holder(hostID(1)) == nil {
			t.Error("a late release takes a later grant")
		}
	})
	t.Run("O11.12, O15.1 nothing is swapped before all have reported", func(t *testing.T) {
		w := withLinked(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		backup := copyOf(w.boxes[0].disk)
		w.moves(1, set, 2)
		w.cut[2][0], w.cut[0][2] = true, true
		w.rebuild(0, backup)
		d := Deed{OID: set, From: hostID(1), To: hostID(1), Term: 3}
		d.Signature = sum(hostID(1), d.Statement())
		m := Message{Process: stranger, Number: 9, Body: &Swap{d}}
		s, err := w.boxes[0].host.Receive(w.moment(0), hostID(1), m)
		w.input(0, s, err)
		w.flush(0, 1<<30)
		if _, ok := w.heard[9].(*Moving); !ok {
			t.Errorf("it is answered %+v", w.heard[9])
		}
		w.part(0, 2, false)
		w.settle()
		if w.at(set) != 2 {
			t.Errorf("it is at %d", w.at(set))
		}
	})
	t.Run("O11 an endless survey is passed over, and its host ignored", func(t *testing.T) {
		w := withLinked(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.cut[1][0] = true // its machine is silent; the test answers for it below
		w.rebuild(0, backup)
		h := w.boxes[0].host
		page := uint64(0)
		answer := func(items ...Surveyee) {
			var n uint64
			for k := range h.asks {
				n = max(n, k)
			}
			page++
			a := &Surveyed{Items: items, Next: made(0, int(page))}
			s, err := h.Receive(w.moment(0), hostID(1),
				Message{Process: h.self.Process, Number: n, Body: a})
			w.input(0, s, err)
			w.flush(0, 1<<30)
		}
		for range 20 {
			answer()
		}
		if !h.self.Survey {
			t.Fatal("it has an end")
		}
		s, err := h.Trust(w.moment(0), hostID(1))
		w.input(0, s, err)
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Fatalf("%+v", a)
		}
		answer(Surveyee{OID: set, Term: maxAccepted})
		w.settle()
		if w.at(set) != 0 || len(h.asks) != 0 {
			t.Errorf("it is at %d, and %d are asked", w.at(set), len(h.asks))
		}
	})
	t.Run("O11 a page that leads back ends a survey", func(t *testing.T) {
		w := withLinked(t, 2)
		w.create(0, Table)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.cut[1][0] = true
		w.rebuild(0, backup)
		h := w.boxes[0].host
		for range 8 {
			for n := range h.asks {
				back := made(0, 1)
				binary.BigEndian.PutUint64(back[8:], 7)
				s, err := h.Receive(w.moment(0), hostID(1),
					Message{Process: h.self.Process, Number: n, Body: &Surveyed{Next: back}})
				w.input(0, s, err)
				w.flush(0, 1<<30)
				break
			}
		}
		if h.self.Survey {
			t.Error("it runs forever")
		}
	})
}
