package client

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// viewState is the protocol part of a client: the view as the server recorded it, and the pending
// updates (T11). It performs no I/O and never blocks. The zero viewState belongs to a client that
// has never been synchronised.
//
// A stream synchronises it with Full or Resumed. When the stream has ended, it keeps all that it
// knows but sends nothing until the next stream has synchronised it (S5).
type viewState struct {
	hasFull   bool // a Full has come
	open      bool // the open stream has synchronised it
	needsFull bool // something may be missing: the next stream must begin with Full
	epoch     id.Epoch
	life      string     // the server life that assigned mark, in hexadecimal (S21)
	trouble   string     // why the server cannot save; empty if it can
	version   id.Version // of the last frame that had one
	you       id.Seat
	info      Info
	seats     map[id.Seat]SeatInfo
	pieces    map[id.Piece]table.Shown
	holds     map[id.Piece][]table.Tally // counts of the pieces in hands and containers (T29)
	sets      map[uint32]Set             // guest sets (T37)

	last    id.ClientSeq
	pending []pendingUpdate // pending updates by sequence
	resync  bool            // the client must ask for the full state
	// Updates that met a server update in this frame. They are conflicts, unless this frame
	// acknowledges them.
	dropped []pendingUpdate
	// Pieces whose motion this client has sent; it may no longer hold them (S12).
	carried map[id.Piece]bool

	answers []*holtpb.Answer         // of this frame (D40)
	renamed func(old, name id.Piece) // called when a piece has another identifier; may be nil

	renewal *renewal // not nil while a frame with a full state is processed

	parts parts // components
}

// renewal is what the client needs to decide about pending updates after a full state (S5).
type renewal struct {
	before map[id.Piece]id.Version // the last version that the client knew before
	// The version in the full state: of the latest update by somebody else, or the client's floor.
	versions map[id.Piece]id.Version
	done     map[id.Piece]id.ClientSeq // the last update acknowledged in the frame
}

// Errors of Do.
var (
	ErrNotSynchronised = errors.New("the table is not there yet")
	ErrGone            = errors.New("no such piece on the table")
	ErrLoose           = errors.New("a Loose grab of this piece waits for its answer") // T17
	ErrTooMany         = errors.New("too many updates are pending")
)

// resumeParams returns query parameters that say what the client knows: epoch, version and life
// (S1).
func (r *viewState) resumeParams() url.Values {
	q := url.Values{
		"epoch": {strconv.FormatUint(uint64(r.epoch), 10)},
		"mark":  {strconv.FormatUint(uint64(r.version), 10)},
	}
	if r.life != "" {
		q.Set("life", r.life)
	}
	return q
}

// lost records that the stream has ended. Pending updates wait for the next one.
func (r *viewState) lost() { r.open = false }

// frame processes one frame as a whole (S4) and appends what has happened. An error means that the
// frame is invalid: the client must give up the stream.
func (r *viewState) frame(f *holtpb.Frame, to []Event) ([]Event, error) {
	to, err := r.each(f, to)
	if m := id.Version(f.GetMark()); m != 0 {
		r.version = m
	}
	if r.renewal != nil {
		r.settle()
	}
	for _, n := range r.dropped {
		to = append(
			to, Event{Kind: Conflict, Seq: n.update.Seq, Op: n.update.Op, Piece: r.pieces[n.piece]},
		)
	}
	r.dropped = r.dropped[:0]
	for i := range to {
		to[i].Time = timeOf(f)
	}
	return to, err
}

// lifeOf returns a server life in hexadecimal, or "" if it does not have 16 bytes.
func lifeOf(b []byte) string {
	if len(b) != 16 {
		return ""
	}
	return hex.EncodeToString(b)
}

// saving takes whether the server can save. If the first frame of a stream does not say, the server
// can (S19).
func (r *viewState) saving(trouble string, to []Event) []Event {
	if trouble == r.trouble {
		return to
	}
	r.trouble = trouble
	return append(to, Event{Kind: Saving, Trouble: trouble})
}

// askedAbout returns the event of a question about an undo.
func askedAbout(q *holtpb.Question) Event {
	e := Event{
		Kind: Asked, By: id.Seat(q.GetBy()), Op: table.Op(q.GetOp()), //nolint:gosec // a byte
		Question: q,
	}
	for _, p := range q.GetPieces() {
		e.Pieces = append(e.Pieces, id.Piece(p))
	}
	return e
}

// each processes the events of a frame in order. It skips events that it does not know (S3).
func (r *viewState) each(f *holtpb.Frame, to []Event) ([]Event, error) {
	for _, e := range f.GetEvents() {
		switch e := e.GetEvent().(type) {
		case *holtpb.Event_Full:
			var err error
			if to, err = r.full(e.Full, to); err != nil {
				return to, err
			}
			to = r.saving("", to)
			continue
		case *holtpb.Event_Pong, *holtpb.Event_Going: // the stream handles these
			continue
		case *holtpb.Event_Answer:
			r.answers = append(r.answers, e.Answer)
			continue
		}
		if !r.hasFull {
			return to, fmt.Errorf("%w: it does not begin with the full state", wire.ErrFrame)
		}
		var err error
		switch e := e.GetEvent().(type) {
		case *holtpb.Event_Saving:
			to = r.saving(e.Saving.GetTrouble(), to)
		case *holtpb.Event_Question:
			to = append(to, askedAbout(e.Question))
		case *holtpb.Event_Round:
			to = append(to, Event{Kind: InRound, By: id.Seat(e.Round.GetBy()), Round: e.Round})
		case *holtpb.Event_Succession:
			to = append(to, Event{Kind: Vacant, Succession: e.Succession})
		case *holtpb.Event_Resumed:
			r.life = lifeOf(e.Resumed.GetLife())
			to = r.saving("", r.resumed(e.Resumed, to))
		case *holtpb.Event_Update:
			to = r.update(e.Update, to)
		case *holtpb.Event_Ack:
			to = r.ack(e.Ack, to)
		case *holtpb.Event_Reject:
			to = r.reject(e.Reject, to)
		case *holtpb.Event_Seat:
			s := seatOf(e.Seat)
			r.seats[s.Seat] = s
			to = append(to, Event{Kind: SeatChanged, By: s.Seat})
		case *holtpb.Event_Table:
			r.info = infoOf(e.Table)
			to = append(to, Event{Kind: TableChanged})
		case *holtpb.Event_Set:
			to = r.set(e.Set, to)
		case *holtpb.Event_Shuffled:
			to = append(to, Event{
				Kind: Shuffled, By: id.Seat(e.Shuffled.GetBy()),
				Pieces: r.visible(e.Shuffled.GetPieces()),
			})
		case *holtpb.Event_Holds:
			to, err = r.counted(e.Holds, to)
		case *holtpb.Event_Notice:
			n := e.Notice
			to = append(to, Event{
				Kind: Noticed, By: id.Seat(n.GetBy()), Op: opOf(n.GetOp()),
				Piece: table.Shown{Name: id.Piece(n.GetPiece())},
				Count: int(n.GetCount()), To: id.Seat(n.GetSeat()),
			})
		case *holtpb.Event_Said:
			to = append(to, Event{
				Kind: Said, By: id.Seat(e.Said.GetBy()), To: id.Seat(e.Said.GetTo()),
				Line: id.ChatLine(e.Said.GetLine()), Text: e.Said.GetText(),
				At: id.Millis(e.Said.GetAt()), //nolint:gosec // 53 bits
			})
		case *holtpb.Event_Unsaid:
			to = append(to, Event{
				Kind: Unsaid, By: id.Seat(e.Unsaid.GetBy()), Line: id.ChatLine(e.Unsaid.GetLine()),
			})
		case *holtpb.Event_Faces:
			f := e.Faces
			to = append(to, Event{
				Kind: Saw, By: id.Seat(f.GetBy()), Op: opOf(f.GetOp()), Kinds: f.GetKinds(),
				Piece: table.Shown{
					Name: id.Piece(f.GetPiece()),
					Face: int32(f.GetFace()), //nolint:gosec // table bounds it
				},
			})
		case *holtpb.Event_Components:
			to, err = r.parts.merge(e.Components, to)
		case *holtpb.Event_Refused:
			to = r.parts.refusal(e.Refused, to)
		case *holtpb.Event_Motions:
			to, err = r.moving(Moved, timeOf(f), e.Motions, to, r.carriedHere)
		case *holtpb.Event_Cursors:
			to, err = r.moving(Pointed, timeOf(f), e.Cursors, to, func(s wire.Segment) bool {
				return id.Seat(s.ID) == r.you
			})
		}
		if err != nil {
			return to, err
		}
	}
	return to, nil
}

// timeOf returns the server's time at which a frame was made.
func timeOf(f *holtpb.Frame) id.Millis {
	return id.Millis(f.GetTime()) //nolint:gosec // below 2^48
}

// moving appends an event of motion, without the client's own motion.
func (r *viewState) moving(
	kind EventKind, at id.Millis, m *holtpb.Paths, to []Event, own func(wire.Segment) bool,
) ([]Event, error) {
	all, err := wire.Segments(at, m)
	if all = slices.DeleteFunc(all, own); len(all) > 0 {
		to = append(to, Event{Kind: kind, Segments: all})
	}
	return to, err
}

// carries records that this client sends the motion of a piece.
func (r *viewState) carries(name id.Piece) {
	if r.carried == nil {
		r.carried = map[id.Piece]bool{}
	}
	r.carried[name] = true
}

// carriedHere reports whether this client itself drags the piece. Then it knows better where the
// piece is (S12).
func (r *viewState) carriedHere(s wire.Segment) bool {
	name := id.Piece(s.ID)
	if !r.carried[name] {
		return false
	}
	if p, ok := r.shown(name); !ok || p.Holder != r.you {
		delete(r.carried, name)
		return false
	}
	return true
}

// full replaces all that was known. It drops the pending updates of another epoch (T19). What
// happens to the others is decided when the acks of the frame are known.
func (r *viewState) full(m *holtpb.Full, to []Event) ([]Event, error) {
	epoch := id.Epoch(m.GetEpoch())
	old := *r
	if old.epoch != epoch {
		r.dropped = append(r.dropped, r.drop(func(*pendingUpdate) bool { return true })...)
		old.pieces = nil
		to = r.parts.end(
			func(*write) (EventKind, schema.Refusal) { return WriteRefused, schema.Gone }, to,
		)
	}
	*r = viewState{
		hasFull: true, epoch: epoch, life: lifeOf(m.GetLife()), you: id.Seat(m.GetYou()),
		info:  infoOf(m.GetTable()),
		seats: seatsOf(m.GetSeats()), pieces: make(map[id.Piece]table.Shown, len(m.GetPieces())),
		holds: map[id.Piece][]table.Tally{}, sets: setsOf(m.GetSets()),
		trouble: r.trouble, last: r.last, pending: r.pending, dropped: r.dropped, carried: r.carried,
		parts: r.parts, answers: r.answers, renamed: r.renamed,
		renewal: &renewal{
			before: map[id.Piece]id.Version{}, versions: map[id.Piece]id.Version{},
			done: map[id.Piece]id.ClientSeq{},
		},
	}
	for name, p := range old.pieces {
		r.renewal.before[name] = p.Version
	}
	for _, p := range m.GetPieces() {
		s := table.Shown{Name: id.Piece(p.GetId()), Version: id.Version(p.GetMark())}
		overlay(&s, p)
		r.renewal.versions[s.Name] = s.Version
		s.Version = max(s.Version, r.renewal.before[s.Name]) // a version never decreases
		r.pieces[s.Name] = s
	}
	for _, h := range m.GetHolds() {
		if tallies, err := talliesOf(h); err == nil {
			r.holds[id.Piece(h.GetPiece())] = tallies
		} else {
			r.requestFull()
		}
	}
	r.made()
	return r.parts.full(m, old.pieces, r.pieces, append(to, Event{Kind: Synchronised}))
}

// counted takes the counts of the pieces in a hand or a container (T29).
func (r *viewState) counted(m *holtpb.Holds, to []Event) ([]Event, error) {
	tallies, err := talliesOf(m)
	if err != nil {
		return to, err
	}
	piece := id.Piece(m.GetPiece())
	if len(tallies) == 0 {
		delete(r.holds, piece)
	} else {
		r.holds[piece] = tallies
	}
	return append(to, Event{Kind: Counted, Piece: table.Shown{Name: piece}}), nil
}

func talliesOf(m *holtpb.Holds) ([]table.Tally, error) {
	if len(m.GetKinds()) != len(m.GetCounts()) {
		return nil, fmt.Errorf(
			"%w: %d counts of %d kinds", wire.ErrFrame, len(m.GetCounts()), len(m.GetKinds()),
		)
	}
	all := make([]table.Tally, len(m.GetKinds()))
	for i, sort := range m.GetKinds() {
		all[i] = table.Tally{
			Piece: id.Piece(m.GetPiece()), Sort: sort, Count: int(m.GetCounts()[i]),
		}
	}
	return all, nil
}

// opOf converts an operation of the wire.
func opOf(op holtpb.Op) table.Op { return table.Op(min(max(op, 0), 255)) }

// rename changes the identifier of a piece wherever the client keeps it (T21).
func (r *viewState) rename(old, name id.Piece) {
	p, ok := r.pieces[old]
	if !ok || name == 0 {
		return
	}
	delete(r.pieces, old)
	p.Name, p.Renamed = name, 0
	r.pieces[name] = p
	if r.renamed != nil {
		r.renamed(old, name)
	}
	if r.carried[old] {
		delete(r.carried, old)
		r.carried[name] = true
	}
	for _, notes := range [][]pendingUpdate{r.pending, r.dropped} {
		for i := range notes {
			if n := &notes[i]; n.piece == old {
				n.piece = name
				if !n.posted {
					n.update.Piece = name
				}
			}
		}
	}
}

// made records that the stream has synchronised the client. All pending updates will be sent again
// on it.
func (r *viewState) made() {
	r.open = true
	for i := range r.pending {
		r.pending[i].sent = false
	}
	r.parts.markUnsent()
}

// settle decides about each pending update after a full state and its acks: it is done, it is in
// conflict, or it is sent again (S5).
func (r *viewState) settle() {
	was := r.renewal
	r.renewal = nil
	r.dropped = append(r.dropped, r.drop(func(n *pendingUpdate) bool {
		name := n.piece
		_, here := r.pieces[name]
		switch {
		// Nothing can conflict with it: the server recognises or judges it (T10, T28).
		case n.update.Has&table.HasTag == 0:
			return false
		// The server answers in order, so it has discarded this update.
		case n.update.Seq < was.done[name]:
			return true
		case n.update.Loose():
			return false
		default:
			return !here || was.versions[name] > was.before[name]
		}
	})...)
}

// resumed takes a Resumed event. What the client missed follows, and decides about the pending
// updates (S5).
func (r *viewState) resumed(m *holtpb.Resumed, to []Event) []Event {
	to = append(to, Event{Kind: Resumed})
	before := r.seats
	r.seats = seatsOf(m.GetSeats())
	for _, s := range m.GetSeats() {
		if seat := seatOf(s); before[seat.Seat] != seat {
			to = append(to, Event{Kind: SeatChanged, By: seat.Seat})
		}
	}
	r.sets = setsOf(m.GetSets())
	// S18
	if catalog := hex.EncodeToString(m.GetCatalog()); catalog != "" && catalog != r.info.Catalog {
		r.info.Catalog = catalog
		to = append(to, Event{Kind: TableChanged})
	}
	r.made()
	return to
}

// set takes a change of a guest set: it has come or gone, or its owner is reachable or not (T37,
// T39).
func (r *viewState) set(m *holtpb.GuestSet, to []Event) []Event {
	s := setOf(m)
	if m.GetGone() {
		delete(r.sets, s.Number)
	} else {
		r.sets[s.Number] = s
	}
	return append(to, Event{Kind: SetChanged, Set: s.Number})
}

// update displays a server update (T9). Tagged pending updates of the piece are in conflict (T11),
// unless this frame also acknowledges them (T17, T20).
func (r *viewState) update(m *holtpb.Update, to []Event) []Event {
	name, version := id.Piece(m.GetPiece().GetId()), id.Version(m.GetPiece().GetMark())
	p, here := r.pieces[name]
	if here && version <= p.Version {
		// A datagram stream delivered it ahead of its version, and now repeats it (D35).
		return to
	}
	p.Name, p.Version = name, version
	overlay(&p, m.GetPiece())
	if p.Gone {
		delete(r.pieces, name)
		delete(r.holds, name)
	} else {
		r.pieces[name] = p
	}
	r.dropped = append(
		r.dropped, r.drop(func(n *pendingUpdate) bool { return n.piece == name && n.tagged() })...,
	)
	to = r.parts.piece(m.GetPiece(), opOf(m.GetOp()), to)
	e := Event{Kind: Updated, Piece: p, By: id.Seat(m.GetBy()), Op: opOf(m.GetOp())}
	if now := id.Piece(m.GetPiece().GetRenamed()); now != 0 {
		r.rename(name, now)
		e.Piece, e.Was = r.pieces[now], name
	}
	return append(to, e)
}

// visible returns the names that belong to pieces in the view.
func (r *viewState) visible(names []uint32) []id.Piece {
	var shown []id.Piece
	for _, n := range names {
		if _, ok := r.pieces[id.Piece(n)]; ok {
			shown = append(shown, id.Piece(n))
		}
	}
	return shown
}

// requestFull asks for the full state: now, or on the next stream if this one breaks before.
func (r *viewState) requestFull() { r.resync, r.needsFull = true, true }

// shown returns a piece as the client displays it: the confirmed state with the pending updates on
// top (T9).
func (r *viewState) shown(name id.Piece) (table.Shown, bool) {
	p, ok := r.pieces[name]
	if !ok {
		return table.Shown{}, false
	}
	for i := range r.pending {
		if n := &r.pending[i]; n.piece == name {
			effect(&p, &n.update, r.you)
		}
	}
	return p, true
}

// view returns all that the client displays.
func (r *viewState) view() View {
	v := View{Epoch: r.epoch, Version: r.version, You: r.you, Info: r.info}
	for _, s := range r.seats {
		v.Seats = append(v.Seats, s)
	}
	for name := range r.pieces {
		p, _ := r.shown(name)
		v.Pieces = append(v.Pieces, p)
	}
	for _, tallies := range r.holds {
		v.Holds = append(v.Holds, tallies...)
	}
	for _, s := range r.sets {
		v.Sets = append(v.Sets, s)
	}
	v.sort()
	return v
}

// effect applies what a client can predict of its own update (T24). The ack brings the rest, and
// the state of a clock (T27).
func effect(p *table.Shown, u *table.Update, you id.Seat) {
	if u.Op == table.OpCopy || u.Op.Blind() {
		return
	}
	if u.Has&table.HasXY != 0 {
		p.X, p.Y = u.X, u.Y
	}
	if u.Has&table.HasAngle != 0 {
		p.Angle = u.Angle
	}
	if u.Has&table.HasFace != 0 {
		p.Face = u.Face
	}
	if u.Has&table.HasZ != 0 {
		p.Z = u.Z
	}
	switch u.Op {
	case table.OpGrab, table.OpWrest:
		p.Holder = you
	case table.OpRelease:
		p.Holder = 0
	case table.OpPin, table.OpUnpin:
		p.Pinned = u.Op == table.OpPin
	case table.OpLock, table.OpUnlock:
		p.Locked = u.Op == table.OpLock
	case table.OpWrite:
		p.Text = u.Text
	case table.OpAssign:
		p.Owner = u.Seat
	default:
	}
}
