package object

import (
	"testing"

	"holt/server/id"
)

const minute id.Millis = 60_000

// apart is a world in which host 2 holds an object that 0 has made and 1 owns.
func apart(t *testing.T) (w *world, set id.OID) {
	t.Helper()
	w = scene(t, 3, nil)
	table := w.create(2, Table)
	set = w.create(0, Set)
	w.create(0, Table, set)
	w.settle()
	w.gives(0, set, 2, table)
	if a := w.moves(0, set, 1); a.Refusal != 0 || w.at(set) != 1 {
		t.Fatalf("it is at %d: %+v", w.at(set), a)
	}
	return w, set
}

func TestAway(t *testing.T) {
	// Clauses: O16.1, O17.1, O17.2, O17.3, O17.4, O17.5, O17.6, O17.8
	t.Run("O17 the waits are 5 minutes, doubled at each failure, then a week", func(t *testing.T) {
		w, set := apart(t)
		w.off(1, true)
		want := []id.Millis{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 7 * 24 * 60,
			7 * 24 * 60, 7 * 24 * 60}
		for n, wait := range want {
			a := w.does(2, set, "add", nil)
			if a.Failure == nil || a.Failure.Reason != OwnerUnreachable || a.Failure.Host != hostID(1) ||
				a.Failure.Until-w.now != wait*minute || a.Failure.Dead != (n >= 11) {
				t.Fatalf("failure %d is %+v, %d ms from now", n+1, a.Failure, a.Failure.Until-w.now)
			}
			sent := w.sent
			w.now = a.Failure.Until - 1
			if again := w.does(2, set, "add", nil); again.Failure == nil ||
				again.Failure.Until != a.Failure.Until || w.sent != sent {
				t.Fatalf("before its time: %+v, %d packets", again.Failure, w.sent-sent)
			}
			w.now++
			if n%3 == 0 {
				w.crash(2)
				w.settle()
			}
			if w.sent != sent {
				t.Fatalf("something asked by itself")
			}
		}
		w.take()
		w.off(1, false)
		if back, ok := of[Returned](w.take()); !ok || back.OID != set {
			t.Errorf("its return is not reported")
		}
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("when it is back: %+v", a)
		}
	})
	t.Run("O17.9 a clock that is set back makes no wait longer than its step", func(t *testing.T) {
		w, set := apart(t)
		w.now += 2 * 365 * 24 * 60 * minute
		w.off(1, true)
		if a := w.does(2, set, "add", nil); a.Failure == nil {
			t.Fatal("it is reachable")
		}
		w.boxes[2].skew = -365 * 24 * 60 * minute
		if a := w.does(2, set, "add", nil); a.Failure == nil ||
			a.Failure.Until-(w.now+w.boxes[2].skew) != 5*minute {
			t.Errorf("a year back: %+v", a.Failure)
		}
	})
	t.Run("O16.2 an unreachable creator, owner and unlinked host differ", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		w.off(0, true)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("with a known owner the creator is not needed: %+v", a)
		}
		r := w.boxes[2].host.helds.get(set)
		r.Where = whereabouts{}
		if a := w.does(2, set, "add", nil); a.Failure == nil || a.Failure.Reason != CreatorUnreachable ||
			a.Failure.Host != hostID(0) {
			t.Errorf("nobody to ask: %+v", a.Failure)
		}
		w.off(0, false)
		w.paused[2][0] = true
		w.boxes[2].host.helds.get(set).Where = whereabouts{}
		if a := w.does(2, set, "add", nil); a.Failure == nil || a.Failure.Reason != Stranger ||
			a.Failure.Host != hostID(0) {
			t.Errorf("not linked: %+v", a.Failure)
		}
	})
	// Clauses: O8.6, O8.9, O8.10, O9.11, O9.12, O15.1, O15.2, O16.3
	t.Run("O16, O9 an object whose creator is unreachable in a move stays frozen", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		for j := 1; j < 3; j++ {
			w.cut[0][j], w.cut[j][0] = true, true
		}
		w.take()
		w.move(1, set, hostID(2))
		for range 200 { // not until all is quiet: the move repeats its requests
			w.nudge()
		}
		if w.at(set) != -1 {
			t.Fatalf("it is served at %d", w.at(set))
		}
		w.call(2, set, "add", nil)
		for range 200 {
			w.nudge()
		}
		a := Answered{}
		for _, e := range w.take() {
			if x, ok := e.(Answered); ok && x.Failure != nil {
				a = x
			}
		}
		if a.Failure == nil || a.Failure.Reason != Frozen {
			t.Errorf("it is not frozen: %+v", a)
		}
		w.part(0, 1, false)
		w.part(0, 2, false)
		w.settle()
		if at := w.at(set); at != 1 && at != 2 {
			t.Errorf("it is at %d in the end", at)
		}
	})
	t.Run("O18.2, O18.3 a host's return makes what it owns and created reachable", func(t *testing.T) {
		w, set := apart(t)
		w.off(1, true)
		w.does(2, set, "add", nil)
		s, err := w.boxes[2].host.Up(w.moment(2), hostID(0)) // its creator
		w.input(2, s, err)
		w.settle()
		if _, away := w.boxes[2].host.Unreachable(set); away {
			t.Error("its creator came back")
		}
		w.does(2, set, "add", nil)
		if _, away := w.boxes[2].host.Unreachable(set); !away {
			t.Error("its owner is still unreachable")
		}
		w.off(1, false)
		if _, away := w.boxes[2].host.Unreachable(set); away {
			t.Error("its owner came back")
		}
	})
	t.Run("O19.1 a request waits 10 s, or 1 s for a host silent for 5 s", func(t *testing.T) {
		w, set := apart(t)
		other := w.create(1, Set)
		w.create(1, Table, other)
		w.gives(1, other, 2, w.pick(2, func(_ id.OID, h *head) bool { return h.root() }))
		w.boxes[2].host.helds.get(set).Where.Owner = hostID(0) // so there is nobody else to ask
		w.off(0, true)
		w.off(1, true)
		begun := w.now
		w.does(2, set, "add", nil)
		if took := w.now - begun; took != 10_000 {
			t.Errorf("the first request took %d ms", took)
		}
		begun = w.now
		w.does(2, other, "add", nil)
		if took := w.now - begun; took != 10_000 {
			t.Errorf("a request to a host that owes nothing took %d ms", took)
		}
		begun = w.now
		w.boxes[2].host.away = absences{items: map[id.OID]*absence{}}
		clear(w.aways)
		w.does(2, other, "add", nil)
		if took := w.now - begun; took != 1000 {
			t.Errorf("a request to a silent host took %d ms", took)
		}
	})
	t.Run("O19.4 a host without a connection is waited for 1 s", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		w.cut[2][1], w.cut[2][0] = true, true
		w.down(2, 0)
		w.down(2, 1)
		begun := w.now
		if a := w.does(2, set, "add", nil); a.Failure == nil || a.Failure.Reason != OwnerUnreachable ||
			a.Failure.Host != hostID(1) || w.now-begun > 2*brief {
			t.Errorf("%+v after %d ms", a, w.now-begun)
		}
		w.cut[2][1] = false
		w.up(2, 1)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("when it is back: %+v", a)
		}
	})
	// Clauses: O19.3, O19.5
	t.Run("O19 pending requests to a lost host wait 1 s, 10 s if it returns", func(t *testing.T) {
		for _, back := range []bool{false, true} {
			w, set := apart(t)
			w.does(2, set, "add", nil)
			w.part(2, 1, true)
			w.cut[2][0] = true
			begun, ended := w.now, id.Millis(0)
			w.call(2, set, "add", nil)
			w.take()
			for down := false; ended == 0; w.nudge() {
				if !down && w.now >= begun+2000 {
					down = true
					w.down(2, 0)
					w.down(2, 1)
					if back {
						w.up(2, 0)
						w.up(2, 1)
					}
				}
				if a, ok := of[Answered](w.take()); ok {
					if a.Failure == nil {
						t.Fatalf("it is answered: %+v", a)
					}
					ended = w.now - begun
				}
			}
			if back && ended != 10_000 || !back && ended > 3000+2*brief {
				t.Errorf("it was given up after %d ms", ended)
			}
		}
	})
	t.Run("O7.3, O14.2 a request is repeated after 1, 2 and 4 s", func(t *testing.T) {
		w, set := apart(t)
		w.off(1, true)
		w.boxes[2].host.helds.get(set).Where = whereabouts{Owner: hostID(1), Term: 2}
		w.cut[2][0] = true
		sent, begun := w.sent, w.now
		w.call(2, set, "look", nil)
		var at []id.Millis
		for w.now <= begun+5000 {
			now := w.now
			w.nudge()
			if w.sent != sent {
				sent = w.sent
				at = append(at, now-begun)
			}
		}
		if len(at) != 4 || at[0] != 0 || at[1] != 1000 || at[2] != 3000 || at[3] != 5000 {
			t.Errorf("it was sent at %d", at) // at 5 s its creator is asked
		}
	})
}
