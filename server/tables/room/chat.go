package room

import (
	"context"
	"errors"
	"slices"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/wire"
)

// The chat of a table (T64). Its log has who wrote a line, to whom and when, but no text: a deleted
// text must be gone, and a log only grows. The store keeps the texts beside the log, by the
// positions of their entries.

// How fast a seat may write lines (T64).
const (
	chatBurst = 20
	chatEvery = time.Second
	// How often the texts of lines that were kept long enough are deleted.
	chatSweepEvery = 24 * time.Hour
)

// ChatText is the text of a line, as the store has it.
type ChatText struct {
	Position Position // of the entry of the line
	Line     id.ChatLine
	Seat     id.Seat // who wrote it
	At       id.Millis
	Text     string
	Lost     bool // what is stored is damaged; then only Position is right
}

// chat is the chat of a room. Owned by the room's run.
type chat struct {
	rates map[id.Seat]*budget // lines that a seat may write
	days  uint32              // how long a text is kept; 0: until the history is dropped
	swept time.Time           // when texts were last deleted because of their age
}

// adoptChatRules makes the room do what the component Chat says.
func (r *room) adoptChatRules() {
	rules := ruleOf(r.components, schema.Chat, schema.Decode[componentpb.Chat])
	r.table.SetChat(table.ChatRules{SpectatorsRead: rules.GetSilent()})
	if r.chat.days != rules.GetDays() {
		r.chat.days, r.chat.swept = rules.GetDays(), time.Time{}
	}
}

// forgottenBefore returns the time before which texts are not kept any more; 0: all are kept.
func (c *chat) forgottenBefore(now id.Millis) id.Millis {
	if c.days == 0 {
		return 0
	}
	return now - id.Millis(time.Duration(c.days)*24*time.Hour/time.Millisecond)
}

// sweepDue reports whether old texts are to be deleted.
func (c *chat) sweepDue() bool {
	return c.days != 0 && (c.swept.IsZero() || time.Since(c.swept) >= chatSweepEvery)
}

// mayWrite reports whether a seat may write a line now.
func (c *chat) mayWrite(seat id.Seat) bool {
	return c.rate(seat).refill(time.Now(), 1/chatEvery.Seconds(), chatBurst) >= 1
}

// wrote counts a line of a seat.
func (c *chat) wrote(seat id.Seat) { c.rate(seat).units-- }

func (c *chat) rate(seat id.Seat) *budget {
	b := c.rates[seat]
	if b == nil {
		if c.rates == nil {
			c.rates = map[id.Seat]*budget{}
		}
		b = &budget{}
		c.rates[seat] = b
	}
	return b
}

// recordedChat notes what an update did to the chat that was recorded.
func (r *room) recordedChat(seat id.Seat, u *table.Update, lines map[id.ChatLine]said) {
	if u.Op == table.OpSay {
		r.chat.wrote(seat)
	}
	if u.Op != table.OpUnsay {
		return
	}
	if r.recorded.unsaid == nil {
		r.recorded.unsaid = map[id.ChatLine]Position{}
	}
	r.recorded.unsaid[u.Line] = lines[u.Line].at
}

// chatTexts adds to an Append what the entries of w say of the chat: the texts that come and those
// that go. The entries have positions behind at.
func (w *work) chatTexts(a *Append, at Position) {
	for i := range w.entries {
		e, position := &w.entries[i], at+Position(i)+1
		switch c := e.Chat; {
		case c == nil:
		case !c.Deleted:
			a.Said = append(a.Said, ChatText{
				Position: position, Line: c.Line, Seat: c.By, At: e.At, Text: c.Text,
			})
		default:
			a.Unsaid = append(a.Unsaid, w.unsaid[c.Line])
		}
	}
}

// saidLine returns the line of that number as the log has it, and the position of its entry. The
// line is nil if there is none, if it was deleted, or if its text was kept long enough.
func (rs *Rooms) saidLine(
	ctx context.Context, t id.OID, line id.ChatLine,
) (*table.Chat, Position, error) {
	at, err := rs.cfg.Store.SaidAt(ctx, t, line)
	if err != nil || at == 0 {
		return nil, 0, err
	}
	var c *table.Chat
	_, err = rs.cfg.Store.Entries(ctx, t, at-1, 1, func(body []byte) error {
		e, err := wire.DecodeEntry(body)
		if err == nil && e.Chat != nil && e.Chat.Line == line && !e.Chat.Deleted {
			c = e.Chat
		}
		return err
	})
	if errors.Is(err, ErrDropped) {
		err = nil
	}
	return c, at, err
}

// saidLines finds the lines that the updates of a batch delete.
func (rs *Rooms) saidLines(
	ctx context.Context, t id.OID, updates []table.Update,
) (lines map[id.ChatLine]said, err error) {
	for i := range updates {
		u := &updates[i]
		if u.Op != table.OpUnsay {
			continue
		}
		if lines == nil {
			lines = map[id.ChatLine]said{}
		}
		if _, known := lines[u.Line]; known {
			continue
		}
		var l said
		if l.chat, l.at, err = rs.saidLine(ctx, t, u.Line); err != nil {
			return nil, storeError(err)
		}
		lines[u.Line] = l
	}
	return lines, nil
}

// said is a line of the log, and the position of its entry.
type said struct {
	chat *table.Chat
	at   Position
}

// onlyChat reports whether updates do nothing but write and delete lines. Spectators may do that.
func onlyChat(updates []table.Update) bool {
	return !slices.ContainsFunc(updates, func(u table.Update) bool {
		return u.Op != table.OpSay && u.Op != table.OpUnsay
	})
}

// restoreTexts gives the lines among entries their texts, of which the first entry has the position
// after at. A text that is not there any more stays empty.
func restoreTexts(
	ctx context.Context, store Store, t id.OID, entries []table.Entry, at Position,
) error {
	var positions []Position
	for i := range entries {
		if c := entries[i].Chat; c != nil && !c.Deleted {
			positions = append(positions, at+Position(i)+1)
		}
	}
	if positions == nil {
		return nil
	}
	texts, err := store.Said(ctx, t, positions)
	for _, text := range texts {
		if c := entries[text.Position-at-1].Chat; !text.Lost && c.Line == text.Line {
			c.Text = text.Text
		}
	}
	return err
}

// forgetDeleted deletes the texts of the lines that entries delete. Seats may have missed that
// these lines were written.
func (h *recent) forgetDeleted(entries []table.Entry) {
	for i := range entries {
		if c := entries[i].Chat; c != nil && c.Deleted {
			h.forgetTexts(func(e *table.Entry) bool { return e.Chat.Line == c.Line })
		}
	}
}

// forgetTexts deletes the texts of the lines for which gone is true: of those that were published,
// and of those that are durable and wait for the tick.
func (r *room) forgetTexts(gone func(*table.Entry) bool) {
	r.history.forgetTexts(gone)
	for i := range r.durable.entries {
		forgetText(&r.durable.entries[i], gone)
	}
}

func (h *recent) forgetTexts(gone func(*table.Entry) bool) {
	for i := range h.kept {
		forgetText(&h.kept[i].entry, gone)
	}
}

// forgetText deletes the text of an entry if that is a line for which gone is true.
func forgetText(e *table.Entry, gone func(*table.Entry) bool) {
	if e.Chat == nil || e.Chat.Text == "" || !gone(e) {
		return
	}
	without := *e.Chat // others may be reading this one
	without.Text = ""
	e.Chat = &without
}
