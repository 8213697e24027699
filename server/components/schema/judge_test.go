package schema

import (
	"testing"

	"pgregory.net/rapid"

	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// The seats of these tests.
var (
	host      = Writer{Seat: 1, Role: table.RoleHost}
	player    = Writer{Seat: 2, Role: table.RolePlayer}
	other     = Writer{Seat: 3, Role: table.RolePlayer}
	spectator = Writer{Seat: 4, Role: table.RoleSpectator}
)

const now Second = 194_529_600

var (
	card   = EntityOfPiece(20_000)
	stroke = EntityOfStroke(now, 7)
)

// here is what an operation finds when nothing prevents it: the view sees the piece, and the player
// drew the stroke.
var here = Found{Visible: true, Author: player.Seat, Now: now}

func put(e crdt.Entity, component, timestamp uint32, data []byte) *crdt.Op {
	return &crdt.Op{
		Kind: crdt.Put, Entity: e, Component: component, Timestamp: timestamp, Data: data,
	}
}

func appended(e crdt.Entity, component, timestamp uint32, data []byte) *crdt.Op {
	op := put(e, component, timestamp, data)
	op.Kind = crdt.Append
	return op
}

func deleted(e crdt.Entity, component uint32) *crdt.Op {
	return &crdt.Op{Kind: crdt.Delete, Entity: e, Component: component, Timestamp: 1}
}

func gone(e crdt.Entity) *crdt.Op { return &crdt.Op{Kind: crdt.DeleteEntity, Entity: e} }

func ping(seat id.Seat) []byte { return Encode(&componentpb.Ping{Seat: uint32(seat)}) }

// judged is an operation, its sender, what it finds, and the verdict.
type judged struct {
	name string
	op   *crdt.Op
	by   Writer
	at   Found
	want Refusal
}

func judge(t *testing.T, all []judged) {
	t.Helper()
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			if got := Judge(c.op, c.by, c.at); got != c.want {
				t.Errorf("it is %s, want %s", got, c.want)
			}
		})
	}
}

// TestWhoWrites shows who may write which component (C11).
func TestWhoWrites(t *testing.T) {
	profileOf := func(w Writer) *crdt.Op { return put(EntityOfSeat(w.Seat), Profile, 1, nil) }
	judge(t, []judged{
		{"C11, C14.2 a host sets the title", put(TheTable, Title, 1, nil), host, here, Allowed},
		{
			"C11.1, C14.2 a player does not set the title", put(TheTable, Title, 1, nil), player, here,
			NotAllowed,
		},
		{
			"C11.1 a player does not delete the title", deleted(TheTable, Title), player, here,
			NotAllowed,
		},
		{"C14 a host deletes the title", deleted(TheTable, Title), host, here, NotAllowed},
		{"C11, C14.2 a player writes a label", put(card, Label, 1, nil), player, here, Allowed},
		{"C11 a host is a player", put(card, Label, 1, nil), host, here, Allowed},
		{"C11.1 a spectator writes no label", put(card, Label, 1, nil), spectator, here, NotAllowed},
		{"C11.1 a spectator deletes no label", deleted(card, Label), spectator, here, NotAllowed},
		{
			"C11.1 somebody without a role writes nothing", put(card, Label, 1, nil), Writer{Seat: 9},
			here, NotAllowed,
		},
		{"C11 a player writes a cell", put(FirstRow, FirstColumn, 1, nil), player, here, Allowed},
		{"C11, C14.2 a player writes their profile", profileOf(player), player, here, Allowed},
		// Clauses: C14.2, C14.12
		{"C11, C14 a spectator has no profile", profileOf(spectator), spectator, here, NotAllowed},
		// Clauses: C11.1, C14.2
		{"C11, C14 a player writes nobody else's profile", profileOf(other), player, here, NotAllowed},
		{"C11.1 a host writes nobody else's profile", profileOf(other), host, here, NotAllowed},
		{
			"C11, C14.2, C16.2 an author continues their stroke", appended(stroke, Points, 1, nil), player,
			here, Allowed,
		},
		{
			"C11.1, C14.2 nobody else continues it", appended(stroke, Points, 1, nil), other, here,
			NotAllowed,
		},
		{"C11.1 nor does a host", appended(stroke, Points, 1, nil), host, here, NotAllowed},
		{
			"C11 a spectator draws nothing", put(stroke, Stroke, 1, nil), spectator,
			Found{Now: now}, NotAllowed,
		},
		{
			"C11.1, C14.2 nobody chooses the author", put(stroke, Author, 1, nil), player, here,
			NotAllowed,
		},
		{
			"C11.1 only the server answers a roll", put(card, RollResult, 1, nil), host, here,
			NotAllowed,
		},
		{
			"C11.1 only the server deletes an answer", deleted(card, RollResult), host, here,
			NotAllowed,
		},
		{"C11 a player asks for a roll", put(card, Roll, 1, nil), player, here, Allowed},
		{"C11.1 a spectator does not", put(card, Roll, 1, nil), spectator, here, NotAllowed},
		{
			"C11.1 a spectator has no view of their own and asks nothing",
			put(EntityOfSeat(4), HitTest, 1, nil), spectator, here, NotAllowed,
		},
		{
			"C11.1, C14.2 nobody asks in another's name", put(EntityOfSeat(3), HitTest, 1, nil), host, here,
			NotAllowed,
		},
		{"C11 a player pings", appended(TheTable, Ping, 1, ping(2)), player, here, Allowed},
		{
			"C11.1, C14.13 a player does not ping as somebody else", appended(TheTable, Ping, 1, ping(3)),
			player, here, NotAllowed,
		},
		{
			"C11.1 a spectator does not ping", appended(TheTable, Ping, 1, ping(4)), spectator, here,
			NotAllowed,
		},
	})
}

// TestWhatIsThere shows which operations are refused because the registry, the entity or the view
// does not have what they concern.
func TestWhatIsThere(t *testing.T) {
	none := Found{Now: now}
	judge(t, []judged{
		{
			"C14.1 a component that is not in the registry", put(TheTable, 1, 1, nil), host, here,
			Unknown,
		},
		{
			"C14.1 a component of something else", put(EntityOfSeat(1), Title, 1, nil), host, here,
			Unknown,
		},
		{"C14.1 a cell of a seat", put(EntityOfSeat(2), FirstColumn, 1, nil), player, here, Unknown},
		{"C6 a put for a set", put(TheTable, Ping, 1, ping(2)), player, here, Unknown},
		{"C6 a delete for a set", deleted(stroke, Points), player, here, Unknown},
		{"C6 an append for a value", appended(TheTable, Title, 1, nil), host, here, Unknown},
		{"C13.1 an invalid entity", put(1, Title, 1, nil), host, here, Unknown},
		{"C13.1 another version of the table", put(65_536, Title, 1, nil), host, here, Unknown},
		{"C13.1 a clearing is not a stroke", put(Clearing(now), Stroke, 1, nil), player, none, Unknown},
		{"C13 a seat that is not in use", put(EntityOfSeat(2), Profile, 1, nil), player, none, Gone},
		{"C15.2 a piece that the view does not see", put(card, Label, 1, nil), player, none, Gone},
		{
			"C15.2 a question to a piece that the view does not see", put(card, Roll, 1, nil), player,
			none, Gone,
		},
		{
			"C15.2 an invisible piece is gone, whoever asks", put(card, Label, 1, nil), spectator, none,
			Gone,
		},
		{"C15.2 deleting a piece that the view does not see", gone(card), player, none, Gone},
		{
			"C16 points of an unknown stroke", appended(stroke, Points, 1, nil), player,
			none, Gone,
		},
		{
			"C16 deleting the look of an unknown stroke", deleted(stroke, Stroke), player,
			none, Gone,
		},
		{"C16 a stroke begins with Stroke", put(stroke, Stroke, 1, nil), player, none, Allowed},
	})
}

// TestTimestamps shows which timestamps are too far ahead (C12).
func TestTimestamps(t *testing.T) {
	at := func(stored uint32) Found {
		return Found{Visible: true, Author: player.Seat, Stored: stored, Now: now}
	}
	judge(t, []judged{
		{"C12.1 256 above nothing", put(card, Label, 256, nil), player, at(0), Allowed},
		{"C12.1 257 above nothing", put(card, Label, 257, nil), player, at(0), TimestampAhead},
		{"C12.1 256 above", put(card, Label, 1256, nil), player, at(1000), Allowed},
		{"C12.1 257 above", put(card, Label, 1257, nil), player, at(1000), TimestampAhead},
		{"C12 below", put(card, Label, 1, nil), player, at(1000), Allowed},
		{
			"C12.1 the last one, from far below", put(card, Label, 1<<32-1, nil), player, at(1000),
			TimestampAhead,
		},
		{
			"C12 the last one, from nearby", put(card, Label, 1<<32-1, nil), player, at(1<<32 - 2),
			Allowed,
		},
		{
			"C12 an element 257 above", appended(stroke, Points, 257, nil), player, at(0),
			TimestampAhead,
		},
		{
			"C12.1 a deletion 257 above",
			&crdt.Op{Kind: crdt.Delete, Entity: card, Component: Label, Timestamp: 257}, player,
			at(0), TimestampAhead,
		},
		{"C12.3 the import of a host", put(card, Label, 1<<31, nil), host, at(0), Allowed},
		{
			"C12.3 an import leaves room", put(card, Label, 1<<31+1, nil), host, at(0),
			TimestampAhead,
		},
		{"C12 a host continues above", put(card, Label, 1<<31+256, nil), host, at(1 << 31), Allowed},
		{"C12 not allowed comes first", put(card, Label, 257, nil), spectator, at(0), NotAllowed},
	})
}

// TestStrokes shows who may draw and delete strokes, and the bounds on drawings and other
// components (C16).
func TestStrokes(t *testing.T) {
	none := Found{Now: now}
	full := Found{Now: now, Strokes: MaxStrokes}
	early := EntityOfStroke(now+3601, 1)
	judge(t, []judged{
		{"C16.3 an author deletes their stroke", gone(stroke), player, here, Allowed},
		{"C16.4 a host deletes any stroke", gone(stroke), host, here, Allowed},
		{"C16 nobody else deletes it", gone(stroke), other, here, NotAllowed},
		{
			"C16 a former player deletes nothing", gone(stroke),
			Writer{Seat: player.Seat, Role: table.RoleSpectator}, here, NotAllowed,
		},
		{"C16 an unknown stroke is not deleted", gone(stroke), host, none, Gone},
		{"C16.5 a host clears the layer", gone(Clearing(now)), host, none, Allowed},
		{"C16.5 a player does not clear the layer", gone(Clearing(now)), player, none, NotAllowed},
		{
			"C16.7 a clock may go an hour fast", put(EntityOfStroke(now+3600, 1), Stroke, 1, nil),
			player, none, Allowed,
		},
		{"C16.7 a stroke from the future", put(early, Stroke, 1, nil), player, none, TimestampAhead},
		{"C16.6 the layer is cleared an hour ahead", gone(Clearing(now + 3600)), host, none, Allowed},
		{"C16.6 the future is not cleared", gone(Clearing(now + 3601)), host, none, TimestampAhead},
		{
			"C16.8 the 2,000th stroke", put(stroke, Stroke, 1, nil), player,
			Found{Now: now, Strokes: MaxStrokes - 1}, Allowed,
		},
		{"C16.8, C16.12 one stroke too many", put(stroke, Stroke, 1, nil), player, full, Full},
		{
			"C16 an existing stroke continues", appended(stroke, Points, 1, nil), player,
			Found{Now: now, Strokes: MaxStrokes, Author: 2}, Allowed,
		},
		{
			"C16.9 the 65,536th deletion", gone(stroke), player,
			Found{Now: now, Author: 2, Erased: MaxErased - 1}, Allowed,
		},
		{
			"C16.9, C16.12 one deletion too many", gone(stroke), player,
			Found{Now: now, Author: 2, Erased: MaxErased}, Full,
		},
		{
			"C16.13 then a host clears the layer", gone(Clearing(now)), host,
			Found{Now: now, Erased: MaxErased}, Allowed,
		},
		{
			"C16.10 the last byte", put(card, Label, 1, make([]byte, 9)), player,
			Found{Visible: true, Bytes: MaxPublicBytes - 9}, Allowed,
		},
		{
			"C16.10, C16.12 one byte too many", put(card, Label, 1, make([]byte, 10)), player,
			Found{Visible: true, Bytes: MaxPublicBytes - 9}, Full,
		},
		{
			"C16.11 the last byte of hidden values", put(card, Label, 1, make([]byte, 9)), player,
			Found{Visible: true, Hidden: true, Bytes: MaxHiddenBytes - 9}, Allowed,
		},
		{
			"C16.11, C16.12 one byte too many of them", put(card, Label, 1, make([]byte, 10)), player,
			Found{Visible: true, Hidden: true, Bytes: MaxHiddenBytes - 9}, Full,
		},
		{
			"C16.13 a full table is emptied", deleted(card, Label), player,
			Found{Visible: true, Bytes: 2 * MaxPublicBytes}, Allowed,
		},
		{"C5, C13.4 nobody deletes the table", gone(TheTable), host, here, NotAllowed},
		{"C5, C13.4 nobody deletes a piece's", gone(card), host, here, NotAllowed},
		{"C5, C13.4 nobody deletes a seat", gone(EntityOfSeat(2)), player, here, NotAllowed},
		{"C5, C13.4 nobody deletes a row", gone(FirstRow), host, here, NotAllowed},
		{"C11, C13.1 an invalid entity is not deleted", gone(1<<32 - 1), host, here, Unknown},
	})
}

// TestC16WhatIsFound draws on a replica as a room does, and checks what operations find there.
// Clauses: C12.2
func TestC16WhatIsFound(t *testing.T) {
	r := crdt.New(crdt.Config{Sets: Sets})
	draw := func(random uint32, by Writer) crdt.Entity {
		e := EntityOfStroke(now, random)
		op := put(e, Stroke, 1, Encode(&componentpb.Stroke{Width: 5}))
		found := FoundIn(r, op)
		found.Now = now
		if got := Judge(op, by, found); got != Allowed || found.Author != 0 || found.Stored != 0 {
			t.Fatalf("stroke %d is %s; it finds %+v", random, got, found)
		}
		r.Merge(*op)
		r.Merge(*put(e, Author, 1, Encode(&componentpb.Seat{Seat: uint32(by.Seat)})))
		return e
	}
	mine, theirs := draw(1, player), draw(2, other)
	for _, c := range []struct {
		e      crdt.Entity
		author Writer
	}{{mine, player}, {theirs, other}} {
		if got := AuthorOf(r, c.e); got != c.author.Seat {
			t.Errorf("the author of %d is %d, want %d", c.e, got, c.author.Seat)
		}
	}
	r.Merge(*appended(mine, Points, 9, Encode(&componentpb.Points{X: []int32{1}, Y: []int32{2}})))
	if got := FoundIn(
		r, appended(mine, Points, 10, nil),
	); got != (Found{Author: 2, Stored: 9, Strokes: 2}) {
		t.Errorf("points find %+v", got)
	}
	r.Merge(*gone(mine))
	if got := FoundIn(r, gone(mine)); got != (Found{Strokes: 1, Erased: 1}) {
		t.Errorf("a deleted stroke is found as %+v", got)
	}
	r.Merge(*gone(Clearing(now + 1)))
	if got := FoundIn(r, gone(theirs)); got != (Found{}) {
		t.Errorf("on a cleared layer is %+v", got)
	}
}

// TestC11RefusalsAreNumbered shows the numbers and the names of refusals (C11).
// Clauses: C11.9
func TestC11RefusalsAreNumbered(t *testing.T) {
	for r, want := range map[Refusal]string{
		1: "not-allowed", 2: "gone", 3: "timestamp", 4: "full", 5: "unknown",
	} {
		if r.String() != want {
			t.Errorf("number %d is %s, want %s", r, r, want)
		}
	}
}

// TestC11RolesGrow shows over random operations that a spectator may do nothing that a player in
// the same seat may not, that nothing is allowed outside of the registry, and that nobody may write
// the server's components.
// Clauses: C11.1
func TestC11RolesGrow(t *testing.T) {
	entities := []crdt.Entity{
		TheTable, TheSheet, FirstRow, EntityOfSeat(2), EntityOfSeat(3), card, stroke, Clearing(now),
		1, 1 << 31,
	}
	var numbers []uint32
	for s := range Registry() {
		numbers = append(numbers, s.Number)
	}
	numbers = append(numbers, 0, LastColumn, LastColumn+1)
	rapid.Check(t, func(t *rapid.T) {
		op := &crdt.Op{
			Kind:      crdt.Kind(rapid.IntRange(1, 4).Draw(t, "kind")),
			Entity:    rapid.SampledFrom(entities).Draw(t, "entity"),
			Component: rapid.SampledFrom(numbers).Draw(t, "component"),
			Timestamp: rapid.Uint32Range(1, 300).Draw(t, "timestamp"),
			Data:      ping(2),
		}
		found := Found{
			Visible: rapid.Bool().Draw(t, "here"),
			Author:  id.Seat(rapid.IntRange(0, 3).Draw(t, "author")), Now: now,
			Stored:  rapid.Uint32Range(0, 300).Draw(t, "stored"),
			Strokes: rapid.SampledFrom([]int{0, MaxStrokes}).Draw(t, "strokes"),
		}
		watching, playing := Judge(op, Writer{Seat: 2, Role: table.RoleSpectator}, found),
			Judge(op, player, found)
		if watching == Allowed && playing != Allowed {
			t.Errorf("%+v is allowed to a spectator, and to a player %s", op, playing)
		}
		s, ok := Find(ClassOf(op.Entity), op.Component)
		for _, verdict := range []Refusal{watching, playing, Judge(op, host, found)} {
			if verdict == Allowed && op.Kind != crdt.DeleteEntity &&
				(!ok || s.Who == ByServer || ClassOf(op.Entity) == ClassNone) {
				t.Errorf("%+v is allowed", op)
			}
			if (verdict == Unknown || verdict == Gone) != (watching == Unknown ||
				watching == Gone) {
				t.Errorf("whether %+v is there depends on the role", op)
			}
		}
	})
}

// TestFirstRefusal shows which refusal an operation gets if several apply: each row has one more
// than the row below it.
// Clauses: C11.8
func TestFirstRefusal(t *testing.T) {
	full := Found{Now: now, Bytes: MaxPublicBytes}
	seen := full
	seen.Visible, seen.Author = true, player.Seat
	far := EntityOfStroke(now+3601, 1)
	clearing, erased := seen, seen
	clearing.Erased, erased.Erased = MaxErased, MaxErased
	erased.Author = other.Seat
	label := Encode(&componentpb.Text{Text: "far"})
	judge(t, []judged{
		{"C11.8 unknown before gone", put(card, Title, 1<<31+1, label), spectator, full, Unknown},
		{"C11.8 gone before not-allowed", put(card, Label, 1<<31+1, label), spectator, full, Gone},
		{
			"C11.8 not-allowed before timestamp", put(card, Label, 1<<31+1, label), spectator, seen,
			NotAllowed,
		},
		{
			"C11.8 timestamp before full", put(card, Label, 1<<31+1, label), player, seen,
			TimestampAhead,
		},
		{"C11.8 full at last", put(card, Label, 1, label), player, seen, Full},
		{
			"C11.8 a stroke that is too early, when there are enough", put(far, Stroke, 1, label),
			player, Found{Now: now, Strokes: MaxStrokes}, TimestampAhead,
		},
		{"C11.8 a deletion: gone before not-allowed", gone(card), spectator, full, Gone},
		{
			"C11.8 a clearing: not-allowed before timestamp", gone(Clearing(now + 3601)), player,
			clearing, NotAllowed,
		},
		{"C11.8 a deletion: not-allowed before full", gone(stroke), player, erased, NotAllowed},
	})
}

// TestPermanentComponents shows what of a table cannot be deleted.
// Clauses: C14.11
func TestPermanentComponents(t *testing.T) {
	for _, number := range []uint32{Title, Surface, Size} {
		judge(t, []judged{
			{"C14.11 a host does not delete it", deleted(TheTable, number), host, here, NotAllowed},
			{"C14.11 a host writes it again", put(TheTable, number, 2, nil), host, here, Allowed},
		})
	}
	for _, number := range []uint32{Grid, Links} {
		judge(t, []judged{
			{"C14 a host deletes others of the table", deleted(TheTable, number), host, here, Allowed},
		})
	}
}
