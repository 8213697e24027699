package people

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// links are the links of a host with others of which a test has the keys. Each has the rights.
type links struct {
	Links
	self   ed25519.PrivateKey
	others map[id.HostID]ed25519.PrivateKey
	names  map[id.HostID]string
	gives  peer.Rights // here
	sent   int
}

func keyOf(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(slices.Repeat([]byte{n}, ed25519.SeedSize))
}

func hostOf(key ed25519.PrivateKey) id.HostID {
	return peer.HostOf(key.Public().(ed25519.PublicKey))
}

// linksOf returns the links of the host with key n to hosts with other keys.
func linksOf(n byte, others ...byte) *links {
	l := &links{self: keyOf(n), others: map[id.HostID]ed25519.PrivateKey{},
		names: map[id.HostID]string{}, gives: peer.Visit | peer.Bring}
	for _, o := range others {
		l.others[hostOf(keyOf(o))] = keyOf(o)
		l.names[hostOf(keyOf(o))] = fmt.Sprintf("server %d", o)
	}
	l.names[l.Self()] = "here"
	return l
}

func (l *links) Self() id.HostID { return hostOf(l.self) }

func (l *links) Link(host id.HostID) (peer.Link, bool) {
	key, ok := l.others[host]
	if !ok {
		return peer.Link{}, false
	}
	return peer.Link{Key: key.Public().(ed25519.PublicKey), State: peer.Active, Gives: l.gives,
		Given: peer.Visit}, true
}

func (l *links) Linked() (all []id.HostID) {
	for host := range l.others {
		all = append(all, host)
	}
	return all
}

func (l *links) Card(host id.HostID) (peer.Card, bool) {
	name, ok := l.names[host]
	return peer.Card{Name: name}, ok
}

func (l *links) Sign(message []byte) []byte { return ed25519.Sign(l.self, message) }

func (l *links) Verify(host id.HostID, message, signature []byte) bool {
	key, ok := l.others[host]
	return ok && ed25519.Verify(key.Public().(ed25519.PublicKey), message, signature)
}

func (l *links) Send(id.HostID, peer.Message) error {
	l.sent++
	return peer.ErrStranger
}

func (l *links) Refused(id.HostID, id.OID, string) {}

// records is what a host has written down of persons.
type records struct {
	Store
	visited map[id.HostID]id.Millis
	until   id.Millis // of the key that was set last

	naming sync.Mutex // guards names: items of a bag are asked for at the same time
	names  map[id.OID]string
}

func (r *records) AddVisit(context.Context, id.OID, id.HostID, id.Millis) error { return nil }

func (r *records) Visited(_ context.Context, _ id.OID, host id.HostID) (id.Millis, error) {
	return r.visited[host], nil
}

func (r *records) SetName(_ context.Context, set id.OID) (string, error) {
	r.naming.Lock()
	defer r.naming.Unlock()
	return r.names[set], nil
}

func (r *records) NameSet(_ context.Context, set id.OID, name string) error {
	r.naming.Lock()
	defer r.naming.Unlock()
	r.names[set] = name
	return nil
}

func (r *records) SetKey(_ context.Context, _ id.OID, _ room.Hash, until id.Millis) error {
	r.until = until
	return nil
}

// sets is one set in the bag of everybody.
type sets struct {
	Objects
	set   id.OID
	owner id.HostID
	name  string
}

func (s *sets) List(context.Context, id.OID) ([]id.OID, error) { return []id.OID{s.set}, nil }

func (s *sets) Boxes(context.Context, []id.OID) ([]id.OID, error) { return nil, nil }

func (s *sets) Tie(context.Context, id.OID, id.OID) error { return nil }

func (s *sets) Where(context.Context, id.OID) (id.HostID, error) { return s.owner, nil }

func (s *sets) About(context.Context, id.OID) (string, id.OID, error) {
	return s.name, id.OID{}, nil
}

func (s *sets) Newer(context.Context, id.OID) (bool, error) { return false, nil }

// server is the visits of a host with a clock that the test sets.
type server struct {
	*Visits
	links   *links
	records *records
	sets    *sets
	now     id.Millis
}

func newServer(l *links) *server {
	s := &server{links: l, now: 1_800_000_000_000, sets: &sets{set: id.OID{1}, owner: l.Self()},
		records: &records{visited: map[id.HostID]id.Millis{}, names: map[id.OID]string{}}}
	s.Visits = New(Config{Store: s.records, Objects: s.sets, Links: l,
		Now: func() id.Millis { return s.now }, Log: slog.New(slog.DiscardHandler)})
	return s
}

// person returns the identifier of a person of a host.
func person(host id.HostID) (p id.OID) {
	copy(p[:], host[:])
	p[15] = 9
	return p
}

func TestVouchers(t *testing.T) {
	home, away := newServer(linksOf(1, 2)), newServer(linksOf(2, 1))
	ada := Person{OID: person(home.Self()), Nick: "Ada", Colour: 0xc0392b}
	text, err := home.Vouch(t.Context(), ada, away.Self(), "https://ada.example.org")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("O37.1 a voucher names the person, the host, the origin and its end", func(t *testing.T) {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil || len(b) < 41 {
			t.Fatalf("%q: %v", text, err)
		}
		self, host := home.Self(), away.Self()
		want := append([]byte{1}, ada.OID[:]...)
		want = append(want, host[:]...)
		want = append(want, b[25:41]...) // random bytes
		want = binary.BigEndian.AppendUint64(want, uint64(home.now+60_000))
		want = append(want, 0, 0xc0, 0x39, 0x2b, 3, 'A', 'd', 'a', 0, 23)
		want = append(want, "https://ada.example.org"...)
		want = append(want, ed25519.Sign(keyOf(1), append([]byte("holt voucher 1\x00"), want...))...)
		if !slices.Equal(b, want) {
			t.Errorf("host %x says %x, not %x", self, b, want)
		}
	})
	t.Run("O37.3 a voucher is good from 120 s before its end to 60 s after it", func(t *testing.T) {
		end := home.now + 60_000
		for at, want := range map[id.Millis]bool{
			-120_001: false, -120_000: true, 0: true, 59_999: true, 60_001: false,
		} {
			away.now = end + at
			if _, err := away.Check(text); (err == nil) != want {
				t.Errorf("%d ms after its end: %v", at, err)
			}
		}
	})
}

func TestNames(t *testing.T) {
	t.Run("O37.12 servers with the same name have a number behind it", func(t *testing.T) {
		l := linksOf(1, 2, 3, 4, 5)
		host := func(n byte) id.HostID { return hostOf(keyOf(n)) }
		l.names[host(2)], l.names[host(3)], l.names[host(4)] = "Ben's", "ben's", "HERE"
		s := newServer(l)
		for n, want := range map[byte]string{2: "Ben's", 3: "ben's", 4: "HERE"} {
			number := host(n).String()
			want += " (" + number[:4] + " " + number[4:8] + ")"
			if got := s.Name(host(n)); got != want {
				t.Errorf("server %d is called %q, not %q", n, got, want)
			}
		}
		if got := s.Name(host(5)); got != "server 5" {
			t.Errorf("a server with a name of its own is called %q", got)
		}
	})
	t.Run("O38.13 a set elsewhere is shown with the name that it had here last", func(t *testing.T) {
		s := newServer(linksOf(1, 2))
		for _, name := range []string{"Blue deck", "Red deck"} {
			s.sets.owner, s.sets.name = s.Self(), name
			if _, err := s.Bag(t.Context(), person(s.Self())); err != nil {
				t.Fatal(err)
			}
		}
		s.sets.owner, s.sets.name = hostOf(keyOf(2)), "the name at the other host"
		items, err := s.Bag(t.Context(), person(s.Self()))
		if err != nil || len(items) != 1 || items[0].Place != Elsewhere || items[0].Name != "Red deck" {
			t.Errorf("%+v, %v", items, err)
		}
	})
}

func TestWhoMay(t *testing.T) {
	t.Run("O37.16 a key link has a key for ten minutes", func(t *testing.T) {
		s := newServer(linksOf(1))
		_, until, err := s.Key(t.Context(), person(s.Self()))
		if err != nil || until != s.now+10*60_000 || s.records.until != until {
			t.Errorf("it is for %d ms, and %d are stored: %v", until-s.now, s.records.until-s.now, err)
		}
	})
	t.Run("O38.4 only a host that was vouched to within 7 days is answered", func(t *testing.T) {
		const week id.Millis = 7 * 24 * 60 * 60_000
		s := newServer(linksOf(1, 2, 3))
		ben := hostOf(keyOf(2))
		s.records.visited[ben] = s.now
		ask := fmt.Appendf(nil, `{"do":"bag","person":%q}`, person(s.Self()).String())
		for _, c := range []struct {
			host  id.HostID
			after id.Millis
			want  int
		}{{ben, 0, 1}, {ben, week, 1}, {ben, week + 1, 0}, {hostOf(keyOf(3)), 0, 0}} {
			s.now = s.records.visited[ben] + c.after
			a := s.answerTo(t.Context(), c.host, ask)
			if len(a.Items) != c.want || (a.Refuse == "") != (c.want == 1) {
				t.Errorf("%s gets %+v after %d ms", c.host, a, c.after)
			}
		}
	})
	t.Run("O34.3, O38.7 a host without the right brings no set", func(t *testing.T) {
		s := newServer(linksOf(1, 2))
		visitor := person(hostOf(keyOf(2)))
		var refused Refused
		s.links.gives = ^peer.Bring & (peer.Visit | peer.Bring | peer.Keep | peer.Linkup)
		if err := s.Bring(t.Context(), visitor, id.OID{1}); !errors.As(err, &refused) ||
			!strings.Contains(err.Error(), "put their own pieces") || s.links.sent != 0 {
			t.Errorf("without it: %v, and the home server was asked %d times", err, s.links.sent)
		}
		s.links.gives = peer.Bring
		if err := s.Bring(t.Context(), visitor, id.OID{1}); errors.As(err, &refused) ||
			s.links.sent != 1 {
			t.Errorf("with it: %v, and the home server was asked %d times", err, s.links.sent)
		}
	})
}
