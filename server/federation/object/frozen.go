package object

import (
	"errors"
	"fmt"
	"slices"

	"holt/server/id"
)

// Bounds of the frozen copies of a host: their number, and about how many bytes they have (O40).
// Beyond these no more copies are kept.
const (
	MaxCopies    = 10_000
	MaxCopyBytes = 1 << 30
)

// unsureRounds is for how many rounds a host keeps an object of which it may not know all holders,
// and believes a host that says that it is one (O41).
const unsureRounds = 30

// unsureFor is that time as terms count it, with one round a day: a term rises by 65,536 each
// second (see era).
const unsureFor = unsureRounds * 24 * 3600 << 16

// Errors of Thaw.
var (
	ErrNoCopy  = errors.New("there is no frozen copy of it here")
	ErrInUse   = errors.New("the server that has it was not given up")
	ErrUnready = errors.New("not all linked servers have said yet what they know since the restore")
)

// frozen is an object as it was when it left the host that made it (O40).
type frozen struct {
	Class   Class
	Term    Term // the term in which it was so
	Counter uint64
	Refs    []id.OID
	Holders []holder
	Kinds   []Kind
	Content []byte
	At      id.Millis
}

func (f *frozen) code(c *coder) {
	number(c, 1, &f.Class, uint64(Bag))
	number(c, 2, &f.Term, maxNumber)
	number(c, 3, &f.Counter, maxNumber)
	c.oids(4, &f.Refs, MaxRefs)
	repeated(c, 5, &f.Holders, MaxHolders)
	c.kinds(6, &f.Kinds, MaxKinds)
	c.bytes(7, &f.Content, MaxEnvelope)
	number(c, 8, &f.At, 1<<62)
	c.need(f.Class.valid() && !f.Class.Fixed() && f.Term > 0 &&
		ascending(f.Refs) && orderly(f.Holders, f.Counter))
}

// size returns about how many bytes the copy has on the disk.
func (f *frozen) size() int64 {
	return int64(len(f.Content) + 40*len(f.Holders) +
		len(f.Kinds)*len(Kind{}) + len(f.Refs)*len(id.OID{}) + 64)
}

// freeze keeps a copy of an object of this host's making that leaves (O40).
func (h *Host) freeze(oid id.OID, hd *head) {
	b := h.bodies.get(oid)
	if !h.made(oid) || hd.Class.Fixed() || b == nil {
		return
	}
	f := &frozen{
		Class: hd.Class, Term: hd.Term, Counter: hd.Counter, Refs: hd.Refs, Holders: hd.Holders,
		Kinds: b.Kinds, Content: b.Content, At: h.moment.Now,
	}
	h.dropCopy(oid)
	if h.self.Copies >= MaxCopies || h.self.CopyBytes+f.size() > MaxCopyBytes {
		h.event(Uncopied{oid})
		return
	}
	h.copies.put(oid, f)
	h.self.Copies++
	h.self.CopyBytes += f.size()
	h.selves.put(selfKey, h.self)
}

// dropCopy deletes the copy of an object, if there is one.
func (h *Host) dropCopy(oid id.OID) {
	f := h.copies.get(oid)
	if f == nil {
		return
	}
	h.copies.put(oid, nil)
	h.self.Copies--
	h.self.CopyBytes -= f.size()
	h.selves.put(selfKey, h.self)
}

// Copy describes a frozen copy to the program (O40).
type Copy struct {
	At    id.Millis // when the object was so
	Owner id.HostID // the host that has the object, or had it
	// Offered says that the owner is given up, and that the copy can be thawed.
	Offered bool
}

// Copy returns what is known of the frozen copy of an object. ok is false if there is none. Call it
// between inputs.
func (h *Host) Copy(oid id.OID) (c Copy, ok bool) {
	f, w := h.copies.get(oid), h.forwards.get(oid)
	if h.fault != nil || f == nil || w == nil {
		return Copy{}, false
	}
	return Copy{At: f.At, Owner: w.Owner, Offered: h.givenUp(oid, w.Owner)}, true
}

// givenUp reports whether the host no longer waits for the owner of an object (O41): the owner has
// left for good, does not have the object, or names as the owner a host that has left for good.
func (h *Host) givenUp(oid id.OID, owner id.HostID) bool {
	a := h.away.items[oid]
	return h.link(owner).Gone || a != nil && (a.Reason == LostReason || h.link(a.Host).Gone)
}

// Thaw serves the frozen copy of an object whose owner is given up, in a new term (O41). What has
// happened to the object since is lost. The error is ErrNoCopy, ErrInUse or ErrUnready.
func (h *Host) Thaw(m Moment, oid id.OID) (Step, error) {
	c, ok := h.Copy(oid)
	switch {
	case h.fault != nil:
		return Step{}, h.fault
	case !ok:
		return Step{}, fmt.Errorf("thaw %s: %w", oid, ErrNoCopy)
	case h.unready():
		return Step{}, fmt.Errorf("thaw %s: %w", oid, ErrUnready)
	case !c.Offered:
		return Step{}, fmt.Errorf("thaw %s: %w", oid, ErrInUse)
	}
	return h.input(m, func() { h.thaw(oid, c.Owner) })
}

func (h *Host) thaw(oid id.OID, owner id.HostID) {
	f, w := h.copies.get(oid), h.forwards.get(oid)
	hd := &head{
		Class: f.Class, Term: h.freshTerm(max(w.Term, f.Term)), State: here,
		Life: h.self.Life, Unsure: h.self.Round + 1,
		Refs: slices.DeleteFunc(slices.Clone(f.Refs), func(ref id.OID) bool { return !h.has(ref) }),
		Holders: slices.DeleteFunc(slices.Clone(f.Holders), func(e holder) bool {
			return e.Host == h.me || h.link(e.Host).Gone
		}),
	}
	hd.Counter = h.freshCount(f.Counter)
	if r := h.helds.get(oid); r != nil {
		hd.Counter = h.freshCount(max(f.Counter, min(r.Number, maxBelieved)))
		h.disown(oid, r.Number)
		h.helds.put(oid, nil)
	}
	h.heads.put(oid, hd)
	h.bodies.put(oid, &body{Kinds: f.Kinds, Content: f.Content})
	h.forwards.put(oid, nil)
	h.dropCopy(oid)
	h.refer(oid, hd.Refs)
	h.freshen(oid)
	h.present(oid)
	h.doubt(owner)
	h.event(Thawed{oid, owner})
}

// freshTerm returns a term far above old, of which no host has heard. It depends on the time, so
// that two restores of one backup do not lead to the same term (O11, O41).
func (h *Host) freshTerm(old Term) Term { return max(old+termLeap, Term(h.era())) }

// freshCount is freshTerm for counts. No count rises as fast as era, so the leap is needed only if
// the clock was set back. If the leap were made each time, a restore from an older backup soon
// after one from a newer backup would lead to a lower number.
func (h *Host) freshCount(old uint64) uint64 {
	if now := h.era(); now > old {
		return now
	}
	return old + counterLeap
}

// era is a number that rises by 65,536 each second, and stays far below maxAccepted.
func (h *Host) era() uint64 {
	return min(uint64(h.moment.Now)/1000, maxAccepted>>18) << 16 //nolint:gosec // not below 0
}

// recent reports whether a tenure began in the last 30 days by a thaw or restore, or after one: its
// owner may not know all holders (O41). Such terms contain the time. The terms of hosts that were
// never restored are far below them.
func (h *Host) recent(term Term) bool {
	return term >= termLeap && uint64(term)+unsureFor > h.era()
}

// unsure reports whether there may be holders of an object that its owner does not know.
func (h *Host) unsure(hd *head) bool {
	return hd.Unsure > 0 && h.self.Round < hd.Unsure+unsureRounds
}

// claims makes a host a holder that names a registration number, if the owner may have forgotten it
// (O41). It reports whether the host is a holder now.
func (h *Host) claims(oid id.OID, hd *head, host id.HostID, n uint64) bool {
	if !h.unsure(hd) || n == 0 || n > hd.Counter {
		return false
	}
	if hd.holder(host) == nil {
		if _, ok := hd.register(host, 1, h.self.Round); !ok {
			return false
		}
		hd.holder(host).Number = n
	}
	// A third host may have registered it again, and that message may not have arrived yet.
	hd.holder(host).Since = n
	h.heads.put(oid, hd)
	h.touch(oid)
	return true
}

// quarantineSuperseded gives up a copy that is superseded: its creator serves another one, in a
// term that no move reaches (O41). The content goes into the quarantine first.
func (h *Host) quarantineSuperseded(oid id.OID, hd *head, w whereabouts) {
	b := h.bodies.get(oid)
	if b == nil || h.orphans[oid] {
		return
	}
	h.orphans[oid] = true
	h.voided[oid] = w
	h.event(Superseded{oid, w.Owner})
	h.event(Orphaned{oid, quarantineEnvelope(oid, hd, b).Append(nil)})
}

// outdated reports whether a copy with this term is superseded by one with the term now.
func outdated(term, now Term) bool { return now >= term+termLeap }

// deleteSuperseded deletes a superseded copy that the quarantine has stored.
func (h *Host) deleteSuperseded(oid id.OID, w whereabouts) {
	delete(h.voided, oid)
	g, hd := h.movesUnderWay[oid], h.heads.get(oid)
	h.drop(oid)
	// Nothing here refers to an object that never came here.
	if !hd.arrives() || h.helds.get(oid) != nil {
		h.lapse(oid, w)
	}
	h.event(Departed{oid, w.Owner})
	if g != nil {
		h.end(g, Unknown)
	}
}
