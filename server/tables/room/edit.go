package room

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// People edit the game of a table while others play (T99 to T101).

// LetEdit lets the person of a seat edit the game of the table of s, or not any more (T99). It
// returns when that is durable. ErrRole unless s is a host's, or ends that for its own seat;
// ErrOver if the seat does not play; ErrLogFull; *TooSoon if s has used up its quota.
func (rs *Rooms) LetEdit(ctx context.Context, s Session, seat id.Seat, edits bool) error {
	if !s.Role.Hosts() && (edits || seat != s.Seat) {
		return ErrRole
	}
	return rs.changeSeat(ctx, s, func(r *room) error {
		if !r.table.LetEdit(seat, edits, s.Seat, r.now()) {
			return ErrOver
		}
		return nil
	})
}

// mayRecord returns why nothing may be recorded for a seat: ErrLogFull, or a *TooSoon if the seat
// has used up its quota (T46).
func (r *room) mayRecord(seat id.Seat) error {
	switch {
	case r.space.reserveUsed():
		return ErrLogFull
	case !r.space.spent.may(seat, r.space.quota.Seat, r.rand, time.Now()):
		return &TooSoon{After: time.Minute}
	default:
		return nil
	}
}

// BaseOf returns to what new kinds of the table of s may refer (T103). The caller must not change
// it. Errors say why s may not edit the game now (T100): ErrRole unless somebody lets its person do
// so, ErrFrozen, ErrLogFull, *TooSoon.
func (rs *Rooms) BaseOf(ctx context.Context, s Session) (game.Base, error) {
	return change(ctx, rs, s, func(r *room) (base game.Base, err error) {
		if err := r.mayEdit(s); err != nil {
			return base, err
		}
		base.Kinds = r.kinds
		for i := range r.saves.all {
			if row := &r.saves.all[i]; row.Kind == table.SaveSetUp && row.Name != "" {
				base.SetUps = append(base.SetUps, row.Name)
			}
		}
		return base, nil
	})
}

func (r *room) mayEdit(s Session) error {
	switch {
	case !r.table.Edits(s.Seat):
		return ErrRole
	case r.access.frozen && !s.Role.Hosts():
		return ErrFrozen
	default:
		return r.mayRecord(s.Seat)
	}
}

// errUnmeasured says that pictures of a table were not measured yet, or its supplement not read.
var errUnmeasured = errors.New("something of the table is not known yet")

// maxMeasured is how often AddKinds begins again because the catalogue has grown meanwhile.
const maxMeasured = 4

// AddKinds adds the kinds of a packed game to those of the table of s, if the table does not have
// them (T100). It returns their numbers, in the order of the game, when that is durable. The first
// of them become the kinds of the table whose numbers change has, in place of what these were
// (T104); if was is not nil, then only if these are still as in the catalogue with that hash.
// Errors: ErrRole unless the person of s edits the game, ErrFrozen, ErrNoKind, ErrChanged, a
// game.ErrUnlike, a game.ErrTaken, game.ErrTooMany, ErrGuests if a piece of a guest set is of such
// a kind, ErrLogFull, *TooSoon if s has used up its quota.
func (rs *Rooms) AddKinds(
	ctx context.Context, s Session, p *game.Packed, c ChangedKinds,
) ([]uint32, error) {
	a := adding{Packed: p, ChangedKinds: c, sizes: map[Hash]int64{}}
	for hash, art := range p.Game.Art {
		a.sizes[hash] = int64(len(art.Data))
	}
	for range maxMeasured {
		numbers, err := change(ctx, rs, s, func(r *room) ([]uint32, error) {
			return r.addKinds(s, &a)
		})
		if !errors.Is(err, errUnmeasured) {
			return numbers, err
		}
		for _, hash := range a.unknown {
			if a.sizes[hash], err = rs.cfg.Store.BlobSize(ctx, hash); err != nil {
				return nil, fmt.Errorf("measure picture %x: %w", hash, err)
			}
		}
		if a.unread != (Hash{}) {
			of, err := rs.supplementOf(ctx, a.unread)
			if err != nil {
				return nil, err
			}
			a.read, a.supplement = a.unread, &of
		}
	}
	return nil, ErrBusy
}

// adding is a call of AddKinds, and what it knows of the table.
type adding struct {
	*game.Packed
	ChangedKinds
	sizes      map[Hash]int64   // of pictures
	read       Hash             // the supplement that was read
	supplement *game.Supplement // what stands there; nil: none was read
	// What is missing.
	unknown []Hash // pictures that were not measured
	unread  Hash   // the supplement of the table; zero: it is known
}

// addKinds is AddKinds with what is known. If something is missing, it changes nothing and says so
// in a.
func (r *room) addKinds(s Session, a *adding) (numbers []uint32, err error) {
	a.unknown, a.unread = nil, Hash{}
	if err := r.mayEdit(s); err != nil {
		return nil, err
	}
	change, err := r.mayChange(a)
	if err != nil {
		return nil, err
	}
	all, at, err := game.Change(r.kinds, a.Game.Kinds, change)
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, hash := range game.Pictures(all) {
		size, ok := a.sizes[hash]
		if !ok {
			a.unknown = append(a.unknown, hash)
		}
		total += size
	}
	if len(a.Game.Credits) > 0 && r.supplement == nil && r.row.Supplement != (Hash{}) {
		if a.unread = r.row.Supplement; a.unread == a.read {
			r.supplement, a.unread = a.supplement, Hash{}
		}
	}
	switch {
	case len(a.unknown) > 0 || a.unread != (Hash{}):
		return nil, errUnmeasured
	case total > game.MaxArtTotal:
		return nil, game.ErrTooMany
	}
	supplement, doc, err := r.credited(a.Game.Credits)
	if err != nil {
		return nil, err
	}
	for _, kind := range at[:len(at)-a.Game.Borrowed] {
		numbers = append(numbers, uint32(kind)) //nolint:gosec // an index
	}
	if doc != nil {
		r.supplementChanged(s.Seat, &supplement, doc)
	}
	if len(all) > len(r.kinds) || len(change) > 0 {
		r.growCatalog(s.Seat, all, a.Packed)
	}
	return numbers, nil
}

// credited returns what the table has beside its catalogue with further credits of pictures, and
// its document (G27). The document is nil if that changes nothing.
func (r *room) credited(credits game.Credits) (of game.Supplement, doc []byte, err error) {
	if len(credits) == 0 {
		return of, nil, nil
	}
	if r.supplement != nil {
		of = *r.supplement
	}
	of.Credits = of.Credits.With(credits)
	doc = of.Encode()
	switch {
	case len(of.Credits) > game.MaxEntries || len(of.Credits.Counted()) > game.MaxCredits:
		return of, nil, game.ErrTooMany
	case sha256.Sum256(doc) == r.row.Supplement:
		return of, nil, nil
	default:
		return of, doc, nil
	}
}

// supplementChanged gives the table what it has beside its catalogue, and lets the seat pay for
// what is stored.
func (r *room) supplementChanged(by id.Seat, of *game.Supplement, doc []byte) {
	hash := Hash(sha256.Sum256(doc))
	r.supplement, r.row.Supplement = of, hash
	r.recorded.supplement = &hash
	r.recorded.blobs = append(r.recorded.blobs,
		Blob{Hash: hash, Type: game.TypeOf(doc), Data: doc})
	r.space.spent.charge(by, int64(len(doc)), r.space.quota.Seat, time.Now())
}

// ChangedKinds are kinds of a table that get another definition (T104).
type ChangedKinds struct {
	Numbers []uint32
	Was     *Hash // the catalogue of which they were thought to be; nil: of whatever it is
}

// The errors of changing kinds.
var (
	ErrNoKind  = errors.New("the table has no such kind")
	ErrChanged = errors.New("the kinds of the table have changed meanwhile")
)

// mayChange returns the indices of the kinds that are to change, or why they may not.
func (r *room) mayChange(a *adding) (change []int, err error) {
	if a.Was != nil && *a.Was != r.row.Catalog {
		return nil, ErrChanged
	}
	for _, n := range a.Numbers {
		kind := int(n)
		if kind >= len(r.kinds) || r.kinds[kind].Unknown || slices.Contains(change, kind) {
			return nil, ErrNoKind
		}
		change = append(change, kind)
	}
	switch {
	case len(change) > len(a.Game.Kinds)-a.Game.Borrowed:
		return nil, ErrNoKind
	case r.table.HasGuestsOf(a.Numbers):
		return nil, ErrGuests
	}
	return change, nil
}

// growCatalog gives the table kinds that somebody has made, with their pictures, and lets the seat
// pay for what is stored.
func (r *room) growCatalog(by id.Seat, all []game.Kind, p *game.Packed) {
	var art []Blob
	has := map[Hash]bool{}
	for _, hash := range game.Pictures(r.kinds) {
		has[hash] = true
	}
	for _, hash := range game.Pictures(all) {
		if of, ok := p.Game.Art[hash]; ok && !has[hash] {
			art = append(art, Blob{Hash: hash, Type: of.Type, Data: of.Data})
		}
	}
	before, stored := r.recorded.estimatedBytes, len(r.recorded.blobs)
	r.setCatalog(all, art)
	bytes := r.recorded.estimatedBytes - before
	for i := range r.recorded.blobs[stored:] {
		bytes += int64(len(r.recorded.blobs[stored+i].Data))
	}
	r.space.spent.charge(by, bytes, r.space.quota.Seat, time.Now())
}
