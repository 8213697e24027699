// Package object is the machine of one host among several that have objects together: which object is where, how it is
// found, called and moved, who refers to it, what is away, and what nobody needs any more (rules O1 to O36,
// docs/protocol/object.md). A Host is given what happens, one input after the other, and says what is to be kept, what
// is to be sent once that is kept, and what the program is to know.
//
// The package has no clock, no goroutine, no socket, no file and no randomness of its own: the time and random bytes come
// with each input. It does not know what is inside an object: a Behaviour does. It makes no identifiers, carries no art,
// and links no hosts.
package object

import "holt/server/id"

// The bounds of an object (O3) and of what is said about it.
const (
	MaxEnvelope = 1 << 20  // bytes of an envelope
	MaxKinds    = 256      // of an object
	MaxRefs     = 4096     // of an object
	MaxHolders  = 1024     // of an object
	MaxArgument = 64 << 10 // bytes of the argument of a call, and of its answer
	MaxPassed   = 256      // references in the argument of a call, and in its answer
	MaxMethod   = 64       // bytes of the name of a method
	MaxBatch    = 1024     // references renewed in one message (O23)

	// maxKept is how many bytes of answers are kept with an object for those who may not have read them (O14).
	maxKept = 256 << 10
	// maxKeptEach is how many of them there may be for one asker before its next call waits until it has read some.
	maxKeptEach = maxKept / 2
	// maxNumber is the greatest number of anything that is counted: what JavaScript holds exactly.
	maxNumber = 1<<53 - 1
	// maxTold is the greatest term and the greatest count that is taken from others: what is counted on from there stays below
	// maxNumber for ever. A number beyond that would be written and never be read again.
	maxTold = 1 << 52
	// maxClaimed is the greatest of them that is believed (O46): all that hosts in order count to is far below, and there is room above it to
	// count on and still be told.
	maxClaimed = 1 << 51
)

// Class says what an object is. Only sets and bags move (O5).
type Class uint8

// The classes.
const (
	Table Class = iota + 1
	Person
	Set
	Bag
)

// Fixed reports whether objects of the class never change their owner (O5). They are also the roots of the collection (O24).
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

// Term counts the owners of an object: the number of a tenure (O8). It begins with 1.
type Term uint64

// Moment is when an input comes, and the randomness for it.
type Moment struct {
	Now    id.Millis // by the clock of the host, which may be set back and forth
	Random [32]byte  // never used before
}

// Behaviour is what the objects of a class do. It is pure: the same Invocation always has the same Result.
type Behaviour interface {
	Invoke(i Invocation) Result
}

// Invocation is a call as a Behaviour sees it. Nothing of it may be changed.
type Invocation struct {
	Caller  id.GWID // the host that asks
	Method  string
	Args    []byte
	Passed  []id.OID // the references of the argument
	Content []byte
	Refs    []id.OID // the references of the object
	Now     id.Millis
	Random  [32]byte
}

// Result is what a call does and answers.
type Result struct {
	Changed bool // Content and Refs take the place of what was
	Content []byte
	Refs    []id.OID // each one of the object's or of the argument's, or one that the host has
	Answer  []byte
	Passed  []id.OID // the references of the answer
	Refused bool     // nothing is changed, and Answer says why
}

// Link is what a host may do here at the moment (O34, O36).
type Link struct {
	Open    bool  // linked, and not paused
	Gone    bool  // it has left the directory for good (O28)
	Keep    bool  // objects may move here
	Objects int   // how many more of those that it has made, whoever they come from
	Bytes   int64 // and how many bytes in all
}
