package object

import (
	"bytes"
	"testing"
)

func TestReading(t *testing.T) {
	// Clauses: O14.12, O14.16, O14.17, O14.18, O15.5
	t.Run("O14 a reading call is not recorded and keeps earlier records valid", func(t *testing.T) {
		w, set := apart(t)
		held := w.boxes[2].host.helds.get(set).Number
		kept := func() []byte { return bytes.Clone(w.boxes[1].disk.values[Bodies][set]) }
		call := func(method string, n, after uint64) *Call {
			c := &Call{OID: set, Number: n, After: after, Read: n - 1, Held: held, Method: method,
				Args: []byte{byte(n), 0, 0, 0, 0, 0, 0, 0}}
			if after > 0 {
				c.Read = after - 1
			}
			return c
		}
		does := func(method string, n, after uint64) {
			t.Helper()
			if a, ok := w.ask(2, 1, call(method, n, after)).(*Answer); !ok || a.Refused {
				t.Fatalf("%s %d is answered %+v", method, n, a)
			}
		}
		forget := func() {
			w.start(1)
			w.settle()
		}
		w.askAs(stranger-1, 2, 1, call("add", 1, 0))
		does("look", 1, 0) // the first call of a process
		forget()
		w.askAs(stranger-1, 2, 1, call("add", 2, 0)) // of a process that has ended
		does("add", 2, 0)
		before := kept()
		for _, n := range []uint64{3, 3, 4} {
			does("look", n, 0)
		}
		if !bytes.Equal(kept(), before) {
			t.Error("a call without a change was recorded")
		}
		if why := refusal(w.ask(2, 1, call("add", 1, 0))); why != Forgotten {
			t.Errorf("a change older than a read is answered %v", why)
		}
		forget()
		if why := refusal(w.ask(2, 1, call("add", 5, 4))); why != Busy {
			t.Errorf("a change before its preceding read is answered %v", why)
		}
		does("look", 4, 0)
		does("add", 5, 4)
		does("look", 4, 0) // it was stored with the change
		if b := w.boxes[1].host.bodies.get(set); len(b.Content) != 3*8 {
			t.Errorf("%d changes were carried out, not 3", len(b.Content)/8)
		}
	})
}
