package object

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"holt/server/id"
)

// maxMessage bounds a message, in bytes: an envelope and its deed and references.
const maxMessage = MaxEnvelope + 128<<10

// Message is a request from one host to another, or its answer. A request may come twice, late, or
// never. Carrying out a request again changes nothing, except a call, which has a number for that
// (O14).
type Message struct {
	Process uint64 // of the asking host: how often it was started
	Number  uint64 // of the request, in that process
	Body    Body
	// The trace of the sender; nil: it leaves none (O47).
	Trace *Trace
}

// Body is the request or answer in a message.
type Body interface {
	coded
	field() protowire.Number
}

// The requests (O14).
type (
	// Find asks where an object is.
	Find struct{ OID id.OID }
	// Call calls a method.
	Call struct {
		OID    id.OID
		Number uint64 // of the call, the same at every try
		// The call before it of the same object whose answer has not arrived; 0: none.
		After uint64
		// All answers to calls of the object up to this one have arrived, or are given up.
		Read   uint64
		Held   uint64 // the number with which the caller was registered
		Method string
		Args   []byte
		Passed []Passed
	}
	// Offer brings an object to the host that shall own it (O8).
	Offer struct {
		Deed     Deed
		Envelope []byte
		Passed   []Passed // the references of the object
		// The distance of the object if it is evicted because it is suspect, else 0 (O26).
		Distance uint8
	}
	// Swap asks the creator to change the owner (O8).
	Swap struct{ Deed Deed }
	// Settle says to the old owner that the object has moved (O8), or that its copy is superseded
	// (O41).
	Settle struct {
		OID  id.OID
		Term Term
	}
	// Retain asks the owner to make a host a holder (O21).
	Retain struct {
		OID id.OID
		For id.HostID
		// 1 and the distance (O27). 0 asks to confirm a holder whose number is not known (O42).
		DistancePlus1 uint8
	}
	// Release says that its sender no longer holds an object (O22).
	Release struct {
		OID    id.OID
		Number uint64
	}
	// Renew says what its sender holds (O23).
	Renew struct{ Items []Renewal }
	// Ping has no effect of its own: it shows that its sender refers to the object (O26).
	Ping struct{ OID id.OID }
	// Check asks a host whether it still is a holder (O23).
	Check struct {
		OID    id.OID
		Number uint64
	}
	// Gone says to the creator that an object is deleted (O24).
	Gone struct {
		OID  id.OID
		Term Term
	}
	// Take asks the owner to move an object to the sender (O12).
	Take struct{ OID id.OID }
	// Survey asks what its receiver owns and holds of what the sender has made or had (O11).
	Survey struct {
		Part   uint8
		Beyond id.OID // the last object of the page before
	}
	// Give passes a reference on from program to program (O21): the first that a host gets of
	// another one.
	Give struct{ Passed []Passed }
	// Recall asks what its receiver remembers of the sender (O47).
	Recall struct{}
)

// Passed is a reference that is passed on, with the number of the receiver's registration. 0 means
// that the sender takes the receiver for the owner.
type Passed struct {
	OID    id.OID
	Number uint64
}

// Renewal is what a holder says of one reference (O23).
type Renewal struct {
	OID           id.OID
	Number        uint64
	DistancePlus1 uint8 // 1 and the distance (O27)
}

// The answers.
type (
	// Done confirms a request that has no answer of its own.
	Done struct{}
	// Elsewhere says that another host owns the object, and which one if that is known. As the
	// answer to a Find it may name the sender.
	Elsewhere struct{ Where whereabouts }
	// Moving says that the object is between two owners: ask again.
	Moving struct{}
	// Answer is the answer to a call.
	Answer struct {
		Refused bool
		Answer  []byte
		Passed  []Passed
	}
	// Refused says why a request was not carried out.
	Refused struct{ Why Refusal }
	// Unregistered says that references cannot be accepted as they were passed: they must be
	// registered again.
	Unregistered struct{ Refs []id.OID }
	// Retained has the number of a holder; 0: the host is the owner, or is confirmed as a holder.
	// As the answer to a release with a number that was never counted it has the last number
	// counted (O22).
	Retained struct{ Number uint64 }
	// Swapped is the answer to a swap, with what the creator knows now.
	Swapped struct {
		Moved bool
		Where whereabouts
	}
	// Renewed names the objects that its sender does not own, or of which the asker is not a
	// holder.
	Renewed struct{ Strange []id.OID }
	// Holding has the number with which a reference is held. 0 means that it is not held, and that
	// no reference with a number up to the one in the request will be accepted (O22).
	Holding struct{ Number uint64 }
	// Surveyed is one page of what a host owns and holds, in the order of the objects.
	Surveyed struct {
		Items []Surveyee
		// The last object that was looked at: the next page begins behind it. Zero: this is the
		// last page.
		Next id.OID
	}
	// Remembered is the farthest trace of the asker that is remembered; nil: none.
	Remembered struct{ Trace *Trace }
)

// Surveyee is what a host says of one object after the restore of another host (O11).
type Surveyee struct {
	OID id.OID
	// The term in which a host owns it; 0: nothing is said of that.
	Term Term
	// The number with which it is held; 0: it is not.
	Held uint64
	// Coming says that the object is arriving there in that term. Whether the creator has stored
	// the swap is not known.
	Coming bool
}

// Refusal is the reason why a request was not carried out.
type Refusal uint8

// The refusals.
const (
	Forbidden Refusal = iota + 1 // No host in order could have made this request (O35).
	Fixed                        // The object never moves (O5).
	Busy                         // There are too many requests or answers at once (O36).
	Quota                        // There is no room (O36).
	Unwanted                     // The host or its game does not want the object (O12).
	Large                        // It does not fit (O3).
	Forgotten                    // Whether the call was carried out is no longer known (O14).
	Unknown                      // There is no such object.
	Full                         // The object has too many holders (O3).
	// The call was carried out, but a reference of the answer is not registered any more.
	Lapsed
)

func (r *Refusal) String() string { return refusals[*r] }

var refusals = [...]string{
	"", "forbidden", "fixed", "busy", "quota", "unwanted", "large", "forgotten", "unknown", "full",
	"lapsed",
}

func (m *Message) code(c *coder) {
	number(c, 1, &m.Process, maxNumber)
	number(c, 2, &m.Number, maxNumber)
	if c.reading {
		c.need(m.Process > 0 && m.Number > 0)
		n, _, size := protowire.ConsumeTag(c.b)
		if size < 0 || int(n) >= len(bodies) || bodies[n] == nil {
			c.fail()
			return
		}
		m.Body = bodies[n]()
	}
	c.one(m.Body.field(), m.Body)
	maybe(c, traceField, &m.Trace)
}

// traceField is the field of the trace in a message. It comes after all bodies.
const traceField = 40

// Append appends the form of the message to b.
func (m *Message) Append(b []byte) []byte { return encode(b, m) }

// ReadMessage reads a message. It refuses one that has more than 1.125 MiB, or is wrong in any
// field.
func ReadMessage(b []byte) (Message, error) {
	var m Message
	if len(b) > maxMessage {
		return m, fmt.Errorf("read message: %d bytes", len(b))
	}
	if err := decode(b, &m); err != nil {
		return Message{}, fmt.Errorf("read message: %w", err)
	}
	return m, nil
}

func newOf[T any, P interface {
	*T
	Body
}]() Body {
	return P(new(T))
}

// bodies has for each field of a message what returns an empty body; nil: there is no such field.
var bodies = [...]func() Body{
	3:  newOf[Find],
	4:  newOf[Call],
	5:  newOf[Offer],
	6:  newOf[Swap],
	7:  newOf[Settle],
	8:  newOf[Retain],
	9:  newOf[Release],
	10: newOf[Renew],
	11: newOf[Ping],
	12: newOf[Check],
	13: newOf[Gone],
	14: newOf[Take],
	15: newOf[Survey],
	16: newOf[Give],
	17: newOf[Recall],
	20: newOf[Done],
	21: newOf[Elsewhere],
	22: newOf[Moving],
	23: newOf[Answer],
	24: newOf[Refused],
	25: newOf[Unregistered],
	26: newOf[Retained],
	27: newOf[Swapped],
	28: newOf[Renewed],
	29: newOf[Holding],
	30: newOf[Surveyed],
	31: newOf[Remembered],
}

// firstAnswer is the lowest field of an answer.
const firstAnswer = 20

func (*Find) field() protowire.Number         { return 3 }
func (*Call) field() protowire.Number         { return 4 }
func (*Offer) field() protowire.Number        { return 5 }
func (*Swap) field() protowire.Number         { return 6 }
func (*Settle) field() protowire.Number       { return 7 }
func (*Retain) field() protowire.Number       { return 8 }
func (*Release) field() protowire.Number      { return 9 }
func (*Renew) field() protowire.Number        { return 10 }
func (*Ping) field() protowire.Number         { return 11 }
func (*Check) field() protowire.Number        { return 12 }
func (*Gone) field() protowire.Number         { return 13 }
func (*Take) field() protowire.Number         { return 14 }
func (*Survey) field() protowire.Number       { return 15 }
func (*Give) field() protowire.Number         { return 16 }
func (*Recall) field() protowire.Number       { return 17 }
func (*Done) field() protowire.Number         { return 20 }
func (*Elsewhere) field() protowire.Number    { return 21 }
func (*Moving) field() protowire.Number       { return 22 }
func (*Answer) field() protowire.Number       { return 23 }
func (*Refused) field() protowire.Number      { return 24 }
func (*Unregistered) field() protowire.Number { return 25 }
func (*Retained) field() protowire.Number     { return 26 }
func (*Swapped) field() protowire.Number      { return 27 }
func (*Renewed) field() protowire.Number      { return 28 }
func (*Holding) field() protowire.Number      { return 29 }
func (*Surveyed) field() protowire.Number     { return 30 }
func (*Remembered) field() protowire.Number   { return 31 }

// object codes the identifier that every request about one object has.
func (c *coder) object(v *id.OID) {
	c.oid(1, v)
	c.need(!v.IsZero())
}

func (b *Find) code(c *coder) { c.object(&b.OID) }

func (b *Call) code(c *coder) {
	c.object(&b.OID)
	number(c, 2, &b.Number, maxNumber)
	number(c, 3, &b.After, maxNumber)
	number(c, 4, &b.Read, maxNumber)
	number(c, 5, &b.Held, maxNumber)
	c.text(6, &b.Method, MaxMethod)
	c.bytes(7, &b.Args, MaxArgument)
	repeated(c, 8, &b.Passed, MaxPassed)
	c.need(b.Read < b.Number && b.After < b.Number)
}

func (b *Offer) code(c *coder) {
	c.one(1, &b.Deed)
	c.bytes(2, &b.Envelope, MaxEnvelope)
	repeated(c, 3, &b.Passed, MaxRefs)
	number(c, 4, &b.Distance, farthest)
}

func (b *Swap) code(c *coder) { c.one(1, &b.Deed) }

func (b *Settle) code(c *coder) {
	c.object(&b.OID)
	number(c, 2, &b.Term, maxNumber)
	c.need(b.Term > 0)
}

func (b *Retain) code(c *coder) {
	c.object(&b.OID)
	c.host(2, &b.For)
	number(c, 3, &b.DistancePlus1, farthest+1)
	c.need(b.For != id.HostID{})
}

func (b *Release) code(c *coder) {
	c.object(&b.OID)
	number(c, 2, &b.Number, maxNumber)
	c.need(b.Number > 0)
}

func (b *Renew) code(c *coder) { repeated(c, 1, &b.Items, MaxBatch) }

func (b *Ping) code(c *coder) { c.object(&b.OID) }

func (b *Check) code(c *coder) {
	c.object(&b.OID)
	number(c, 2, &b.Number, maxNumber)
	c.need(b.Number > 0)
}

func (b *Gone) code(c *coder) {
	c.object(&b.OID)
	number(c, 2, &b.Term, maxNumber)
	c.need(b.Term > 0)
}

func (b *Take) code(c *coder) { c.object(&b.OID) }

func (b *Survey) code(c *coder) {
	number(c, 1, &b.Part, uint64(surveyForwards))
	c.oid(2, &b.Beyond)
	c.need(b.Part > 0)
}

func (b *Give) code(c *coder) { repeated(c, 1, &b.Passed, MaxPassed) }

func (p *Passed) code(c *coder) {
	c.object(&p.OID)
	number(c, 2, &p.Number, maxNumber)
}

func (r *Renewal) code(c *coder) {
	c.object(&r.OID)
	number(c, 2, &r.Number, maxNumber)
	number(c, 3, &r.DistancePlus1, farthest+1)
	c.need(r.Number > 0)
}

func (*Recall) code(*coder) {}

func (*Done) code(*coder) {}

func (b *Elsewhere) code(c *coder) { c.one(1, &b.Where) }

func (*Moving) code(*coder) {}

func (b *Answer) code(c *coder) {
	c.flag(1, &b.Refused)
	c.bytes(2, &b.Answer, MaxArgument)
	repeated(c, 3, &b.Passed, MaxPassed)
}

func (b *Refused) code(c *coder) {
	number(c, 1, &b.Why, uint64(Lapsed))
	c.need(b.Why > 0)
}

func (b *Unregistered) code(c *coder) { c.oids(1, &b.Refs, MaxRefs) }

func (b *Retained) code(c *coder) { number(c, 1, &b.Number, maxNumber) }

func (b *Swapped) code(c *coder) {
	c.flag(1, &b.Moved)
	c.one(2, &b.Where)
}

func (b *Renewed) code(c *coder) { c.oids(1, &b.Strange, MaxBatch) }

func (b *Holding) code(c *coder) { number(c, 1, &b.Number, maxNumber) }

func (b *Surveyed) code(c *coder) {
	repeated(c, 1, &b.Items, MaxBatch)
	c.oid(2, &b.Next)
}

func (s *Surveyee) code(c *coder) {
	c.object(&s.OID)
	number(c, 2, &s.Term, maxAccepted)
	number(c, 3, &s.Held, maxAccepted)
	c.flag(4, &s.Coming)
}

func (b *Remembered) code(c *coder) { maybe(c, 1, &b.Trace) }
