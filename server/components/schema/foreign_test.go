package schema

import (
	"testing"

	"holt/server/components/crdt"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// TestC22Numbers compares with numbers that the engine of Decentraland computes.
// Clauses: C22.1
func TestC22Numbers(t *testing.T) {
	for n, want := range map[uint32]uint32{Title: 2_731_803_904, LastColumn: 2_579_298_445} {
		if name, got := EngineName(n); got != want {
			t.Errorf("C22 %s has the number %d, want %d", name, got, want)
		}
		if SwapNumber(n) != want || SwapNumber(want) != n {
			t.Errorf("C22 %d and %d are not exchanged", n, want)
		}
	}
	if SwapNumber(7) != 7 {
		t.Error("C22 the number of another component changes")
	}
}

// TestC21Keys shows which components and entities are foreign.
// Clauses: C21.3, C21.4
func TestC21Keys(t *testing.T) {
	_, title := EngineName(Title)
	for component, want := range map[uint32]bool{
		0: true, 1: true, 2999: true, 3000: false, Title: false, 3999: false, 4000: true,
		1<<32 - 1: true, title: false,
	} {
		if got := IsForeign(component); got != want {
			t.Errorf("component %d: %v, want %v", component, got, want)
		}
	}
	for e, want := range map[crdt.Entity]bool{
		TheTable: true, 1: true, 511: true, TheSheet: false, FirstRow: false, 769: false,
		EntityOfSeat(1): false, 32_767: false, 32_768: true, 65_535: true, 65_536: false,
		65_536 + 32_768: true, 65_536 + 32_767: false, 1<<32 - 1: true, EntityOfPiece(3): false,
		EntityOfStroke(5, 5): false,
	} {
		op := crdt.Op{Kind: crdt.Put, Entity: e, Component: 7, Timestamp: 1}
		player := Writer{Seat: 1, Role: table.RolePlayer}
		found := Found{Foreign: true, Visible: true, Author: 1}
		if got := Judge(&op, player, found); (got == Allowed) != want ||
			!want && got != Unknown {
			t.Errorf("entity %d: %v, want %v", e, got, want)
		}
	}
}

// TestC21Judge shows what is refused of foreign components.
func TestC21Judge(t *testing.T) {
	put := func(n int) *crdt.Op {
		return &crdt.Op{Kind: crdt.Put, Entity: FirstForeign, Component: 7, Timestamp: 1,
			Data: make([]byte, n)}
	}
	at := func(op *crdt.Op, timestamp uint32) *crdt.Op {
		op.Timestamp = timestamp
		return op
	}
	of := func(op *crdt.Op, kind crdt.Kind) *crdt.Op {
		op.Kind = kind
		return op
	}
	allowed := Found{Foreign: true}
	filled := func(others, counted int) Found {
		return Found{Foreign: true, Bytes: others, Counted: counted}
	}
	const most = MaxForeignBytes - ForeignKey
	for _, c := range []struct {
		name string
		op   *crdt.Op
		role table.Role
		at   Found
		want Refusal
	}{
		{"C21.1, C21.5 any data of a player", put(99), table.RolePlayer, allowed, Allowed},
		{"C21.5 a host's", put(99), table.RoleHost, allowed, Allowed},
		{"C21.5 not a spectator's", put(99), table.RoleSpectator, allowed, NotAllowed},
		{"C21.2 not while it is not allowed", put(99), table.RoleHost, Found{}, Unknown},
		{"C21.6 an element", of(put(9), crdt.Append), table.RolePlayer, allowed, Allowed},
		{"C21.8 the longest data", put(16_384), table.RolePlayer, allowed, Allowed},
		{"C21.8 longer data", put(16_385), table.RolePlayer, allowed, Full},
		{"C21.8 a longer element", of(put(16_385), crdt.Append), table.RolePlayer, allowed, Full},
		{"C21.9 the last bytes", put(100), table.RolePlayer, filled(most-100, 0), Allowed},
		{"C21.9 more", put(100), table.RolePlayer, filled(most-99, 0), Full},
		{"C21.9 a value replaces the one before", put(100), table.RolePlayer,
			filled(most-100, 164), Allowed},
		{"C21.9 a shorter value at the bound", put(50), table.RolePlayer, filled(most, 164), Allowed},
		{"C21.9 an element does not", of(put(100), crdt.Append), table.RolePlayer,
			filled(most-100, 164), Full},
		{"C21.9 a deletion of a key counts", of(put(0), crdt.Delete), table.RolePlayer,
			filled(most+1, 0), Full},
		{"C21.9 a deletion of data does not", of(put(0), crdt.Delete), table.RolePlayer,
			filled(most+1, 99), Allowed},
		{"C21.10 far ahead", at(put(1), 65_536), table.RolePlayer, allowed, Allowed},
		{"C21.10 too far ahead", at(put(1), 65_537), table.RolePlayer, allowed, TimestampAhead},
		{"C21.11 a deletion", of(put(0), crdt.DeleteEntity), table.RolePlayer, allowed, Allowed},
		{"C21.11 not by a spectator", of(put(0), crdt.DeleteEntity), table.RoleSpectator, allowed,
			NotAllowed},
		{"C21.2 a deletion while it is not allowed", of(put(0), crdt.DeleteEntity), table.RoleHost,
			Found{}, Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Judge(c.op, Writer{Seat: 1, Role: c.role}, c.at); got != c.want {
				t.Errorf("it is %v, want %v", got, c.want)
			}
		})
	}
}

// TestC21Replica shows that values and sets of a foreign component do not disturb each other.
// Clauses: C21.6, C21.7
func TestC21Replica(t *testing.T) {
	one, other := crdt.New(crdt.Config{Sets: Sets, Both: Both}),
		crdt.New(crdt.Config{Sets: Sets, Both: Both})
	ops := []crdt.Op{{Kind: crdt.Put, Entity: FirstForeign, Component: 7, Timestamp: 5,
		Data: []byte("v")}}
	for i := range uint32(300) {
		ops = append(ops, crdt.Op{Kind: crdt.Append, Entity: FirstForeign, Component: 7,
			Timestamp: i, Data: []byte{byte(i)}})
	}
	for i := range ops {
		one.Merge(ops[i])
		other.Merge(ops[len(ops)-1-i])
	}
	for _, r := range []*crdt.Replica{one, other} {
		if data, ok := r.Get(FirstForeign, 7); !ok || string(data) != "v" {
			t.Errorf("the value is %q, %v", data, ok)
		}
		if n := r.Len(FirstForeign, 7); n != 256 {
			t.Errorf("the set has %d elements", n)
		}
		if n := r.SetTimestamp(FirstForeign, 7); n != 299 {
			t.Errorf("the last element has the timestamp %d", n)
		}
	}
	if one.Digest() != other.Digest() {
		t.Error("C4 the order makes a difference")
	}
}

// TestC21Setting shows what the setting says.
// Clauses: C21.1
func TestC21Setting(t *testing.T) {
	r := crdt.New(crdt.Config{Sets: Sets})
	for _, m := range []*componentpb.Foreign{
		{}, {Allowed: true}, {Allowed: true, Shared: true},
	} {
		if _, err := r.Put(TheTable, Foreign, Encode(m)); err != nil {
			t.Fatal(err)
		}
		if allowed, shared := ForeignAllowed(r); allowed != m.GetAllowed() || shared != m.GetShared() {
			t.Errorf("%v is read as %v, %v", m, allowed, shared)
		}
	}
	if Check(Foreign, Encode(&componentpb.Foreign{Shared: true})) == nil {
		t.Error("what is not allowed is shared")
	}
}
