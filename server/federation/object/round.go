package object

import (
	"slices"

	"holt/server/id"
)

// How much of a round one call of Collect does. That takes a few milliseconds, because everybody
// waits meanwhile.
const (
	// Objects that are read. A store that reads in pages of these sizes reads none in vain.
	readSlice  = 64 + 128 + 256 + 512
	sweepSlice = 256  // objects that are deleted
	renewSlice = 1024 // references that are renewed
)

// Distances.
const (
	farthest = 250 // the greatest distance: a longer one counts as this (O27)
	unmarked = 255 // not reached, or without holders
)

// phase is how far a round has got.
//
//	reading heads ──▶ reading helds ──▶ judging ──▶ sweeping heads ──▶ sweeping helds
//	              ──▶ tidying ──▶ (none)
type phase uint8

const (
	readingHeads phase = iota
	readingHelds
	judging
	sweepingHeads
	sweepingHelds
	tidying // forgets old disowned references
)

// round is one round of the collection (O24). It reads everything in slices, and other inputs come
// in between. What changes meanwhile is touched, and is kept in any case.
type round struct {
	phase   phase
	behind  id.OID
	at      int
	touched map[id.OID]bool
	nodes
	holds
	chains
	checks    []checkup
	strangers map[id.HostID]bool // holders and creators that are not linked
	stats     Rounded
}

// nodes are the objects that are here, in order.
type nodes struct {
	oids  []id.OID
	first []uint32 // the index of the first of their references in refs
	refs  []id.OID
	// The distance by their holders; unmarked: they have none.
	near  []uint8
	flags []uint8 // isRoot, isKept, isOrphan
	dist  []uint8 // the distance; unmarked: not reached
	queue []int32
}

const (
	isRoot   = 1 << iota
	isKept   // it is between two owners, not confirmed to be here, or has unknown holders
	isOrphan // its creator or a holder has left the directory for good
)

// holds are the references to objects elsewhere, in order.
type holds struct {
	held     []id.OID
	heldDist []uint8
}

type checkup struct {
	oid    id.OID
	host   id.HostID
	number uint64
}

// maxCheckups is how many holders are asked in one round.
const maxCheckups = 1024

// Collecting reports whether a round is going on.
func (h *Host) Collecting() bool { return h.round != nil }

// Collect begins a round of the collection, or continues the one that has begun (O24). Call it
// until Collecting reports false, then again a day later. It does nothing while the host is not
// sure what it owns.
func (h *Host) Collect(m Moment) (Step, error) {
	return h.input(m, func() {
		if h.unready() {
			// Not enough is known to delete anything (O11).
			return
		}
		if h.round == nil {
			h.self.Round++
			h.selves.put(selfKey, h.self)
			h.round = &round{touched: map[id.OID]bool{}, strangers: map[id.HostID]bool{}}
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

// touch protects an object from the round that is going on.
func (h *Host) touch(oid id.OID) {
	if h.round != nil {
		h.round.touched[oid] = true
	}
}

// refer protects what an object refers to from the round that is going on: the round may have
// judged it already.
func (h *Host) refer(oid id.OID, refs []id.OID) {
	if h.round == nil {
		return
	}
	h.touch(oid)
	for _, ref := range refs {
		h.touch(ref)
	}
}

// condemned reports whether an object is about to be deleted: it is not served or passed on.
func (h *Host) condemned(oid id.OID) bool {
	if h.orphans[oid] {
		return true
	}
	r := h.round
	if r == nil || r.phase != sweepingHeads {
		return false
	}
	i, ok := find(r.oids, oid)
	// The object may have left since it was read.
	return ok && i >= r.at && r.dist[i] == unmarked && h.heads.get(oid) != nil
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
		r.first = append(r.first, uint32(len(r.refs))) //nolint:gosec // 4e9 do not fit into memory
		r.phase, r.behind = readingHelds, id.OID{}
	}
}

func (h *Host) readHead(r *round, oid id.OID, hd *head) {
	r.oids = append(r.oids, oid)
	r.first = append(r.first, uint32(len(r.refs))) //nolint:gosec // 4e9 do not fit into memory
	r.refs = append(r.refs, hd.Refs...)
	var flags uint8
	if hd.root() {
		flags |= isRoot
	}
	if hd.State != here || hd.Life < h.self.Life || h.unsure(hd) {
		flags |= isKept
	}
	near, orphan := h.near(hd)
	if orphan || !h.made(oid) && h.link(oid.Creator()).Gone {
		flags |= isOrphan
	}
	h.meet(r, oid.Creator())
	for i := range hd.Holders {
		e := &hd.Holders[i]
		h.meet(r, e.Host)
		if e.Round+checkAfter <= h.self.Round && len(r.checks) < maxCheckups &&
			h.link(e.Host).Open {
			r.checks = append(r.checks, checkup{oid, e.Host, e.Number})
		}
	}
	r.near = append(r.near, near)
	r.flags = append(r.flags, flags)
	r.dist = append(r.dist, unmarked)
}

// maxStrangers is how many strangers one round names.
const maxStrangers = 4096

// meet records a host that is not linked and on which an object here depends (O28).
func (h *Host) meet(r *round, host id.HostID) {
	if host != h.me && len(r.strangers) < maxStrangers && !h.link(host).Open {
		r.strangers[host] = true
	}
}

// near returns the least distance that the holders of an object have sent, and whether one of them
// has left for good.
func (h *Host) near(hd *head) (near uint8, orphan bool) {
	near = unmarked
	for i := range hd.Holders {
		if e := &hd.Holders[i]; h.link(e.Host).Gone {
			orphan = true
		} else {
			near = min(near, max(e.DistancePlus1, 1), farthest)
		}
	}
	return near, orphan
}

func (h *Host) readHelds(r *round) {
	n := 0
	h.helds.scan(r.behind, func(oid id.OID, _ *reference) bool {
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

// judge marks what is needed here, then what may be needed elsewhere, then what was touched or
// moves. What is left is not needed.
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
		if r.dist[i] == unmarked &&
			(r.touched[oid] || r.flags[i]&isKept != 0 || h.movesUnderWay[oid] != nil) {
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
	r.stats.Number, r.stats.Objects = h.self.Round, len(r.oids)
}

// markOrphans makes an orphan of what only orphans refer to. It keeps their references for this
// round: an orphan that cannot be written into the quarantine is served again, and then needs all
// of them (O28).
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

// pinned reports whether something is being worked on, or came to the program since the round
// before began.
func (h *Host) pinned(oid id.OID) bool {
	if h.busy[oid] > 0 {
		return true
	}
	at, ok := h.fresh[oid]
	return ok && at+1 >= h.self.Round
}

// freshenRound forgets which references came to the program before the round before this one. It
// reads again what was touched.
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

// mark records that an object is needed, at a distance from the nearest root.
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

// markRest marks the references of objects that came here after the heads were read.
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

// markNimby marks the objects that no root here reaches and that have holders elsewhere, and all
// that they reach here. It begins with the least distance (O24, O27).
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
