package peer

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/id"
)

// The tests of this file have the numbers of the protocol, as those of bounds_test.go.

func TestCardBounds(t *testing.T) {
	t.Run("O31.2 a name has 1 to 40 printable characters", func(t *testing.T) {
		for name, want := range map[string]bool{
			"":                            false,
			"A":                           true,
			strings.Repeat("ä", 40):       true,
			strings.Repeat("ä", 41):       false,
			strings.Repeat("x", 39) + "😀": true,
			"Ada's\ttables":               false,
			"Ada\u200bBen":                false,
		} {
			c := exampleCard(newKey(1))
			c.Name = name
			if _, err := ReadCard(c.Sign(newKey(1))); (err == nil) != want {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
	t.Run("O31.10 at most 4,096 cards of strangers are kept, the newest", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a, key := w.hosts[0], newKey(91)
			from := w.befriend(a, key, Linkup)
			d := a.links.directory
			var oldest id.HostID
			a.links.mu.Lock()
			for i := range 4096 {
				k := known{card: Card{Key: []byte{byte(i >> 8), byte(i)}, Timestamp: id.Millis(1 + i)}}
				d.cards[k.card.Host()] = &k
				if i == 0 {
					oldest = k.card.Host()
				}
			}
			a.links.mu.Unlock()
			w.must(a.store.PutPeerCard(w.Context(), oldest, []byte{1}))
			third := exampleCard(newKey(92))
			w.must(a.links.learn(w.Context(), from, Linkup, third.Sign(newKey(92))))
			strangers := 0
			a.links.mu.Lock()
			for host := range d.cards {
				if host != a.self() && host != from {
					strangers++
				}
			}
			a.links.mu.Unlock()
			if _, ok := a.links.Card(oldest); ok || strangers != 4096 {
				t.Errorf("%d are kept, the oldest among them: %t", strangers, ok)
			}
			if _, ok := a.links.Card(third.Host()); !ok {
				t.Error("the newest is not kept")
			}
			if _, ok := a.store.cards[oldest]; ok {
				t.Error("the oldest is still in the store")
			}
		})
	})
}

func TestInvitationBounds(t *testing.T) {
	t.Run("O32.2 an invitation is accepted for 24 hours", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			late, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			pass(24*time.Hour - time.Minute)
			_, err = b.links.Accept(w.Context(), o, 0, DefaultLimits)
			w.must(err)
			w.must(b.links.Remove(w.Context(), a.self()))
			w.must(a.links.Remove(w.Context(), b.self()))
			pass(time.Minute)
			if _, err := b.links.Accept(w.Context(), late, 0,
				DefaultLimits); !errors.Is(err, refusedInvitation) {
				t.Errorf("after 24 hours: %v", err)
			}
		})
	})
	t.Run("O32.7 an invitation has at most 4 addresses", func(t *testing.T) {
		var addresses []Address
		for i := range 5 {
			addresses = append(addresses, Address(fmt.Sprintf("https://h%d.example.org", i)))
		}
		o := InvitationText{Addresses: addresses[:4]}
		if _, err := ParseOffer(o.String()); err != nil {
			t.Errorf("with 4: %v", err)
		}
		o.Addresses = addresses
		if _, err := ParseOffer(o.String()); err == nil {
			t.Error("5 addresses are accepted")
		}
		inWorld(t, 1, func(w *world) {
			l := w.hosts[0].links
			l.cfg.Addresses = addresses
			o, err := l.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			if !slices.Equal(o.Addresses, addresses[:4]) {
				t.Errorf("the invitation has %v", o.Addresses)
			}
		})
	})
	t.Run("O32.8 of the secret only the hash is kept", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, true)
			w.must(err)
			want := Hash(sha256.Sum256(append([]byte("holt invitation 1\x00"), o.Secret[:]...)))
			if i, ok := a.store.invitations[want]; !ok || len(a.store.invitations) != 1 {
				t.Errorf("kept is %+v", i)
			}
			secret := strings.Trim(fmt.Sprint(o.Secret), "[]")
			if strings.Contains(fmt.Sprint(a.store.invitations), secret) {
				t.Error("the secret itself is kept")
			}
		})
	})
}

// unhex returns bytes that are written in hexadecimal digits, with spaces between the fields.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestForms(t *testing.T) {
	t.Run("O31.1 a card has the fields of its form", func(t *testing.T) {
		key := newKey(3)
		c := Card{Key: key.Public().(ed25519.PublicKey), Name: "Ada", Timestamp: 0x0102030405,
			Addresses: []Address{"http://a", "quic://b:1"}}
		form := slices.Concat([]byte{1}, c.Key, unhex(t, "0000000102030405 0003"), []byte("Ada"),
			unhex(t, "02 0008"), []byte("http://a"), unhex(t, "000a"), []byte("quic://b:1"))
		form = append(form, ed25519.Sign(key, append([]byte("holt card 1\x00"), form...))...)
		if got := c.Sign(key); !slices.Equal(got, form) {
			t.Errorf("it is %x, not %x", got, form)
		}
		if got, err := ReadCard(form); err != nil || got.Name != "Ada" || len(got.Addresses) != 2 {
			t.Errorf("it is read as %+v, %v", got, err)
		}
	})
	t.Run("O33.32 link frames have the bytes of their forms", func(t *testing.T) {
		secret := Secret(unhex(t, "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
		card := []byte{0xca, 0x2d}
		for name, c := range map[string]struct {
			got  []byte
			want string
		}{
			"hello": {helloFrame(&hello{Life: life(unhex(t, "1112131415161718")), Line: 0x21,
				Replaces: 0x22, Gives: Visit | Linkup, First: 0x23,
				Of: life(unhex(t, "3132333435363738")), Floor: 0x24, Above: []byte{5}, Card: card}),
				"01 02 1112131415161718 0000000000000021 0000000000000022 09 0000000000000023" +
					"3132333435363738 0000000000000024 0001 05 0002 ca2d"},
			"refuse stranger":   {refuseFrame(refusedStranger), "02 01"},
			"refuse paused":     {refuseFrame(refusedPaused), "02 02"},
			"refuse pending":    {refuseFrame(refusedPending), "02 03"},
			"refuse duplicate":  {refuseFrame(refusedDuplicate), "02 04"},
			"refuse invitation": {refuseFrame(refusedInvitation), "02 05"},
			"refuse version":    {refuseFrame(refusedVersion), "02 06"},
			"refuse busy":       {refuseFrame(refusedBusy), "02 07"},
			"look":              {lookFrame(secret), "03 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"},
			"join": {joinFrame(&ask{Secret: secret, Gives: Bring, Card: card}),
				"04 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 02 0002 ca2d"},
			"terms":  {termsFrame(&terms{Gives: Keep, Confirm: true, Card: card}), "05 04 01 0002 ca2d"},
			"card":   {cardFrame(card), "06 ca2d"},
			"rights": {rightsFrame(Visit | Bring), "07 03"},
			"ack":    {ackFrame(0x0102), "08 0000000000000102"},
			"message": {appendEnvelope(nil, &envelope{number: 9, first: 3, Message: Message{
				About: object(7), Request: true, Bytes: []byte{0xfe, 0xff}}}),
				"10 01 0000000000000009 0000000000000003 01020300000000000000000000000007 feff"},
		} {
			want := unhex(t, c.want)
			if !slices.Equal(c.got, want) {
				t.Errorf("%s is %x, not %x", name, c.got, want)
			}
			if name == "card" { // a card has a reader of its own
				continue
			}
			if again := rewrite(want); !slices.Equal(again, want) {
				t.Errorf("%s is read as %x", name, again)
			}
		}
		if _, err := readHello(unhex(t, "01 03")); !errors.Is(err, refusedVersion) {
			t.Errorf("another version: %v", err)
		}
	})
	t.Run("O33.32 a ping has one byte, 0x09", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			key := newKey(91)
			w.befriend(w.hosts[0], key, 0)
			r := w.rogue(key, w.hosts[0])
			r.enter(key)
			defer r.raw.Close()
			for { // other frames come before it
				b := make([]byte, 4)
				_, err := io.ReadFull(r.conn, b)
				w.must(err)
				frame := make([]byte, b[3])
				_, err = io.ReadFull(r.conn, frame)
				w.must(err)
				if len(frame) == 1 {
					if frame[0] != 9 {
						t.Errorf("it is %x", frame)
					}
					return
				}
			}
		})
	})
}
