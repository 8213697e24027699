// Package object is the state machine of one host among several that share objects (rules O1 to
// O48, docs/protocol/object.md). It decides where an object is, how it is found, called and moved,
// which hosts refer to it, what is unreachable, and what nobody needs any more. A Host gets one
// input after the other. It returns what must be stored, what must be sent once that is durable,
// and the events for the program.
//
// The package has no clock, no goroutine, no socket, no file and no randomness of its own: each
// input brings the time and random bytes. It does not know what an object contains; a Behaviour
// does. It makes no identifiers, carries no art, and links no hosts.
package object

import "holt/server/id"

// The bounds of an object (O3), of calls and of messages.
const (
	MaxEnvelope = 1 << 20  // bytes of an envelope
	MaxKinds    = 256      // of an object
	MaxRefs     = 4096     // of an object
	MaxHolders  = 1024     // of an object
	MaxArgument = 64 << 10 // bytes of the argument of a call, and of its answer
	MaxPassed   = 256      // references in the argument of a call, and in its answer
	MaxMethod   = 64       // bytes of the name of a method
	MaxBatch    = 1024     // references renewed in one message (O23)

	// maxKept is how many bytes of answers are kept with an object for callers that may not have
	// read them (O14).
	maxKept = 256 << 10
	// maxKeptEach is how many bytes of answers there may be for one caller. The next call of a
	// caller that has more unread is busy.
	maxKeptEach = maxKept / 2
	// maxNumber is the greatest value of any number that is counted: JavaScript represents it
	// exactly.
	maxNumber = 1<<53 - 1
	// maxAccepted is the greatest term and the greatest count that is accepted from others. What is
	// counted on from there stays below maxNumber for ever. A number above maxNumber would be
	// written and could never be read again.
	maxAccepted = 1 << 52
	// maxBelieved is the greatest term and count that is believed (O46). Hosts in order stay far
	// below it. A host that counts on from it stays below maxAccepted, so that others still accept
	// its numbers.
	maxBelieved = 1 << 51
)

// Class says what sort of object something is. Only sets and bags move (O5).
type Class uint8

// The classes.
const (
	Table Class = iota + 1
	Person
	Set
	Bag
)

// Fixed reports whether objects of the class never change their owner (O5). Objects of these
// classes are also the roots of the collection (O24).
func (c Class) Fixed() bool { return c == Table || c == Person }

func (c Class) String() string {
	if !c.valid() {
		return "unknown"
	}
	return [...]string{"", "table", "person", "set", "bag"}[c]
}

func (c Class) valid() bool { return c >= Table && c <= Bag }

// Kind is the SHA-256 of a version of a kind of piece (O30).
type Kind [32]byte

// Term is the number of an owner's tenure: it counts the owners of an object (O8). It begins with
// 1.
type Term uint64

// Moment is the time of an input, and the randomness for it.
type Moment struct {
	Now    id.Millis // by the clock of the host, which may be set back and forth
	Random [32]byte  // never used before
}

// Behaviour carries out the calls of the objects of a class. It is pure: the same Invocation always
// has the same Result.
type Behaviour interface {
	Invoke(i Invocation) Result
}

// Invocation is a call as a Behaviour sees it. A Behaviour must not change anything in it.
type Invocation struct {
	OID     id.OID    // the object
	Caller  id.HostID // the host that calls
	Method  string
	Args    []byte
	Passed  []id.OID // the references of the argument
	Content []byte
	Refs    []id.OID // the references of the object
	Now     id.Millis
	Random  [32]byte
}

// Result is the effect and the answer of a call.
type Result struct {
	Changed bool // Content and Refs replace those of the object
	Content []byte
	// Each is one of the object's or of the argument's references, or one that the host has.
	Refs []id.OID
	// Kinds, if there are any, replace those of the object. Only a call of its owner may have them
	// (O30).
	Kinds   []Kind
	Answer  []byte
	Passed  []id.OID // the references of the answer
	Refused bool     // nothing is changed, and Answer says why
}

// Link is what a host may do here at the moment (O34, O36).
type Link struct {
	Open bool // linked, and not paused
	Gone bool // it has left the directory for good (O28)
	Keep bool // objects may move here
	// How many more objects of its making may be kept here, whichever host sends them.
	Objects int
	// How many more bytes such objects may have here in all.
	Bytes int64
}
