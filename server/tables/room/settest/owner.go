// Package settest owns guest sets in memory, for tests of rooms. An Owner knows what each part of a
// set is. A table does not know this before somebody may see the part (docs/protocol/table.md, T37
// to T41). An Owner behaves like the owner of a set that belongs to the server of the table. It
// stores nothing and contacts nobody.
package settest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"slices"
	"sync"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// answersKept is how many answers of a set are remembered, so that a repeated request is not
// executed again.
const answersKept = 4096

// Owner owns sets. It is safe for concurrent use.
type Owner struct {
	random io.Reader // of cryptographic quality

	mu sync.Mutex
	// Guarded by mu.
	sets   map[id.OID]*set
	absent map[id.OID]*room.Unreachable
	whose  func(s room.Session, set id.OID) bool
}

// set is one set.
type set struct {
	contents room.Contents
	kinds    map[room.Hash]*game.Kind
	rank     map[room.Hash]int       // the order of the kinds
	masks    map[room.Hash]room.Hash // of secret kinds
	at       map[uint32]int          // part number -> index in contents.Parts
	on       id.OID                  // the table that holds it; zero: none
	shuffles uint64
	answers  map[room.Request]answer
	order    []room.Request // of the answers, oldest first
}

// answer is the answer to a request that changed something.
type answer struct {
	number int64
	err    error
}

// New returns an owner without sets. Whose reports whether a set belongs to the person of a
// session. If it is nil, every set belongs to everybody.
func New(random io.Reader, whose func(s room.Session, set id.OID) bool) *Owner {
	return &Owner{
		random: random, sets: map[id.OID]*set{}, absent: map[id.OID]*room.Unreachable{}, whose: whose,
	}
}

// SetUnreachable makes a set unreachable for the reason why. If why is nil, the set is reachable
// again. Absent does not notify the tables.
func (o *Owner) SetUnreachable(set id.OID, why *room.Unreachable) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if why == nil {
		delete(o.absent, set)
		return
	}
	o.absent[set] = why
}

// Sets returns all sets, in the order of their identifiers.
func (o *Owner) Sets() []id.OID {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []id.OID
	for s := range o.sets {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b id.OID) int { return slices.Compare(a[:], b[:]) })
	return all
}

// Contents returns the contents of a set, and the table on which it lies, zero for none. It reports
// false if there is no such set.
func (o *Owner) Contents(set id.OID) (c room.Contents, on id.OID, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.sets[set]
	if s == nil {
		return room.Contents{}, id.OID{}, false
	}
	c = s.contents
	c.Parts = slices.Clone(c.Parts)
	return c, s.on, true
}

// Guests returns the sets that lie on a table.
func (o *Owner) Guests(_ context.Context, table id.OID) (all []id.OID, err error) {
	for _, set := range o.Sets() {
		if _, on, _ := o.Contents(set); on == table {
			all = append(all, set)
		}
	}
	return all, nil
}

// Make creates a set. It does nothing if the set exists. It returns an error if the contents are
// invalid, or a *room.Unreachable if the set is unreachable.
func (o *Owner) Make(_ context.Context, _ room.Session, oid id.OID, c room.Contents) error {
	s, err := newSet(c)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if absent := o.absent[oid]; absent != nil {
		return absent
	}
	if o.sets[oid] == nil {
		o.sets[oid] = s
	}
	return nil
}

func newSet(c room.Contents) (*set, error) {
	kinds, err := game.ReadVersions(c.Kinds)
	if err != nil {
		return nil, fmt.Errorf("make a set: %w", err)
	}
	c.Parts = slices.Clone(c.Parts)
	s := &set{
		contents: c, kinds: map[room.Hash]*game.Kind{}, rank: map[room.Hash]int{},
		masks: map[room.Hash]room.Hash{}, at: map[uint32]int{}, answers: map[room.Request]answer{},
	}
	versions := game.Versions(kinds)
	for i := range kinds {
		s.kinds[versions[i].Hash], s.rank[versions[i].Hash] = &kinds[i], i
		if kinds[i].Secret {
			s.masks[versions[i].Hash] = versions[kinds[i].Mask].Hash
		}
	}
	for i, p := range c.Parts {
		if _, twice := s.at[p.Number]; twice || s.kinds[p.Kind] == nil {
			return nil, fmt.Errorf("make a set: part %d is there twice, or of no kind", p.Number)
		}
		s.at[p.Number] = i
	}
	return s, nil
}

// Hold gives a set to a table. It returns a *room.Refusal if another table has the set or the set
// does not belong to the person, and a *room.Unreachable if the set is unreachable.
func (o *Owner) Hold(_ context.Context, by room.Session, oid id.OID) (room.Guest, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, err := o.reach(oid)
	switch {
	case err != nil:
		return room.Guest{}, err
	case !s.on.IsZero() && s.on != by.Table, o.whose != nil && !o.whose(by, oid):
		return room.Guest{}, &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	s.on = by.Table
	g := room.Guest{Contents: s.contents, Shuffles: s.shuffles}
	g.Parts = slices.Clone(s.contents.Parts)
	for i := range g.Parts {
		if mask, secret := s.masks[g.Parts[i].Kind]; secret {
			g.Parts[i].Kind = mask
		}
	}
	return g, nil
}

// Release takes back a set from a table, with its parts in their present order. If the table does
// not list as many known parts as the set has, Release ignores their order and state.
func (o *Owner) Release(_ context.Context, from, oid id.OID, parts []room.Part) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if absent := o.absent[oid]; absent != nil {
		return absent
	}
	s := o.sets[oid]
	if s == nil || s.on != from {
		return nil
	}
	s.on = id.OID{}
	var now []room.Part
	for _, p := range parts {
		if i, ok := s.at[p.Number]; ok {
			was := s.contents.Parts[i]
			was.Face, was.Value, was.Text = p.Face, p.Value, p.Text
			now = append(now, was)
		}
	}
	// Otherwise the table did not tell the truth, and its parts are ignored.
	if len(now) == len(s.contents.Parts) {
		s.contents.Parts = now
		for i, p := range now {
			s.at[p.Number] = i
		}
	}
	return nil
}

// DeleteTable takes back the sets of a deleted table.
func (o *Owner) DeleteTable(_ context.Context, from id.OID) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for oid, s := range o.sets {
		if s.on != from {
			continue
		}
		if absent := o.absent[oid]; absent != nil {
			return absent
		}
		s.on = id.OID{}
	}
	return nil
}

// Reveal returns what parts are.
func (o *Owner) Reveal(_ context.Context, from, oid id.OID, parts []uint32) (room.Revealed, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, err := o.held(from, oid)
	if err != nil {
		return room.Revealed{}, err
	}
	said := room.Revealed{Shuffles: s.shuffles}
	for _, n := range parts {
		p, err := s.part(n)
		if err != nil {
			return room.Revealed{}, err
		}
		said.Parts = append(said.Parts, *p)
	}
	return said, nil
}

// Shuffle shuffles the kinds of parts among those with the same mask. It returns the number of
// shuffles so far.
func (o *Owner) Shuffle(
	_ context.Context, r room.Request, parts []uint32, random [32]byte,
) (uint64, error) {
	n, err := o.change(r, func(s *set) (int64, error) {
		rnd, err := o.randomFor(random)
		if err != nil {
			return 0, err
		}
		byMask := map[room.Hash][]*room.Part{}
		// The order in which they are named must not matter.
		for _, n := range slices.Sorted(slices.Values(parts)) {
			p, err := s.part(n)
			if err != nil {
				return 0, err
			}
			mask := s.masks[p.Kind]
			if s.kinds[p.Kind].Secret && !slices.Contains(byMask[mask], p) {
				byMask[mask] = append(byMask[mask], p)
			}
		}
		for _, of := range inOrder(byMask) {
			kinds := make([]room.Hash, len(of))
			for i, p := range of {
				kinds[i] = p.Kind
			}
			// The previous order must not influence the result. Otherwise somebody who can predict
			// the random numbers could choose it.
			slices.SortFunc(kinds, func(a, b room.Hash) int {
				return cmp.Compare(s.rank[a], s.rank[b])
			})
			rnd.Shuffle(len(of), func(a, b int) { kinds[a], kinds[b] = kinds[b], kinds[a] })
			for i, p := range of {
				p.Kind = kinds[i]
			}
		}
		s.shuffles++
		return int64(s.shuffles), nil //nolint:gosec // counts from 0
	})
	return uint64(n), err //nolint:gosec // as above
}

// inOrder returns the lists in the order of their masks, so that the result depends only on the
// random numbers.
func inOrder(byMask map[room.Hash][]*room.Part) (all [][]*room.Part) {
	var masks []room.Hash
	for m := range byMask {
		masks = append(masks, m)
	}
	slices.SortFunc(masks, func(a, b room.Hash) int { return slices.Compare(a[:], b[:]) })
	for _, m := range masks {
		all = append(all, byMask[m])
	}
	return all
}

// Roll rolls a part and returns its new face.
func (o *Owner) Roll(
	_ context.Context, r room.Request, part uint32, random [32]byte,
) (int32, error) {
	n, err := o.change(r, func(s *set) (int64, error) {
		p, err := s.part(part)
		if err != nil {
			return 0, err
		}
		if !s.kinds[p.Kind].Die.Rolls {
			return 0, &room.Refusal{Reason: table.ReasonNotAllowed}
		}
		rnd, err := o.randomFor(random)
		if err != nil {
			return 0, err
		}
		p.Face = int32(rnd.IntN(len(s.kinds[p.Kind].Faces))) //nolint:gosec // a face
		return int64(p.Face), nil
	})
	return int32(n), err //nolint:gosec // a face
}

// Count adds n to the value of a part and returns the new value.
func (o *Owner) Count(_ context.Context, r room.Request, part uint32, n int32) (int32, error) {
	v, err := o.change(r, func(s *set) (int64, error) {
		p, err := s.part(part)
		if err != nil {
			return 0, err
		}
		c, v := s.kinds[p.Kind].Counter, int64(p.Value)+int64(n)
		switch {
		case !c.Counts:
			return 0, &room.Refusal{Reason: table.ReasonNotAllowed}
		case v < int64(c.Min) || v > int64(c.Max):
			return 0, &room.Refusal{Reason: table.ReasonRange}
		}
		p.Value = int32(v) //nolint:gosec // within its bounds
		return v, nil
	})
	return int32(v), err //nolint:gosec // as above
}

// Write sets the text of a part.
func (o *Owner) Write(_ context.Context, r room.Request, part uint32, text string) error {
	_, err := o.change(r, func(s *set) (int64, error) {
		p, err := s.part(part)
		if err != nil {
			return 0, err
		}
		if !s.kinds[p.Kind].Text.Written || len(text) > table.MaxText || !table.Plain(text) {
			return 0, &room.Refusal{Reason: table.ReasonNotAllowed}
		}
		p.Text = text
		return 0, nil
	})
	return err
}

// change executes a request once. If the request comes again, it returns the same answer.
func (o *Owner) change(r room.Request, do func(*set) (int64, error)) (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, err := o.held(r.Table, r.Set)
	if err != nil {
		return 0, err
	}
	if a, ok := s.answers[r]; ok {
		return a.number, a.err
	}
	n, err := do(s)
	if len(s.order) >= answersKept {
		delete(s.answers, s.order[0])
		s.order = s.order[1:]
	}
	s.answers[r], s.order = answer{n, err}, append(s.order, r)
	return n, err
}

// reach returns a set, or a *room.Unreachable if it is unreachable or does not exist.
func (o *Owner) reach(oid id.OID) (*set, error) {
	if absent := o.absent[oid]; absent != nil {
		return nil, absent
	}
	s := o.sets[oid]
	if s == nil {
		return nil, &room.Unreachable{Reason: table.AwayLost}
	}
	return s, nil
}

// held returns a set that lies on the table from, or a *room.Refusal.
func (o *Owner) held(from, oid id.OID) (*set, error) {
	s, err := o.reach(oid)
	if err == nil && s.on != from {
		return nil, &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	return s, err
}

func (s *set) part(n uint32) (*room.Part, error) {
	i, ok := s.at[n]
	if !ok {
		return nil, &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	return &s.contents.Parts[i], nil
}

// randomFor returns random numbers that depend on the table's bytes and on bytes of the owner.
// Somebody who knows only one of the two cannot predict them.
func (o *Owner) randomFor(random [32]byte) (*mathrand.Rand, error) {
	var own [32]byte
	if _, err := io.ReadFull(o.random, own[:]); err != nil {
		return nil, fmt.Errorf("draw the lot of a set: %w", err)
	}
	seed := sha256.Sum256(append(own[:], random[:]...))
	//nolint:gosec // ChaCha8, seeded by the system's random source
	return mathrand.New(mathrand.NewChaCha8(seed)), nil
}
