package room

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// A replay is the past of a table as the view of a seat was sent it, as frames (T73), or what
// everybody saw with the hands of those who have agreed to that. It follows
// from the log alone: a second table, outside of the room, replays the entries, and what the view
// gets of each goes through the same code as when it was published. Nothing is stored for it.

// Bounds of a page of a replay (T73). While a page is made, the server has a copy of the table and
// replayChunk entries in memory, and the page; for all tables, logsAtOnce pages are made at a time.
const (
	MaxReplayPage = 1 << 20 // bytes of a page; the last frame may go beyond
	replayChunk   = 1024    // entries that are read at once
	unitsOfReplay = 2048    // what a page costs a seat (T49)
)

// ReplayPage is a page of a replay.
type ReplayPage struct {
	Frames [][]byte
	// Next is the time of the last frame. The next page has what comes after it. 0: there is none.
	Next id.Millis
	// Dropped says that the replay does not begin with the set-up, because what was before its
	// first frame was dropped (T48).
	Dropped bool
}

// Sight says what a replay shows.
type Sight int

// The sights of a replay.
const (
	OwnSight  Sight = iota // what the view of the seat was sent
	OpenHands              // what everybody saw, and the hands of those who let everybody see them
)

// ErrClosedHands says that there is no past with open hands (T73): nobody lets the others see
// theirs, or the past is not stored any more.
var ErrClosedHands = errors.New("there are no open hands to watch")

// chargeReplay charges a page of a replay, or of the motion beside it, to the budget of a seat. The
// error is a TooFast.
func (r *room) chargeReplay(seat id.Seat) error {
	if err := r.budgets.admitOwn(seat, unitsOfReplay); err != nil {
		return err
	}
	r.budgets.spend(seat, unitsOfReplay)
	return nil
}

// Replay returns a page of the replay of the table of s (T73): the frames after a time, or the
// first ones if that is 0. Errors: ErrClosedHands, ErrBusy, ErrDamaged, a TooFast.
func (rs *Rooms) Replay(
	ctx context.Context, s Session, after id.Millis, sight Sight,
) (ReplayPage, error) {
	p, err := inSession(ctx, rs, s, func(r *room) (*replaying, error) {
		p := &replaying{
			store: rs.cfg.Store, you: s.Seat, view: s.Seat, after: after, row: r.row, info: r.info(),
			end: Position(r.publishedGen), // the entry at a position has its number
		}
		if sight == OpenHands {
			p.view, p.opened = 0, true
			if p.until, p.closed = r.table.Opened(); p.until == 0 {
				return nil, ErrClosedHands
			}
		}
		return p, r.chargeReplay(s.Seat)
	})
	if err != nil {
		return ReplayPage{}, err
	}
	if err := offer(ctx, nil, rs.logPlaces, struct{}{}, busyAfter); err != nil {
		return ReplayPage{}, err
	}
	defer func() { <-rs.logPlaces }()
	switch err := p.make(ctx); {
	case err == nil:
	case errors.Is(err, errUnreplayable) && sight == OwnSight:
		return rs.presentOnly(ctx, s)
	case errors.Is(err, errUnreplayable):
		return ReplayPage{}, ErrClosedHands
	case errors.Is(err, ErrDropped): // just now: who asks again gets what is left
		return ReplayPage{}, ErrBusy
	default:
		return ReplayPage{}, storeError(fmt.Errorf("replay the log: %w", err))
	}
	if p.over {
		p.page.Next = p.last
	}
	return p.page, nil
}

// OpenHands lets everybody watch the past until now with the hands of the seat of s, or not any
// more (T73). It returns when that is durable. ErrRole if the seat has never played; ErrLogFull;
// *TooSoon.
func (rs *Rooms) OpenHands(ctx context.Context, s Session, open bool) error {
	return rs.changeRoles(ctx, s, func(r *room) error {
		until := id.Millis(0)
		if open {
			until = r.now()
		}
		if !r.table.OpenHands(s.Seat, until, r.now()) {
			return ErrRole
		}
		return nil
	})
}

// errUnreplayable says that the state with which the log begins is not stored any more.
var errUnreplayable = errors.New("nothing is stored of where the log begins")

// presentOnly returns a replay that has nothing but the present state.
func (rs *Rooms) presentOnly(ctx context.Context, s Session) (ReplayPage, error) {
	full, err := rs.Read(ctx, s)
	if err != nil {
		return ReplayPage{}, err
	}
	for _, e := range full.GetEvents() {
		if f := e.GetFull(); f != nil {
			f.Life, f.Randomness, f.Epoch, f.Rewound = nil, nil, 1, nil
			for _, seat := range f.GetSeats() {
				seat.LinkBy, seat.LinkAt, seat.LinkUsed = 0, 0, 0
			}
			b, err := wire.EncodeFrame(&holtpb.Frame{
				Time: full.GetTime(), Mark: full.GetMark(), Events: []*holtpb.Event{e},
			})
			return ReplayPage{Frames: [][]byte{b}, Dropped: true}, err
		}
	}
	return ReplayPage{}, ErrBusy
}

// replaying makes a page of a replay.
type replaying struct {
	// Set at construction.
	store Store
	you   id.Seat // for whom it is made
	view  id.Seat // what it shows; 0: what everybody saw
	after id.Millis
	// The view has open hands too, but not those of the closed seats, and nothing after a time.
	opened bool
	closed []id.Seat
	until  id.Millis
	row    TableRow
	info   *holtpb.TableInfo
	end    Position // of the last entry that may be in it

	rebuilt // the table after the last entry that was replayed
	// How entries are shown. Of its room it needs the table alone.
	shown  publication
	counts pieceCounts
	epoch  uint64 // counts the full states: 1, and one more with each rewind

	page ReplayPage
	size int       // bytes of the page
	last id.Millis // the time of its last frame
	over bool      // the page has all that it may have

	// The frame that is being made.
	at       id.Millis
	events   []byte
	shuffled []table.Entry // successive entries of one shuffle
	changed  []table.Entry // entries that change how many pieces lie somewhere
}

// make makes the page. Data without a checksum may be anything, so a panic becomes an error.
func (p *replaying) make(ctx context.Context) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: it cannot be read: %v\n%s", ErrDamaged, fault, debug.Stack())
		}
	}()
	if err := p.begin(ctx); err != nil {
		return err
	}
	entries := make([]table.Entry, 0, replayChunk)
	for at := p.row.Base; at < p.end && !p.over; at += Position(len(entries)) {
		entries = entries[:0]
		n := int(min(replayChunk, p.end-at))
		got, err := p.store.Entries(ctx, p.row.Table, at, n, func(body []byte) error {
			e, err := wire.DecodeEntry(body)
			entries = append(entries, e)
			return err
		})
		switch {
		case err != nil:
			return err
		case got < n:
			return fmt.Errorf("%w: the log ends before entry %d", ErrDamaged, p.end)
		}
		for i := range entries {
			if p.opened && entries[i].At > p.until {
				return p.finishFrame(false)
			}
			if err := p.take(&entries[i]); err != nil || p.over {
				return err
			}
		}
	}
	return p.finishFrame(false)
}

// begin brings back the state with which the log begins.
func (p *replaying) begin(ctx context.Context) error {
	doc, err := p.store.Blob(ctx, p.row.Catalog)
	if err != nil {
		return fmt.Errorf("catalogue: %w", err)
	}
	kindsOf, rest, err := game.ReadCatalog(doc.Data)
	if err != nil {
		return fmt.Errorf("%w: catalogue: %w", ErrDamaged, err)
	}
	l := &Loaded{Row: p.row}
	if p.row.Base > 0 {
		if l.Snapshot, err = p.store.SnapshotAt(ctx, p.row.Table, p.row.Base); err != nil {
			return err
		}
		if l.Snapshot == nil {
			return errUnreplayable
		}
	}
	if err := p.open(l, table.Config{
		Kinds: kinds(kindsOf), Sides: handsOf(rest.Seats), Owned: ownedOf(rest.Seats), Sets: true,
		Attached: attachedOf(rest.Attached),
		Width:    p.row.Width, Height: p.row.Height,
	}); err != nil {
		return fmt.Errorf("%w: snapshot: %w", ErrDamaged, err)
	}
	if p.opened {
		p.table.OpenAll(p.closed)
	}
	p.shown = publication{room: &room{table: p.table}, work: &work{}}
	p.page.Dropped = p.row.Base > 0
	return nil
}

// take replays an entry and adds to the frame of its time what the view was sent of it.
func (p *replaying) take(e *table.Entry) error {
	switch at := max(e.At, p.at); {
	case p.epoch > 0 && at != p.at:
		if err := p.finishFrame(true); err != nil || p.over {
			return err
		}
		p.at = at
	case p.epoch == 0 && (p.row.Base > 0 || e.Who != nil && e.Who.Seat == 1):
		// Before the first seat the table is set up.
		p.at = at
		if err := p.addFull(nil); err != nil {
			return err
		}
	}
	if err := p.replay(e); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if p.epoch == 0 {
		return nil
	}
	p.count(e)
	return p.add(e)
}

// count notes how many pieces lie where an entry has changed that.
func (p *replaying) count(e *table.Entry) {
	for _, t := range []table.Tally{e.Left, e.Entered} {
		if t.Piece != 0 {
			p.counts.apply(t)
		}
	}
	if e.After.Gone {
		delete(p.counts, e.Name)
	}
	if e.Left.Piece != 0 || e.Entered.Piece != 0 || e.After.Gone {
		p.changed = append(p.changed, table.Entry{
			Left: e.Left, Entered: e.Entered, Name: e.Name,
			After: table.State{Gone: e.After.Gone},
		})
	}
}

// skips reports whether the frame that is being made belongs to an earlier page.
func (p *replaying) skips() bool { return p.at <= p.after }

// add adds what the view was sent of an entry to the frame. It leaves out the chat, whose authors
// may delete it, and facts about randomness.
func (p *replaying) add(e *table.Entry) error {
	if e.Op == table.OpShuffle {
		p.shuffled = append(p.shuffled, *e)
	} else {
		p.shuffled = p.shuffled[:0]
	}
	switch {
	case e.Rewound != nil:
		return p.addFull(e)
	case p.skips(), e.Chat != nil, e.Fact != nil, e.Op == table.OpRewind: // a full state follows
		return nil
	case e.Who != nil:
		return p.addEvent(wire.SeatEvent(bareSeat(e.Who), presenceIn(e.Who)))
	}
	of := p.shown.entry(e, p.view)
	if of.err != nil {
		return of.err
	}
	p.events = of.append(p.events, p.table.VersionAt(p.view, e.Gen))
	// The last entry of a shuffle acknowledges it. For pieces in a container it is a notice.
	if e.Op == table.OpShuffle && e.Client != (id.Client{}) && !e.Notice {
		of = p.shown.shuffle(p.shuffled, p.view)
		p.events, p.shuffled = of.append(p.events, 0), p.shuffled[:0]
		return of.err
	}
	return nil
}

func (p *replaying) addEvent(e *holtpb.Event) (err error) {
	p.events, err = wire.AppendEvent(p.events, e)
	return err
}

// addFull adds the full state: at the beginning, and after a rewind, as those got it who were there
// (T71).
func (p *replaying) addFull(rewind *table.Entry) error {
	p.epoch++
	p.counts, p.changed = newPieceCounts(p.table), p.changed[:0]
	if p.skips() {
		return nil
	}
	var cache pieceCache
	pieces, err := cache.append(nil, p.table.Each(p.view, id.Client{}))
	if err != nil {
		return err
	}
	full := &holtpb.Full{
		Epoch: p.epoch, You: uint32(p.you), Table: p.info,
		Components: p.components.encode(p.table, p.view, false),
		Sets:       wire.GuestSets(p.table.Sets()), Holds: allCounts(p.table),
	}
	all := p.table.Seats()
	for i := range all {
		full.Seats = append(full.Seats, wire.Seat(bareSeat(&all[i]), presenceIn(&all[i])))
	}
	if rewind != nil {
		to := SaveRow{
			ID: rewind.Rewound.Save, Kind: rewind.Rewound.Kind, Name: rewind.Rewound.Name,
			At: rewind.Rewound.Made,
		}
		//nolint:gosec // after 1970
		full.Rewound = &holtpb.Rewound{
			By: uint32(rewind.Seat), To: to.shown(), At: uint64(rewind.At),
		}
	}
	p.events, err = wire.AppendFull(p.events, full, pieces)
	return err
}

// finishFrame ends the frame that is being made, and with it the page if that has enough. more says
// that there are later entries.
func (p *replaying) finishFrame(more bool) error {
	defer func() {
		p.events, p.shuffled, p.changed = p.events[:0], p.shuffled[:0], p.changed[:0]
	}()
	if p.epoch == 0 || p.skips() {
		return nil
	}
	for _, piece := range changedCounts(p.changed) {
		if err := p.addEvent(wire.HoldsEvent(wire.Holds(piece, p.counts.of(piece)))); err != nil {
			return err
		}
	}
	if len(p.events) == 0 {
		return nil
	}
	if p.over = more && p.size >= MaxReplayPage; p.over {
		return nil // this frame begins the next page
	}
	frame := wire.AppendHead(nil, p.at, p.table.VersionAt(p.view, p.table.Gen()))
	frame = append(frame, p.events...)
	p.page.Frames = append(p.page.Frames, frame)
	p.size += len(frame)
	p.last = p.at
	return nil
}

// bareSeat returns a seat without the link that a host has made for it.
func bareSeat(s *table.SeatInfo) *table.SeatInfo {
	bare := *s
	bare.Link = table.SeatLink{}
	return &bare
}

// presenceIn returns the presence of a seat in a replay. The log does not say who was here.
func presenceIn(s *table.SeatInfo) holtpb.Presence {
	if s.Left != 0 {
		return holtpb.Presence_PRESENCE_GONE
	}
	return holtpb.Presence_PRESENCE_HERE
}
