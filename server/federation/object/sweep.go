package object

import (
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
)

// maxPings is how many objects are pinged in one round at most.
const maxPings = 1024

// chains are the suspect objects, in parts that do not refer to each other here.
type chains struct{ pings []id.OID }

// throwCoins throws a coin for each chain of suspect objects. On heads it notes all objects
// elsewhere to which the chain refers (O26).
func (h *Host) throwCoins(r *round) {
	parent := map[id.OID]id.OID{}
	root := func(o id.OID) id.OID {
		for parent[o] != o {
			parent[o] = parent[parent[o]]
			o = parent[o]
		}
		return o
	}
	var suspects []int
	for i, oid := range r.oids {
		if d, ok := h.nimby[oid]; ok && int(d) > h.cfg.Suspect && h.movesUnderWay[oid] == nil {
			suspects = append(suspects, i)
			parent[oid] = oid
		}
	}
	r.stats.Suspects = len(suspects)
	for _, i := range suspects {
		for _, ref := range h.refsOf(r, i) {
			if _, ok := parent[ref]; ok {
				parent[root(ref)] = root(r.oids[i])
			}
		}
	}
	coins := map[id.OID]bool{}
	for _, i := range suspects {
		chain := root(r.oids[i])
		heads, thrown := coins[chain]
		if !thrown {
			b := h.random()
			heads = b[0]&1 == 0
			coins[chain] = heads
		}
		if !heads {
			continue
		}
		for _, ref := range h.refsOf(r, i) {
			if _, ok := find(r.held, ref); ok && h.heads.get(ref) == nil {
				r.pings = append(r.pings, ref)
			}
		}
	}
	r.pings = setOf(r.pings)
	r.pings = r.pings[:min(len(r.pings), maxPings)]
}

// sweepHeads deletes what is not needed.
func (h *Host) sweepHeads(r *round) {
	for n := 0; r.at < len(r.oids); r.at++ {
		i := r.at
		if r.dist[i] != unmarked {
			continue
		}
		if n++; n > sweepSlice {
			return
		}
		hd := h.heads.get(r.oids[i])
		switch {
		case hd == nil || hd.State != here || r.touched[r.oids[i]] || h.orphans[r.oids[i]]:
		case r.flags[i]&isOrphan != 0:
			h.orphan(r.oids[i], hd)
		default:
			h.delete(r.oids[i], hd)
			r.stats.Deleted++
		}
	}
	r.phase, r.at = sweepingHelds, 0
	h.deleteKept()
}

// delete deletes an object, and owes its creator a Gone (O24).
func (h *Host) delete(oid id.OID, hd *head) {
	if c := oid.Creator(); c != h.me && !h.link(c).Gone {
		h.owe(oid, debt{Gone: hd.Term})
	}
	h.drop(oid)
	h.event(Deleted{oid})
}

// orphan gives an object to the quarantine (O28).
func (h *Host) orphan(oid id.OID, hd *head) {
	if h.orphans[oid] {
		return
	}
	b := h.bodies.get(oid)
	if b == nil {
		h.fail(errMalformed)
		return
	}
	h.orphans[oid] = true
	h.event(Orphaned{oid, quarantineEnvelope(oid, hd, b).Append(nil)})
}

// quarantineEnvelope returns an object as the quarantine keeps it: without holders, and without
// answers.
func quarantineEnvelope(oid id.OID, hd *head, b *body) *Envelope {
	return &Envelope{
		OID: oid, Term: hd.Term, Class: hd.Class, Refs: hd.Refs,
		body: body{Kinds: b.Kinds, Content: b.Content},
	}
}

// Spared says that the program could not write an orphan into the quarantine. The host serves it
// again, with all that it refers to, until another round finds it.
func (h *Host) Spared(m Moment, oid id.OID) (Step, error) {
	return h.input(m, func() {
		delete(h.voided, oid)
		h.spare(oid)
		h.deleteKept()
	})
}

func (h *Host) spare(oid id.OID) {
	hd := h.heads.get(oid)
	if _, voided := h.voided[oid]; !h.orphans[oid] || hd == nil || voided {
		return
	}
	delete(h.orphans, oid)
	delete(h.kept, oid)
	for _, ref := range hd.Refs {
		h.spare(ref)
	}
}

// Quarantined says that the program has written an orphan into the quarantine, so that the host can
// delete it (O28). The host deletes the orphans of a round when all of them are written, because
// one that is spared needs those to which it refers. The error says that oid is not an orphan.
func (h *Host) Quarantined(m Moment, oid id.OID) (Step, error) {
	if !h.orphans[oid] {
		return Step{}, fmt.Errorf("quarantine %s: it is not an orphan", oid)
	}
	return h.input(m, func() {
		if w, ok := h.voided[oid]; ok {
			delete(h.orphans, oid)
			h.deleteSuperseded(oid, w)
		} else {
			h.kept[oid] = true
		}
		h.deleteKept()
	})
}

// deleteKept deletes the orphans that are in the quarantine, unless others are still on their way
// there.
func (h *Host) deleteKept() {
	if len(h.kept)+len(h.voided) < len(h.orphans) ||
		h.round != nil && h.round.phase == sweepingHeads {
		return
	}
	for _, oid := range setOf(slices.Collect(maps.Keys(h.kept))) {
		delete(h.orphans, oid)
		if hd := h.heads.get(oid); hd != nil && hd.State == here {
			h.delete(oid, hd)
		}
	}
	clear(h.kept)
}

// sweepHelds gives up the references that nothing here has any more, and renews the others (O22,
// O23).
func (h *Host) sweepHelds(r *round) {
	var to []id.HostID
	batches := map[id.HostID][]Renewal{}
	for n := 0; r.at < len(r.held); r.at++ {
		if n++; n > renewSlice {
			break
		}
		oid := r.held[r.at]
		x := h.helds.get(oid)
		if x == nil || h.heads.get(oid) != nil {
			continue
		}
		if d := r.heldDist[r.at]; d == unmarked && !h.pinned(oid) && !r.touched[oid] {
			h.release(oid, x)
			r.stats.Released++
			continue
		} else if d == unmarked {
			r.heldDist[r.at] = 0
		}
		if h.lapsed(oid) {
			h.regain(oid, func(Refusal, *Failure) {})
			continue
		}
		owner := x.Where.Owner
		if batches[owner] == nil {
			to = append(to, owner)
		}
		batches[owner] = append(batches[owner], Renewal{oid, x.Number, r.heldDist[r.at] + 1})
	}
	for _, owner := range to {
		h.renewAll(owner, batches[owner])
	}
	if r.at == len(r.held) {
		r.phase, r.behind = tidying, id.OID{}
	}
}

// renewAll renews references at an owner. It looks for the owner of those that the owner does not
// confirm.
func (h *Host) renewAll(owner id.HostID, items []Renewal) {
	if owner == (id.HostID{}) || len(items) == 1 {
		for _, x := range items {
			h.renewOne(x)
		}
		return
	}
	if !h.link(owner).Open {
		return
	}
	h.ask(owner, &Renew{items}, patience, func(b Body) {
		a, ok := b.(*Renewed)
		if !ok {
			return
		}
		for _, oid := range a.Strange {
			if i := slices.IndexFunc(items, func(x Renewal) bool {
				return x.OID == oid
			}); i >= 0 && h.helds.get(oid) != nil {
				h.mistrust(oid, owner)
				h.renewOne(items[i])
			}
		}
	})
}

func (h *Host) renewOne(x Renewal) {
	h.reach(x.OID, &Renew{[]Renewal{x}}, func(b Body, _ *Failure) {
		if a, ok := b.(*Refused); ok && a.Why == Unknown && h.helds.get(x.OID) != nil {
			h.event(Lost{x.OID})
		}
	})
}

// endRound asks the holders that were not heard of for a long time, pings, and pays debts.
func (h *Host) endRound(r *round) {
	for _, c := range r.checks {
		h.check(c.oid, c.host, c.number)
	}
	for _, oid := range r.pings {
		h.ping(oid)
	}
	r.stats.Pinged, r.stats.Checked = len(r.pings), len(r.checks)
	for host := range r.strangers {
		r.stats.Strangers = append(r.stats.Strangers, host)
	}
	slices.SortFunc(r.stats.Strangers, compareHosts)
	h.round = nil
	h.event(r.stats)
	h.pay()
}

// tidy forgets references that were disowned so long ago that no message of that time is on its way
// any more.
func (h *Host) tidy(r *round) {
	var old []id.OID
	n := 0
	h.disowned.scan(r.behind, func(oid id.OID, d *disowned) bool {
		r.behind = oid
		if d.At+disownedFor < h.moment.Now {
			old = append(old, oid)
		}
		n++
		return n < readSlice
	})
	for _, oid := range old {
		h.disowned.put(oid, nil)
	}
	if n < readSlice {
		h.endRound(r)
	}
}
