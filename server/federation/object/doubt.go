package object

import (
	"slices"

	"holt/server/id"
)

// A host that was given up may come back with objects that are served elsewhere in a new term by
// now. When it is back, this host asks what it has, and sends settle for each object that it no
// longer owns (O41).

// maxVoids is how often settle for one object is sent to a host before it waits until that host is
// back again.
const maxVoids = 16

// late is the survey of one host that was given up.
type late struct {
	pages  int
	void   []voiding
	asking bool // settle for the first of void is on its way
	ended  bool // the host has said all
	failed bool // the host did not confirm something
}

// voiding is an object for which a host must get settle: its copy is superseded.
type voiding struct {
	oid   id.OID
	term  Term
	tries int
}

// maxPages bounds how many pages a host may send in one survey for which nobody waits.
const maxPages = 65_536

// doubt records that a host is in doubt: it may have objects that are served elsewhere in a newer
// term.
func (h *Host) doubt(host id.HostID) {
	if host == h.me || len(h.self.Doubted) >= MaxHolders {
		return
	}
	delete(h.survey.late, host) // it is asked from the beginning
	if slices.Contains(h.self.Doubted, host) {
		h.surveyHost(host)
		return
	}
	h.self.Doubted = append(h.self.Doubted, host)
	h.selves.put(selfKey, h.self)
	h.surveyHost(host)
}

// lateOf returns the survey of a host that was given up, or nil for another host.
func (h *Host) lateOf(host id.HostID) *late {
	if h.self.Survey || !h.asksFor(host) {
		return nil
	}
	l := h.survey.late[host]
	if l == nil {
		l = &late{}
		h.survey.late[host] = l
	}
	return l
}

// learnLate processes what a host that was given up says of an object of this host's making. That
// never replaces what is here.
func (h *Host) learnLate(host id.HostID, l *late, x Surveyee) {
	hd, f := h.heads.get(x.OID), h.forwards.get(x.OID)
	switch {
	case hd.owned() && hd.Life < h.self.Life && hd.Term < x.Term:
		h.forwards.put(x.OID, x.forward(host)) // nothing was done to the older copy here
		h.supersede(x.OID, whereabouts{Owner: host, Term: x.Term})
	case hd.owned():
		if outdated(x.Term, hd.Term) {
			l.void = append(l.void, voiding{oid: x.OID, term: hd.Term})
		}
	case hd != nil:
	// Of two hosts in one term the owner is believed.
	case f == nil, f.Term < x.Term, f.Term == x.Term && f.Coming && !x.Coming:
		h.rival(f, x.Term)
		h.forwards.put(x.OID, x.forward(host))
	case f.Owner != host && outdated(x.Term, f.Term):
		l.void = append(l.void, voiding{oid: x.OID, term: f.Term})
	}
}

// rival puts a host in doubt that has an older copy, if another host has the object in a term that
// no move reaches.
func (h *Host) rival(older *whereabouts, term Term) {
	if older != nil && outdated(older.Term, term) {
		h.doubt(older.Owner)
	}
}

// voidNext sends a host settle for the next object whose copy is superseded.
func (h *Host) voidNext(host id.HostID, l *late) {
	if l.asking || h.survey.late[host] != l {
		return
	}
	if len(l.void) == 0 {
		if l.ended {
			h.endLateSurvey(host, l)
		}
		return
	}
	l.asking = true
	v := &l.void[0]
	v.tries++
	h.ask(host, &Settle{v.oid, v.term}, patience, func(b Body) {
		l.asking = false
		_, done := b.(*Done)
		switch {
		case !done && b != nil && l.void[0].tries < maxVoids:
			h.clock.after(firstRetry, func() { h.voidNext(host, l) })
			return
		case !done:
			l.failed = true
		}
		l.void = l.void[1:]
		h.voidNext(host, l)
	})
}

// endLateSurvey ends the survey of a host. The host is no longer in doubt if it has confirmed
// everything.
func (h *Host) endLateSurvey(host id.HostID, l *late) {
	delete(h.survey.late, host)
	if l.failed {
		return // it is asked again when it is back again
	}
	h.self.Doubted = slices.DeleteFunc(h.self.Doubted, func(d id.HostID) bool { return d == host })
	if h.self.Life > 1 && !slices.Contains(h.self.Surveyed, host) &&
		len(h.self.Surveyed) < MaxHolders {
		h.self.Surveyed = append(h.self.Surveyed, host)
	}
	h.selves.put(selfKey, h.self)
	h.pay()
}
