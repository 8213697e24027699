package object

import (
	"errors"
	"slices"
	"testing"

	"holt/server/id"
)

// givers is a world whose hosts know each other. Some of them may have left for good.
func givers(t *testing.T, n int) (w *world, gone map[id.HostID]bool) {
	t.Helper()
	gone = map[id.HostID]bool{}
	w = scene(t, n, func(i int, c *Config) {
		c.Link = func(h id.HostID) Link {
			is := gone[h] || gone[hostID(i)]
			return Link{Open: !is, Gone: is && h != hostID(i), Keep: true,
				Objects: 1000, Bytes: 1 << 30}
		}
		c.Linked = func() (hosts []id.HostID) {
			for j := range n {
				if j != i && !gone[hostID(j)] {
					hosts = append(hosts, hostID(j))
				}
			}
			return hosts
		}
	})
	w.lax = true
	return w, gone
}

// thaws makes a host thaw a copy, and returns the error.
func (w *world) thaws(i int, oid id.OID) error {
	s, err := w.boxes[i].host.Thaw(w.moment(i), oid)
	if err != nil {
		return err
	}
	w.input(i, s, nil)
	w.settle()
	return nil
}

// calls returns how often an object was added to.
func (w *world) calls(i int, oid id.OID) int {
	if b := w.boxes[i].host.bodies.peek(oid); b != nil {
		return len(b.Content) / 8
	}
	return -1
}

func TestFindingR1RestoreAndRegister(t *testing.T) {
	// Clauses: O42.1, O42.3, O42.4, O42.7
	t.Run("O42 sets that left since the backup are held again", func(t *testing.T) {
		w, _ := givers(t, 3)
		w.create(1, Table)
		away, home := w.create(0, Set), w.create(0, Set)
		table := w.create(0, Table, away, home)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, away, 1)
		w.does(0, away, "add", nil)
		w.rebuild(0, backup)
		w.settle()
		for n, want := range []id.OID{away, home} {
			a := w.does(0, table, "show", []byte{byte(n)})
			if a.Refusal != 0 || a.Failure != nil || !slices.Equal(a.Passed, []id.OID{want}) {
				t.Errorf("it refers to %v: %+v", want, a)
			}
		}
		if a := w.does(0, away, "add", nil); a.Refusal != 0 || a.Failure != nil ||
			w.calls(1, away) != 2 {
			t.Errorf("it is called: %+v, %d times", a, w.calls(1, away))
		}
		if w.boxes[1].durable[away].holder(hostID(0)) == nil {
			t.Error("its owner does not know who holds it")
		}
		w.collectTimes(4)
		if w.at(away) != 1 {
			t.Error("it is deleted")
		}
	})
	t.Run("O42.8, O42.9 only a reference given up since the backup is lost", func(t *testing.T) {
		w, _ := givers(t, 3)
		foreign, own := w.create(1, Set), w.create(0, Set)
		theirs := w.create(1, Table, foreign)
		table := w.create(0, Table, own)
		w.settle()
		w.gives(1, foreign, 0, table)
		backup := copyOf(w.boxes[0].disk)
		w.does(0, table, "cut", []byte{1})
		w.does(1, theirs, "cut", []byte{0})
		w.collectTimes(6)
		if w.exists(foreign) {
			t.Fatal("it is not collected")
		}
		w.rebuild(0, backup)
		w.settle()
		if a := w.does(0, table, "show", []byte{1}); a.Refusal != 0 || a.Failure != nil {
			t.Errorf("the object that refers to it: %+v", a)
		}
		if a := w.does(0, foreign, "add", nil); a.Refusal != Unknown &&
			(a.Failure == nil || a.Failure.Reason != LostReason) {
			t.Errorf("it is called: %+v", a)
		}
		if w.seen.offences > 0 {
			t.Errorf("%d questions count as offences", w.seen.offences)
		}
	})
	t.Run("O42 unregistered holds of an earlier version are registered", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		w.boxes[0].disk.apply([]Write{{Space: Helds, OID: set}})
		w.crash(0)
		if a := w.does(0, table, "show", []byte{0}); a.Refusal != 0 || a.Failure != nil {
			t.Errorf("the object that refers to it: %+v", a)
		}
		if a := w.does(0, set, "add", nil); a.Refusal != 0 || a.Failure != nil {
			t.Errorf("it is called: %+v", a)
		}
	})
	t.Run("O11, O42.10 tables and persons are served at once after a restore", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.off(1, true)
		w.rebuild(0, backup)
		w.settleFor(1000)
		w.take()
		w.call(0, table, "show", []byte{0})
		w.settleFor(2000)
		if a, ok := of[Answered](w.take()); !ok || a.Failure != nil ||
			!slices.Equal(a.Passed, []id.OID{set}) {
			t.Errorf("%+v", a)
		}
	})
}

func TestFindingR3FrozenCopies(t *testing.T) {
	// Clauses: O40.1, O40.6, O40.7, O40.8, O41.4
	t.Run("O40 the creator keeps a frozen copy, unless at home or not needed", func(t *testing.T) {
		w, _ := givers(t, 3)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		w.settle()
		w.does(0, set, "add", nil)
		w.moves(0, set, 1)
		w.moves(1, set, 2)
		c, ok := w.boxes[0].host.Copy(set)
		if !ok || c.Owner != hostID(2) || c.Offered || c.At == 0 {
			t.Errorf("%+v, %v", c, ok)
		}
		if _, there := w.boxes[1].host.Copy(set); there ||
			w.boxes[1].disk.values[Copies][set] != nil {
			t.Error("another host keeps one, too")
		}
		if err := w.thaws(0, set); !errors.Is(err, ErrInUse) {
			t.Errorf("it is thawed while its owner is reachable: %v", err)
		}
		w.moves(2, set, 0)
		if _, ok := w.boxes[0].host.Copy(set); ok || w.boxes[0].host.self.Copies != 0 ||
			w.boxes[0].host.self.CopyBytes != 0 {
			t.Error("it is at home, and there is a copy")
		}
		w.moves(0, set, 1)
		w.does(0, table, "cut", []byte{0})
		w.collectTimes(8)
		if n := len(w.boxes[0].disk.values[Copies]); n != 0 || w.boxes[0].host.self.Copies != 0 {
			t.Errorf("nobody needs it, and there are %d copies", n)
		}
	})
	t.Run("O40.11 copies are bounded, and the limit is reported", func(t *testing.T) {
		w, _ := givers(t, 2)
		first, second := w.create(0, Set), w.create(0, Set)
		w.create(0, Table, first, second)
		w.settle()
		w.moves(0, first, 1)
		w.boxes[0].host.self.Copies = MaxCopies
		w.move(0, second, hostID(1))
		w.settle()
		if _, ok := of[Uncopied](w.take()); !ok || w.at(second) != 1 {
			t.Errorf("it is at %d", w.at(second))
		}
		if _, ok := w.boxes[0].host.Copy(second); ok {
			t.Error("one more is kept")
		}
	})
	// Clauses: O40.1, O41.1, O41.7, O41.18, O41.19
	t.Run("O41 a frozen copy of a given-up host is served in a new term", func(t *testing.T) {
		w, gone := givers(t, 3)
		set := w.create(0, Set)
		table, there := w.create(0, Table, set), w.create(2, Table)
		w.settle()
		w.does(0, set, "add", nil)
		w.moves(0, set, 1)
		w.gives(0, set, 2, there) // the copy does not know of this holder
		w.does(0, set, "add", nil)
		gone[hostID(1)] = true
		w.boxes[1].disk, w.boxes[1].durable = newMemory(), map[id.OID]*head{} // its disk has died
		w.now += 6 * minute
		if c, ok := w.boxes[0].host.Copy(set); !ok || !c.Offered {
			t.Fatalf("%+v, %v", c, ok)
		}
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		if h := w.boxes[0].durable[set]; h == nil || h.Term < 2+termLeap || w.calls(0, set) != 1 {
			t.Fatalf("%+v with %d calls", h, w.calls(0, set))
		}
		if err := w.thaws(0, set); !errors.Is(err, ErrNoCopy) {
			t.Errorf("twice: %v", err)
		}
		w.does(0, table, "cut", []byte{0})
		w.collectTimes(12)
		if w.at(set) != 0 {
			t.Fatal("a holder unknown to the copy exists, and it is deleted")
		}
		w.now += 8 * 24 * 60 * minute
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("its holder calls it: %+v", a)
		}
	})
	// Clauses: O41.10, O41.11, O41.12, O41.13, O41.14, O41.15
	t.Run("O41 a superseded old owner puts its copy into quarantine", func(t *testing.T) {
		w, gone := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		w.moves(0, set, 1)
		w.gives(0, set, 1, there)
		w.does(1, set, "add", nil)
		gone[hostID(1)] = true
		w.outcast[1] = true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		gone[hostID(1)] = false
		w.take()
		w.crash(1)
		w.up(0, 1)
		for range 40 {
			w.nudge()
		}
		o, ok := of[Orphaned](w.events)
		if !ok || o.OID != set {
			t.Fatalf("nothing goes into the quarantine: %+v", w.events)
		}
		if e, err := ReadKept(o.Envelope); err != nil || len(e.Content()) != 8 {
			t.Errorf("%+v, %v", e, err)
		}
		s, err := w.boxes[1].host.Quarantined(w.moment(1), set)
		w.input(1, s, err)
		w.settle()
		if w.at(set) != 0 || w.boxes[1].durable[set] != nil ||
			len(w.boxes[0].host.self.Doubted) > 0 {
			t.Errorf("it is at %d, in doubt: %v", w.at(set), w.boxes[0].host.self.Doubted)
		}
		w.now += 6 * minute
		if a := w.does(1, set, "add", nil); a.Failure != nil || a.Refusal != 0 ||
			w.calls(0, set) != 1 {
			t.Errorf("the table there has it from its owner: %+v", a)
		}
	})
	t.Run("O16.4, O41.2 a host that has no object any more has given it up", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		w.does(0, set, "add", nil)
		backup := copyOf(w.boxes[1].disk)
		w.moves(0, set, 1)
		w.rebuild(1, backup)
		w.settle()
		if a := w.does(0, set, "add", nil); a.Failure == nil || a.Failure.Reason != LostReason {
			t.Fatalf("%+v", a)
		}
		if err := w.thaws(0, set); err != nil || w.calls(0, set) != 1 {
			t.Errorf("%v, %d calls", err, w.calls(0, set))
		}
	})
	// Clauses: O41.10, O41.11, O41.12
	t.Run("O41 a host passed over after a restore learns what it lost", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		w.off(1, true)
		w.rebuild(0, backup)
		w.settleFor(20_000)
		if h := w.boxes[0].host.Waiting(); !slices.Equal(h, []id.HostID{hostID(1)}) {
			t.Errorf("O43 it waits for %v", h)
		}
		s, err := w.boxes[0].host.Trust(w.moment(0), hostID(1))
		w.input(0, s, err)
		w.outcast[1] = true
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Fatalf("%+v", a)
		}
		w.off(1, false)
		s, err = w.boxes[1].host.Quarantined(w.moment(1), set)
		w.input(1, s, err)
		w.settle()
		if w.at(set) != 0 || w.boxes[1].durable[set] != nil {
			t.Errorf("it is at %d", w.at(set))
		}
	})
}

func TestFindingR6Waiting(t *testing.T) {
	// Clauses: O16.3, O43.2, O43.7
	t.Run("O16, O43 a missing host is reported once, and its calls fail at once", func(t *testing.T) {
		w, _ := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.off(2, true)
		w.rebuild(0, backup)
		w.take()
		w.settleFor(60_000)
		said := 0
		for _, e := range w.take() {
			if x, ok := e.(Waiting); ok && slices.Equal(x.Hosts, []id.HostID{hostID(2)}) {
				said++
			}
		}
		if said != 1 {
			t.Errorf("it is reported %d times", said)
		}
		begun := w.now
		w.call(0, set, "add", nil)
		for a, ok := of[Answered](w.take()); !ok || a.Failure == nil; a,
			ok = of[Answered](w.take()) {
			if w.nudge(); w.now > begun+20_000 {
				t.Fatal("it is not answered")
			}
			if a, ok := of[Answered](w.events); ok &&
				(a.Failure == nil || a.Failure.Reason != Frozen || a.Failure.Host != hostID(2)) {
				t.Fatalf("%+v", a)
			}
		}
		if w.now > begun+5000 { // otherwise a request waits for 10 s
			t.Errorf("after %d ms", w.now-begun)
		}
		w.off(2, false)
		w.now += 6 * minute
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("when it is there: %+v", a)
		}
	})
}
