package object

import (
	"bytes"
	"slices"

	"holt/server/id"
)

// state says where a copy of an object is in its life.
//
//	(none) ── created ───────▶ here ──▶ leaving ──▶ (none)   the creator named the other host
//	(none) ──▶ arriving ──▶ here ◀────────┘                  the creator named this host
//	              └─────▶ (none)                             the creator never will name this host
type state uint8

const (
	here     state = iota + 1 // owned and served
	leaving                   // owned, not served: the peer has got a deed (O8)
	arriving                  // not owned yet: the peer has given a deed (O8)
)

// head is what the host knows of an object, except what its Behaviour and its callers need.
type head struct {
	Class Class
	// The owner's term. Of an object that is arriving or leaving: the term that ends.
	Term    Term
	State   state
	Peer    id.HostID // where it goes, or where it comes from
	Deed    []byte    // the signature (O8)
	Counter uint64    // counts registrations (O22)
	Refs    []id.OID
	Holders []holder // by ascending host
	// The host life in which the object was last confirmed to be here (O11).
	Life uint64
	// A table or person that was deleted: it is not a root, and refers to nothing (O24).
	Deleted bool
	// 1 and the round since which the owner may not know all holders; 0: it knows them (O41).
	Unsure uint64
}

// holder is a host that has references to an object (O21).
type holder struct {
	Host          id.HostID
	Number        uint64 // of the last registration (O22)
	Since         uint64 // of its first registration since it was last not a holder
	DistancePlus1 uint8  // 1 and the distance that it has sent; 0: none (O27)
	// The owner's round in which it was last registered or renewed (O23).
	Round uint64
}

func (h *holder) code(c *coder) {
	c.host(1, &h.Host)
	number(c, 2, &h.Number, maxNumber)
	number(c, 3, &h.Since, maxNumber)
	number(c, 4, &h.DistancePlus1, farthest+1)
	number(c, 5, &h.Round, maxNumber)
	c.need(h.Host != id.HostID{} && h.Since > 0 && h.Since <= h.Number)
}

func (h *head) code(c *coder) {
	number(c, 1, &h.Class, uint64(Bag))
	number(c, 2, &h.Term, maxNumber)
	number(c, 3, &h.State, uint64(arriving))
	c.host(4, &h.Peer)
	c.bytes(5, &h.Deed, maxSignature)
	number(c, 6, &h.Counter, maxNumber)
	c.oids(7, &h.Refs, MaxRefs)
	repeated(c, 8, &h.Holders, MaxHolders)
	number(c, 9, &h.Life, maxNumber)
	c.flag(10, &h.Deleted)
	number(c, 11, &h.Unsure, maxNumber)
	c.need(h.Class.valid() && h.Term > 0 && h.State > 0 &&
		ascending(h.Refs) && orderly(h.Holders, h.Counter))
}

// ascending reports whether references are in order, each once.
func ascending(refs []id.OID) bool {
	for i := 1; i < len(refs); i++ {
		if bytes.Compare(refs[i-1][:], refs[i][:]) >= 0 {
			return false
		}
	}
	return true
}

// orderly reports whether holders are in order, each once, with numbers that were counted.
func orderly(hs []holder, counter uint64) bool {
	for i := range hs {
		if hs[i].Number > counter || i > 0 && bytes.Compare(hs[i-1].Host[:], hs[i].Host[:]) >= 0 {
			return false
		}
	}
	return true
}

// holder returns the entry of a host, or nil.
func (h *head) holder(host id.HostID) *holder {
	if i, ok := h.place(host); ok {
		return &h.Holders[i]
	}
	return nil
}

func (h *head) place(host id.HostID) (int, bool) {
	return slices.BinarySearchFunc(h.Holders, host, func(e holder, g id.HostID) int {
		return bytes.Compare(e.Host[:], g[:])
	})
}

// owned reports whether this host owns the object; arrives, whether it is on its way here. An
// object of which nothing is known, nil, is neither.
func (h *head) owned() bool { return h != nil && h.State != arriving }

func (h *head) arrives() bool { return h != nil && h.State == arriving }

// root reports whether an object is needed by itself (O24).
func (h *head) root() bool { return h.Class.Fixed() && !h.Deleted }

// register makes a host a holder, or gives a holder a higher number, and returns the number (O22).
// ok is false if there is no room.
func (h *head) register(host id.HostID, said uint8, round uint64) (n uint64, ok bool) {
	i, found := h.place(host)
	if !found {
		if len(h.Holders) >= MaxHolders {
			return 0, false
		}
		h.Holders = slices.Insert(
			h.Holders, i, holder{Host: host, Since: h.Counter + 1, DistancePlus1: said},
		)
	}
	h.Counter++
	e := &h.Holders[i]
	e.Number, e.Round = h.Counter, round
	if said > 0 && (e.DistancePlus1 == 0 || said < e.DistancePlus1) {
		e.DistancePlus1 = said
	}
	return e.Number, true
}

// strike removes a host from the holders if its number is not above n (O22). It reports whether it
// did.
func (h *head) strike(host id.HostID, n uint64) bool {
	i, found := h.place(host)
	if !found || h.Holders[i].Number > n {
		return false
	}
	h.Holders = slices.Delete(h.Holders, i, i+1)
	return true
}

// body is what calls need of an object.
type body struct {
	Kinds   []Kind
	Content []byte
	Calls   []calls // in no order
}

func (b *body) code(c *coder) {
	c.kinds(1, &b.Kinds, MaxKinds)
	c.bytes(2, &b.Content, MaxEnvelope)
	repeated(c, 3, &b.Calls, MaxHolders+1)
}

// calls is what one host has called of an object (O14).
type calls struct {
	Host    id.HostID
	Process uint64
	Last    uint64 // the number of the last call that was carried out
	Kept    []kept
}

// kept is the answer to a call that the caller may not have read.
type kept struct {
	Number uint64
	Answer Answer
}

func (k *calls) code(c *coder) {
	c.host(1, &k.Host)
	number(c, 2, &k.Process, maxNumber)
	number(c, 3, &k.Last, maxNumber)
	repeated(c, 4, &k.Kept, callWindow)
	c.need(k.Host != id.HostID{})
}

func (k *kept) code(c *coder) {
	number(c, 1, &k.Number, maxNumber)
	c.one(2, &k.Answer)
}

// of returns what a host has called, or nil.
func (b *body) of(host id.HostID) *calls {
	for i := range b.Calls {
		if b.Calls[i].Host == host {
			return &b.Calls[i]
		}
	}
	return nil
}

// keptBytes returns the size of the answers that are kept.
func (b *body) keptBytes() (n int) {
	for i := range b.Calls {
		n += b.Calls[i].bytes()
	}
	return n
}

// bytes returns the size of the answers that are kept for one host.
func (k *calls) bytes() (n int) {
	for i := range k.Kept {
		n += len(k.Kept[i].Answer.Answer) + 32*len(k.Kept[i].Answer.Passed) + 64
	}
	return n
}

// forget keeps the answers within maxKept: the host with most bytes of them loses its oldest (O14).
func (b *body) forget() {
	for b.keptBytes() > maxKept {
		most := 0
		for i := range b.Calls {
			if b.Calls[i].bytes() > b.Calls[most].bytes() {
				most = i
			}
		}
		b.Calls[most].Kept = slices.Delete(b.Calls[most].Kept, 0, 1)
	}
}

// whereabouts is the owner of an object, and its term.
type whereabouts struct {
	Owner id.HostID
	Term  Term
	// These two are for a forwarding address only, and are never sent. Coming: a restored host has
	// learnt that the object is arriving at Owner. Life: the host life in which the creator stored
	// the swap; 0 means the first one, or that the creator learnt it from others. When that life is
	// over, the next tenure begins in a term that no host has had since the backup (O11).
	Coming bool
	Life   uint64
}

func (w *whereabouts) code(c *coder) {
	c.host(1, &w.Owner)
	number(c, 2, &w.Term, maxNumber)
	c.flag(3, &w.Coming)
	number(c, 4, &w.Life, maxNumber)
}

// reference is a reference to an object that another host owns (O21), with the owner as far as it
// is known.
type reference struct {
	Number uint64 // the highest of its registrations
	Where  whereabouts
	// It must be registered again before it is used (O42).
	Lapsed bool
	// The host life in which it was registered; 0: the first (O11).
	Life uint64
}

func (h *reference) code(c *coder) {
	number(c, 1, &h.Number, maxNumber)
	c.one(2, &h.Where)
	c.flag(3, &h.Lapsed)
	number(c, 4, &h.Life, maxNumber)
	c.need(h.Number > 0)
}

// disowned says that this host has no reference to an object, and no longer accepts one that was
// registered with a number up to this one (O22).
type disowned struct {
	Number uint64
	At     id.Millis
}

func (d *disowned) code(c *coder) {
	number(c, 1, &d.Number, maxNumber)
	number(c, 2, &d.At, 1<<62)
	c.need(d.Number > 0)
}

// debt is what must still be sent to other hosts about an object: that this host no longer holds
// it, that it is deleted (O24), or which hosts hold it (O42).
type debt struct {
	// References up to this number are released; 0: nothing is released.
	Release uint64
	Where   whereabouts // the owner, as far as it is known
	Gone    Term        // the term in which it was deleted; 0: it was not
	At      id.Millis   // since when something is owed
	// Of an object that was made here: holders that its owner may not know.
	Holders []id.HostID
}

func (d *debt) code(c *coder) {
	number(c, 1, &d.Release, maxNumber)
	c.one(2, &d.Where)
	number(c, 3, &d.Gone, maxNumber)
	number(c, 4, &d.At, 1<<62)
	c.hosts(5, &d.Holders, MaxHolders)
	c.need(!d.paid())
}

// paid reports whether nothing is owed any more.
func (d *debt) paid() bool { return d.Release == 0 && d.Gone == 0 && len(d.Holders) == 0 }

// self is what a host knows of itself.
type self struct {
	Process uint64 // how often it was started
	Round   uint64 // of the collection
	Life    uint64 // how often it was restored, and 1 (O11)
	// What it has made is not confirmed yet in this host life.
	Survey   bool
	Surveyed []id.HostID
	// Doubted are hosts that were given up. They may have objects that are served elsewhere in a
	// newer term (O41).
	Doubted   []id.HostID
	Copies    uint64 // the number of frozen copies
	CopyBytes int64  // about how many bytes they have
	// Since is the process in which the host last began as after a restore. This field and the next
	// three are about folders that went back (O47).
	Since uint64
	// Its folder went back: the next Open begins as after a restore.
	Back    bool
	Noticed id.Millis // when that was noticed last; 0: never
	Witness id.HostID // the host that said so
}

func (s *self) code(c *coder) {
	number(c, 1, &s.Process, maxNumber)
	number(c, 2, &s.Round, maxNumber)
	number(c, 3, &s.Life, maxNumber)
	c.flag(4, &s.Survey)
	c.hosts(5, &s.Surveyed, MaxHolders)
	c.hosts(6, &s.Doubted, MaxHolders)
	number(c, 7, &s.Copies, maxNumber)
	number(c, 8, &s.CopyBytes, 1<<62)
	number(c, 9, &s.Since, maxNumber)
	c.flag(10, &s.Back)
	number(c, 11, &s.Noticed, 1<<62)
	c.host(12, &s.Witness)
}

// ReadForward returns the owner of an object that was made here and is elsewhere, from a value of
// the space Forwards. The error says that the value is malformed.
func ReadForward(value []byte) (owner id.HostID, err error) {
	var w whereabouts
	err = decode(value, &w)
	return w.Owner, err
}

// ReadHeld returns the owner of an object that is held here, as far as it is known, from a value of
// the space Helds. The error says that the value is malformed.
func ReadHeld(value []byte) (owner id.HostID, err error) {
	var r reference
	err = decode(value, &r)
	return r.Where.Owner, err
}

// ReadHead returns the class of an object that is here, and whether it is between two owners, from
// a value of the space Heads. The error says that the value is malformed.
func ReadHead(value []byte) (c Class, moving bool, err error) {
	var hd head
	err = decode(value, &hd)
	return hd.Class, hd.State != here, err
}

// ReadAway returns why an object is unreachable and until when it is not asked for, from a value of
// the space Aways. The error says that the value is malformed.
func ReadAway(oid id.OID, value []byte) (Failure, error) {
	var a absence
	if err := decode(value, &a); err != nil {
		return Failure{}, err
	}
	return *a.failure(oid), nil
}
