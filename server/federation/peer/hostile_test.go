package peer

import (
	"crypto/ed25519"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/id"
)

// rogue is somebody with a key who sends anything, by WebSocket.
type rogue struct {
	*world
	id   *identity
	conn *tls.Conn
	raw  *spy
}

// rogue connects somebody with a key to a host.
func (w *world) rogue(key ed25519.PrivateKey, to *host) *rogue {
	w.Helper()
	self, err := newIdentity(key)
	w.must(err)
	r := &rogue{world: w, id: self}
	t := newWebTransport(w.hosts[0].links.cfg.Dial)
	stream, err := dialSocket(w.Context(), t, Address("http://"+to.address.String()))
	w.must(err)
	r.raw = &spy{Conn: stream}
	r.conn = tls.Client(r.raw, self.client(func(ed25519.PublicKey) bool { return true }))
	_, err = secure(r.conn)
	w.must(err)
	return r
}

func newKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, ed25519.SeedSize))
}

// say sends a word.
func (r *rogue) say(frame []byte) {
	r.Helper()
	b := binary.BigEndian.AppendUint32(nil, uint32(len(frame)))
	_, err := r.conn.Write(append(b, frame...))
	r.must(err)
}

// receive returns the next word except pings and rights, or nil if the host has closed the
// connection.
func (r *rogue) receive() []byte {
	for {
		var length [4]byte
		if _, err := io.ReadFull(r.conn, length[:]); err != nil {
			return nil
		}
		frame := make([]byte, binary.BigEndian.Uint32(length[:]))
		if _, err := io.ReadFull(r.conn, frame); err != nil {
			return nil
		}
		if k := kind(frame[0]); k != kindPing && k != kindRights {
			return frame
		}
	}
}

// hungUp fails unless the host closes the connection without another word, except for the refusal
// why, if there is one.
func (r *rogue) hungUp(what string, why refusal) {
	r.Helper()
	frame := r.receive()
	if why != 0 {
		if got, err := readRefuse(frame); len(frame) == 0 || err != nil || got != why {
			r.Errorf("%s is answered by %x", what, frame)
		}
		frame = r.receive()
	}
	if frame != nil {
		r.Errorf("after %s the host goes on: %x", what, frame)
	}
	_ = r.raw.Close()
}

// card returns a card as its key would sign it.
func (r *rogue) card(name string, key ed25519.PrivateKey) []byte {
	c := Card{Key: key.Public().(ed25519.PublicKey), Name: name, Timestamp: 1,
		Addresses: []Address{"quic://192.0.2.99:1"}}
	return c.Sign(key)
}

func (r *rogue) hello(card []byte) []byte {
	return helloFrame(&hello{Life: life{1}, Line: 7, First: 1, Card: card})
}

// befriend links a host with a key, as if it had been invited.
func (w *world) befriend(h *host, key ed25519.PrivateKey, rights Rights) id.HostID {
	w.Helper()
	k := Link{Key: key.Public().(ed25519.PublicKey), State: Active, Gives: rights,
		Limits: DefaultLimits}
	w.must(h.store.PutPeerLink(w.Context(), k))
	c := Card{Key: k.Key, Name: "rogue"}
	w.must(h.links.join(w.Context(), k, c.Sign(key)))
	return k.Host()
}

// enter sends the hello of a linked host and waits for the answer.
func (r *rogue) enter(key ed25519.PrivateKey) {
	r.Helper()
	r.say(r.hello(r.card("rogue", key)))
	if h, err := readHello(r.receive()); err != nil || h.Line != 7 {
		r.Fatalf("hello is answered by %+v, %v", h, err)
	}
}

func TestHostile(t *testing.T) {
	key, other := newKey(91), newKey(92)
	t.Run("O33.7, O35.4 an unlinked key is refused", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			r := w.rogue(key, a)
			r.say(r.hello(r.card("rogue", key)))
			r.hungUp("a stranger's hello", refusedStranger)
			for _, frame := range [][]byte{ackFrame(1), {byte(kindMessage), 0}, {0xff},
				termsFrame(&terms{}), refuseFrame(refusedBusy)} {
				r := w.rogue(key, a)
				r.say(frame)
				r.hungUp(fmt.Sprintf("%x", frame), 0)
			}
			r = w.rogue(key, a)
			began := time.Now()
			r.hungUp("nothing", 0)
			if took := time.Since(began); took > handshakeStepTimeout {
				t.Errorf("a silent client is there for %v", took)
			}
		})
	})
	// Clauses: O32.16, O33.6, O33.7, O33.13
	t.Run("O32, O33 a wrong key does not pass for the linked host, at either end", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			b.stop()
			b.key, b.store = key, newMemory() // another host at the same address
			b.start()
			pass(10 * time.Minute)
			if got := a.links.List()[0]; got.Network != "" ||
				!strings.Contains(got.Fault, errImpostor.Error()) {
				t.Errorf("the impostor is %q, %q", got.Network, got.Fault)
			}
		})
	})
	t.Run("O31.8 a hello with a forged or foreign card is refused", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			forged := w.rogue(key, a)
			card := forged.card("rogue", key)
			card[len(card)-1] ^= 1
			forged.say(forged.hello(card))
			forged.hungUp("a forged card", 0)
			foreign := w.rogue(key, a)
			foreign.say(foreign.hello(foreign.card("another", other)))
			foreign.hungUp("another's card", 0)
			if _, ok := a.links.Card(HostOf(other.Public().(ed25519.PublicKey))); ok {
				t.Error("a third host's card was accepted")
			}
		})
	})
	t.Run("O34.5 cards of third hosts are taken only from hosts with the right", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			host := w.befriend(a, key, 0)
			r := w.rogue(key, a)
			r.enter(key)
			r.say(cardFrame(r.card("third", other)))
			pass(time.Second)
			third := HostOf(other.Public().(ed25519.PublicKey))
			if _, ok := a.links.Card(third); ok || a.links.List()[0].Refused != 1 {
				t.Errorf("it was accepted: %v, and %d refused", ok, a.links.List()[0].Refused)
			}
			w.must(a.links.SetRights(w.Context(), host, Linkup))
			r.say(cardFrame(r.card("third", other)))
			pass(time.Second)
			if c, ok := a.links.Card(third); !ok || c.Name != "third" {
				t.Errorf("it was not accepted: %v", c)
			}
			if a.links.Rights(third) != 0 || len(a.links.List()) != 1 {
				t.Error("it is linked by that")
			}
			_ = r.raw.Close()
		})
	})
	// Clauses: O34.1
	t.Run("O32, O34 a foreign card or unknown rights do not use up an invitation", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, false)
			w.must(err)
			r := w.rogue(key, a)
			r.say(joinFrame(&ask{Secret: o.Secret, Card: r.card("another", other)}))
			r.hungUp("another's card", 0)
			r = w.rogue(key, a)
			r.say(joinFrame(&ask{Secret: o.Secret, Gives: allRights, Card: r.card("rogue", key)}))
			r.hungUp("unknown rights", 0)
			r = w.rogue(key, a)
			r.say(joinFrame(&ask{Secret: Secret{9}, Card: r.card("rogue", key)}))
			r.hungUp("a secret that was never drawn", refusedInvitation)
			if len(a.links.List())+len(a.store.links) != 0 {
				t.Errorf("there are links: %+v", a.links.List())
			}
			_, err = b.links.Accept(w.Context(), o, Visit, DefaultLimits)
			w.must(err)
		})
	})
	t.Run("O33.10, O33.14 a recorded connection is useless for another one", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			r := w.rogue(key, a)
			r.enter(key)
			r.say(appendEnvelope(nil, &envelope{
				number: 1, first: 1, Message: Message{Bytes: []byte("once")},
			}))
			a.machine.await(w, "it is there", func(m *recorder) bool { return len(m.got) == 1 })
			recorded := r.raw.written()
			_ = r.raw.Close()
			a.machine.await(w, "down", func(m *recorder) bool { return m.downs == 1 })
			stream, err := dialSocket(w.Context(), newWebTransport(a.links.cfg.Dial),
				Address("http://"+a.address.String()))
			w.must(err)
			go func() { _, _ = stream.Write(recorded) }()
			_, _ = io.ReadAll(stream)
			_ = stream.Close()
			if a.machine.ups != 1 || len(a.machine.texts(r.id.host, id.OID{})) != 1 {
				t.Errorf("%d ups, %v", a.machine.ups, a.machine.got)
			}
		})
	})
	t.Run("O33.26 a repeated message is received once", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			r := w.rogue(key, a)
			r.enter(key)
			for range 5 {
				r.say(appendEnvelope(nil, &envelope{
					number: 2, first: 1, Message: Message{Bytes: []byte("two")},
				}))
				r.say(appendEnvelope(nil, &envelope{
					number: 1, first: 1, Message: Message{Bytes: []byte("one")},
				}))
			}
			pass(time.Second)
			if got := a.machine.texts(r.id.host, id.OID{}); !slices.Equal(got,
				[]string{"two", "one"}) {
				t.Errorf("received is %v", got)
			}
			_ = r.raw.Close()
		})
	})
	t.Run("O33.23, O36.12 messages on a replaced connection are dropped", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			first := w.rogue(key, a)
			first.enter(key)
			burst := burstOf * DefaultLimits.PerSecond
			for i := range burst + 1 { // the last one has to wait
				first.say(appendEnvelope(nil, &envelope{
					number: number(i + 1), first: 1, Message: Message{Request: true},
				}))
			}
			a.machine.await(w, "the burst",
				func(m *recorder) bool { return len(m.got[first.id.host]) == burst })
			second := w.rogue(key, a)
			second.say(helloFrame(&hello{
				Life: life{2}, Line: 8, First: 1, Card: second.card("rogue", key),
			}))
			if h, err := readHello(second.receive()); err != nil || h.Line != 8 {
				t.Fatalf("hello is answered by %+v, %v", h, err)
			}
			pass(time.Second)
			if n := len(a.machine.texts(first.id.host, id.OID{})); n != burst ||
				a.machine.ups != 2 || a.machine.downs != 1 {
				t.Errorf("%d were received, %d ups, %d downs", n, a.machine.ups, a.machine.downs)
			}
			_, _ = first.raw.Close(), second.raw.Close()
		})
	})
	// Clauses: O33.24, O35.6, O35.9
	t.Run("O33, O35 a malformed message ends the connection and is counted", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			bad := [][]byte{
				{0xff}, {byte(kindHello)}, {byte(kindMessage)}, {byte(kindAck), 1},
				{byte(kindRights), 0xf0}, {byte(kindCard), 1, 2, 3},
				appendEnvelope(nil, &envelope{number: 1, first: 2}),
				appendEnvelope(nil, &envelope{number: 1, first: 0}),
				appendEnvelope(nil, &envelope{number: maxOutstanding + 1, first: 1}), ackFrame(1000),
				append(ackFrame(1), 0),
			}
			for _, frame := range bad {
				r := w.rogue(key, a)
				r.enter(key)
				r.say(frame)
				r.hungUp(fmt.Sprintf("%x", frame), 0)
			}
			if got := a.links.List()[0].Refused; got != int64(len(bad)) {
				t.Errorf("%d of %d were counted", got, len(bad))
			}
		})
	})
	t.Run("O33.11, O33.12 a message that claims an excessive size is not read", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			w.befriend(a, key, 0)
			for _, n := range []uint32{0, maxFrame + 1, 1<<32 - 1} {
				r := w.rogue(key, a)
				r.enter(key)
				_, err := r.conn.Write(binary.BigEndian.AppendUint32(nil, n))
				w.must(err)
				r.hungUp(fmt.Sprintf("%d bytes", n), 0)
			}
		})
	})
	t.Run("O35.7 a thousand impossible requests in an hour pause the link", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			a.refuse(b, 3*maxRefused, refusedWithin/(maxRefused-2))
			if got := a.links.List()[0]; got.State != Active || got.Refused != 3*maxRefused {
				t.Fatalf("998 an hour: %s, %d", got.State, got.Refused)
			}
			a.refuse(b, maxRefused, time.Second)
			pass(time.Second)
			got := a.links.List()[0]
			if got.State != Paused || got.Why == "" || a.store.links[b.self()].State != Paused {
				t.Errorf("3600 an hour: %s, %q", got.State, got.Why)
			}
			if n := strings.Count(a.log.String(),
				"host="+b.self().String()+" object="+object(1).String()); n != 4*maxRefused {
				t.Errorf("%d were logged", n)
			}
			w.must(a.links.Resume(w.Context(), b.self()))
			a.links.Refused(b.self(), object(1), "another one")
			pass(time.Second)
			if got := a.links.List()[0]; got.State != Active {
				t.Errorf("after it was resumed: %s", got.State)
			}
		})
	})
	t.Run("O36.2, O36.12, O36.14 requests have a rate, answers do not wait", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			send := func(request bool, n, size int) (took time.Duration) {
				before := len(b.machine.texts(a.self(), id.OID{}))
				began := time.Now()
				for range n {
					w.must(a.links.Send(b.self(), Message{
						Request: request, Bytes: make([]byte, size),
					}))
				}
				b.machine.await(w, "all",
					func(r *recorder) bool { return len(r.got[a.self()]) == before+n })
				took = time.Since(began)
				pass(time.Second) // it is acknowledged
				return took
			}
			if took := send(false, 1500, 1); took > time.Second {
				t.Errorf("answers took %v", took)
			}
			for _, size := range []int{1, 4 << 10, 1 << 20} {
				each := 1 + size/(4<<10)
				n := 1500 / each
				want := time.Duration(
					n*each-burstOf*DefaultLimits.PerSecond) * time.Second / time.Duration(
					DefaultLimits.PerSecond)
				// If a connection fails, the next one begins some seconds later.
				if took := send(true, n, size); took < want || took > 4*want {
					t.Errorf("requests of %d bytes took %v, want %v or a few times that",
						size, took, want)
				}
				pass(burstOf * time.Second) // for the next burst
			}
			if a.machine.downs+b.machine.downs != 0 {
				t.Error("a busy host counts as dead")
			}
		})
	})
	t.Run("O36.4 concurrent requests are bounded", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Keep)
			limits := Limits{AtOnce: 2, PerSecond: 200, Objects: 10, Bytes: 1000}
			w.must(a.links.SetLimits(w.Context(), b.self(), limits))
			end, err := a.links.Begin(b.self())
			w.must(err)
			_, err = a.links.Begin(b.self())
			w.must(err)
			if _, err := a.links.Begin(b.self()); !errors.Is(err, ErrBusy) {
				t.Errorf("a third one: %v", err)
			}
			end()
			end()
			_, err = a.links.Begin(b.self())
			w.must(err)
			if _, err := a.links.Begin(b.self()); !errors.Is(err, ErrBusy) {
				t.Errorf("one ended twice counts twice: %v", err)
			}
			if err := a.links.SetLimits(w.Context(), b.self(), Limits{}); err == nil {
				t.Error("limits of nothing were accepted")
			}
		})
	})
	t.Run("O33 a statement of a machine is signed by its host for one purpose", func(t *testing.T) {
		inWorld(t, 3, func(w *world) {
			a, b, c := w.hosts[0], w.hosts[1], w.hosts[2]
			w.link(a, b, Visit)
			deed := []byte("it is yours")
			signature := a.links.Sign(deed)
			if !b.links.Verify(a.self(), deed, signature) ||
				!a.links.Verify(a.self(), deed, signature) {
				t.Error("it is not accepted")
			}
			if b.links.Verify(b.self(), deed, signature) || b.links.Verify(a.self(),
				deed[1:], signature) || c.links.Verify(a.self(), deed, signature) {
				t.Error("it is accepted for another one, another purpose, or a stranger")
			}
			card := Card{Key: a.links.self.public, Name: "x"}
			if _, err := ReadCard(append(card.Sign(a.key)[:1+32+8+2+1+1],
				a.links.Sign(card.Sign(a.key)[:1+32+8+2+1+1])...)); err == nil {
				t.Error("a statement counts as a card")
			}
		})
	})
	t.Run("O31 linked hosts announce third ones, with the right", func(t *testing.T) {
		inWorld(t, 3, func(w *world) {
			a, b, c := w.hosts[0], w.hosts[1], w.hosts[2]
			w.link(a, b, Visit)
			w.link(b, c, Visit)
			b.links.Introduce(a.self(), c.self())
			pass(time.Second)
			if _, ok := a.links.Card(c.self()); ok || a.links.List()[0].Refused != 0 {
				t.Error("it is announced, or by a host without the right")
			}
			w.must(a.links.SetRights(w.Context(), b.self(), Linkup))
			pass(time.Second)
			b.links.Introduce(a.self(), c.self())
			pass(time.Second)
			if card, ok := a.links.Card(c.self()); !ok || card.Name != "host 2" ||
				len(a.store.cards) != 3 {
				t.Errorf("it is not announced: %+v, %d are kept", card, len(a.store.cards))
			}
			if !a.links.Verify(c.self(), []byte("x"), c.links.Sign([]byte("x"))) {
				t.Error("its statement is not accepted")
			}
		})
	})
	t.Run("O31.4, O31.6 the newest card wins after a new name or a lost store", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			before, _ := b.links.Card(a.self())
			delete(a.store.cards, a.self())
			a.stop()
			a.index = 7 // a new name; the address changes with it
			a.address = netip.AddrPort{}
			a.start()
			b.machine.await(w, "up", func(r *recorder) bool { return r.ups == 2 })
			after, _ := b.links.Card(a.self())
			if after.Name != "host 7" || after.Timestamp <= before.Timestamp {
				t.Errorf("known is %+v", after)
			}
		})
	})
	t.Run("O36.17 idle strangers with a key do not keep linked hosts out", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			for _, h := range w.hosts {
				h.restartWithoutUDP()
			}
			w.link(a, b, Visit)
			b.stop()
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			var all []*rogue
			for i := range maxContacts {
				all = append(all, w.rogue(newKey(byte(100+i)), a))
			}
			began := time.Now()
			b.start()
			a.machine.await(w, "up", func(r *recorder) bool { return r.ups == 2 })
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			for _, r := range all {
				_ = r.raw.Close()
			}
		})
	})
	// Clauses: O36.17
	t.Run("O36 strangers with open connections do not keep others out for long", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			a.restartWithoutUDP()
			var held []net.Conn
			for range 3 * maxContacts {
				stream, err := dialSocket(w.Context(), newWebTransport(a.links.cfg.Dial),
					Address("http://"+a.address.String()))
				if err == nil {
					held = append(held, stream)
				}
			}
			pass(handshakeStepTimeout)
			w.link(a, b, Visit)
			for _, c := range held {
				_ = c.Close()
			}
		})
	})
}
