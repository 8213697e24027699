package object

import (
	"slices"

	"holt/server/id"
)

// debtors are the objects whose debts the host is paying at the moment.
type debtors struct {
	paying map[id.OID]bool
	again  bool // pay was called meanwhile
}

// owedFor is for how many milliseconds a debt is owed. A host that has not confirmed it by then has
// left the directory for good (O28), or is not in order and finds out by its own checks (O23).
const owedFor id.Millis = 90 * 24 * 60 * 60_000

// owe records a debt: something that must be sent to another host about an object.
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
	for _, host := range more.Holders {
		if !slices.Contains(d.Holders, host) && len(d.Holders) < MaxHolders {
			d.Holders = append(slices.Clip(d.Holders), host)
		}
	}
	d.At = h.moment.Now
	h.debts.put(oid, d)
}

// payWindow is how many debts are paid at once.
const payWindow = 256

// pay sends to other hosts what is owed to them. It is called after each round and whenever a host
// comes back.
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

// payOne pays one debt. The debt stays if that fails.
func (h *Host) payOne(oid id.OID, d debt, done func()) {
	paid := func(ok bool) {
		if now := h.debts.get(oid); ok && now != nil {
			if now.Release == d.Release {
				now.Release = 0
			}
			if now.Gone == d.Gone {
				now.Gone = 0
			}
			if now.paid() {
				now = nil
			}
			h.debts.put(oid, now)
		}
		done()
	}
	if d.At+owedFor < h.moment.Now {
		h.debts.put(oid, nil)
		done()
		return
	}
	if len(d.Holders) > 0 {
		h.name(oid, d.Holders, func() {
			d.Holders = nil
			h.payOne(oid, d, done)
		})
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
	if d.Release == 0 {
		done()
		return
	}
	if !h.made(oid) && h.known(oid) == (whereabouts{}) {
		h.note(oid, d.Where)
	}
	h.reach(oid, &Release{oid, d.Release}, func(b Body, _ *Failure) {
		if a, ok := b.(*Retained); ok {
			h.reown(oid, d.Release, a.Number)
		}
		paid(settled(b))
	})
}

// name sends to the owner of an object of this host's making the names of its holders, one after
// the other, until the owner does not confirm one (O42).
func (h *Host) name(oid id.OID, hosts []id.HostID, done func()) {
	// After a restore the owner is not known yet.
	if len(hosts) == 0 || h.self.Survey {
		done()
		return
	}
	host := hosts[0]
	h.reach(oid, &Retain{OID: oid, For: host}, func(b Body, _ *Failure) {
		if r, ok := b.(*Refused); b == nil || ok && r.Why == Unknown {
			done()
			return
		}
		h.named(oid, host)
		h.name(oid, hosts[1:], done)
	})
}

// named removes a holder from a debt: the owner of the object knows it now.
func (h *Host) named(oid id.OID, host id.HostID) {
	d := h.debts.get(oid)
	if d == nil {
		return
	}
	d.Holders = slices.DeleteFunc(slices.Clone(d.Holders), func(x id.HostID) bool {
		return x == host
	})
	if d.paid() {
		d = nil
	}
	h.debts.put(oid, d)
}

// holdersElsewhere records that this host owes the owner of an object of its making the names of
// holders.
func (h *Host) holdersElsewhere(oid id.OID, hosts ...id.HostID) {
	if h.made(oid) && len(hosts) > 0 {
		h.owe(oid, debt{Holders: hosts})
	}
}

// reown corrects a disowned number that the owner has never counted. Only the owner counts, so
// somebody else had made up that number (O22). References above the counted number are accepted
// again.
func (h *Host) reown(oid id.OID, said, counted uint64) {
	if d := h.disowned.get(oid); d != nil && d.Number == said && counted > 0 && counted < said {
		d.Number = counted
		h.disowned.put(oid, d)
	}
}

// settled reports whether this answer pays a debt: the other host has confirmed, or does not know
// the object, or not this host as its holder.
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
