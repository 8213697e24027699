package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"

	"holt/server/federation/peer"
	"holt/server/id"
)

// VoucherLife is for how long a voucher is accepted, in milliseconds (O37).
const VoucherLife id.Millis = 60_000

// skew is by how much the clocks of two hosts may differ, in milliseconds.
const skew id.Millis = 60_000

const (
	voucherVersion = 1
	// It stands before what is signed, so that no signature can be used for something else.
	voucherPurpose = "holt voucher 1\x00"
	maxOrigin      = 300
	maxVoucher     = 1024
	signatureSize  = 64
)

// Voucher says that a host vouches for a person who visits another host (O37).
type Voucher struct {
	Person Person
	// Host is the host that is visited. No other host accepts the voucher.
	Host id.HostID
	// Until is the end of the voucher.
	Until id.Millis
	// Home is where the person's browser finds their own server: an origin.
	Home  string
	nonce [16]byte
	hash  [sha256.Size]byte
}

// From returns the host that vouches.
func (v *Voucher) From() id.HostID { return v.Person.OID.Creator() }

// errVoucher says that a voucher is malformed.
var errVoucher = errors.New("not a voucher")

func (v *Voucher) append() []byte {
	b := []byte{voucherVersion}
	b = append(b, v.Person.OID[:]...)
	b = append(b, v.Host[:]...)
	b = append(b, v.nonce[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(v.Until)) //nolint:gosec // after 1970
	b = binary.BigEndian.AppendUint32(b, v.Person.Colour)
	b = append(b, byte(len(v.Person.Nick))) //nolint:gosec // up to 160
	b = append(b, v.Person.Nick...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(v.Home))) //nolint:gosec // up to maxOrigin
	return append(b, v.Home...)
}

// voucherHead is how many bytes stand before the nick.
const voucherHead = 1 + 16 + 8 + 16 + 8 + 4 + 1

// readVoucher reads a voucher. signed is the part of it that is signed. The signature has not been
// checked yet.
func readVoucher(text string) (v Voucher, signed, signature []byte, err error) {
	if len(text) > base64.RawURLEncoding.EncodedLen(maxVoucher) {
		return v, nil, nil, errVoucher
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < voucherHead+2+signatureSize || b[0] != voucherVersion {
		return v, nil, nil, errVoucher
	}
	copy(v.Person.OID[:], b[1:17])
	copy(v.Host[:], b[17:25])
	copy(v.nonce[:], b[25:41])
	v.Until = id.Millis(binary.BigEndian.Uint64(b[41:49])) //nolint:gosec // it is only compared
	v.Person.Colour = binary.BigEndian.Uint32(b[49:53])
	rest, n := b[voucherHead:len(b)-signatureSize], int(b[53])
	if n+2 > len(rest) {
		return v, nil, nil, errVoucher
	}
	v.Person.Nick, rest = string(rest[:n]), rest[n:]
	if int(binary.BigEndian.Uint16(rest)) != len(rest)-2 || len(rest)-2 > maxOrigin {
		return v, nil, nil, errVoucher
	}
	v.Home, v.hash = string(rest[2:]), sha256.Sum256(b)
	if check(v.Person) != nil || !isOrigin(v.Home) {
		return v, nil, nil, errVoucher
	}
	return v, b[:len(b)-signatureSize], b[len(b)-signatureSize:], nil
}

// isOrigin reports whether a text consists of scheme, host and port of a page.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.Hostname() != "" && u.Scheme+"://"+u.Host == text
}

// Vouch makes a voucher for a person of this host who goes to a linked one. home is the origin at
// which their browser finds this server. The error is a Refused if people of this host cannot visit
// the other one.
func (v *Visits) Vouch(ctx context.Context, p Person, host id.HostID, home string) (string, error) {
	if err := v.mayGo(host); err != nil {
		return "", err
	}
	if !isOrigin(home) || len(home) > maxOrigin {
		return "", fmt.Errorf("vouch for person %s: %q is not an origin", p.OID, home)
	}
	is := Voucher{Person: p, Host: host, Until: v.cfg.Now() + VoucherLife, Home: home}
	_, _ = rand.Read(is.nonce[:]) // it never fails
	if err := v.cfg.Store.AddVisit(ctx, p.OID, host, v.cfg.Now()); err != nil {
		return "", err
	}
	b := is.append()
	b = append(b, v.cfg.Links.Sign(append([]byte(voucherPurpose), b...))...)
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// mayGo returns a Refused if people of this host cannot visit another one.
func (v *Visits) mayGo(host id.HostID) error {
	k, ok := v.cfg.Links.Link(host)
	switch {
	case !ok:
		return Refused("This server is not linked with the one to which the link leads.")
	case k.State == peer.Paused:
		return Refused("The link between this server and " + v.Name(host) + " is paused.")
	case k.State == peer.Pending:
		return Refused("The link between this server and " + v.Name(host) +
			" is not confirmed yet.")
	case !k.Given.Has(peer.Visit):
		return Refused(v.Name(host) +
			" does not let people of this server visit its tables. Whoever runs it can allow that.")
	}
	return nil
}

// Check reads a voucher that was shown here. The error is a Refused that says what is wrong with
// it. Check does not use the voucher up.
func (v *Visits) Check(text string) (Voucher, error) {
	is, signed, signature, err := readVoucher(text)
	if err != nil {
		return is, Refused(
			"What your own server says of you cannot be read. Go back there and follow the link once more.",
		)
	}
	from, now := is.From(), v.cfg.Now()
	k, ok := v.cfg.Links.Link(from)
	switch {
	case !ok:
		return is, Refused("Your own server is not linked with this one.")
	case !v.cfg.Links.Verify(from, append([]byte(voucherPurpose), signed...), signature):
		v.cfg.Log.Warn("a forged voucher was shown", "host", from)
		return is, Refused(
			"What your own server says of you was not said by it. " +
				"Go back there and follow the link once more.",
		)
	case is.Host != v.Self():
		return is, Refused("Your own server has sent you to another server than this one.")
	case k.State != peer.Active:
		return is, Refused(
			"The link between your own server and this one is paused, or not confirmed yet.",
		)
	case !k.Gives.Has(peer.Visit):
		return is, Refused("This server does not let people of " + v.Name(from) +
			" visit its tables. Whoever runs it can allow that.")
	case is.Until <= now-skew, is.Until > now+VoucherLife+skew:
		return is, Refused(
			"It is too long ago that your own server has sent you here. " +
				"Go back there and follow the link once more.",
		)
	}
	return is, nil
}

// Use uses up a voucher that has passed Check. The error is a Refused if it was used before.
func (v *Visits) Use(ctx context.Context, is Voucher) error {
	now := v.cfg.Now()
	err := v.cfg.Store.UseVoucher(ctx, is.hash, max(is.Until, now)+2*skew, now)
	if errors.Is(err, ErrUsed) {
		return Refused(
			"You have sat down with that already. " +
				"To take another seat go back to your own server and follow the link once more.",
		)
	}
	return err
}
