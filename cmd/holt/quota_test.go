package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
)

// oneUnused is a store that has one table that nobody uses. It lets nothing be deleted, and says
// when somebody has tried.
type oneUnused struct {
	room.Store

	tried []time.Time
}

var errKept = errors.New("nothing is deleted")

func (o *oneUnused) Unused(context.Context, id.Millis, id.Millis) ([]id.OID, error) {
	return []id.OID{{1}}, nil
}

// Writable is asked before each deletion.
func (o *oneUnused) Writable() error {
	o.tried = append(o.tried, time.Now())
	return errKept
}

// TestUnusedTablesStayAnHour shows when the server begins to delete unused tables.
func TestUnusedTablesStayAnHour(t *testing.T) {
	t.Run("T50.6 no table is deleted within an hour of the start", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			start, store := time.Now(), &oneUnused{}
			rooms := room.New(room.Config{
				Store: store, Log: slog.New(slog.DiscardHandler),
				Now: func() id.Millis { return id.Millis(time.Now().UnixMilli()) },
			})
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				unusedDeleter{
					rooms: rooms, after: 24 * time.Hour, log: slog.New(slog.DiscardHandler),
				}.run(ctx)
			}()
			<-time.After(3*time.Hour - time.Second)
			stop()
			<-done
			if len(store.tried) != 2 || store.tried[0].Sub(start) < time.Hour {
				t.Errorf("from %v on a table is deleted at %v", start, store.tried)
			}
		})
	})
}
