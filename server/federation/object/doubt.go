package object

import (
	"slices"

	"holt/server/id"
)

// A host that was given up may come back with objects that are served elsewhere in a new term by now. When it is there again it is asked what
// it has, and told what is not its own any more (O41).

// maxVoids is how often a host is told of one object before that waits until it is there again.
const maxVoids = 16

// late is the survey of one host that was given up.
type late struct {
	pages  int
	void   []voiding
	asking bool
	ended  bool // it has said all
	failed bool // it has not confirmed something
}

// voiding is an object of which a host is told that its copy is of the past.
type voiding struct {
	oid   id.OID
	term  Term
	tries int
}

// maxPages bounds how much a host may say in one survey that nobody waits for.
const maxPages = 65_536

// doubt notes that a host may have what is served elsewhere in a newer term.
func (h *Host) doubt(host id.GWID) {
	if host == h.cfg.Self || len(h.self.Doubted) >= MaxHolders {
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

// lateOf returns the survey of a host that was given up, nil for none.
func (h *Host) lateOf(host id.GWID) *late {
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

// learnLate takes what a host says that was given up, of an object that this host has made. It never takes the place of what is here.
func (h *Host) learnLate(host id.GWID, l *late, x Surveyee) {
	hd, f := h.heads.get(x.OID), h.forwards.get(x.OID)
	switch {
	case hd != nil && hd.State != arriving && hd.Life < h.self.Life && hd.Term < x.Term:
		h.forwards.put(x.OID, x.forward(host)) // nothing was done to the older copy here
		h.supersede(x.OID, whereabouts{Owner: host, Term: x.Term})
	case hd != nil && hd.State != arriving:
		if outdated(x.Term, hd.Term) {
			l.void = append(l.void, voiding{oid: x.OID, term: hd.Term})
		}
	case hd != nil:
	case f == nil, f.Term < x.Term, f.Term == x.Term && f.Coming && !x.Coming: // of two in one term the owner is believed
		h.rival(f, x.Term)
		h.forwards.put(x.OID, x.forward(host))
	case f.Owner != host && outdated(x.Term, f.Term):
		l.void = append(l.void, voiding{oid: x.OID, term: f.Term})
	}
}

// rival has a host asked that has an older copy of what another one has in a term that nobody reaches by moving.
func (h *Host) rival(older *whereabouts, term Term) {
	if older != nil && outdated(older.Term, term) {
		h.doubt(older.Owner)
	}
}

// voidNext tells a host of the next object that its copy is of the past.
func (h *Host) voidNext(host id.GWID, l *late) {
	if l.asking || h.survey.late[host] != l {
		return
	}
	if len(l.void) == 0 {
		if l.ended {
			h.believed(host, l)
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

// believed ends the survey of a host. It is in doubt no more if it has confirmed everything.
func (h *Host) believed(host id.GWID, l *late) {
	delete(h.survey.late, host)
	if l.failed {
		return // it is asked again when it is there again
	}
	h.self.Doubted = slices.DeleteFunc(h.self.Doubted, func(d id.GWID) bool { return d == host })
	if h.self.Life > 1 && !slices.Contains(h.self.Surveyed, host) && len(h.self.Surveyed) < MaxHolders {
		h.self.Surveyed = append(h.self.Surveyed, host)
	}
	h.selves.put(selfKey, h.self)
	h.pay()
}
