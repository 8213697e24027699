package room

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// publishTable publishes the title, the size, the surface and the catalogue of the table.
func (r *room) publishTable() { r.recorded.queueEvent(id.Client{}, wire.TableEvent(r.info())) }

// resumeOwnerCalls runs when the table is loaded. It asks what may have changed about its guest
// sets meanwhile, and does the errands for sets that have left it.
func (r *room) resumeOwnerCalls() {
	if r.cfg.SetOwners == nil {
		return
	}
	for _, s := range r.table.Sets() {
		if s.Stage == table.StageHere {
			r.askParts(s.Set, true)
		} else {
			r.errand(s.Set)
		}
	}
	r.askGuests()
}

// askGuests asks which sets owners believe to lie on the table. Those that the table does not know,
// once all earlier calls about them are answered, go back: the server may have died after an owner
// had given a set and before that was recorded (T41).
func (r *room) askGuests() {
	var found []id.OID
	var err error
	r.call(id.OID{}, ownerCall{
		ask: func(ctx context.Context) {
			found, err = r.cfg.SetOwners.Guests(ctx, r.row.Table)
		},
		end: func() {
			if err != nil {
				r.log.Debug("it is not known which sets are believed to lie here", "error", err)
			}
			for _, set := range found {
				r.call(set, ownerCall{ask: func(context.Context) {}, end: func() {
					r.table.GiveBack(set, 0, r.now())
					r.record()
				}})
			}
		},
	})
}

// errand does the errand for a set that has left the table (T40), and repeats it until it succeeds.
// At any time at most one call for it waits.
func (r *room) errand(set id.OID) {
	if q := r.owners.queues[set]; q != nil {
		if q.retry != nil {
			q.retry.Stop()
			q.retry = nil
		}
		if q.errands {
			return
		}
	}
	var info table.SetInfo
	var kinds []game.Kind
	var by Session
	var err error
	if r.call(set, ownerCall{
		begin: func() (ok bool) {
			r.owners.of(set).errands = false
			if info, ok = r.table.Set(set); !ok || info.Stage == table.StageHere {
				return false
			}
			who, _ := r.table.Seat(info.Seat)
			kinds, by = r.kinds, Session{Table: r.row.Table, Seat: info.Seat, Role: who.Role}
			return true
		},
		ask: func(ctx context.Context) { err = r.carryOut(ctx, &info, kinds, by) },
		end: func() { r.errandDone(set, err) },
	}) {
		r.owners.of(set).errands = true
	} else {
		r.errandIn(set, errandSoon)
	}
}

// errandIn does an errand after a while.
func (r *room) errandIn(set id.OID, wait time.Duration) {
	q := r.owners.of(set)
	if q.retry != nil {
		q.retry.Stop()
	}
	q.retry = time.AfterFunc(wait, func() { r.later(func() { r.errand(set) }) })
}

// errandDone ends an errand, or has it done again if it has failed.
func (r *room) errandDone(set id.OID, err error) {
	r.answerSenders(set, err)
	q := r.owners.of(set)
	if err == nil {
		q.failed = 0
		r.table.Finish(set, r.now())
		r.record()
		return
	}
	if errors.Is(err, context.Canceled) { // the room ends
		return
	}
	q.failed++
	wait := min(time.Second<<min(q.failed, 10), errandEvery)
	var absent *Unreachable
	if errors.As(err, &absent) {
		if absent.Until == 0 { // it says when it is back
			q.failed = 0
			return
		}
		wait = max(wait, time.Duration(absent.Until-r.now())*time.Millisecond)
	} else {
		r.log.Warn("errand for a set has failed", "set", set.String(), "error", err)
	}
	r.errandIn(set, wait)
}

// carryOut makes a set of what has left the table, or gives one back (T40). It changes nothing of
// the room.
func (r *room) carryOut(
	ctx context.Context, s *table.SetInfo, kinds []game.Kind, who Session,
) error {
	if s.Stage == table.StageReturn {
		return r.cfg.SetOwners.Release(ctx, r.row.Table, s.Set, partsAsTheyLie(s))
	}
	c, err := r.contents(ctx, s, kinds)
	if err != nil {
		return err
	}
	return r.cfg.SetOwners.Make(ctx, who, s.Set, c)
}

// partsAsTheyLie returns the parts of a guest set that has left the table.
func partsAsTheyLie(s *table.SetInfo) []Part {
	parts := make([]Part, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = Part{Number: p.Part, Face: p.Face, Value: p.Value, Text: p.Text}
	}
	return parts
}

// contents returns the parts of a set that was taken off the table.
func (r *room) contents(
	ctx context.Context, s *table.SetInfo, kinds []game.Kind,
) (c Contents, err error) {
	versions := game.Versions(kinds)
	for _, p := range s.Parts {
		c.Parts = append(c.Parts, Part{
			Number: p.Part, Kind: versions[p.Kind].Hash, Secret: kinds[p.Kind].Secret,
			Face: p.Face, Value: p.Value, Text: p.Text,
		})
	}
	seen := map[Hash]bool{}
	var used []game.Kind
	for _, k := range needed(s, kinds) {
		if seen[versions[k].Hash] { // a catalogue may have the same kind twice
			continue
		}
		seen[versions[k].Hash] = true
		c.Kinds, used = append(c.Kinds, versions[k].Doc), append(used, kinds[k])
	}
	for _, art := range game.Pictures(used) {
		b, err := r.cfg.Store.Blob(ctx, art)
		if err != nil {
			return Contents{}, fmt.Errorf("read the art of set %v: %w", s.Set, err)
		}
		c.Art = append(c.Art, b)
	}
	return c, nil
}

// needed returns the kinds of the parts of a set, and those to which they refer, in the order of
// the catalogue. It includes at least one kind that a container takes, so that the set can be read
// by itself.
func needed(s *table.SetInfo, kinds []game.Kind) []int {
	var all []int
	for _, p := range s.Parts {
		k := &kinds[p.Kind]
		all = append(all, int(p.Kind))
		if k.Secret {
			all = append(all, k.Mask)
		}
		if !k.Container.Holds() || k.Container.Takes == game.AnyLight {
			continue
		}
		all = append(all, k.Container.Takes)
		for i := range kinds {
			if kinds[i].Secret && !kinds[i].Unknown && kinds[i].Mask == k.Container.Takes {
				all = append(all, i)
				break
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
