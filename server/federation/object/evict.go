package object

import (
	"bytes"

	"holt/server/id"
)

// eviction is an object that must move to a host that uses it (O25).
type eviction struct {
	oid     id.OID
	to      id.HostID
	suspect bool
}

// evictTo queues moves to a host of an object that no root here reaches, and of all nimby objects
// here that it reaches (O25).
func (h *Host) evictTo(oid id.OID, to id.HostID, suspect bool) {
	if h.evicting[oid] {
		return
	}
	chain := []id.OID{oid}
	h.evicting[oid] = true
	for i := 0; i < len(chain); i++ {
		h.evict = append(h.evict, eviction{chain[i], to, suspect})
		hd := h.heads.peek(chain[i])
		if hd == nil {
			continue
		}
		for _, ref := range hd.Refs {
			if _, ok := h.nimby[ref]; ok && !h.evicting[ref] {
				h.evicting[ref] = true
				chain = append(chain, ref)
			}
		}
	}
}

// evictNext begins queued evictions, up to the bound of those at once.
func (h *Host) evictNext() {
	for len(h.evict) > 0 && h.underWay < evictions {
		e := h.evict[0]
		h.evict = h.evict[1:]
		far, ok := h.nimby[e.oid]
		if !ok {
			delete(h.evicting, e.oid) // the object is needed again
			continue
		}
		if !e.suspect {
			far = 0
		}
		h.underWay++
		h.move(e.oid, e.to, far, func(why Refusal, f *Failure) {
			h.underWay--
			delete(h.evicting, e.oid)
			if why != 0 || f != nil {
				delete(h.nimby, e.oid) // the object stays until the next round finds it again
			}
		})
	}
}

// suspectArrived continues the gathering of suspect objects. An object that was evicted because of
// a ping is suspect here, too, and a coin is thrown for it at once (O26).
func (h *Host) suspectArrived(g *moveState, hd *head) {
	if g.far == 0 {
		return
	}
	h.nimby[g.oid] = g.far
	if b := h.random(); b[0]&1 != 0 {
		return
	}
	for _, ref := range hd.Refs {
		if h.helds.get(ref) != nil {
			h.ping(ref)
		}
	}
}

// carryOut evicts a suspect object to the host that pings it (O26).
func (b *Ping) carryOut(h *Host, from id.HostID, answer reply) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
		return
	case from != h.me && hd.holder(from) == nil:
		h.refuseForbidden(from, answer)
		return
	}
	answer(&Done{})
	if d, ok := h.nimby[b.OID]; !ok || int(d) <= h.cfg.Suspect || from == h.me {
		return
	}
	if h.elapsed-h.gathered < gathering && bytes.Compare(from[:], h.me[:]) < 0 {
		// Both hosts gather. One of them gives way, so that parts do not change places.
		return
	}
	h.evictTo(b.OID, from, true)
}

// ping pings the owner of a suspect object elsewhere.
func (h *Host) ping(oid id.OID) {
	h.gathered = h.elapsed
	h.reach(oid, &Ping{oid}, func(Body, *Failure) {})
}
