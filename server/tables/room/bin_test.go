package room_test

import (
	"context"
	"slices"

	"holt/server/id"
	"holt/server/tables/room"
)

// bin has what a memory knows of deleted tables.
type bin struct {
	gone    map[id.OID]bool     // all that were ever deleted
	invites map[room.Hash]bool  // theirs
	left    []room.Discarded    // those of which something is left
	slices  map[id.OID]int      // of their logs
	settled map[id.OID][]id.OID // sets that were given back
	fail    map[string]error    // of methods, once
}

func (m *memory) failing(what string) error {
	err := m.bin.fail[what]
	delete(m.bin.fail, what)
	return err
}

// failNext makes the next call of a method fail.
func (m *memory) failNext(what string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bin.fail == nil {
		m.bin.fail = map[string]error{}
	}
	m.bin.fail[what] = err
}

func (m *memory) missing(t id.OID) error {
	if m.bin.gone[t] {
		return room.ErrGone
	}
	return room.ErrNoTable
}

func (m *memory) Discard(_ context.Context, d room.Discard) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[d.Table]
	if err := m.failing("discard"); err != nil {
		return err
	}
	switch {
	case s == nil:
		return m.missing(d.Table)
	case !d.Damaged && room.Position(len(s.log)) != d.Expect:
		return room.ErrFenced
	}
	if m.bin.gone == nil {
		m.bin.gone, m.bin.invites = map[id.OID]bool{}, map[room.Hash]bool{}
		m.bin.slices, m.bin.settled = map[id.OID]int{}, map[id.OID][]id.OID{}
	}
	m.bin.gone[d.Table] = true
	m.bin.slices[d.Table] = 3
	for token, i := range m.invites {
		if i.Table == d.Table {
			m.bin.invites[token] = true
			delete(m.invites, token)
		}
	}
	for k := range m.seats {
		if k.table == d.Table {
			delete(m.seats, k)
		}
	}
	delete(m.tables, d.Table)
	m.bin.left = append(m.bin.left, room.Discarded{
		Table: d.Table, At: d.At, Owed: slices.Clone(d.Owed),
	})
	return nil
}

func (m *memory) Discarded(context.Context) (all []room.Discarded, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.bin.left {
		d.Owed = slices.Clone(d.Owed)
		all = append(all, d)
	}
	return all, m.failing("discarded")
}

func (m *memory) SweepTable(_ context.Context, t id.OID) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("sweep"); err != nil {
		return false, err
	}
	m.bin.slices[t] = max(0, m.bin.slices[t]-1)
	return m.bin.slices[t] > 0, nil
}

func (m *memory) Settle(_ context.Context, t, set id.OID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("settle"); err != nil {
		return err
	}
	for i := range m.bin.left {
		if d := &m.bin.left[i]; d.Table == t {
			d.Owed = slices.DeleteFunc(d.Owed, func(o room.Owed) bool { return o.Set == set })
		}
	}
	m.bin.settled[t] = append(m.bin.settled[t], set)
	return nil
}

func (m *memory) Forget(_ context.Context, t id.OID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("forget"); err != nil {
		return err
	}
	m.bin.left = slices.DeleteFunc(m.bin.left, func(d room.Discarded) bool { return d.Table == t })
	return nil
}

// leftovers returns of how many deleted tables something is left.
func (m *memory) leftovers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.bin.left)
}
