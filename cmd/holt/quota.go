package main

import (
	"fmt"

	"holt/server/room"
)

// quotaFlags bound what tables keep (T44 to T46).
type quotaFlags struct {
	TableQuota size `default:"128MiB" placeholder:"SIZE" help:"How much one table may remember, from 1MiB; 0: any amount (${default})."`
	SeatQuota  size `default:"16MiB" placeholder:"SIZE" help:"How much of that one seat may add within an hour, from 256KiB; 0: any amount (${default})."`
}

// roundsPerHour is how many rounds of randomness a table may open.
const roundsPerHour = 240

// The least quotas: less would refuse what a batch may hold.
const (
	minTableQuota = 1 << 20
	minSeatQuota  = 256 << 10
)

func (f quotaFlags) check() error {
	if f.TableQuota != 0 && f.TableQuota < minTableQuota {
		return fmt.Errorf("--table-quota %v is less than 1MiB", f.TableQuota)
	}
	if f.SeatQuota != 0 && f.SeatQuota < minSeatQuota {
		return fmt.Errorf("--seat-quota %v is less than 256KiB", f.SeatQuota)
	}
	return nil
}

func (f quotaFlags) quota() room.Quota {
	return room.Quota{Table: int64(f.TableQuota), Seat: int64(f.SeatQuota), Rounds: roundsPerHour}
}
