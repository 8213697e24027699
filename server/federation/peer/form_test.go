package peer

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"holt/server/components/crdt"
	"holt/server/id"
)

func exampleCard(key ed25519.PrivateKey) Card {
	return Card{
		Key: key.Public().(ed25519.PublicKey), Name: "Ada's tables", Timestamp: 1_800_000_000_000,
		Addresses: []Address{"quic://holt.example.org:8080", "https://holt.example.org",
			"quic://[2001:db8::1]:1"},
	}
}

func TestCards(t *testing.T) {
	key := newKey(1)
	t.Run("O31.9 a card is read back as it was signed", func(t *testing.T) {
		c := exampleCard(key)
		got, err := ReadCard(c.Sign(key))
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v, %v", got, err)
		}
		if got.Host() != HostOf(c.Key) || len(c.Sign(key)) > maxCard {
			t.Error("it is another host's, or too large")
		}
	})
	t.Run("O31.8 a changed, truncated or extended card is refused", func(t *testing.T) {
		c := exampleCard(key)
		signed := c.Sign(key)
		for i := range signed {
			for bit := range 8 {
				b := bytes.Clone(signed)
				b[i] ^= 1 << bit
				if got, err := ReadCard(b); !errors.Is(err, ErrFormat) {
					t.Fatalf("bit %d of byte %d: %+v, %v", bit, i, got, err)
				}
			}
			if _, err := ReadCard(signed[:i]); !errors.Is(err, ErrFormat) {
				t.Fatalf("%d bytes of it: %v", i, err)
			}
		}
		if _, err := ReadCard(append(signed, 0)); !errors.Is(err, ErrFormat) {
			t.Errorf("one byte more: %v", err)
		}
	})
	// Clauses: O31.3, O31.8
	t.Run("O31 a card with another key's signature or bad fields is refused", func(t *testing.T) {
		for name, change := range map[string]func(c *Card){
			"no name":          func(c *Card) { c.Name = "" },
			"spaces around":    func(c *Card) { c.Name = " Ada" },
			"a long name":      func(c *Card) { c.Name = strings.Repeat("x", maxName+1) },
			"a line break":     func(c *Card) { c.Name = "Ada\nBen" },
			"text backwards":   func(c *Card) { c.Name = "Ada\u202eneB" },
			"no UTF-8":         func(c *Card) { c.Name = "\xff" },
			"nine addresses":   func(c *Card) { c.Addresses = slices.Repeat(c.Addresses, 3) },
			"an address twice": func(c *Card) { c.Addresses[1] = c.Addresses[0] },
			"a foreign scheme": func(c *Card) { c.Addresses[0] = "file://etc" },
			"a path":           func(c *Card) { c.Addresses[0] = "https://holt.example.org/x" },
			"a password":       func(c *Card) { c.Addresses[0] = "https://a:b@holt.example.org" },
			"no port for QUIC": func(c *Card) { c.Addresses[0] = "quic://holt.example.org" },
			"a port too high": func(c *Card) {
				c.Addresses[0] = "quic://holt.example.org:65536"
			},
			"a time before 1970": func(c *Card) { c.Timestamp = -1 },
			"a far future":       func(c *Card) { c.Timestamp = maxTimestamp + 1 },
		} {
			c := exampleCard(key)
			change(&c)
			if _, err := ReadCard(c.Sign(key)); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		}
		c := exampleCard(key)
		if _, err := ReadCard(c.Sign(newKey(2))); !errors.Is(err, ErrFormat) {
			t.Errorf("signed by another key: %v", err)
		}
	})
	t.Run("O31.5 cards merge in any order, grouping and number", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			type said struct {
				host   int
				stamp  uint32
				signed []byte
			}
			var all []said
			for range rapid.IntRange(1, 12).Draw(t, "cards") {
				host := rapid.IntRange(0, 2).Draw(t, "host")
				c := exampleCard(newKey(byte(host)))
				c.Timestamp = id.Millis(rapid.IntRange(1, 3).Draw(t, "timestamp"))
				c.Name = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
				all = append(all, said{host, uint32(c.Timestamp), c.Sign(newKey(byte(host)))})
			}
			replica, d := crdt.New(crdt.Config{}), newDirectory()
			for _, s := range all {
				replica.Merge(crdt.Op{Kind: crdt.Put, Entity: crdt.Entity(s.host), Component: 1,
					Timestamp: s.stamp, Data: s.signed})
			}
			for range 2 {
				for _, i := range rapid.Permutation(slices.Collect(func(yield func(int) bool) {
					for i := range all {
						if !yield(i) {
							return
						}
					}
				})).Draw(t, "order") {
					c, err := ReadCard(all[i].signed)
					if err != nil {
						t.Fatal(err)
					}
					d.merge(c, all[i].signed)
				}
			}
			for host := range 3 {
				want, _ := replica.Get(crdt.Entity(host), 1)
				_, got, _ := d.card(HostOf(newKey(byte(host)).Public().(ed25519.PublicKey)))
				if !bytes.Equal(got, want) {
					t.Fatalf("of host %d is known %x, want %x", host, got, want)
				}
			}
		})
	})
	t.Run("O31 the directory has bounds and keeps necessary entries", func(t *testing.T) {
		d := newDirectory()
		for i := range maxStrangers + 10 {
			host := id.HostID{byte(i >> 8), byte(i), 1}
			d.cards[host] = &known{card: Card{Key: []byte{byte(i >> 8), byte(i)},
				Timestamp: id.Millis(i)}, signed: []byte{byte(i)}}
		}
		// Their keys are invalid, so the host's card identifies a host: index the cards by the
		// identifiers of these hosts.
		cards := map[id.HostID]*known{}
		for _, k := range d.cards {
			cards[k.card.Host()] = k
		}
		d.cards = cards
		kept := HostOf([]byte{0, 0})
		if gone := d.trim(func(h id.HostID) bool { return h == kept }, kept); len(gone) != 9 ||
			len(d.cards) != maxStrangers+1 || slices.Contains(gone, kept) {
			t.Errorf("%d are gone, %d are left", len(gone), len(d.cards))
		}
	})
}

func TestOffers(t *testing.T) {
	example := func() InvitationText {
		o := InvitationText{Secret: Secret{1, 2, 3, 15: 9},
			Addresses: []Address{"quic://192.0.2.1:8080", "http://192.0.2.1:8080"}}
		copy(o.KeyHash[:], printOf(newKey(1).Public().(ed25519.PublicKey)))
		return o
	}
	t.Run("O32.3, O32.4, O32.6 an invitation is one word that survives copying", func(t *testing.T) {
		o := example()
		text := o.String()
		if strings.ContainsFunc(text, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'a' || r > 'z')
		}) || len(text) > 200 {
			t.Errorf("%q is not a word", text)
		}
		for _, said := range []string{
			text, strings.ToUpper(text), "  " + text + "\r\n", text[:30] + "\n  " + text[30:],
			text[:40] + "-" + text[40:],
			offerPrefix + strings.NewReplacer("0", "o", "1", "l").Replace(text[len(offerPrefix):]),
		} {
			if got, err := ParseOffer(said); err != nil || !reflect.DeepEqual(got, o) {
				t.Errorf("%q is %+v, %v", said, got, err)
			}
		}
	})
	t.Run("O32.5 a mistake in an invitation is noticed", func(t *testing.T) {
		o := example()
		text := o.String()
		for i := len(offerPrefix); i < len(text); i++ {
			for _, letter := range letters {
				if wrong := text[:i] + string(letter) + text[i+1:]; wrong != text {
					if _, err := ParseOffer(wrong); err == nil {
						t.Fatalf("letter %d as %c is accepted", i, letter)
					}
				}
			}
			if i+1 < len(text) && text[i] != text[i+1] {
				if _, err := ParseOffer(text[:i] + string(text[i+1]) + string(text[i]) +
					text[i+2:]); err == nil {
					t.Fatalf("letters %d and %d swapped are accepted", i, i+1)
				}
			}
			if _, err := ParseOffer(text[:i] + text[i+1:]); err == nil {
				t.Fatalf("without letter %d it is accepted", i)
			}
		}
		for _, text := range []string{"", "holt1", "https://holt.example.org/join/x",
			strings.Repeat("holt1", 1000)} {
			if _, err := ParseOffer(text); err == nil {
				t.Errorf("%.20q is accepted", text)
			}
		}
	})
	t.Run("O32 an invitation proves one key", func(t *testing.T) {
		o := example()
		if !o.proves(newKey(1).Public().(ed25519.PublicKey)) ||
			o.proves(newKey(2).Public().(ed25519.PublicKey)) {
			t.Error("it proves another one")
		}
		if got := Fingerprint(o.Host()); len(got) != 19 ||
			strings.ReplaceAll(got, " ", "") != o.Host().String() {
			t.Errorf("the fingerprint is %s", got)
		}
	})
	t.Run("O34.1 rights are read back as written", func(t *testing.T) {
		for r := range allRights {
			if got, err := ParseRights(r.String()); err != nil || got != r {
				t.Errorf("%s is %s, %v", r, got, err)
			}
		}
		for _, text := range []string{"all", "visit,", "visit bring", "Visit"} {
			if got, err := ParseRights(text); err == nil {
				t.Errorf("%q is %s", text, got)
			}
		}
	})
}

// TestSessions: two hosts talk over connections that end at any moment, while hosts begin new
// lives.
func TestSessions(t *testing.T) {
	// Clauses: O33.24, O33.25, O33.26, O33.27
	t.Run("O33 messages arrive once, in order for each object", func(t *testing.T) {
		for seed := range uint64(300) {
			talk(t, seed)
		}
	})
}

// end is one end of a session.
type end struct {
	life life
	out  outbox
	in   inbox
	said []string // by this life to the other's current life
	got  []string // from the other's current life
}

func (e *end) hello() *hello {
	h := &hello{Life: e.life, Line: 1, First: e.out.first()}
	h.Of, h.Floor, h.Above = e.in.report()
	again, err := readHello(helloFrame(h))
	if err != nil {
		panic(err)
	}
	return &again
}

func talk(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	now := time.Unix(0, 0)
	ends := [2]*end{{life: life{1}}, {life: life{2}}}
	lives := byte(3)
	connect := func() {
		a, b := ends[0], ends[1]
		// Hellos may be older than what has arrived since by a connection that was given up. That
		// only causes more to be sent again.
		ha, hb := a.hello(), b.hello()
		for i, e := range ends {
			h := hb
			if i == 1 {
				h = ha
			}
			e.in.begin(h)
			if err := e.out.begin(h, e.life); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	connect()
	n := 0
	flight := [2][]envelope{}
	step := func(send bool) {
		i := r.IntN(2)
		from, to := ends[i], ends[1-i]
		switch r.IntN(6) {
		case 0, 1:
			if send {
				n++
				text := fmt.Sprintf("%d %06d", r.IntN(3), n)
				if from.out.put(Message{About: object(text[0] - '0'),
					Bytes: []byte(text)}, now) == nil {
					from.said = append(from.said, text)
				}
			}
		case 2, 3:
			if e, ok := from.out.take(); ok {
				flight[i] = append(flight[i], e)
			}
		case 4: // a message arrives: not one that follows another about its object
			if len(flight[i]) == 0 {
				return
			}
			at := r.IntN(len(flight[i]))
			for j := range at {
				if flight[i][j].About == flight[i][at].About {
					at = j
					break
				}
			}
			e := flight[i][at]
			flight[i] = slices.Delete(flight[i], at, at+1)
			e, err := readEnvelope(appendEnvelope(nil, &e))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			fresh, err := to.in.receive(&e)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if fresh {
				to.got = append(to.got, string(e.Bytes))
			}
		case 5:
			if err := from.out.acknowledge(to.in.floor); err != nil && to.in.of == from.life {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	check := func(whole bool) {
		for i, e := range ends {
			other := ends[1-i]
			seen := map[string]bool{}
			last := map[byte]string{}
			for _, text := range e.got {
				if seen[text] || !slices.Contains(other.said, text) || text < last[text[0]] {
					t.Fatalf("seed %d: %q has come twice, or too late, or from nowhere", seed, text)
				}
				seen[text], last[text[0]] = true, text
			}
			if whole && len(seen) != len(other.said) {
				t.Fatalf("seed %d: %d of %d have come", seed, len(seen), len(other.said))
			}
		}
	}
	for range 400 {
		switch r.IntN(40) {
		case 0:
			flight = [2][]envelope{}
			connect()
		case 1: // one of them begins a new life, and messages to the old one may be lost
			i := r.IntN(2)
			ends[i] = &end{life: life{lives}}
			lives++
			other := ends[1-i]
			flight = [2][]envelope{}
			connect()
			other.got, other.said = nil, nil
			for _, e := range other.out.entries {
				other.said = append(other.said, string(e.message.Bytes))
			}
		default:
			step(true)
		}
		check(false)
	}
	flight = [2][]envelope{}
	connect()
	for range 20_000 {
		step(false)
	}
	check(true)
	for i, e := range ends {
		if err := e.out.acknowledge(ends[1-i].in.floor); err != nil || len(e.out.entries) != 0 ||
			e.out.bytes != 0 || len(e.in.above) != 0 {
			t.Fatalf("seed %d: %d messages and %d bytes are left", seed,
				len(e.out.entries), e.out.bytes)
		}
	}
}
