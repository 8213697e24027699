package peer

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"holt/server/id"
)

// InvitationLife is for how long an invitation is accepted (O32).
const InvitationLife = 24 * time.Hour

// Invitation is an invitation that was made here, as it is stored. A reader of the store cannot use
// it, because it has only the hash of the secret.
type Invitation struct {
	Hash   Hash // of the secret
	Gives  Rights
	Limits Limits
	// Confirm says that the link waits for this host's operator to confirm after the other one has
	// accepted.
	Confirm bool
	Until   id.Millis
}

// Secret is what makes an invitation valid: 128 random bits.
type Secret [16]byte

func (s Secret) hash() Hash {
	return sha256.Sum256(append([]byte("holt invitation 1\x00"), s[:]...))
}

// InvitationText is the content of the text of an invitation (O32).
type InvitationText struct {
	// KeyHash is the beginning of the SHA-256 of the inviting host's key. It has twice the length
	// of a GWID, so that nobody finds another key that fits.
	KeyHash [16]byte
	Secret  Secret
	// Addresses are where the host can be found: at least one, at most maxOffered.
	Addresses []Address
}

// Host returns the host that invites.
func (o *InvitationText) Host() id.HostID { return id.HostID(o.KeyHash[:8]) }

// proves reports whether a key is that of the host that invites.
func (o *InvitationText) proves(key ed25519.PublicKey) bool {
	return bytes.Equal(printOf(key), o.KeyHash[:])
}

// printOf returns the KeyHash of a key.
func printOf(key ed25519.PublicKey) []byte {
	sum := sha256.Sum256(key)
	return sum[:len(InvitationText{}.KeyHash)]
}

// Bounds of an invitation's text.
const (
	offerPrefix = "holt1"
	maxOffered  = 4    // addresses
	sumSize     = 4    // bytes of the checksum
	maxOffer    = 2048 // characters, with what chat programs add
)

// letters are the letters of an invitation. Those that are easily mistaken are missing: i, l, o, u.
const letters = "0123456789abcdefghjkmnpqrstvwxyz"

var encoding = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

// String returns the invitation as people send it: one word, with a checksum that shows wrong and
// missing letters.
func (o *InvitationText) String() string {
	b := append(bytes.Clone(o.KeyHash[:]), o.Secret[:]...)
	for _, a := range o.Addresses {
		b = append(b, byte(len(a))) //nolint:gosec // at most maxAddress
		b = append(b, a...)
	}
	sum := sha256.Sum256(b)
	return offerPrefix + encoding.EncodeToString(append(b, sum[:sumSize]...))
}

var errOffer = errors.New("this is not the text of an invitation, which begins with " +
	offerPrefix + ": copy all of what you were sent")

// ParseOffer reads the text of an invitation. It ignores spaces, line breaks, hyphens and case. The
// error says that the text is not an invitation, or has a mistake.
func ParseOffer(text string) (InvitationText, error) {
	if len(text) > maxOffer {
		return InvitationText{}, errOffer
	}
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n-\u00a0\u200b", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
	coded, ok := strings.CutPrefix(text, offerPrefix)
	if !ok {
		return InvitationText{}, errOffer
	}
	coded = strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(coded)
	b, err := encoding.DecodeString(coded)
	if err != nil || encoding.EncodeToString(b) != coded || len(b) < sumSize {
		return InvitationText{}, errTypo
	}
	body := b[:len(b)-sumSize]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:sumSize], b[len(body):]) {
		return InvitationText{}, errTypo
	}
	return readOffer(body)
}

var errTypo = errors.New("the invitation has a mistake in it: copy it once more, all of it")

func readOffer(b []byte) (InvitationText, error) {
	var o InvitationText
	p := parser{b: b}
	copy(o.KeyHash[:], p.take(len(o.KeyHash)))
	copy(o.Secret[:], p.take(len(o.Secret)))
	for p.err == nil && len(p.b) > 0 && len(o.Addresses) <= maxOffered {
		a := Address(p.take(int(p.u8())))
		if p.err == nil && !a.valid() {
			p.err = errValue
		}
		o.Addresses = append(o.Addresses, a)
	}
	switch err := p.end(); {
	case err != nil:
		return InvitationText{}, fmt.Errorf("read an invitation: %w", err)
	case len(o.Addresses) == 0 || len(o.Addresses) > maxOffered:
		return InvitationText{}, fmt.Errorf("read an invitation: %w", errValue)
	}
	return o, nil
}
