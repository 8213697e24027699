package peer

import (
	"bytes"
	"crypto/ed25519"
	"reflect"
	"testing"
)

// FuzzO31Cards: every card has one encoding.
func FuzzO31Cards(f *testing.F) {
	key := newKey(1)
	c := exampleCard(key)
	f.Add(c.Sign(key))
	f.Add([]byte{cardVersion})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadCard(b)
		if err != nil {
			return
		}
		signature := len(b) - ed25519.SignatureSize
		if again := c.Sign(key); !bytes.Equal(again[:signature], b[:signature]) {
			t.Errorf("%x is written as %x", b, again)
		}
	})
}

// FuzzO32Offers: every invitation is the same after decoding and encoding.
func FuzzO32Offers(f *testing.F) {
	o := InvitationText{Secret: Secret{1}, Addresses: []Address{"quic://192.0.2.1:8080"}}
	f.Add(o.String())
	f.Add("holt1")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseOffer(text)
		if err != nil {
			return
		}
		if again, err := ParseOffer(o.String()); err != nil || !reflect.DeepEqual(again, o) {
			t.Errorf("%q comes back as %+v, %v", text, again, err)
		}
	})
}

// FuzzO33Frames: every word that is read has one encoding, and nothing panics.
func FuzzO33Frames(f *testing.F) {
	key := newKey(1)
	c := exampleCard(key)
	f.Add(helloFrame(&hello{
		Life: life{1}, Line: 1, First: 1, Of: life{2}, Floor: 3, Above: []byte{5},
		Card: c.Sign(key),
	}))
	f.Add(refuseFrame(refusedBusy))
	f.Add(lookFrame(Secret{1}))
	f.Add(joinFrame(&ask{Secret: Secret{1}, Gives: Visit, Card: c.Sign(key)}))
	f.Add(termsFrame(&terms{Gives: Keep, Confirm: true, Card: c.Sign(key)}))
	f.Add(rightsFrame(Bring))
	f.Add(ackFrame(9))
	f.Add(appendEnvelope(nil, &envelope{
		number: 9, first: 3, Message: Message{About: object(1), Request: true, Bytes: []byte("x")},
	}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return // no line delivers that
		}
		again := rewrite(b)
		if again != nil && !bytes.Equal(again, b) {
			t.Errorf("%x is written as %x", b, again)
		}
	})
}

// rewrite decodes a word and encodes it again. It returns nil if b is not a word.
func rewrite(b []byte) []byte {
	switch kind(b[0]) {
	case kindHello:
		if h, err := readHello(b); err == nil {
			return helloFrame(&h)
		}
	case kindRefuse:
		if r, err := readRefuse(b); err == nil {
			return refuseFrame(r)
		}
	case kindLook:
		if a, err := readAsk(b); err == nil {
			return lookFrame(a.Secret)
		}
	case kindJoin:
		if a, err := readAsk(b); err == nil {
			return joinFrame(&a)
		}
	case kindTerms:
		if v, err := readTerms(b); err == nil {
			return termsFrame(&v)
		}
	case kindRights:
		if r, err := readRights(b); err == nil {
			return rightsFrame(r)
		}
	case kindAck:
		if n, err := readAck(b); err == nil {
			return ackFrame(n)
		}
	case kindMessage:
		if e, err := readEnvelope(b); err == nil {
			return appendEnvelope(nil, &e)
		}
	default: // a card has a target of its own, and a ping has nothing to read
	}
	return nil
}
