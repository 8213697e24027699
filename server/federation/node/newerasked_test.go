package node_test

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// Whom a server asks about newer kinds, and when (O30).

// Clauses: O30.21, O30.22
func TestNewerKindsAskedAhead(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	hears := &ear{server: ada}
	ada.machine = hears
	ada.changes(gameFile)
	p.together(ada, ben)
	var sets [2]id.OID
	for i := range sets {
		_, sets[i] = ada.taken()
		p.must(ada.world.Give(t.Context(), sets[i], ben.self()))
		p.must(ben.world.Put(t.Context(), ben.person(), sets[i]))
		p.must(ada.world.Move(t.Context(), sets[i], ben.self()))
		p.await("a question when a set comes", func() bool { return hears.times() == i+1 })
		p.await("the set to move", func() bool { return ben.owns(sets[i]) && !ada.owns(sets[i]) })
		if ben.newer(sets[i]); hears.times() != i+1 {
			t.Error("O30.12 the look has the creator asked again")
		}
	}
	ben.ahead.Add(25 * 3_600_000)
	placed := hears.hold()
	_, err := ben.world.Hold(t.Context(), room.Session{Table: ben.mint(), Seat: 1}, sets[0])
	p.must(err)
	// Had it waited for the answer, there would have been none, and the creator would not be asked
	// about the other set within the hour.
	placed()
	p.await("a question when a set is put on a table", func() bool { return hears.times() == 3 })
	p.must(ben.world.Give(t.Context(), sets[1], ada.self()))
	p.await("a question when a set is given away", func() bool { return hears.times() == 4 })
	p.must(ben.world.Give(t.Context(), sets[1], ada.self()))
	ben.stop() // this waits for what was begun
	if n := hears.times(); n != 4 {
		t.Errorf("O30.12 asked %d times", n)
	}
}

// ear passes on what arrives at a server, and keeps what it is asked about newer kinds.
type ear struct {
	*server
	silent bool      // it does not answer questions about newer kinds
	lost   room.Hash // a picture that it does not have
	mu     sync.Mutex
	asked  [][]byte
	held   chan struct{} // questions about newer kinds wait until it is closed; nil: they do not
}

// hold lets questions about newer kinds wait until release.
func (e *ear) hold() (release func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	held := make(chan struct{})
	e.held = held
	return func() { close(held) }
}

func (e *ear) Receive(host id.HostID, m peer.Message) {
	if len(m.Bytes) > 0 && m.Bytes[0] == 4 {
		e.mu.Lock()
		e.asked = append(e.asked, m.Bytes[9:])
		held := e.held
		e.mu.Unlock()
		if held != nil {
			<-held
		}
		if e.silent {
			return
		}
	}
	if len(m.Bytes) > 41 && m.Bytes[0] == 2 && room.Hash(m.Bytes[9:41]) == e.lost {
		e.must(e.links.Send(host, peer.Message{
			Bytes: slices.Concat([]byte{3}, m.Bytes[1:9], make([]byte, 8)),
		}))
		return
	}
	e.world.Receive(host, m)
}

func (e *ear) Up(host id.HostID) { e.world.Up(host) }

func (e *ear) Down(host id.HostID) { e.world.Down(host) }

func (e *ear) times() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.asked)
}

func TestNewerKindsAsked(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	hears := &ear{server: ada}
	ada.machine = hears
	ada.changes(gameFile)
	p.together(ada, ben)
	_, set := ada.taken()
	p.lend(set, ada, ben)
	asks := func(want int, when string) {
		t.Helper()
		for range 3 {
			ben.newer(set)
		}
		if n := hears.times(); n != want {
			t.Fatalf("asked %d times %s, not %d", n, when, want)
		}
	}
	t.Run("O30.11 the question names all kinds of a set, in their order", func(t *testing.T) {
		asks(1, "at first")
		var want []byte
		for _, k := range ben.kindsOf(set) {
			want = append(want, k[:]...)
		}
		if len(hears.asked) != 1 || !bytes.Equal(hears.asked[0], want) {
			t.Errorf("%x, not %x", hears.asked, want)
		}
	})
	t.Run("O30.12 a creator is asked once a day", func(t *testing.T) {
		ben.ahead.Add(23 * 3_600_000)
		asks(1, "within a day")
		ben.ahead.Add(2 * 3_600_000)
		asks(2, "after a day")
	})
	t.Run("O30.12 a creator is asked when a connection has begun", func(t *testing.T) {
		ada.stop()
		p.await("the connection to end", func() bool { return !ben.reaches(ada) })
		ada.start()
		p.together(ada, ben)
		p.await("the question", func() bool { ben.newer(set); return hears.times() > 2 })
		asks(3, "after the connection has begun")
	})
}

// unaware passes on what arrives at a server. It keeps to itself that connections end and begin, as
// if they broke for a moment only.
type unaware struct {
	*server
	isSo atomic.Bool
}

func (u *unaware) Receive(host id.HostID, m peer.Message) { u.world.Receive(host, m) }

func (u *unaware) Up(host id.HostID) {
	if !u.isSo.Load() {
		u.world.Up(host)
	}
}

func (u *unaware) Down(host id.HostID) {
	if !u.isSo.Load() {
		u.world.Down(host)
	}
}

func TestNewerKindsOfWhoeverIsAway(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	hears, learns := &ear{server: ada}, &unaware{server: ben}
	ada.machine, ben.machine = hears, learns
	ada.changes(gameFile)
	ben.stop()
	ben.start()
	p.together(ada, ben)
	_, set := ada.taken()
	p.lend(set, ada, ben)
	ben.newer(set) // whatever else asks about the set has asked, or need not ask
	learns.isSo.Store(true)
	p.must(ben.links.Pause(t.Context(), ada.self()))
	p.await("the connection to end", func() bool { return !ben.reaches(ada) })
	ben.ahead.Add(25 * 3_600_000)
	asked := hears.times()
	t.Run("O30.12 a creator that cannot be reached counts as not asked", func(t *testing.T) {
		ben.newer(set)
		p.must(ben.links.Resume(t.Context(), ada.self()))
		p.together(ada, ben)
		p.await("the question", func() bool { ben.newer(set); return hears.times() > asked })
		if n := hears.times(); n != asked+1 {
			t.Errorf("asked %d times, not once", n-asked)
		}
	})
}

// Clauses: O30.20
func TestNewerKindsOfTheSilent(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	hears := &ear{server: ada, silent: true}
	ada.machine = hears
	ada.changes(gameFile)
	p.together(ada, ben)
	var sets []id.OID
	for range 3 {
		_, set := ada.taken()
		p.lend(set, ada, ben)
		sets = append(sets, set)
	}
	looks := func(want int, when string) {
		t.Helper()
		var all sync.WaitGroup
		for _, set := range sets {
			all.Go(func() {
				if is, err := ben.world.Newer(t.Context(), set); is || err != nil {
					t.Errorf("%s: %v, %v", when, is, err)
				}
			})
		}
		all.Wait()
		if n := hears.times(); n != want {
			t.Fatalf("O30.20 asked %d times %s, not %d", n, when, want)
		}
	}
	looks(1, "about three sets at once")
	ben.ahead.Add(59 * 60_000)
	looks(1, "within an hour")
	ben.ahead.Add(2 * 60_000)
	looks(2, "after an hour")
	ada.stop()
	p.await("the connection to end", func() bool { return !ben.reaches(ada) })
	hears.silent = false
	ada.start()
	p.together(ada, ben)
	p.await("a question about each set", func() bool {
		for _, set := range sets {
			ben.newer(set)
		}
		return hears.times() >= 5
	})
	looks(5, "after a connection has begun")
}

// Clauses: O30.28
func TestNewerKindsOfWhoeverStarts(t *testing.T) {
	for name, err := range map[string]error{
		"O30.28 a creator that has just started does not answer yet":     nil,
		"O30.28 a creator that cannot read its versions does not answer": errors.New("it is damaged"),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, "Ada", "Ben")
			ada, ben := p.servers[0], p.servers[1]
			hears := &ear{server: ada}
			ada.machine = hears
			ada.changes(gameFile)
			p.together(ada, ben)
			_, set := ada.taken()
			p.lend(set, ada, ben)
			ada.recorded()
			ada.stop()
			p.await("the connection to end", func() bool { return !ben.reaches(ada) })
			ada.game, ada.reads = redrawn, &latch{open: make(chan struct{}), err: err}
			if err != nil {
				close(ada.reads.open)
			}
			before := hears.times()
			ada.start()
			p.together(ada, ben)
			p.await("a question", func() bool {
				if ben.newer(set) {
					t.Fatal("there is something newer before it is read")
				}
				return hears.times() > before
			})
			if err == nil {
				close(ada.reads.open)
				ada.recorded()
			}
			// An answer would be believed for a day. So it is asked again within that time, and on a
			// busy machine more than once, as an answer may come too late.
			asked, found := hears.times(), false
			for range 20 {
				ben.ahead.Add(61 * 60_000)
				if found = ben.newer(set); found || err != nil {
					break
				}
			}
			if want := err == nil; found != want {
				t.Errorf("something newer: %v, want %v", found, want)
			}
			if hears.times() == asked {
				t.Error("it was believed for more than an hour that nothing is newer")
			}
		})
	}
}
