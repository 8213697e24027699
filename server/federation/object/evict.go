package object

import (
	"bytes"

	"holt/server/id"
)

// eviction is an object that is to move to whom it is of use (O25).
type eviction struct {
	oid     id.OID
	to      id.GWID
	suspect bool
}

// evictTo moves what nobody here needs to a host that does, with all that it refers to here and that nobody here needs (O25).
func (h *Host) evictTo(oid id.OID, to id.GWID, suspect bool) {
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

// evictNext begins as many evictions as may be at once.
func (h *Host) evictNext() {
	for len(h.evict) > 0 && h.underWay < evictions {
		e := h.evict[0]
		h.evict = h.evict[1:]
		far, ok := h.nimby[e.oid]
		if !ok {
			delete(h.evicting, e.oid) // it is needed again
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
				delete(h.nimby, e.oid) // it stays until the next round finds it again
			}
		})
	}
}

// suspectArrived goes on with the gathering of what is suspect: it is so here as well, and a coin is thrown for it at once (O26).
func (h *Host) suspectArrived(g *going, hd *head) {
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

// carryOutPing evicts what is suspect to whoever asks (O26).
func (h *Host) carryOutPing(from id.GWID, b *Ping, answer func(Body)) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
		return
	case from != h.cfg.Self && hd.holder(from) == nil:
		h.forbid(from, answer)
		return
	}
	answer(&Done{})
	if d, ok := h.nimby[b.OID]; !ok || int(d) <= h.cfg.Suspect || from == h.cfg.Self {
		return
	}
	if h.elapsed-h.gathered < gathering && bytes.Compare(from[:], h.cfg.Self[:]) < 0 {
		return // both gather: one of them gives way, so that parts do not change places
	}
	h.evictTo(b.OID, from, true)
}

// ping pings what is suspect elsewhere.
func (h *Host) ping(oid id.OID) {
	h.gathered = h.elapsed
	h.reach(oid, &Ping{oid}, func(Body, *Failure) {})
}
