package room

import (
	"context"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/tables/wire"
)

// What is open at a table until somebody ends it is stored beside the log: a question about an
// undo (T63), and a round (T76). So it outlives a restart.

// noteOpen says that what is open of a kind has changed, and is to be stored.
func (r *room) noteOpen(kind OpenKind) {
	if !slices.Contains(r.unstored, kind) {
		r.unstored = append(r.unstored, kind)
	}
}

// takeOpen returns what has changed of what is open, as the store gets it.
func (r *room) takeOpen() (items []OpenItem) {
	for _, kind := range r.unstored {
		item := OpenItem{Kind: kind}
		var err error
		switch {
		case kind == OpenQuestion && r.undo.question != nil:
			item.Body, err = wire.EncodeOpen(r.undo.question.stored())
		case kind == OpenRound && r.round != nil:
			item.Body, err = wire.EncodeOpen(r.round.stored())
		}
		if err != nil {
			r.broken = err
			return nil
		}
		items = append(items, item)
	}
	r.unstored = nil
	return items
}

// bodyOf returns what was stored of something open; nil if it is not open.
func bodyOf(items []OpenItem, kind OpenKind) []byte {
	for i := range items {
		if items[i].Kind == kind {
			return items[i].Body
		}
	}
	return nil
}

// Bounds of a question that outlives a restart (T63.19).
const (
	// It is asked again for that long, if the table is loaded at most so long after its end.
	askAgainFor = questionFor
	// Until then nobody counts as absent.
	returnWithin = 10 * time.Second
	// More entries are not replayed to find its gesture.
	maxReplayed = 20_000
)

// loadForQuestion returns l, or, if a question is open about a gesture from before the snapshot of
// l, the table as it was loaded from an earlier snapshot: gestures are found in entries alone.
func loadForQuestion(ctx context.Context, cfg *Config, oid id.OID, l Loaded) Loaded {
	q, err := wire.DecodeOpenQuestion(bodyOf(l.Open, OpenQuestion))
	if err != nil || q.GetGesture() == 0 || Position(q.GetGesture()) > l.At ||
		!lasts(id.Millis(q.GetEnds()), cfg.Now()) {
		return l
	}
	earlier, err := cfg.Store.Load(ctx, oid, Position(q.GetGesture()))
	if err != nil || len(earlier.Entries) > maxReplayed {
		return l // the question ends
	}
	return earlier
}

// lasts reports whether a question goes on at a table that is loaded now.
func lasts(ends, now id.Millis) bool { return now <= ends+millis(askAgainFor) }

func millis(d time.Duration) id.Millis { return id.Millis(d / time.Millisecond) }
