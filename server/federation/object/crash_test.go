package object

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"holt/server/id"
)

// crashAt names the batch of a host after which the power is cut, and how many messages of that
// batch are sent before.
type crashAt struct{ host, batch, sends int }

// run runs a world until it is at rest, and cuts the power of one host once. It returns whether
// there was such a batch, and how many messages it had.
func (c *crashAt) run(w *world) (cut bool, sends int) {
	n := 0
	for w.problem == "" {
		busy := false
		for i, b := range w.boxes {
			for len(b.batches) > 0 {
				busy = true
				if n++; i == c.host && !cut && n >= c.batch {
					cut, sends = true, len(b.batches[0].step.Sends)
					w.flush(i, c.sends)
					for k := len(b.batches) - 1; k >= 0; k-- {
						b.disk.apply(b.batches[k].undo)
					}
					b.batches = nil
					w.reread(i)
					w.start(i)
					for j := range w.boxes {
						if j != i {
							w.up(i, j)
						}
					}
					continue
				}
				w.flush(i, 1<<30)
			}
		}
		if len(w.net) > 0 {
			w.deliver(0)
			continue
		}
		if busy {
			continue
		}
		before := w.now
		w.nudge()
		if w.now == before {
			return cut, sends
		}
	}
	return cut, sends
}

// TestO9CrashAtEveryBatch cuts the power of each host at each batch in the life of an object: it is
// given, moved between hosts that have not made it, called, and collected.
func TestO9CrashAtEveryBatch(t *testing.T) {
	acts := map[string]func(w *world, set, bag id.OID){
		"moves":     func(w *world, _, bag id.OID) { w.move(1, bag, hostID(2)) },
		"is given":  func(w *world, set, _ id.OID) { w.give(2, set, 0) },
		"is called": func(w *world, _, bag id.OID) { w.call(2, bag, "add", nil) },
		"is collected": func(w *world, _, _ id.OID) {
			for i := range w.boxes {
				for range 2 {
					w.does(i, w.root(i), "cut", []byte{0})
				}
			}
			for range 24 { // two rounds and more at each host
				for i, b := range w.boxes {
					s, err := b.host.Collect(w.moment(i))
					w.input(i, s, err)
				}
			}
		},
	}
	for name, act := range acts {
		title := fmt.Sprintf("O8, O9, O10, O14, O21, O29 an object that %s survives any crash", name)
		// Clauses: O8.16, O9.4, O9.8, O9.9, O9.13, O9.14, O14.4, O14.6, O22.7, O24.4, O29.1
		t.Run(title, func(t *testing.T) {
			tried := 0
			for host := range 3 {
				for n := 1; ; n++ {
					some := false
					for sends := 0; ; sends++ {
						cut, most, problem := crashOnce(t, crashAt{host, n, sends}, act)
						if problem != "" {
							t.Fatalf("crash of %d at batch %d behind %d messages: %s", host,
								n, sends, problem)
						}
						some = some || cut
						if tried++; !cut || sends >= most {
							break
						}
					}
					if !some {
						break
					}
				}
			}
			t.Logf("%d crashes", tried)
			if tried < 12 {
				t.Errorf("only %d crashes", tried)
			}
		})
	}
}

// crashOnce is a world with a bag that 0 has made, with a set in it. 1 owns the bag, and the table
// of 2 refers to the bag and to the set.
func crashOnce(t *testing.T, c crashAt,
	act func(w *world, set, bag id.OID)) (cut bool, sends int, problem string) {
	w := newWorld(t, rand.New(rand.NewPCG(9, 9)), 3, nil)
	w.keep, w.given = true, func(int, id.OID) {}
	set := w.create(0, Set)
	bag := w.create(0, Bag, set)
	w.create(0, Table, bag)
	w.create(1, Table)
	w.create(2, Table)
	w.settle()
	w.gives(0, bag, 2, w.root(2))
	w.gives(0, set, 2, w.root(2))
	w.gives(0, bag, 1, w.root(1))
	w.moves(0, bag, 1)
	act(w, set, bag)
	cut, sends = c.run(w)
	w.settle()
	for range 12 {
		w.collectAll()
	}
	if w.problem == "" {
		if left := w.leftovers(); left != "" {
			w.fail("%s", left)
		}
		w.callAll()
	}
	return cut, sends, w.problem
}
