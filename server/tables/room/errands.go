package room

import (
	"context"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// tellTable tells everybody what the table is like.
func (r *room) tellTable() { r.next.tell(id.Client{}, wire.TableEvent(r.info())) }

// recall asks, when the table is used again, what may have changed about its guests meanwhile, and does what is to be done
// still for sets that have left it.
func (r *room) recall() {
	if r.cfg.Sets == nil {
		return
	}
	for _, s := range r.table.Sets() {
		if s.Stage == table.StageHere {
			r.inquire(s.Set, true)
		} else {
			r.errand(s.Set)
		}
	}
	r.call(id.OID{}, r.missing)
}

// missing asks which sets are believed to lie on the table, and gives back what does not: the server may have died after an owner
// had given it, and before that was recorded (T41).
func (r *room) missing() func(context.Context) func() {
	return func(ctx context.Context) func() {
		sets, err := r.cfg.Sets.Guests(ctx, r.row.Table)
		return func() {
			if err != nil {
				r.log.Debug("it is not known which sets are believed to lie here", "error", err)
			}
			for _, set := range sets {
				r.call(set, func() func(context.Context) func() { return r.unlessKnown(set) })
			}
		}
	}
}

// unlessKnown gives a set back if the table does not know it when all that was asked about it before has been answered.
func (r *room) unlessKnown(set id.OID) func(context.Context) func() {
	return func(context.Context) func() {
		return func() {
			r.table.GiveBack(set, 0, r.now())
			r.record()
		}
	}
}

// carryOut makes a set of what has left the table, or gives one back (T40). It changes nothing of the room.
func (r *room) carryOut(ctx context.Context, s *table.SetInfo, kinds []game.Kind, who Session) error {
	if s.Stage == table.StageReturn {
		return r.cfg.Sets.LetGo(ctx, r.row.Table, s.Set, partsAsTheyLie(s))
	}
	c, err := r.contents(ctx, s, kinds)
	if err != nil {
		return err
	}
	return r.cfg.Sets.Make(ctx, who, s.Set, c)
}

// partsAsTheyLie returns the parts of a guest that has left the table.
func partsAsTheyLie(s *table.SetInfo) []Part {
	parts := make([]Part, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = Part{Number: p.Part, Face: p.Face, Value: p.Value, Text: p.Text}
	}
	return parts
}

// contents returns what a set is made of that was taken off the table.
func (r *room) contents(ctx context.Context, s *table.SetInfo, kinds []game.Kind) (c Contents, err error) {
	versions := game.Versions(kinds)
	for _, p := range s.Parts {
		c.Parts = append(c.Parts, Part{
			Number: p.Part, Kind: versions[p.Kind].Hash, Secret: kinds[p.Kind].Secret, Face: p.Face, Value: p.Value, Text: p.Text,
		})
	}
	seen := map[Hash]bool{}
	for _, k := range needed(s, kinds) {
		if seen[versions[k].Hash] { // a catalogue may have the same kind twice
			continue
		}
		seen[versions[k].Hash] = true
		c.Kinds = append(c.Kinds, versions[k].Doc)
		for _, f := range kinds[k].Faces {
			if seen[f.Art] {
				continue
			}
			seen[f.Art] = true
			b, err := r.cfg.Store.Blob(ctx, f.Art)
			if err != nil {
				return Contents{}, fmt.Errorf("read the art of set %v: %w", s.Set, err)
			}
			c.Art = append(c.Art, b)
		}
	}
	return c, nil
}

// needed returns the kinds that a set is made of, and those to which they refer, in the order of the catalogue. Of what a container takes it has one kind at
// least, so that it can be read by itself.
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
