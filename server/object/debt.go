package object

import "holt/server/id"

// debtors is whom the host is telling what it owes them.
type debtors struct {
	paying map[id.OID]bool
	again  bool
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
	if d.Gone > 0 {
		c := oid.Creator()
		if !h.link(c).Open {
			paid(false)
			return
		}
		h.ask(c, &Gone{oid, d.Gone}, patience, func(b Body) { paid(settled(b)) })
		return
	}
	h.reach(oid, &Release{oid, d.Release}, func(b Body, _ *Failure) { paid(settled(b)) })
}

// settled reports whether a debt is paid with this answer: the other one knows, or knows nothing of the object.
func settled(b Body) bool {
	switch b := b.(type) {
	case *Done:
		return true
	case *Refused:
		return b.Why == Unknown || b.Why == Forbidden
	default:
		return false
	}
}
