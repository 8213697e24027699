package object

import "holt/server/id"

// debtors is whom the host is telling what it owes them.
type debtors struct {
	paying map[id.OID]bool
	again  bool
}

// owedFor is how long a debt is owed, in milliseconds: who has not confirmed it by then has left the directory for good (O28), or is
// not in order, and finds out by itself (O23).
const owedFor id.Millis = 90 * 24 * 60 * 60_000

// owe notes what somebody else is to be told.
func (h *Host) owe(oid id.OID, more debt) {
	d := h.debts.get(oid)
	if d == nil {
		d = &debt{}
	}
	if more.Release > 0 {
		d.Release, d.Where = max(d.Release, more.Release), more.Where
	}
	if more.Gone > 0 {
		d.Gone = more.Gone
	}
	d.At = h.moment.Now
	h.debts.put(oid, d)
}

// payWindow is how many debts are paid at once.
const payWindow = 256

// pay tells others what they are still to be told. It is done after each round and whenever a host comes back.
func (h *Host) pay() {
	if len(h.paying) > 0 {
		h.debtors.again = true
		return
	}
	h.payBehind(id.OID{})
}

func (h *Host) payBehind(behind id.OID) {
	type due struct {
		oid id.OID
		d   debt
	}
	var now []due
	h.debts.scan(behind, func(oid id.OID, d *debt) bool {
		now = append(now, due{oid, *d})
		return len(now) < payWindow
	})
	if len(now) == 0 {
		return
	}
	for _, x := range now {
		h.paying[x.oid] = true
	}
	last := now[len(now)-1].oid
	for _, x := range now {
		h.payOne(x.oid, x.d, func() {
			delete(h.paying, x.oid)
			switch {
			case len(h.paying) > 0:
			case h.debtors.again:
				h.debtors.again = false
				h.clock.after(0, h.pay)
			default:
				h.clock.after(0, func() { h.payBehind(last) })
			}
		})
	}
}

// payOne pays one debt. It stays if that fails.
func (h *Host) payOne(oid id.OID, d debt, done func()) {
	paid := func(ok bool) {
		if now := h.debts.get(oid); ok && now != nil {
			if now.Release == d.Release {
				now.Release = 0
			}
			if now.Gone == d.Gone {
				now.Gone = 0
			}
			if now.Release == 0 && now.Gone == 0 {
				now = nil
			}
			h.debts.put(oid, now)
		}
		done()
	}
	if d.At+owedFor < h.moment.Now {
		paid(true)
		return
	}
	if d.Gone > 0 {
		c := oid.Creator()
		if !h.link(c).Open {
			paid(false)
			return
		}
		h.ask(c, &Gone{oid, d.Gone}, patience, func(b Body) { paid(settled(b)) })
		return
	}
	if oid.Creator() != h.cfg.Self && h.known(oid) == (whereabouts{}) {
		h.note(oid, d.Where)
	}
	h.reach(oid, &Release{oid, d.Release}, func(b Body, _ *Failure) {
		if a, ok := b.(*Retained); ok {
			h.reown(oid, d.Release, a.Number)
		}
		paid(settled(b))
	})
}

// reown takes back that references up to a number are not taken, when the owner has counted up to another one only: nobody but the
// owner counts, so somebody who does not own the object has named that number (O22).
func (h *Host) reown(oid id.OID, said, counted uint64) {
	if d := h.disowned.get(oid); d != nil && d.Number == said && counted > 0 && counted < said {
		d.Number = counted
		h.disowned.put(oid, d)
	}
}

// settled reports whether a debt is paid with this answer: the other one knows, or knows nothing of the object.
func settled(b Body) bool {
	switch b := b.(type) {
	case *Done, *Retained:
		return true
	case *Refused:
		return b.Why == Unknown || b.Why == Forbidden
	default:
		return false
	}
}
