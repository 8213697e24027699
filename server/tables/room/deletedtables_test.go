package room_test

import (
	"context"
	"slices"

	"holt/server/id"
	"holt/server/tables/room"
)

// deletedTables has what a memory knows of deleted tables.
type deletedTables struct {
	gone    map[id.OID]bool     // all that were ever deleted
	invites map[room.Hash]bool  // theirs
	left    []room.DeletedTable // those of which something is left
	slices  map[id.OID]int      // of their logs
	settled map[id.OID][]id.OID // sets that were given back
	fail    map[string]error    // of methods, once
}

func (m *memory) failing(what string) error {
	err := m.deletedTables.fail[what]
	delete(m.deletedTables.fail, what)
	return err
}

// failNext makes the next call of a method fail.
func (m *memory) failNext(what string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.deletedTables.fail == nil {
		m.deletedTables.fail = map[string]error{}
	}
	m.deletedTables.fail[what] = err
}

func (m *memory) missing(t id.OID) error {
	if m.deletedTables.gone[t] {
		return room.ErrGone
	}
	return room.ErrNoTable
}

func (m *memory) DeleteTable(_ context.Context, d room.Deletion) error {
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
	if m.deletedTables.gone == nil {
		m.deletedTables.gone, m.deletedTables.invites = map[id.OID]bool{}, map[room.Hash]bool{}
		m.deletedTables.slices, m.deletedTables.settled = map[id.OID]int{}, map[id.OID][]id.OID{}
	}
	m.deletedTables.gone[d.Table] = true
	m.deletedTables.slices[d.Table] = 3
	for token, i := range m.invites {
		if i.Table == d.Table {
			m.deletedTables.invites[token] = true
			delete(m.invites, token)
		}
	}
	for k := range m.seats {
		if k.table == d.Table {
			delete(m.seats, k)
		}
	}
	delete(m.tables, d.Table)
	m.deletedTables.left = append(m.deletedTables.left, room.DeletedTable{
		Table: d.Table, At: d.At, Owed: slices.Clone(d.Owed),
	})
	return nil
}

func (m *memory) DeletedTables(context.Context) (all []room.DeletedTable, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.deletedTables.left {
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
	m.deletedTables.slices[t] = max(0, m.deletedTables.slices[t]-1)
	return m.deletedTables.slices[t] > 0, nil
}

func (m *memory) SetReturned(_ context.Context, t, set id.OID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("settle"); err != nil {
		return err
	}
	for i := range m.deletedTables.left {
		if d := &m.deletedTables.left[i]; d.Table == t {
			d.Owed = slices.DeleteFunc(d.Owed, func(o room.Owed) bool { return o.Set == set })
		}
	}
	m.deletedTables.settled[t] = append(m.deletedTables.settled[t], set)
	return nil
}

func (m *memory) FinishDeletion(_ context.Context, t id.OID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("forget"); err != nil {
		return err
	}
	m.deletedTables.left = slices.DeleteFunc(m.deletedTables.left, func(d room.DeletedTable) bool {
		return d.Table == t
	})
	return nil
}

// leftovers returns of how many deleted tables something is left.
func (m *memory) leftovers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.deletedTables.left)
}
