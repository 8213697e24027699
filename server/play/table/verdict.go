package table

import (
	"fmt"

	"holt/server/id"
)

// Verdict is the outcome of an update.
type Verdict uint8

// The verdicts.
const (
	Recorded  Verdict = 1 // one or more entries; acknowledge them when they are durable (T5, T10)
	Discarded Verdict = 2 // stale: no effect and no answer (T6)
	Rejected  Verdict = 3 // inapplicable: send Outcome.Reject to the client alone (T14)
	Repeated  Verdict = 4 // recorded before: send Outcome.Ack to the client again (T10)
	Deferred  Verdict = 5 // waits for the answer to Outcome.Ask; nil: asked before (T39)
)

// Reason says why an update was inapplicable. The numbers are those of the wire (T14).
type Reason uint8

// The reasons (T14).
const (
	reasonNone       Reason = 0
	ReasonHeld       Reason = 1
	ReasonPinned     Reason = 2
	ReasonLocked     Reason = 3
	ReasonOffTable   Reason = 4
	ReasonGone       Reason = 5
	ReasonHidden     Reason = 6
	ReasonTableFull  Reason = 7
	ReasonStaleLoose Reason = 8
	ReasonNotHeld    Reason = 9
	ReasonNotAllowed Reason = 10
	ReasonForgotten  Reason = 11
	ReasonClock      Reason = 12
	ReasonOwned      Reason = 13
	ReasonNotEmpty   Reason = 14
	ReasonEmpty      Reason = 15
	ReasonRange      Reason = 16
	ReasonCooling    Reason = 17
	ReasonScattered  Reason = 18
	ReasonAway       Reason = 19
	ReasonLogFull    Reason = 20 // given by the room in Inputs.Refused (T45)
	ReasonTooMuch    Reason = 21 // as above (T46)
	ReasonFrozen     Reason = 22 // as above (T67)
	ReasonUnanswered Reason = 23

	MaxReason = ReasonUnanswered
)

var reasonNames = [...]string{
	ReasonHeld: "held", ReasonPinned: "pinned", ReasonLocked: "locked", ReasonOffTable: "off-table",
	ReasonGone: "gone", ReasonHidden: "hidden", ReasonTableFull: "table-full",
	ReasonStaleLoose: "stale-loose", ReasonNotHeld: "not-held", ReasonNotAllowed: "not-allowed",
	ReasonForgotten: "forgotten", ReasonClock: "clock", ReasonOwned: "owned",
	ReasonNotEmpty: "not-empty", ReasonEmpty: "empty", ReasonRange: "range",
	ReasonCooling: "cooling", ReasonScattered: "scattered", ReasonAway: "away",
	ReasonLogFull: "log-full", ReasonTooMuch: "too-much", ReasonFrozen: "frozen",
	ReasonUnanswered: "unanswered",
}

// String returns the name of a reason, as in documents and problems.
func (r Reason) String() string {
	if r != reasonNone && int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown"
}

// Outcome is the result of Apply or Resume.
type Outcome struct {
	Verdict Verdict
	Reject  Reject // if Rejected
	Ack     Ack    // if Repeated
	Chance  Chance // the random draw, if Recorded
	Ask     *Ask   // if Deferred
}

// Reject says to a client that its update was inapplicable (T14).
type Reject struct {
	Seq    id.ClientSeq
	Reason Reason
	By     id.Seat // the holder of the piece, for ReasonHeld and ReasonNotHeld; else 0
	Piece  Shown   // complete, with the floor as Version; zero if the reject names no piece
}

// Ack says to a client that its update has been recorded. Piece and Version are zero if the update
// was recorded as a server update and made no piece, or if it had no tag.
type Ack struct {
	Seq     id.ClientSeq
	Piece   id.Piece
	Version id.Version
	Made    id.Piece
}

// Invalid is the error by which a whole batch is refused: update Index is invalid (T15).
type Invalid struct {
	Index  int
	Code   string // one of the codes of http.md
	Detail string
}

func (b *Invalid) Error() string { return fmt.Sprintf("update %d: %s", b.Index, b.Detail) }

// The codes of Invalid (http.md).
const (
	CodeMalformed     = "malformed"
	CodeImpossible    = "impossible-value"
	CodeUnknownOp     = "unknown-operation"
	CodeUnknownPiece  = "unknown-piece"
	CodeFutureTag     = "tag-from-the-future"
	CodeReusedSeq     = "sequence-reused"
	CodeDecreasingSeq = "sequence-decreasing"
	CodeTooLarge      = "too-large"
)
