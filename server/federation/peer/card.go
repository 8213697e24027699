package peer

import (
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"holt/server/id"
)

// Card says who a host is and where it can be found (O31).
type Card struct {
	Key ed25519.PublicKey
	// Name is a line of 1 to 40 printable characters, without spaces around it.
	Name string
	// Addresses are where the host may be found, at most MaxAddresses, the best first, none twice.
	Addresses []Address
	// Timestamp is set by the host itself: milliseconds since 1970, and above that of each card
	// that it has made before.
	Timestamp id.Millis
}

// MaxAddresses is how many addresses a card may have (O31).
const MaxAddresses = 8

const (
	cardVersion = 1
	// It stands before what is signed, so that no signature can be used for something else.
	cardPurpose  = "holt card 1\x00"
	maxName      = 40 // characters
	maxNameBytes = maxName * utf8.UTFMax
	maxTimestamp = 1<<48 - 1
	maxCard      = 1 + ed25519.PublicKeySize + 8 + 2 + maxNameBytes +
		1 + MaxAddresses*(2+maxAddress) + ed25519.SignatureSize
)

// Host returns the host that the card describes.
func (c *Card) Host() id.HostID { return HostOf(c.Key) }

// Check returns an error that wraps ErrFormat if a field of the card is invalid.
func (c *Card) Check() error {
	switch {
	case len(c.Key) != ed25519.PublicKeySize:
		return fmt.Errorf("%w: a card's key is none", ErrFormat)
	case CheckName(c.Name) != nil:
		return fmt.Errorf("%w: a card's name is not a line of 1 to %d characters", ErrFormat, maxName)
	case len(c.Addresses) > MaxAddresses:
		return fmt.Errorf("%w: a card has more than %d addresses", ErrFormat, MaxAddresses)
	case c.Timestamp < 0 || c.Timestamp > maxTimestamp:
		return fmt.Errorf("%w: a card's timestamp is out of bounds", ErrFormat)
	}
	seen := map[Address]bool{}
	for _, a := range c.Addresses {
		if !a.valid() || seen[a] {
			return fmt.Errorf("%w: a card has an address that is none, or one twice", ErrFormat)
		}
		seen[a] = true
	}
	return nil
}

// CheckName returns an error if name is not a line of 1 to 40 printable characters without spaces
// around it.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 1 || n > maxName || strings.TrimSpace(name) != name || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf(
			"the name %q is not a line of 1 to %d printable characters", name, maxName,
		)
	}
	return nil
}

// Sign returns the card as it is sent and stored, signed by key. The card must have passed Check,
// and key must belong to the key on it.
func (c *Card) Sign(key ed25519.PrivateKey) []byte {
	b := []byte{cardVersion}
	b = append(b, c.Key...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Timestamp)) //nolint:gosec // it is not below zero
	b = appendField(b, []byte(c.Name))
	b = append(b, byte(len(c.Addresses))) //nolint:gosec // at most MaxAddresses
	for _, a := range c.Addresses {
		b = appendField(b, []byte(a))
	}
	return append(b, ed25519.Sign(key, append([]byte(cardPurpose), b...))...)
}

// ReadCard reads a signed card. It refuses a card that is invalid in any field, or not signed by
// the key on it (O31). Such errors wrap ErrFormat.
func ReadCard(b []byte) (Card, error) {
	if len(b) > maxCard {
		return Card{}, errField
	}
	p := parser{b: b}
	if p.u8() != cardVersion {
		return Card{}, fmt.Errorf("%w: a card of another version", ErrFormat)
	}
	var c Card
	c.Key = append(ed25519.PublicKey(nil), p.take(ed25519.PublicKeySize)...)
	c.Timestamp = id.Millis(p.u64()) //nolint:gosec // Check finds what is out of bounds
	c.Name = string(p.field(maxNameBytes))
	// One address too many is read, so that Check finds it.
	for range min(p.u8(), MaxAddresses+1) {
		c.Addresses = append(c.Addresses, Address(p.field(maxAddress)))
	}
	signed := len(b) - len(p.b)
	signature := p.take(ed25519.SignatureSize)
	if err := p.end(); err != nil {
		return Card{}, err
	}
	if err := c.Check(); err != nil {
		return Card{}, err
	}
	if !ed25519.Verify(c.Key, append([]byte(cardPurpose), b[:signed]...), signature) {
		return Card{}, fmt.Errorf("%w: a card is not signed by its key", ErrFormat)
	}
	return c, nil
}
