// Package fairness holds verifiable randomness (rules F1 to F16, docs/fairness.md): rounds whose
// seed is committed to before it is used, entropy of the players, which is committed to before it
// is revealed, draws that follow from both by a published algorithm, and the proof afterwards.
// static/js/parts/fairness does the same in the browser, with identical results
// (docs/protocol/vectors/fair.json and fair2.json).
//
// The package has no clock, no table and no source of randomness. Seeds and entropy come in as
// arguments, and events come in and go out as facts. It does not decide when a mix is closed, who
// learns of a draw, or what is still hidden; the room decides that.
package fairness

import (
	"encoding/hex"
	"errors"

	"holt/server/id"
)

// Bounds (F15).
const (
	MaxShares    = 64     // shares of a mix
	SeatShares   = 4      // of these, for one seat
	KeptShares   = 32     // of these, reserved for seats that have none yet
	MaxThings    = 10_000 // things of a draw: as many as there are pieces on a table
	MaxSides     = 1 << 31
	MaxAudiences = 2_049 // everybody, and each seat of a table
	MaxSealed    = 256   // sealed rounds of a table
	MaxName      = 1024  // bytes of the name of a seat
)

// Round numbers the rounds of a table from 1. 0 is before the first.
type Round uint32

// Mix numbers the mixes of a round from 1. 0 is before the first.
type Mix uint32

// Share numbers the contributions to a mix from 1, in the order of their commitments.
type Share uint32

// Number numbers the draws of one audience in a round from 1.
type Number uint32

// Audience says who learns of a draw while its round is sealed: everybody, or one seat alone. Each
// audience has its own draws, numbers and seals, so that a draw behind a screen leaves no gap that
// others see (F6).
type Audience id.Seat

// Everybody is the audience of public draws.
const Everybody Audience = 0

// Digest is a SHA-256 or an HMAC-SHA256: a commitment, a pool, a seal.
type Digest [32]byte

// String returns the digest as 64 hexadecimal digits, as in exports.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Entropy is the contribution of one client to a mix: 32 random bytes, revealed only after the mix
// was closed.
type Entropy [32]byte

// String returns the entropy as 64 hexadecimal digits, as in exports.
func (e Entropy) String() string { return hex.EncodeToString(e[:]) }

// Secret is the secret from which a table derives its seeds. It is never published.
type Secret [32]byte

// String hides the secret, so that it does not come into a log by accident.
func (Secret) String() string { return "(secret)" }

// GoString hides the secret.
func (s Secret) GoString() string { return s.String() }

// Seed is the secret of one round, until it is published.
type Seed [32]byte

// String hides the seed, so that it does not come into a log by accident.
func (Seed) String() string { return "(seed)" }

// GoString hides the seed.
func (s Seed) GoString() string { return s.String() }

// Fault says what is wrong with a fact or a file. The texts are those of reports and of the
// vectors.
type Fault string

// The faults.
const (
	FaultTable      Fault = "table"      // notes of another table
	FaultRound      Fault = "round"      // a fact of another round, or rounds out of order
	FaultTime       Fault = "time"       // a time before that of an earlier fact
	FaultPhase      Fault = "phase"      // a fact that cannot come now: a commitment after a close
	FaultMix        Fault = "mix"        // a fact of another mix
	FaultTwice      Fault = "twice"      // a second share of one client, or a share revealed again
	FaultFull       Fault = "full"       // beyond a bound
	FaultShare      Fault = "share"      // a share that was not committed to
	FaultEntropy    Fault = "entropy"    // a share that does not match its commitment
	FaultClosing    Fault = "closing"    // a close that does not match the commitments
	FaultWithheld   Fault = "withheld"   // a mix that does not name exactly the withheld shares
	FaultPool       Fault = "pool"       // a pool that does not follow from the shares
	FaultNumber     Fault = "number"     // a gap in the numbers of draws
	FaultRecord     Fault = "record"     // an impossible draw
	FaultOutcome    Fault = "outcome"    // an outcome that does not follow from seed and pool
	FaultSeal       Fault = "seal"       // a seal that does not match the record
	FaultEnd        Fault = "end"        // a round that does not end as the next one says
	FaultCommitment Fault = "commitment" // a seed that does not match its commitment
	FaultVersion    Fault = "version"    // version 1 after 2, or a fact that the version lacks
	FaultName       Fault = "name"       // a name other than the one that the rounds bind
	FaultLine       Fault = "line"       // a name, a time or a field that differs from the line
)

func (f Fault) Error() string { return "fair: " + string(f) }

// Error is a Fault with the expected and the actual value: digits, or names of facts. It wraps the
// Fault.
type Error struct {
	Fault     Fault
	Want, Got string
}

func (e *Error) Error() string {
	return e.Fault.Error() + ": want " + e.Want + ", got " + e.Got
}

func (e *Error) Unwrap() error { return e.Fault }

// ErrEncoding is wrapped by errors about bytes that are not an encoding of this package.
var ErrEncoding = errors.New("fair: not an encoding")
