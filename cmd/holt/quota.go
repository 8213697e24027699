package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"holt/server/tables/room"
)

// quotaFlags bound what tables keep (T44 to T46).
type quotaFlags struct {
	TableQuota  size `default:"128MiB" placeholder:"SIZE" help:"How much one table may remember, from 1MiB; 0: any amount (${default})."`
	ForgetAfter int  `default:"0" placeholder:"DAYS" help:"After how many days tables that nobody uses are thrown away, up to 3650; 0: never (${default})."`
	SeatQuota   size `default:"16MiB" placeholder:"SIZE" help:"How much of that one seat may add within an hour, from 256KiB; 0: any amount (${default})."`
}

// roundsPerHour is how many rounds of randomness a table may open within an hour.
const roundsPerHour = 240

// The least quotas: smaller ones would refuse what a batch may contain.
const (
	minTableQuota = 1 << 20
	minSeatQuota  = 256 << 10
)

// maxForgetAfter is the greatest --forget-after, in days.
const maxForgetAfter = 3650

func (f quotaFlags) check() error {
	if f.TableQuota != 0 && f.TableQuota < minTableQuota {
		return fmt.Errorf("--table-quota %v is less than 1MiB", f.TableQuota)
	}
	if f.SeatQuota != 0 && f.SeatQuota < minSeatQuota {
		return fmt.Errorf("--seat-quota %v is less than 256KiB", f.SeatQuota)
	}
	if f.ForgetAfter < 0 || f.ForgetAfter > maxForgetAfter {
		return fmt.Errorf("--forget-after %d is not from 0 to %d", f.ForgetAfter, maxForgetAfter)
	}
	return nil
}

func (f quotaFlags) quota() room.Quota {
	return room.Quota{Table: int64(f.TableQuota), Seat: int64(f.SeatQuota), Rounds: roundsPerHour}
}

// deleteUnusedEvery is how often unused tables are deleted, and how long the first time waits: an
// operator who has set the flag by mistake can stop the server meanwhile.
const deleteUnusedEvery = time.Hour

// unusedDeleter deletes unused tables (T50).
type unusedDeleter struct {
	rooms *room.Rooms
	after time.Duration // 0: never
	log   *slog.Logger
}

// run works until ctx is done.
func (f unusedDeleter) run(ctx context.Context) {
	if f.after == 0 {
		return
	}
	if all, err := f.rooms.Unused(ctx, f.after); err == nil && len(all) > 0 {
		f.log.Warn("tables that nobody uses are thrown away soon", "tables", len(all), "in",
			deleteUnusedEvery, "unused", f.after)
	}
	tick := time.NewTicker(deleteUnusedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		n, err := f.rooms.DeleteUnused(ctx, f.after)
		if n > 0 {
			f.log.Info("tables that nobody used were thrown away", "tables", n)
		}
		if err != nil && ctx.Err() == nil {
			f.log.Warn("tables that nobody uses stay", "error", err)
		}
	}
}
