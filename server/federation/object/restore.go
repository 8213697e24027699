package object

import (
	"maps"
	"slices"

	"holt/server/id"
)

// What a restored host adds to its terms and numbers: more than it has counted since its backup (O11).
const (
	termLeap    = 1 << 16
	counterLeap = 1 << 20
)

// survey is what a restored host does to learn what has become of what it has made (O11).
type survey struct {
	asking     map[id.GWID]bool
	confirming map[id.OID]bool
	late       map[id.GWID]*late // of hosts that were given up
	since      id.Millis         // it is waited for them
	long       bool              // it was waited for long enough that nobody has to wait for it
}

// Trust goes on after a restore without a host that does not answer (O11).
func (h *Host) Trust(m Moment, host id.GWID) (Step, error) {
	return h.input(m, func() {
		waited := h.self.Survey && !slices.Contains(h.self.Surveyed, host)
		h.surveyed(host)
		if waited {
			h.doubt(host)
		}
	})
}

// Waiting returns for whom a restored host waits before it serves again what it has made (O43), in order.
func (h *Host) Waiting() (hosts []id.GWID) {
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

// asksFor reports whether it matters what a host knows.
func (h *Host) asksFor(host id.GWID) bool {
	if h.self.Survey {
		return !slices.Contains(h.self.Surveyed, host)
	}
	// One that was no linked host when this one was restored was not asked then.
	return slices.Contains(h.self.Doubted, host) || h.self.Life > 1 && !slices.Contains(h.self.Surveyed, host)
}

// surveyHost asks a host what it owns and holds, if that is not known yet in this life.
func (h *Host) surveyHost(host id.GWID) {
	if !h.asksFor(host) || h.survey.asking[host] || h.survey.late[host] != nil || !h.link(host).Open {
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

// waitOn says once for whom the host waits, and looks now and then whether it still has to: who is waited for may not be linked any more.
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
func (h *Host) linked() []id.GWID {
	if h.cfg.Linked == nil {
		return nil
	}
	hosts := slices.Clone(h.cfg.Linked())
	slices.SortFunc(hosts, compareHosts)
	return hosts
}

func (h *Host) surveyPage(host id.GWID, s Survey) {
	h.ask(host, &s, patience, func(b Body) {
		if !h.asksFor(host) {
			return // what it says now comes too late
		}
		a, ok := b.(*Surveyed)
		if !ok {
			delete(h.survey.asking, host)
			delete(h.survey.late, host) // it is asked from the beginning when it is there again
			if h.self.Survey {
				h.clock.after(lastRepeat, func() { h.surveyHost(host) })
			}
			return
		}
		l := h.lateOf(host)
		if begun := (Survey{Part: surveyHeads}); l != nil && l.pages == 0 && s != begun {
			h.surveyPage(host, begun) // it was given up since it was asked: what it said before counts for nothing
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

// surveyed notes that all is known that a host knows.
func (h *Host) surveyed(host id.GWID) {
	delete(h.survey.asking, host)
	if !h.self.Survey || slices.Contains(h.self.Surveyed, host) {
		return
	}
	h.self.Surveyed = append(h.self.Surveyed, host)
	h.selves.put(selfKey, h.self)
	h.surveyEnd()
}

// surveyEnd serves what was made here again when all linked hosts have answered.
func (h *Host) surveyEnd() {
	if !h.self.Survey {
		return
	}
	for _, host := range h.linked() {
		if !slices.Contains(h.self.Surveyed, host) {
			return
		}
	}
	h.self.Survey, h.survey.long = false, false
	h.selves.put(selfKey, h.self)
	h.back(h.cfg.Self)
	h.event(Settled{})
	h.adopt()
	h.pay()
	for _, doubted := range slices.Clone(h.self.Doubted) {
		h.surveyHost(doubted)
	}
}

// adopt has what came home since a restore count like what arrives elsewhere: if nobody says to have it in a term as high it is this
// host's (O11). Who sent it may have let go of it, because this host had said before the restore that it has it.
func (h *Host) adopt() {
	for _, oid := range setOf(slices.Collect(maps.Keys(h.going))) {
		g, hd, f := h.going[oid], h.heads.get(oid), h.forwards.get(oid)
		if oid.Creator() == h.cfg.Self && hd != nil && hd.State == arriving && f != nil && f.Term <= hd.Term {
			h.forwards.put(oid, &whereabouts{Owner: h.cfg.Self, Term: hd.Term + 1, Coming: true})
			h.swap(g)
		}
	}
}

// The parts of a survey.
const (
	surveyHeads    uint8 = iota + 1 // what the one who answers owns of what the asker has made
	surveyHelds                     // what it holds of what the asker has made, or owns as far as it knows
	surveyForwards                  // what it has made, and knows to be the asker's
)

// carryOutSurvey says what this host knows of what another one has made, holds or owns.
func (h *Host) carryOutSurvey(from id.GWID, b *Survey, answer func(Body)) {
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
		h.helds.scan(b.Beyond, func(oid id.OID, r *held) bool {
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

// learnOf takes what another host says of one object. late: the host was given up.
func (h *Host) learnOf(host id.GWID, part uint8, x Surveyee, late *late) {
	hd := h.heads.get(x.OID)
	x.Term, x.Held = min(x.Term, maxClaimed), min(x.Held, maxClaimed)
	switch {
	case part == surveyForwards && hd == nil && x.OID.Creator() == host:
		h.event(Lost{x.OID})
	case part == surveyHelds && x.OID.Creator() == h.cfg.Self && (hd == nil || hd.State == arriving):
		if h.forwards.get(x.OID) != nil || !h.strains(host, 1) { // a host cannot make up as many objects as it likes
			h.holdersElsewhere(x.OID, host)
		}
	case part == surveyHelds && hd != nil && x.Held > 0:
		h.held(x.OID, hd, host, x.Held)
	case part == surveyHeads && x.OID.Creator() == h.cfg.Self && late != nil:
		h.learnLate(host, late, x)
	case part == surveyHeads && x.OID.Creator() == h.cfg.Self:
		if hd != nil && hd.State != arriving && hd.Term >= x.Term {
			h.rival(&whereabouts{Owner: host, Term: x.Term}, hd.Term) // it was given up before this host was restored
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

// forward is what a creator notes of what a host says to have.
func (s *Surveyee) forward(host id.GWID) *whereabouts {
	return &whereabouts{Owner: host, Term: s.Term, Coming: s.Coming}
}

// held makes a host a holder that says to be one since the backup.
func (h *Host) held(oid id.OID, hd *head, host id.GWID, n uint64) {
	e := hd.holder(host)
	if e == nil {
		if _, ok := hd.register(host, 1, h.self.Round); !ok {
			return
		}
		e = hd.holder(host)
		e.Number, e.Since = n, n
	}
	// A third host may have had it registered anew before it said so itself: it calls by the number that it has.
	e.Number, e.Since = max(e.Number, n), min(e.Since, n)
	hd.Counter = max(hd.Counter, n)
	h.heads.put(oid, hd)
}

// supersede lets go of an older copy of what is somebody else's by now. This host refers to it still, and is registered as its holder again.
func (h *Host) supersede(oid id.OID, w whereabouts) {
	g := h.going[oid]
	if hd := h.heads.get(oid); hd != nil && hd.State != arriving {
		h.freeze(oid, hd)
		var holders []id.GWID
		for i := range hd.Holders {
			if x := hd.Holders[i].Host; x != w.Owner && x != h.cfg.Self {
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

// unsettled reports whether it is not known yet in this life whether an object is still this host's. What was made elsewhere is
// asked about when it is needed.
func (h *Host) unsettled(oid id.OID, hd *head) bool {
	if h.traces.hearing && !hd.Class.Fixed() {
		return true
	}
	if hd.Life >= h.self.Life {
		return false
	}
	c := oid.Creator()
	if c == h.cfg.Self {
		if h.self.Survey && !hd.Class.Fixed() { // tables and persons never were anybody else's
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

// confirmed takes the word of the creator about an object that was here before the restore.
func (h *Host) confirmed(oid id.OID, b Body) {
	hd := h.heads.get(oid)
	if hd == nil || hd.State != here || hd.Life >= h.self.Life {
		return
	}
	switch b := b.(type) {
	case *Elsewhere:
		switch {
		case b.Where.Owner == h.cfg.Self && b.Where.Term >= hd.Term && b.Where.Term < maxTold:
			h.renewTerm(oid, b.Where.Term)
		case b.Where.Owner != id.GWID{} && b.Where.Owner != h.cfg.Self && outdated(hd.Term, b.Where.Term):
			h.supplanted(oid, hd, b.Where)
		case b.Where.Owner != id.GWID{} && b.Where.Owner != h.cfg.Self && b.Where.Term > hd.Term:
			h.supersede(oid, b.Where)
		}
	case *Refused:
		if b.Why == Unknown {
			h.supersede(oid, whereabouts{})
		}
	}
}

// renewTerm swaps for a new term before an object is served again, so that deeds of which this host knows nothing any more are good
// for nothing.
func (h *Host) renewTerm(oid id.OID, term Term) {
	h.survey.confirming[oid] = true
	fresh := h.freshTerm(term)
	h.ask(oid.Creator(), &Swap{h.deed(oid, fresh, h.cfg.Self)}, patience, func(b Body) {
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
