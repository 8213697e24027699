package object

import (
	"slices"

	"holt/server/id"
)

// How much of a round one call of Collect does: a few milliseconds' worth, for everybody waits meanwhile.
const (
	readSlice  = 64 + 128 + 256 + 512 // of a store that reads in pages like these, none in vain
	sweepSlice = 256                  // deletes
	renewSlice = 1024                 // renews
)

const (
	farthest = 250 // the greatest distance that is told from others (O27)
	unmarked = 255
)

// phase is how far a round is.
//
//	reading heads ──▶ reading helds ──▶ judging ──▶ sweeping heads ──▶ sweeping helds ──▶ tidying ──▶ (none)
type phase uint8

const (
	readingHeads phase = iota
	readingHelds
	judging
	sweepingHeads
	sweepingHelds
	tidying // what was disowned
)

// round is one round of collection (O24). It reads everything slice by slice while all else goes on; what changes meanwhile
// is touched, and kept in any case.
type round struct {
	phase   phase
	behind  id.OID
	at      int
	touched map[id.OID]bool
	nodes
	holds
	chains
	checks    []checkup
	strangers map[id.GWID]bool // holders and creators that are not linked
	stats     Rounded
}

// nodes are the objects that are here, in order.
type nodes struct {
	oids  []id.OID
	first []uint32 // of their references
	refs  []id.OID
	near  []uint8 // the distance that their holders make; unmarked: they have none
	flags []uint8
	dist  []uint8
	queue []int32
}

const (
	isRoot   = 1 << iota
	isKept   // it is between two owners, or not known to be here
	isOrphan // its creator or a holder has left the directory for good
)

// holds are the references to what is elsewhere, in order.
type holds struct {
	held     []id.OID
	heldDist []uint8
}

type checkup struct {
	oid    id.OID
	host   id.GWID
	number uint64
}

// maxCheckups is how many holders are asked in one round.
const maxCheckups = 1024

// Collecting reports whether a round is going on.
func (h *Host) Collecting() bool { return h.round != nil }

// Collect begins a round of collection, or goes on with the one that was begun (O24). Call it until Collecting is false, then
// a day later.
func (h *Host) Collect(m Moment) (Step, error) {
	return h.input(m, func() {
		if h.unready() {
			return // too little is known to throw anything away (O11)
		}
		if h.round == nil {
			h.self.Round++
			h.selves.put(selfKey, h.self)
			h.round = &round{touched: map[id.OID]bool{}, strangers: map[id.GWID]bool{}}
		}
		switch r := h.round; r.phase {
		case readingHeads:
			h.readHeads(r)
		case readingHelds:
			h.readHelds(r)
		case judging:
			h.judge(r)
		case sweepingHeads:
			h.sweepHeads(r)
		case sweepingHelds:
			h.sweepHelds(r)
		case tidying:
			h.tidy(r)
		}
	})
}

// touch keeps an object from the round that is going on.
func (h *Host) touch(oid id.OID) {
	if h.round != nil {
		h.round.touched[oid] = true
	}
}

// refer keeps what an object refers to from the round that is going on: it may have been judged before.
func (h *Host) refer(oid id.OID, refs []id.OID) {
	if h.round == nil {
		return
	}
	h.touch(oid)
	for _, ref := range refs {
		h.touch(ref)
	}
}

// condemned reports whether an object is going to be deleted: nobody gets it any more.
func (h *Host) condemned(oid id.OID) bool {
	if h.orphans[oid] {
		return true
	}
	r := h.round
	if r == nil || r.phase != sweepingHeads {
		return false
	}
	i, ok := find(r.oids, oid)
	return ok && i >= r.at && r.dist[i] == unmarked && h.heads.get(oid) != nil // it may have left since it was read
}

func find(in []id.OID, oid id.OID) (int, bool) { return slices.BinarySearchFunc(in, oid, compare) }

func (h *Host) readHeads(r *round) {
	n := 0
	h.heads.scan(r.behind, func(oid id.OID, hd *head) bool {
		r.behind = oid
		h.readHead(r, oid, hd)
		n++
		return n < readSlice
	})
	if n < readSlice {
		r.first = append(r.first, uint32(len(r.refs))) //nolint:gosec // a store of 4e9 references does not fit in memory
		r.phase, r.behind = readingHelds, id.OID{}
	}
}

func (h *Host) readHead(r *round, oid id.OID, hd *head) {
	r.oids = append(r.oids, oid)
	r.first = append(r.first, uint32(len(r.refs))) //nolint:gosec // a store of 4e9 references does not fit in memory
	r.refs = append(r.refs, hd.Refs...)
	var flags uint8
	if hd.root() {
		flags |= isRoot
	}
	if hd.State != here || hd.Life < h.self.Life || h.unsure(hd) {
		flags |= isKept
	}
	near, orphan := h.near(hd)
	if orphan || oid.Creator() != h.cfg.Self && h.link(oid.Creator()).Gone {
		flags |= isOrphan
	}
	h.meet(r, oid.Creator())
	for i := range hd.Holders {
		e := &hd.Holders[i]
		h.meet(r, e.Host)
		if e.Round+checkAfter <= h.self.Round && len(r.checks) < maxCheckups && h.link(e.Host).Open {
			r.checks = append(r.checks, checkup{oid, e.Host, e.Number})
		}
	}
	r.near = append(r.near, near)
	r.flags = append(r.flags, flags)
	r.dist = append(r.dist, unmarked)
}

// maxStrangers is of how many hosts a round says that it has met them.
const maxStrangers = 4096

// meet notes a host on which something here depends, and which is not linked (O28).
func (h *Host) meet(r *round, host id.GWID) {
	if host != h.cfg.Self && len(r.strangers) < maxStrangers && !h.link(host).Open {
		r.strangers[host] = true
	}
}

// near returns the distance that the holders of an object make, and whether one of them has left for good.
func (h *Host) near(hd *head) (near uint8, orphan bool) {
	near = unmarked
	for i := range hd.Holders {
		if e := &hd.Holders[i]; h.link(e.Host).Gone {
			orphan = true
		} else {
			near = min(near, max(e.Said, 1), farthest)
		}
	}
	return near, orphan
}

func (h *Host) readHelds(r *round) {
	n := 0
	h.helds.scan(r.behind, func(oid id.OID, _ *held) bool {
		r.behind = oid
		r.held = append(r.held, oid)
		n++
		return n < readSlice
	})
	if n < readSlice {
		r.heldDist = make([]uint8, len(r.held))
		for i := range r.heldDist {
			r.heldDist[i] = unmarked
		}
		r.phase, r.behind = judging, id.OID{}
	}
}

// judge marks what is needed here, then what may be needed elsewhere, then what was touched or moves. What is left is not needed.
func (h *Host) judge(r *round) {
	h.freshenRound(r)
	for i, oid := range r.oids {
		if r.flags[i]&isRoot != 0 || h.pinned(oid) {
			h.mark(r, i, 0)
		}
	}
	h.markRest(r, func(oid id.OID) bool { return h.pinned(oid) })
	h.markQueue(r)
	for _, n := range r.dist {
		if n != unmarked {
			r.stats.Reached++
		}
	}
	h.markNimby(r)
	for i, oid := range r.oids {
		if r.dist[i] == unmarked && (r.touched[oid] || r.flags[i]&isKept != 0 || h.going[oid] != nil) {
			h.mark(r, i, 1)
		}
	}
	h.markQueue(r)
	for i, oid := range r.held {
		if h.pinned(oid) {
			r.heldDist[i] = 0
		}
	}
	h.markOrphans(r)
	h.throwCoins(r)
	r.touched = map[id.OID]bool{}
	r.phase, r.at = sweepingHeads, 0
	r.stats.Number, r.stats.Objects, r.stats.References = h.self.Round, len(r.oids), len(r.refs)
}

// markOrphans makes an orphan of what only orphans refer to, and keeps their references for this round: an orphan that
// cannot be kept in the quarantine is served again, and then needs all of them (O28).
func (h *Host) markOrphans(r *round) {
	for i, d := range r.dist {
		if d == unmarked && (r.flags[i]&isOrphan != 0 || h.orphans[r.oids[i]]) {
			r.queue = append(r.queue, int32(i))
		}
	}
	for len(r.queue) > 0 {
		last := len(r.queue) - 1
		refs := h.refsOf(r, int(r.queue[last]))
		r.queue = r.queue[:last]
		for _, ref := range refs {
			if i, ok := find(r.oids, ref); ok && r.dist[i] == unmarked && r.flags[i]&isOrphan == 0 {
				r.flags[i] |= isOrphan
				r.queue = append(r.queue, int32(i)) //nolint:gosec // below the number of objects
			}
			if i, ok := find(r.held, ref); ok {
				r.heldDist[i] = min(r.heldDist[i], farthest)
			}
		}
	}
}

// pinned reports whether something is in hand or worked on.
func (h *Host) pinned(oid id.OID) bool {
	if h.busy[oid] > 0 {
		return true
	}
	at, ok := h.fresh[oid]
	return ok && at+1 >= h.self.Round
}

// freshenRound forgets what was in hand for more than a round, and reads again what was touched.
func (h *Host) freshenRound(r *round) {
	for oid, at := range h.fresh {
		if at+1 < h.self.Round {
			delete(h.fresh, oid)
		}
	}
	for oid := range r.touched {
		i, ok := find(r.oids, oid)
		hd := h.heads.get(oid)
		if !ok || hd == nil {
			continue
		}
		r.near[i], _ = h.near(hd)
		if hd.State != here {
			r.flags[i] |= isKept
		}
	}
}

// mark notes that an object is needed, at a distance from the next root.
func (h *Host) mark(r *round, i int, d uint8) {
	if r.dist[i] == unmarked {
		r.dist[i] = d
		r.queue = append(r.queue, int32(i)) //nolint:gosec // below the number of objects
	}
}

// markQueue marks what the objects in the queue refer to.
func (h *Host) markQueue(r *round) {
	for len(r.queue) > 0 {
		i := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		h.markRefs(r, h.refsOf(r, int(i)), r.dist[i])
	}
}

func (h *Host) refsOf(r *round, i int) []id.OID {
	if r.touched[r.oids[i]] {
		if hd := h.heads.get(r.oids[i]); hd != nil {
			return hd.Refs
		}
	}
	return r.refs[r.first[i]:r.first[i+1]]
}

func (h *Host) markRefs(r *round, refs []id.OID, d uint8) {
	for _, ref := range refs {
		if i, ok := find(r.oids, ref); ok {
			h.mark(r, i, d)
		}
		if i, ok := find(r.held, ref); ok {
			r.heldDist[i] = min(r.heldDist[i], d)
		}
	}
}

// markRest marks what is referred to by objects that are here since the heads were read.
func (h *Host) markRest(r *round, pinned func(id.OID) bool) {
	for oid := range r.touched {
		if _, ok := find(r.oids, oid); ok {
			continue
		}
		hd := h.heads.get(oid)
		if hd == nil {
			continue
		}
		d := uint8(0)
		if near, _ := h.near(hd); near != unmarked && !pinned(oid) && !hd.root() {
			d = near
		}
		h.markRefs(r, hd.Refs, d)
	}
}

// markNimby marks what has holders elsewhere and is not needed here, with all that it reaches: the nearest first (O24, O27).
func (h *Host) markNimby(r *round) {
	var by [farthest + 1][]int32
	for i, near := range r.near {
		if near != unmarked && r.dist[i] == unmarked {
			by[near] = append(by[near], int32(i))
		}
	}
	clear(h.nimby)
	before := slices.Clone(r.dist)
	for d := range by {
		for _, i := range by[d] {
			h.mark(r, int(i), uint8(d))
		}
		h.markQueue(r)
	}
	for i, oid := range r.oids {
		if before[i] == unmarked && r.dist[i] != unmarked {
			h.nimby[oid] = r.dist[i]
		}
	}
	r.stats.Nimby = len(h.nimby)
}
