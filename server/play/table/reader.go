package table

import (
	"holt/server/id"
)

// Reader shows entries of the past as one view was shown them, without the table. It does not
// change, and is safe for concurrent use.
type Reader struct {
	t    *Table
	seat id.Seat
	// referee is the reader's table with the sight of a referee, and from is the entry that gave it
	// (T74). referee is nil if the seat is none.
	referee *Table
	from    id.Generation
}

// Reader returns a reader for the view of a seat, as far as the history goes now.
func (t *Table) Reader(seat id.Seat) *Reader {
	v := t.view(seat)
	own := &view{seat: v.seat, runs: append([]Run(nil), v.runs...)}
	r := &Reader{seat: v.seat, t: &Table{
		// Kinds are added behind these, and none is changed.
		kinds: t.kinds[:len(t.kinds):len(t.kinds)], public: own, sets: map[id.OID]*guest{},
	}}
	for set, g := range t.sets {
		copied := *g
		r.t.sets[set] = &copied
	}
	if v.seat != 0 {
		r.t.public, r.t.views = newView(0), make([]*view, v.seat)
		r.t.views[v.seat-1] = own
	}
	if t.isReferee(v.seat) {
		sees := *r.t
		sees.referees = []id.Seat{v.seat}
		who, _ := t.Seat(v.seat)
		r.referee, r.from = &sees, who.Referee.From
	}
	return r
}

// Version returns the version of an entry that the view was shown. It reports false if the table
// does not remember it exactly.
func (r *Reader) Version(g id.Generation) (id.Version, bool) {
	v := r.t.view(r.seat)
	i := v.runOf(g)
	if i < 0 || g >= v.runs[i].Gen+id.Generation(v.runs[i].N) {
		return 0, false
	}
	return v.mark(g), true
}

// SentEntry is what a view was sent of an entry. Of Piece, Notice, Who, Chat and
// Rewound at most one is set.
type SentEntry struct {
	// Sent says that the view was sent anything of the entry.
	Sent   bool
	Piece  bool  // the piece from Before to After
	Before Shown // the piece as it was shown before; zero if the view did not see it
	After  Shown // and after; Gone if the view does not see it any more

	Notice bool
	Name   id.Piece // of the piece of the notice; 0 if the view does not see it
	Count  int32    // 0 if it is kept back
	Faces  []uint32 // those that only this view was shown
	To     id.Seat  // to whom something was shown

	Who     *SeatInfo
	Chat    *Chat
	Rewound *Rewound
}

// Listed reports whether it says something to people.
func (s *SentEntry) Listed() bool {
	return s.Piece || s.Notice || s.Who != nil || s.Chat != nil || s.Rewound != nil
}

// Read returns what the view was sent of an entry of the log. It leaves out what says nothing to
// people: corrections of levels, facts about randomness, components, and the pieces with which the
// table was set up. It does not leave out a shuffled piece that is as before (T26).
func (r *Reader) Read(e *Entry) (sent SentEntry) {
	t := r.t
	if r.referee != nil && e.Gen > r.from {
		t = r.referee
	}
	switch {
	case e.Who != nil:
		return SentEntry{Sent: true, Who: e.Who}
	case e.Chat != nil:
		if !t.IsSentTo(e, r.seat) {
			return sent
		}
		return SentEntry{Sent: true, Chat: e.Chat}
	case e.Rewound != nil:
		return SentEntry{Sent: true, Rewound: e.Rewound}
	case e.Set != nil:
		return SentEntry{Sent: e.Op == OpGuest}
	case e.Fact != nil:
		return SentEntry{Sent: t.IsSentTo(e, r.seat)}
	case e.Ops != nil:
		// About a piece, whether the view saw it does not follow from the entry.
		return SentEntry{Sent: e.Piece.IsZero() && t.IsSentTo(e, r.seat)}
	case e.Notice:
		sent = SentEntry{Sent: true, Notice: true, To: e.To}
		name, count, faces := t.Notice(e, r.seat)
		sent.Name, sent.Count = name, count
		if faces {
			sent.Faces = e.Faces
		}
		if sent.Name != 0 {
			sent.Before = t.show(t.view(r.seat), e.Name, e.Gen, &e.Before)
		}
		return sent
	}
	sent.Before, sent.After, sent.Sent = t.Shows(e, r.seat)
	if !sent.Sent && e.Op == OpShuffle && t.SeesAfter(e, r.seat) {
		sent.After = t.show(t.view(r.seat), e.Name, e.Gen, &e.After)
		sent.Before, sent.Sent = sent.After, true
	}
	sent.Piece = sent.Sent && !e.silent()
	return sent
}

// silent reports whether an entry about a piece says nothing to people.
func (e *Entry) silent() bool {
	switch e.Op {
	case OpRenew, OpRespread, OpSettle, OpRewind:
		return true
	default:
		return e.Op == OpAdd && e.Seat == 0
	}
}
