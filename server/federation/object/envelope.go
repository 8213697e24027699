package object

import (
	"fmt"

	"holt/server/id"
)

// envelopeVersion is the version of the form of an envelope (O3).
const envelopeVersion = 1

// maxSignature bounds the signature of a deed, in bytes. An Ed25519 signature has 64.
const maxSignature = 128

// Envelope is an object as it travels (O3).
type Envelope struct {
	OID     id.OID
	Term    Term // of the owner that receives it
	Class   Class
	counter uint64
	Refs    []id.OID
	holders []holder
	body    body

	// kept says that this host has stored the envelope for itself. It may contain answers to calls
	// of the host itself.
	kept bool
}

// Kinds returns the kinds that the object has.
func (e *Envelope) Kinds() []Kind { return e.body.Kinds }

// Content returns the content, which only the class of the object understands.
func (e *Envelope) Content() []byte { return e.body.Content }

func (e *Envelope) code(c *coder) {
	version := uint64(0)
	if !c.reading {
		version = envelopeVersion
	}
	number(c, 1, &version, envelopeVersion)
	c.oid(2, &e.OID)
	number(c, 3, &e.Term, maxAccepted)
	number(c, 4, &e.Class, uint64(Bag))
	number(c, 5, &e.counter, maxAccepted)
	c.oids(6, &e.Refs, MaxRefs)
	repeated(c, 7, &e.holders, MaxHolders)
	c.one(8, &e.body)
	c.need(version == envelopeVersion && !e.OID.IsZero() && e.Term > 0 && e.Class.valid())
	c.need(ascending(e.Refs) && orderly(e.holders, e.counter) && (e.kept || e.answered()))
}

// answered reports whether answers are kept for holders only, once for each, and in no more than
// maxKept bytes. An answer that is kept for a host that is not a holder would never be forgotten
// (O14).
func (e *Envelope) answered() bool {
	hd, seen := head{Holders: e.holders}, map[id.HostID]bool{}
	for i := range e.body.Calls {
		host := e.body.Calls[i].Host
		if seen[host] || hd.holder(host) == nil {
			return false
		}
		seen[host] = true
	}
	return e.body.keptBytes() <= maxKept
}

// tame lowers counts above what is believed (O46).
func (e *Envelope) tame() {
	e.counter = min(e.counter, maxBelieved)
	for i := range e.holders {
		x := &e.holders[i]
		x.Number, x.Since = min(x.Number, maxBelieved), min(x.Since, maxBelieved)
	}
}

// Append appends the form of the envelope to b.
func (e *Envelope) Append(b []byte) []byte { return encode(b, e) }

// ReadEnvelope reads an envelope. It refuses one that has more than MaxEnvelope bytes, has another
// version, or is wrong in any field (O3).
func ReadEnvelope(b []byte) (*Envelope, error) {
	return readEnvelope(b, &Envelope{}, "envelope")
}

func readEnvelope(b []byte, e *Envelope, what string) (*Envelope, error) {
	if len(b) > MaxEnvelope {
		return nil, fmt.Errorf("read %s: %d bytes", what, len(b))
	}
	if err := decode(b, e); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return e, nil
}

// ReadKept reads an envelope that this host has written for itself (O28). It accepts what
// ReadEnvelope accepts, and also answers to calls of hosts that were no holders: earlier versions
// wrote the calls of the host itself into the quarantine.
func ReadKept(b []byte) (*Envelope, error) {
	return readEnvelope(b, &Envelope{kept: true}, "kept envelope")
}

// Deed is a signed statement of an owner that an object may change its owner (O8).
type Deed struct {
	OID       id.OID
	From, To  id.HostID
	Term      Term // in which To is the owner
	Signature []byte
}

func (d *Deed) code(c *coder) {
	c.oid(1, &d.OID)
	c.host(2, &d.From)
	c.host(3, &d.To)
	number(c, 4, &d.Term, maxAccepted)
	c.bytes(5, &d.Signature, maxSignature)
	c.need(
		!d.OID.IsZero() && d.From != id.HostID{} && d.To != id.HostID{} &&
			d.Term > 1 && len(d.Signature) > 0,
	)
}

// Statement returns the bytes that are signed: the fields of the deed without the signature, behind
// a text with which nothing else that is signed begins.
func (d *Deed) Statement() []byte {
	unsigned := *d
	unsigned.Signature = nil
	return encode([]byte("holt deed 1\x00"), &unsigned)
}
