package object

import (
	"container/list"

	"holt/server/id"
)

// Space is one of the maps from objects to bytes that a Store keeps.
type Space uint8

// The spaces. Only this package understands their values.
const (
	Heads  Space = iota + 1 // the objects that are here
	Bodies                  // what calls need of them
	Moves                   // those of them that are between two owners
	// The owners of objects that were made here and are elsewhere (O6).
	Forwards
	Helds    // references to objects elsewhere (O21)
	Disowned // references that are not accepted any more (O22)
	Debts    // what must still be sent to other hosts
	Aways    // what could not be reached (O17)
	Selves   // what the host knows of itself, under one key
	Copies   // frozen copies (O40)
	Starts   // how far the host has got in each of its starts (O47)
	Traces   // how far linked hosts had got, as they have said

	spaces = iota
)

// Store is what a Host reads. It must show the writes of all earlier steps, durable or not.
type Store interface {
	// Get returns the value of an object in a space, nil if there is none. The caller does not
	// change the value.
	Get(s Space, oid id.OID) ([]byte, error)
	// Scan calls each with the values behind an object, in ascending order, until each returns
	// false.
	Scan(s Space, behind id.OID, each func(oid id.OID, value []byte) bool) error
}

// Write puts a value into a space; a nil value deletes what is there.
type Write struct {
	Space Space
	OID   id.OID
	Value []byte
}

type record[T any] interface {
	*T
	coded
}

// cache keeps the records of a space that were used last, and the changes of a step.
type cache[T any, P record[T]] struct {
	// Set at construction.
	h     *Host
	space Space
	most  int
	// Owned by the host.
	items map[id.OID]*list.Element // of *volume[T]
	order *list.List               // the one used last in front
	dirty []*cacheEntry[T]         // in the order of their first change
}

// cacheEntry is one record of a shelf.
type cacheEntry[T any] struct {
	oid   id.OID
	value *T // nil: there is none
	dirty bool
	long  int // the length of its form when it was last written
}

func newCache[T any, P record[T]](h *Host, s Space, most int) *cache[T, P] {
	return &cache[T, P]{
		h: h, space: s, most: max(most, 16), items: map[id.OID]*list.Element{}, order: list.New(),
	}
}

// get returns a record, or nil. A caller that changes it must put it back.
func (s *cache[T, P]) get(oid id.OID) *T { return s.entry(oid).value }

func (s *cache[T, P]) entry(oid id.OID) *cacheEntry[T] {
	if e, ok := s.items[oid]; ok {
		s.order.MoveToFront(e)
		return e.Value.(*cacheEntry[T]) //nolint:errcheck // nothing else is in the list
	}
	v := &cacheEntry[T]{oid: oid, value: s.read(oid)}
	s.items[oid] = s.order.PushFront(v)
	return v
}

// peek is get for a record that will not be used again soon.
func (s *cache[T, P]) peek(oid id.OID) *T {
	if e, ok := s.items[oid]; ok {
		return e.Value.(*cacheEntry[T]).value //nolint:errcheck // nothing else is in the list
	}
	return s.read(oid)
}

func (s *cache[T, P]) read(oid id.OID) *T {
	b, err := s.h.cfg.Store.Get(s.space, oid)
	if err != nil {
		s.h.fail(err)
	}
	if b == nil || err != nil {
		return nil
	}
	return s.parse(b)
}

func (s *cache[T, P]) parse(b []byte) *T {
	x := new(T)
	if err := decode(b, P(x)); err != nil {
		s.h.fail(err)
		return nil
	}
	return x
}

// put stores a record; nil deletes it.
func (s *cache[T, P]) put(oid id.OID, x *T) {
	v := s.entry(oid)
	v.value = x
	if !v.dirty {
		v.dirty = true
		s.dirty = append(s.dirty, v)
	}
}

// flush appends the changed records to the writes of the step, and forgets those that were not used
// for long.
func (s *cache[T, P]) flush(w []Write) []Write {
	for _, v := range s.dirty {
		v.dirty = false
		one := Write{Space: s.space, OID: v.oid}
		if v.value != nil {
			one.Value = encode(make([]byte, 0, v.long+64), P(v.value))
			v.long = len(one.Value)
		}
		w = append(w, one)
	}
	clear(s.dirty)
	s.dirty = s.dirty[:0]
	for s.order.Len() > s.most {
		last := s.order.Back()
		delete(s.items, s.order.Remove(last).(*cacheEntry[T]).oid) //nolint:errcheck // only volumes
	}
	return w
}

// scan calls each with the records behind an object in ascending order, as the step before left
// them.
func (s *cache[T, P]) scan(behind id.OID, each func(oid id.OID, x *T) bool) {
	err := s.h.cfg.Store.Scan(s.space, behind, func(oid id.OID, b []byte) bool {
		x := s.parse(b)
		return x != nil && each(oid, x)
	})
	if err != nil {
		s.h.fail(err)
	}
}
