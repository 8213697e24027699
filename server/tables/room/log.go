package room

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// The log of a table, as people read it (T65): what a view was sent of the past. It follows from
// the entries of the log, which are read backwards and outside of the room. What a page has, where
// it ends, and where the next one begins depends only on what the view was sent.

// Bounds of a page of the log (T65).
const (
	MaxLogPage = 200
	// Entries that were sent to the view, of which a page is made at most. Those that say nothing
	// to people count, too; those that the view was not sent must not.
	sentPerPage = 20_000
	// Pages of all tables that are made at once.
	logsAtOnce = 2
	// Entries that are read at once, at first and at most.
	leastChunk, mostChunk = 256, 4096
	unitsOfPage           = 64 // what a page costs a seat (T49)
)

// LogCursor says where a page of the log ends: behind the entries of a time, but for the last Skip
// ones of that time that are listed. It is zero for the end of the log.
type LogCursor struct {
	At   id.Millis
	Skip int
}

// LogQuery asks for a page of the log. Limit is from 1 to MaxLogPage. If HasTo is set, the page
// ends with the version To of the view.
type LogQuery struct {
	To     id.Version
	HasTo  bool
	Before LogCursor
	Limit  int
}

// LogLine is an entry of the log, as a view was sent it.
type LogLine struct {
	table.SentEntry
	Version id.Version // 0: not known any more
	At      id.Millis
	Op      table.Op
	By      id.Seat // who did it; 0: the server
	// For a line of chat: its text is deleted, or what is stored of it is damaged.
	Deleted, Lost bool

	position Position
}

// LogPage is a page of the log: the entries from the oldest to the newest. More says that there are
// older ones, which end at Before. Dropped says that there are none because the history before was
// dropped (T48).
type LogPage struct {
	Lines   []LogLine
	Before  LogCursor
	More    bool
	Dropped bool
}

// ErrLogVersion says that a view does not have that version, or does not remember it (422
// impossible-value).
var ErrLogVersion = errors.New("the view does not have this version")

// Log returns a page of the log of the table of s, as its view was sent it (T65). Errors:
// ErrLogVersion, ErrBusy, a TooFast.
func (rs *Rooms) Log(ctx context.Context, s Session, q LogQuery) (LogPage, error) {
	r, err := inSession(ctx, rs, s, func(r *room) (logReading, error) {
		return r.logReading(s, &q)
	})
	if err != nil {
		return LogPage{}, err
	}
	if err := offer(ctx, nil, rs.logPlaces, struct{}{}, busyAfter); err != nil {
		return LogPage{}, err
	}
	defer func() { <-rs.logPlaces }()
	r.store, r.of, r.limit = rs.cfg.Store, s.Table, q.Limit
	page, err := r.page(ctx, q.Before)
	switch {
	case err == nil:
		return page, nil
	case errors.Is(err, ErrDropped): // dropped just now: who asks again gets what is left
		return LogPage{}, ErrBusy
	default:
		return LogPage{}, storeError(fmt.Errorf("read the log: %w", err))
	}
}

// logReading is the reading of a page.
type logReading struct {
	reader *table.Reader
	base   Position  // the log begins behind it
	end    Position  // of the last entry that may be in it
	kept   id.Millis // texts of chat from before this time are not shown
	store  Store
	of     id.OID
	limit  int

	chunk []table.Entry // entries that were read
	first Position      // of the first of them
}

// logReading returns what belongs to the room, for a page that a seat asks for.
func (r *room) logReading(s Session, q *LogQuery) (logReading, error) {
	if err := r.budgets.admitOwn(s.Seat, unitsOfPage); err != nil {
		return logReading{}, err
	}
	r.budgets.spend(s.Seat, unitsOfPage)
	end := r.publishedGen
	if q.HasTo {
		g, ok := r.table.GenAt(s.Seat, q.To)
		if !ok || g > end {
			return logReading{}, ErrLogVersion
		}
		end = g
	}
	return logReading{
		reader: r.table.Reader(s.Seat), base: r.row.Base,
		end:  Position(end), // the entry at a position has its number
		kept: r.chat.forgottenBefore(r.now()),
	}, nil
}

// entry returns the entry at a position. It reads those before it, too: pages are made backwards.
func (l *logReading) entry(ctx context.Context, at Position) (*table.Entry, error) {
	if at < l.first || at >= l.first+Position(len(l.chunk)) {
		n := min(max(leastChunk, 2*len(l.chunk)), mostChunk)
		if err := l.read(ctx, max(at, Position(n)+l.base)-Position(n), at); err != nil {
			return nil, err
		}
	}
	return &l.chunk[at-l.first], nil
}

// read reads the entries after a position, up to the last one.
func (l *logReading) read(ctx context.Context, after, last Position) error {
	l.chunk, l.first = l.chunk[:0], after+1
	n := int(last - after) //nolint:gosec // at most mostChunk
	got, err := l.store.Entries(ctx, l.of, after, n, func(body []byte) error {
		e, err := wire.DecodeEntry(body)
		l.chunk = append(l.chunk, e)
		return err
	})
	if err == nil && got < n {
		err = fmt.Errorf("%w: the log ends before entry %d", ErrDamaged, last)
	}
	return err
}

// seek returns the position of the last entry that is not later than a time.
func (l *logReading) seek(ctx context.Context, at id.Millis) (Position, error) {
	var failed error
	n := int(l.end - l.base) //nolint:gosec // no log is that long
	later := sort.Search(n, func(i int) bool {
		p := l.base + Position(i) + 1 //nolint:gosec // not negative
		if failed == nil {
			failed = l.read(ctx, p-1, p)
		}
		return failed != nil || l.chunk[0].At > at
	})
	l.chunk, l.first = l.chunk[:0], 0
	return l.base + Position(later), failed //nolint:gosec // not negative
}

// page reads a page that ends at a cursor.
func (l *logReading) page(ctx context.Context, before LogCursor) (page LogPage, err error) {
	at := l.end
	if before != (LogCursor{}) {
		if at, err = l.seek(ctx, before.At); err != nil {
			return page, err
		}
	}
	// given is where the next page would end, so far. last is the time of the last entry that the
	// view was sent, of which skip listed ones are on the page behind this one.
	given, last, skip := before, before.At, before.Skip
	for sent := 0; at > l.base && !page.More; at-- {
		e, err := l.entry(ctx, at)
		if err != nil {
			return page, err
		}
		of := l.reader.Read(e)
		if !of.Sent {
			continue
		}
		if e.At != last {
			if last, skip = e.At, 0; sent >= sentPerPage {
				page.More, given = true, LogCursor{At: e.At}
				break
			}
		}
		sent++
		switch {
		case !of.Listed():
		case skip > 0:
			skip--
		case len(page.Lines) == l.limit:
			page.More = true
		default:
			page.Lines = append(page.Lines, l.line(e, at, of))
			if given.At != e.At {
				given = LogCursor{At: e.At}
			}
			given.Skip++
		}
	}
	if page.More {
		page.Before = given
	}
	page.Dropped = !page.More && l.base > 0
	slices.Reverse(page.Lines)
	return page, l.texts(ctx, page.Lines)
}

func (l *logReading) line(e *table.Entry, at Position, of table.SentEntry) LogLine {
	line := LogLine{SentEntry: of, At: e.At, Op: e.Op, By: e.Seat, position: at}
	line.Version, _ = l.reader.Version(e.Gen)
	return line
}

// texts gives the lines of chat their texts.
func (l *logReading) texts(ctx context.Context, lines []LogLine) error {
	byPosition := map[Position]*LogLine{}
	var positions []Position
	for i := range lines {
		switch c := lines[i].Chat; {
		case c == nil:
		case c.Deleted, lines[i].At < l.kept:
			lines[i].Deleted = true
		default:
			lines[i].Deleted = true // unless its text is there
			byPosition[lines[i].position] = &lines[i]
			positions = append(positions, lines[i].position)
		}
	}
	texts, err := l.store.Said(ctx, l.of, positions)
	if errors.Is(err, ErrDamaged) {
		for _, line := range byPosition {
			line.Deleted, line.Lost = false, true
		}
		return nil
	}
	for _, text := range texts {
		line := byPosition[text.Position]
		line.Deleted = false
		if line.Lost = text.Lost || text.Line != line.Chat.Line; !line.Lost {
			said := *line.Chat
			said.Text = text.Text
			line.Chat = &said
		}
	}
	return err
}
