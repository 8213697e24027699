package node_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"
	"testing"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// between is a machine that passes on to the objects of its server what arrives, after a test has
// seen or changed it.
type between struct {
	*server
	mu sync.Mutex
	// change gets each message. It is guarded by mu.
	change func(from id.HostID, b []byte)
}

func (f *between) Up(host id.HostID)   { f.world.Up(host) }
func (f *between) Down(host id.HostID) { f.world.Down(host) }

func (f *between) Receive(host id.HostID, m peer.Message) {
	f.mu.Lock()
	m.Bytes = bytes.Clone(m.Bytes)
	if f.change != nil {
		f.change(host, m.Bytes)
	}
	f.mu.Unlock()
	f.world.Receive(host, m)
}

func (f *between) set(change func(from id.HostID, b []byte)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.change = change
}

// watched restarts a server, so that a test sees what arrives there.
func (p *place) watched(s *server) *between {
	p.Helper()
	f := &between{server: s}
	s.stop()
	s.machine = f
	s.start()
	for _, other := range p.servers {
		if other != s {
			p.together(s, other)
		}
	}
	return f
}

// The first bytes of messages.
const aboutObjects, fetchAnswer = 0x01, 0x03

func TestBetweenServers(t *testing.T) {
	t.Run("O3.6 no picture travels in an envelope", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		f := p.watched(ben)
		offers, apart := 0, 0
		f.set(func(_ id.HostID, b []byte) {
			art := bytes.Contains(b, []byte("<svg"))
			if b[0] == fetchAnswer && art {
				apart++
			}
			if b[0] != aboutObjects {
				return
			}
			if art {
				t.Error("a message about objects has a picture")
			}
			if m, err := object.ReadMessage(b[1:]); err == nil {
				if _, ok := m.Body.(*object.Offer); ok {
					offers++
				}
			}
		})
		_, set, c := ada.owned()
		ada.visit(ben, set)
		p.must(ada.world.Move(t.Context(), set, ben.self()))
		p.await("the set to move", func() bool { return ben.owns(set) })
		f.set(nil)
		if offers == 0 || apart < len(c.Art) {
			t.Errorf("%d envelopes, %d of %d pictures", offers, apart, len(c.Art))
		}
	})
	t.Run("O30.3 what the giver of a set does not send comes from its creator", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben", "Cleo")
		ada, ben, cleo := p.servers[0], p.servers[1], p.servers[2]
		_, set, c := ada.owned()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), ben.person(), set))
		f := p.watched(cleo)
		from := map[id.HostID]int{}
		f.set(func(host id.HostID, b []byte) {
			if b[0] != fetchAnswer {
				return
			}
			if from[host]++; host == ben.self() {
				clear(b[9:17]) // it says that it has nothing
			}
		})
		p.must(ben.world.Give(t.Context(), set, cleo.self()))
		g, err := cleo.world.Hold(t.Context(), room.Session{Table: cleo.mint(), Seat: 1}, set)
		if err != nil || len(g.Art) != len(c.Art) {
			t.Errorf("%d pictures, %v", len(g.Art), err)
		}
		f.set(nil)
		if from[ben.self()] == 0 || from[ada.self()] < len(c.Art) {
			t.Errorf("Ben is asked %d times, Ada %d", from[ben.self()], from[ada.self()])
		}
	})
	t.Run("O30.4 a kind or picture comes in parts of 512 KiB", func(t *testing.T) {
		p, ada, _, v := withVillain(t)
		large := bytes.Repeat([]byte{7}, 600<<10)
		hash := room.Hash(sha256.Sum256(large))
		p.must(ada.db.KeepObjects(t.Context(), nil,
			[]room.Blob{{Hash: hash, Type: "image/png", Data: large}}))
		for n, x := range []struct{ offset, want int }{{0, 512 << 10}, {512 << 10, 88 << 10}} {
			b := binary.BigEndian.AppendUint64([]byte{2}, uint64(n+1))
			b = binary.BigEndian.AppendUint64(append(b, hash[:]...), uint64(x.offset))
			v.must(v.links.Send(ada.self(), peer.Message{Request: true, Bytes: b}))
			p.await("an answer", func() bool {
				v.mu.Lock()
				defer v.mu.Unlock()
				return len(v.fetched) == n+1
			})
			v.mu.Lock()
			a := v.fetched[n]
			v.mu.Unlock()
			if size := binary.BigEndian.Uint64(a[9:]); size != 600<<10 || len(a) != 17+x.want {
				t.Errorf("from %d: %d bytes of %d", x.offset, len(a)-17, size)
			}
		}
	})
	t.Run("O30.5 a picture with another hash is refused and not kept", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, c := ada.owned()
		f := p.watched(ben)
		f.set(func(_ id.HostID, b []byte) {
			if i := bytes.Index(b, []byte("<rect")); b[0] == fetchAnswer && i > 0 {
				b[i+len("<rect")] = '\n' // a picture like it
			}
		})
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		at := room.Session{Table: ben.mint(), Seat: 1}
		var absent *room.Unreachable
		if _, err := ben.world.Hold(t.Context(), at, set); !errors.As(err, &absent) {
			t.Errorf("the set lies there: %v", err)
		}
		for _, b := range c.Art {
			if _, err := ben.db.Blob(t.Context(), b.Hash); err == nil {
				t.Errorf("picture %x is here", b.Hash)
			}
		}
		if k, _ := ben.links.Link(ada.self()); k.Refused == 0 {
			t.Error("it is not counted against the link")
		}
		f.set(nil)
		if g, err := ben.world.Hold(t.Context(), at, set); err != nil || len(g.Art) != len(c.Art) {
			t.Errorf("with the right pictures: %d, %v", len(g.Art), err)
		}
	})
	t.Run("O24.1 a round begins a day after the last, and not sooner", func(t *testing.T) {
		ada := newPlace(t, "Ada").servers[0]
		ada.collects()
		last := func() id.Millis {
			o, err := ada.world.Overview(t.Context())
			ada.must(err)
			return o.LastRound
		}
		was := last()
		again := func(after id.Millis) {
			ada.stop()
			ada.ahead.Add(int64(was + after - ada.now()))
			ada.start()
		}
		again(23 * 60 * 60_000)
		if now := last(); now != was {
			t.Errorf("after 23 hours the last round is at %d, was at %d", now, was)
		}
		again(24 * 60 * 60_000)
		ada.await("a round", func() bool { return last() > was })
	})
}
