// Package id holds the identifiers and clocks of Holt. Each is a type of its own, so that a number
// of one kind is never taken for a number of another. The package does not know what they identify.
package id

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// Generation counts the recorded entries of one table. It rises strictly and may have gaps (T2). It
// never leaves the server: viewers get a Version.
type Generation uint64

// Version is a version: the number that one view has for a recorded entry or a reject. The server
// sends it, and clients return it as a tag. To a client it is opaque. It is at most 2^53-1, so that
// a JavaScript number can hold it (T21).
type Version uint64

// VersionMax is the greatest Version that every client can hold exactly.
const VersionMax Version = 1<<53 - 1

// ClientSeq numbers the updates of one client, strictly rising from 1 (T10). It is at most 2^53-1.
type ClientSeq uint64

// ClientSeqMax is the greatest ClientSeq that every client can hold exactly.
const ClientSeqMax ClientSeq = 1<<53 - 1

// Epoch names one life of a table's history. It is random, and only equality has a meaning. It
// changes when, and only when, the history goes back to an older state (T19). It is at most 2^53-1,
// and never zero.
type Epoch uint64

// Millis is a time in milliseconds since the Unix epoch.
type Millis int64

// Seat numbers the seats of one table from 1. Zero is nobody.
type Seat uint32

// Piece is a name of a piece (T21). Zero names no piece.
type Piece uint32

// ChatLine is the number of a line of a table's chat. It is random, so that nobody learns from it
// how many lines there are, and at most 2^53-1, so that a JavaScript number can hold it (T64).
type ChatLine uint64

// Client identifies one life of a page or program (a tab, a bot), which draws it at random. The
// zero Client is the server.
type Client [16]byte

// ParseClient reads the text form of a client: 22 characters of unpadded base64url. It returns an
// error for any other text and for the zero Client.
func ParseClient(s string) (Client, error) {
	var c Client
	if len(s) != 22 {
		return c, fmt.Errorf("client id has %d characters, want 22", len(s))
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil {
		return c, errors.New("client id is not base64url")
	}
	copy(c[:], b)
	if c == (Client{}) {
		return c, errors.New("client id is zero")
	}
	return c, nil
}

// String returns the text form that ParseClient reads.
func (c Client) String() string { return base64.RawURLEncoding.EncodeToString(c[:]) }

// HostID identifies a host: the first eight bytes of the SHA-256 of its Ed25519 public key (O1).
type HostID [8]byte

// String returns the host identifier as sixteen hexadecimal digits.
func (g HostID) String() string { return hex.EncodeToString(g[:]) }

// MarshalText returns the same, for logs and JSON.
func (g HostID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, g[:]), nil }

// OID identifies an object everywhere and for ever: the GWID of the host that created it, 44 bits
// of milliseconds and 20 bits of counter, big-endian (O1).
type OID [16]byte

// ParseOID reads the text form of an object identifier: 32 lower-case hexadecimal digits.
func ParseOID(s string) (OID, error) {
	var o OID
	if len(s) != 32 {
		return o, fmt.Errorf("object id has %d characters, want 32", len(s))
	}
	if _, err := hex.Decode(o[:], []byte(s)); err != nil {
		return o, errors.New("object id is not hexadecimal")
	}
	if o.String() != s {
		return OID{}, errors.New("object id is not in lower case")
	}
	return o, nil
}

// String returns the text form that ParseOID reads.
func (o OID) String() string { return hex.EncodeToString(o[:]) }

// MarshalText returns the same, for logs and JSON.
func (o OID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, o[:]), nil }

// IsZero reports whether o is zero, which identifies nothing.
func (o OID) IsZero() bool { return o == OID{} }

// Creator returns the host that created the object (O3).
func (o OID) Creator() HostID { return HostID(o[:8]) }

func (s Seat) String() string { return strconv.FormatUint(uint64(s), 10) }
