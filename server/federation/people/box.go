package people

import (
	"context"
	"errors"
	"slices"
	"sync"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// Sets that belong together (O53). Their person's host makes a box for them: an object of class bag
// to which the person refers, as to the sets. The box refers to the sets, and each of them to the
// box, wherever it is. What the box lists is what people see. A set that was thrown away stays as
// long as another one of its box is in the bag. When none is, the box and the sets refer to each
// other only, and the collection deletes them.
//
// All of this is done at the person's own host, and for nobody else: a visited host could otherwise
// throw away what somebody has at home.

// boxing knows for which people sets are being tied or thrown away. One person does one thing at a
// time, so that two pages do not put a set into two boxes.
type boxing struct {
	mu   sync.Mutex
	busy map[id.OID]bool // guarded by mu
}

// begin reports whether nothing is being done for a person, and end must be called.
func (b *boxing) begin(person id.OID) (end func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.busy[person] {
		return nil, false
	}
	if b.busy == nil {
		b.busy = map[id.OID]bool{}
	}
	b.busy[person] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.busy, person)
	}, true
}

// bag is what a person of this host has.
type bag struct {
	sets  []id.OID
	boxes []box
	// shut is why some boxes are not in boxes: after a restore they wait for other hosts, as sets do.
	shut error
}

// box is a box, and what is in it.
type box struct {
	oid  id.OID
	sets []id.OID
}

func (b *bag) has(set id.OID) bool { return slices.Contains(b.sets, set) }

// boxOf returns the box of a set; nil if it is in none.
func (b *bag) boxOf(set id.OID) *box {
	for i := range b.boxes {
		if slices.Contains(b.boxes[i].sets, set) {
			return &b.boxes[i]
		}
	}
	return nil
}

// open returns what a person of this host has. It does not fail if a box cannot be opened.
func (v *Visits) open(ctx context.Context, person id.OID) (*bag, error) {
	all, err := v.cfg.Objects.List(ctx, person)
	if err != nil {
		return nil, err
	}
	boxes, err := v.cfg.Objects.Boxes(ctx, all)
	if err != nil {
		return nil, err
	}
	b := &bag{sets: slices.DeleteFunc(
		slices.Clone(all), func(o id.OID) bool { return slices.Contains(boxes, o) },
	)}
	for _, oid := range boxes {
		sets, err := v.cfg.Objects.List(ctx, oid)
		if err != nil {
			b.shut = err // the others would be waited for as long
			break
		}
		b.boxes = append(b.boxes, box{oid, sets})
	}
	return b, nil
}

// addTies adds to an item what belongs with it.
func (v *Visits) addTies(ctx context.Context, i *Item, b *bag) {
	in := b.boxOf(i.Set)
	if in == nil {
		return
	}
	for _, set := range in.sets {
		if b.has(set) && set != i.Set {
			i.With = append(i.With, set)
		} else if !b.has(set) {
			name, _ := v.cfg.Store.SetName(ctx, set) // if this fails, it has no name
			i.Thrown = append(i.Thrown, Thrown{set, name})
		}
	}
}

// errBusy says that something else is being done with a bag.
const errBusy = Refused("Something else is being done with your bag. Try again in a moment.")

// alter opens the bag of a person of this host, and does something with it, and nothing else
// meanwhile.
func (v *Visits) alter(ctx context.Context, person id.OID, do func(b *bag) error) error {
	if person.Creator() != v.Self() {
		return Refused("Only at your own server can you say what belongs together, " +
			"or throw something away.")
	}
	end, ok := v.boxing.begin(person)
	if !ok {
		return errBusy
	}
	defer end()
	b, err := v.open(ctx, person)
	if err == nil {
		err = b.shut
	}
	if err != nil {
		return err
	}
	// A box is left without a set when this host stops in the middle of Tie.
	b.boxes = slices.DeleteFunc(b.boxes, func(x box) bool {
		if slices.ContainsFunc(x.sets, b.has) {
			return false
		}
		v.drop(ctx, person, x.oid)
		return true
	})
	return do(b)
}

// Tie records that two sets of a person of this host belong together, with all that belongs with
// either (O53). The error is a Refused if that is not possible, and a *room.Unreachable if a set
// cannot be reached.
func (v *Visits) Tie(ctx context.Context, person, set, with id.OID) error {
	return v.alter(ctx, person, func(b *bag) error {
		if !b.has(set) || !b.has(with) || set == with {
			return errNotInBag
		}
		in, other := b.boxOf(set), b.boxOf(with)
		var add []id.OID
		switch {
		case in != nil && other != nil:
			if in.oid == other.oid {
				return nil
			}
			return Refused("Both belong with something else already. End that for one of them first.")
		case in != nil:
			add = []id.OID{with}
		case other != nil:
			in, add = other, []id.OID{set}
		default:
			add = []id.OID{set, with}
		}
		if in != nil && len(in.sets)+len(add) > behaviour.MaxBoxed {
			return Refused("No more than eight things can belong together.")
		}
		return v.fill(ctx, person, in, add)
	})
}

// fill puts sets into a box of a person, or into a new one if in is nil. If one of them cannot be
// put there, none of them is.
func (v *Visits) fill(ctx context.Context, person id.OID, in *box, add []id.OID) error {
	isNew := in == nil
	if isNew {
		oid, err := v.cfg.Mint()
		if err != nil {
			return err
		}
		in = &box{oid: oid}
		if err := v.cfg.Objects.Found(ctx, oid, object.Bag); err != nil {
			return err
		}
		if err := v.cfg.Objects.Put(ctx, person, oid); err != nil {
			return err
		}
	}
	for i, set := range add {
		err := v.cfg.Objects.Tie(ctx, set, in.oid)
		if err == nil {
			err = v.cfg.Objects.Put(ctx, in.oid, set)
		}
		if err == nil {
			continue
		}
		ctx := context.WithoutCancel(ctx)
		for _, set := range add[:i+1] {
			v.unbox(ctx, in.oid, set)
		}
		if isNew {
			v.drop(ctx, person, in.oid)
		}
		var refusal *room.Refusal
		if errors.As(err, &refusal) {
			err = Refused("The server where it is does not know how to do that. Take it home first.")
		}
		return err
	}
	return nil
}

// unbox takes a set out of a box. If the set cannot be reached it refers to the box until it is in
// another one. That is harmless: the box does not list it any more.
func (v *Visits) unbox(ctx context.Context, in, set id.OID) {
	err := errors.Join(
		v.cfg.Objects.Take(ctx, in, set), v.cfg.Objects.Tie(ctx, set, id.OID{}),
	)
	if err != nil {
		v.cfg.Log.Debug("a set still refers to its box", "set", set, "box", in, "error", err)
	}
}

// drop ends that a person refers to a box of which they have no set.
func (v *Visits) drop(ctx context.Context, person, in id.OID) {
	if err := v.cfg.Objects.Take(ctx, person, in); err != nil {
		v.cfg.Log.Warn("an empty box stays", "box", in, "error", err)
	}
}

// Untie records that a set of a person of this host belongs with nothing any more (O53). The set
// need not be reachable.
func (v *Visits) Untie(ctx context.Context, person, set id.OID) error {
	return v.alter(ctx, person, func(b *bag) error {
		in := b.boxOf(set)
		if !b.has(set) || in == nil {
			return nil
		}
		left := slices.DeleteFunc(slices.Clone(in.sets), func(o id.OID) bool { return o == set })
		inBag := slices.ContainsFunc(left, b.has)
		if len(left) > 1 && inBag {
			v.unbox(ctx, in.oid, set)
			return nil
		}
		// The others are one set, or were thrown away and are deleted now.
		if err := v.cfg.Objects.Take(ctx, person, in.oid); err != nil {
			return err
		}
		v.unbox(ctx, in.oid, set)
		if inBag {
			v.unbox(ctx, in.oid, left[0])
		}
		return nil
	})
}

// Throw throws a set of a person of this host away (O53). The set need not be reachable. It can be
// taken back as long as something that belongs with it is in the bag.
func (v *Visits) Throw(ctx context.Context, person, set id.OID) error {
	return v.alter(ctx, person, func(b *bag) error {
		if !b.has(set) {
			return errNotInBag
		}
		if owner, err := v.cfg.Objects.Where(ctx, set); err == nil && owner == v.Self() {
			if _, on, err := v.cfg.Objects.About(ctx, set); err == nil && !on.IsZero() {
				return Refused("It lies on a table. Take it off there first.")
			}
		}
		gone := []id.OID{set}
		if in := b.boxOf(set); in != nil && !slices.ContainsFunc(
			in.sets, func(o id.OID) bool { return o != set && b.has(o) },
		) {
			// Nobody could take anything of it back: the box goes with its last set.
			gone = append(gone, in.oid)
		}
		return v.cfg.Objects.Take(ctx, person, gone...)
	})
}

// TakeBack takes a set back that a person of this host has thrown away (O53). The error is a
// Refused if nothing that belongs with it is in the bag.
func (v *Visits) TakeBack(ctx context.Context, person, set id.OID) error {
	return v.alter(ctx, person, func(b *bag) error {
		if b.has(set) {
			return nil
		}
		if b.boxOf(set) == nil {
			return Refused("That was thrown away for good.")
		}
		return v.cfg.Objects.Put(ctx, person, set)
	})
}

// freeToMove lets a set that is elsewhere and in no box refer to nothing. A host that was restored
// from a backup may have lost a box to which the set still refers, and a set with a lost reference
// cannot move (O8.2).
func (v *Visits) freeToMove(ctx context.Context, person, set id.OID) error {
	b, err := v.open(ctx, person)
	if err != nil || b.shut != nil || b.boxOf(set) != nil {
		return err
	}
	if err := v.cfg.Objects.Tie(ctx, set, id.OID{}); err != nil {
		v.cfg.Log.Debug("a set may still refer to a box", "set", set, "error", err)
	}
	return nil
}
