package object

import (
	"maps"
	"slices"

	"holt/server/id"
)

// How far a new term or count lies above the old one at least: farther than anything was counted
// since the backup (O11).
const (
	termLeap    = 1 << 16
	counterLeap = 1 << 20
)

// survey is how a restored host learns what has happened to the objects that it made (O11).
type survey struct {
	asking     map[id.HostID]bool
	confirming map[id.OID]bool
	late       map[id.HostID]*late // of hosts that were given up
	since      id.Millis           // when the wait for linked hosts began
	// The wait was so long that requests no longer wait for its end (O43).
	long bool
}

// Trust continues after a restore without a host that does not answer (O11).
func (h *Host) Trust(m Moment, host id.HostID) (Step, error) {
	return h.input(m, func() {
		waited := h.self.Survey && !slices.Contains(h.self.Surveyed, host)
		h.surveyed(host)
		if waited {
			h.doubt(host)
		}
	})
}

// Waiting returns the hosts that must answer before a restored host serves again what it has made
// (O43), in order.
func (h *Host) Waiting() (hosts []id.HostID) {
	if !h.self.Survey {
		return nil
	}
	for _, host := range h.linked() {
		if !slices.Contains(h.self.Surveyed, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// asksFor reports whether this host needs the answer of a host to a survey.
func (h *Host) asksFor(host id.HostID) bool {
	if h.self.Survey {
		return !slices.Contains(h.self.Surveyed, host)
	}
	// A host that was not linked at the time of the restore was not asked then.
	return slices.Contains(h.self.Doubted, host) ||
		h.self.Life > 1 && !slices.Contains(h.self.Surveyed, host)
}

// surveyHost asks a host what it owns and holds, if that is not known yet in this host life.
func (h *Host) surveyHost(host id.HostID) {
	if !h.asksFor(host) || h.survey.asking[host] || h.survey.late[host] != nil ||
		!h.link(host).Open {
		return
	}
	h.survey.asking[host] = true
	h.surveyPage(host, Survey{Part: surveyHeads})
}

// surveyAll asks all linked hosts.
func (h *Host) surveyAll() {
	for _, host := range h.linked() {
		h.surveyHost(host)
	}
	h.surveyEnd()
	h.survey.since = h.moment.Now
	h.clock.after(patience, h.waitOn)
}

// waitOn says once for which hosts this one waits. It looks every 10 s whether the wait is over,
// because a host may not be linked any more.
func (h *Host) waitOn() {
	if h.surveyEnd(); !h.self.Survey {
		return
	}
	if !h.survey.long {
		h.survey.long = true
		h.event(Waiting{h.Waiting(), h.survey.since})
	}
	h.clock.after(patience, h.waitOn)
}

// linked returns the linked hosts in order.
func (h *Host) linked() []id.HostID {
	if h.cfg.Linked == nil {
		return nil
	}
	hosts := slices.Clone(h.cfg.Linked())
	slices.SortFunc(hosts, compareHosts)
	return hosts
}

func (h *Host) surveyPage(host id.HostID, s Survey) {
	h.ask(host, &s, patience, func(b Body) {
		if !h.asksFor(host) {
			return // the answer comes too late
		}
		a, ok := b.(*Surveyed)
		if !ok {
			delete(h.survey.asking, host)
			delete(h.survey.late, host) // it is asked from the beginning when it is back
			if h.self.Survey {
				h.clock.after(lastRepeat, func() { h.surveyHost(host) })
			}
			return
		}
		l := h.lateOf(host)
		if begun := (Survey{Part: surveyHeads}); l != nil && l.pages == 0 && s != begun {
			// The host was given up after the survey began: what it said before does not count.
			h.surveyPage(host, begun)
			return
		}
		for _, x := range a.Items {
			h.learnOf(host, s.Part, x, l)
		}
		if l != nil {
			if l.pages++; l.pages > maxPages {
				delete(h.survey.asking, host)
				return
			}
			h.voidNext(host, l)
		}
		switch {
		case compare(a.Next, s.Beyond) > 0:
			h.surveyPage(host, Survey{Part: s.Part, Beyond: a.Next})
		case s.Part < surveyForwards:
			h.surveyPage(host, Survey{Part: s.Part + 1})
		case l != nil:
			delete(h.survey.asking, host)
			l.ended = true
			h.voidNext(host, l)
		default:
			h.surveyed(host)
		}
	})
}

// surveyed records that a host has said all that it knows.
func (h *Host) surveyed(host id.HostID) {
	delete(h.survey.asking, host)
	if !h.self.Survey || slices.Contains(h.self.Surveyed, host) {
		return
	}
	h.self.Surveyed = append(h.self.Surveyed, host)
	h.selves.put(selfKey, h.self)
	h.surveyEnd()
}

// surveyEnd ends the survey when all linked hosts have answered: this host serves again what it has
// made.
func (h *Host) surveyEnd() {
	if !h.self.Survey || len(h.Waiting()) > 0 {
		return
	}
	h.self.Survey, h.survey.long = false, false
	h.selves.put(selfKey, h.self)
	h.back(h.me)
	h.event(Settled{})
	h.adopt()
	h.pay()
	for _, doubted := range slices.Clone(h.self.Doubted) {
		h.surveyHost(doubted)
	}
}

// adopt treats objects that were arriving at this host, their creator, like objects that are
// arriving elsewhere. If no host has one of them in a term as high, it is this host's (O11). Its
// sender may have deleted its copy, because this host had said before the restore that it has the
// object.
func (h *Host) adopt() {
	for _, oid := range setOf(slices.Collect(maps.Keys(h.movesUnderWay))) {
		g, hd, f := h.movesUnderWay[oid], h.heads.get(oid), h.forwards.get(oid)
		if h.made(oid) && hd.arrives() &&
			f != nil && f.Term <= hd.Term {
			h.forwards.put(oid, &whereabouts{Owner: h.me, Term: hd.Term + 1, Coming: true})
			h.swap(g)
		}
	}
}

// The parts of a survey. The answering host names:
const (
	surveyHeads uint8 = iota + 1 // what it owns of the asker's making
	// what it holds and the asker has made, or owns as far as is known
	surveyHelds
	surveyForwards // what it made, and the asker owns as far as is known
)

// carryOut says what this host knows of the objects that another host has made, holds or
// owns.
func (b *Survey) carryOut(h *Host, from id.HostID, answer reply) {
	var a Surveyed
	seen := 0
	add := func(oid id.OID, x Surveyee) bool {
		if x != (Surveyee{}) {
			x.OID = oid
			a.Items = append(a.Items, x)
		}
		if seen++; seen >= readSlice || len(a.Items) >= MaxBatch {
			a.Next = oid
			return false
		}
		return true
	}
	switch b.Part {
	case surveyHeads:
		h.heads.scan(b.Beyond, func(oid id.OID, hd *head) bool {
			switch {
			case oid.Creator() != from:
				return add(oid, Surveyee{})
			case hd.State == arriving:
				return add(oid, Surveyee{Term: hd.Term + 1, Coming: true})
			}
			return add(oid, Surveyee{Term: hd.Term})
		})
	case surveyHelds:
		h.helds.scan(b.Beyond, func(oid id.OID, r *reference) bool {
			if oid.Creator() != from && r.Where.Owner != from {
				return add(oid, Surveyee{})
			}
			return add(oid, Surveyee{Held: r.Number})
		})
	default:
		h.forwards.scan(b.Beyond, func(oid id.OID, w *whereabouts) bool {
			if w.Owner != from {
				return add(oid, Surveyee{})
			}
			return add(oid, Surveyee{Term: w.Term})
		})
	}
	answer(&a)
}

// learnOf processes what a host says of one object in a survey. late is nil unless the host was
// given up.
func (h *Host) learnOf(host id.HostID, part uint8, x Surveyee, late *late) {
	hd := h.heads.get(x.OID)
	x.Term, x.Held = min(x.Term, maxBelieved), min(x.Held, maxBelieved)
	switch {
	case part == surveyForwards && hd == nil && x.OID.Creator() == host:
		h.event(Lost{x.OID})
	case part == surveyHelds && h.made(x.OID) &&
		!hd.owned():
		// A host cannot make up as many objects as it likes.
		if h.forwards.get(x.OID) != nil || !h.overBudget(host, 1) {
			h.holdersElsewhere(x.OID, host)
		}
	case part == surveyHelds && hd != nil && x.Held > 0:
		h.restoreHolder(x.OID, hd, host, x.Held)
	case part == surveyHeads && h.made(x.OID) && late != nil:
		h.learnLate(host, late, x)
	case part == surveyHeads && h.made(x.OID):
		if hd.owned() && hd.Term >= x.Term {
			// The host was given up before this one was restored.
			h.rival(&whereabouts{Owner: host, Term: x.Term}, hd.Term)
			return
		}
		f := h.forwards.get(x.OID)
		if f != nil && (f.Term > x.Term || f.Term == x.Term && x.Coming) {
			h.rival(&whereabouts{Owner: host, Term: x.Term}, f.Term)
			return
		}
		h.rival(f, x.Term)
		h.forwards.put(x.OID, x.forward(host))
		if hd != nil {
			h.supersede(x.OID, whereabouts{Owner: host, Term: x.Term})
		}
	}
}

// forward returns the forwarding address that a creator stores if a host says that it has an
// object.
func (s *Surveyee) forward(host id.HostID) *whereabouts {
	return &whereabouts{Owner: host, Term: s.Term, Coming: s.Coming}
}

// restoreHolder makes a host a holder that says that it has become one since the backup.
func (h *Host) restoreHolder(oid id.OID, hd *head, host id.HostID, n uint64) {
	e := hd.holder(host)
	if e == nil {
		if _, ok := hd.register(host, 1, h.self.Round); !ok {
			return
		}
		e = hd.holder(host)
		e.Number, e.Since = n, n
	}
	// A third host may have registered it again before it answered the survey. It calls with the
	// number that it has.
	e.Number, e.Since = max(e.Number, n), min(e.Since, n)
	hd.Counter = max(hd.Counter, n)
	h.heads.put(oid, hd)
}

// supersede replaces an older copy of an object that another host owns by now by a lapsed
// reference. The creator keeps the copy frozen.
func (h *Host) supersede(oid id.OID, w whereabouts) {
	g := h.movesUnderWay[oid]
	if hd := h.heads.get(oid); hd.owned() {
		h.freeze(oid, hd)
		var holders []id.HostID
		for i := range hd.Holders {
			if x := hd.Holders[i].Host; x != w.Owner && x != h.me {
				holders = append(holders, x)
			}
		}
		h.holdersElsewhere(oid, holders...)
	}
	h.drop(oid)
	h.lapse(oid, w)
	if g != nil {
		h.end(g, Unknown)
	}
}

// unsettled reports whether it is not known yet, in this host life, whether an object still is this
// host's. If another host made the object, unsettled asks that host.
func (h *Host) unsettled(oid id.OID, hd *head) bool {
	if h.traces.hearing && !hd.Class.Fixed() {
		return true
	}
	if hd.Life >= h.self.Life {
		return false
	}
	c := oid.Creator()
	if c == h.me {
		// Tables and persons never had another owner.
		if h.self.Survey && !hd.Class.Fixed() {
			return true
		}
		h.confirm(oid, hd, h.freshTerm(hd.Term))
		return false
	}
	if !h.survey.confirming[oid] && hd.State == here && h.link(c).Open {
		h.survey.confirming[oid] = true
		h.ask(c, &Find{oid}, patience, func(b Body) {
			delete(h.survey.confirming, oid)
			h.confirmed(oid, b)
		})
	}
	return hd.Life < h.self.Life
}

// confirmed processes the answer of the creator about an object that was here before the restore.
func (h *Host) confirmed(oid id.OID, b Body) {
	hd := h.heads.get(oid)
	if hd == nil || hd.State != here || hd.Life >= h.self.Life {
		return
	}
	switch b := b.(type) {
	case *Elsewhere:
		switch {
		case b.Where.Owner == h.me && b.Where.Term >= hd.Term && b.Where.Term < maxAccepted:
			h.renewTerm(oid, b.Where.Term)
		case b.Where.Owner != id.HostID{} && b.Where.Owner != h.me &&
			outdated(hd.Term, b.Where.Term):
			h.quarantineSuperseded(oid, hd, b.Where)
		case b.Where.Owner != id.HostID{} && b.Where.Owner != h.me && b.Where.Term > hd.Term:
			h.supersede(oid, b.Where)
		}
	case *Refused:
		if b.Why == Unknown {
			h.supersede(oid, whereabouts{})
		}
	}
}

// renewTerm swaps for a new term before an object is served again. Deeds of which this host no
// longer knows are not accepted then.
func (h *Host) renewTerm(oid id.OID, term Term) {
	h.survey.confirming[oid] = true
	fresh := h.freshTerm(term)
	h.ask(oid.Creator(), &Swap{h.deed(oid, fresh, h.me)}, patience, func(b Body) {
		delete(h.survey.confirming, oid)
		hd, s := h.heads.get(oid), Swapped{}
		if x, ok := b.(*Swapped); ok {
			s = *x
		}
		if !s.Moved || hd == nil || hd.State != here || hd.Life >= h.self.Life {
			return
		}
		if term > hd.Term {
			h.event(Older{oid})
		}
		h.confirm(oid, hd, fresh)
	})
}

// confirm serves an object again.
func (h *Host) confirm(oid id.OID, hd *head, term Term) {
	hd.Life, hd.Term = h.self.Life, term
	hd.Counter = h.freshCount(hd.Counter)
	hd.Unsure = h.self.Round + 1
	h.heads.put(oid, hd)
}
