package schema

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/componentpb"
)

// TestC14TheRegistryIsInOrder shows that no name and no number is in the registry twice, and that
// each component is found there (C14).
// Clauses: C14.1, C14.4
func TestC14TheRegistryIsInOrder(t *testing.T) {
	names := map[string]bool{}
	numbers := map[string]bool{}
	for s := range Registry() {
		if names[s.Name] {
			t.Errorf("%s is there twice", s.Name)
		}
		names[s.Name] = true
		for n := s.Number; n <= max(s.Number, s.Last); n++ {
			if key := fmt.Sprint(s.Of, n); numbers[key] {
				t.Errorf("there are two components %d of a %s", n, s.Of)
			} else {
				numbers[key] = true
			}
			if other := byNumber(n); other.Message() != s.Message() || other.Size != s.Size ||
				other.Set != s.Set || other.Private != s.Private {
				t.Errorf("the components %d, %s and %s, hold different things",
					n, s.Name, other.Name)
			}
			if found, ok := Find(s.Of, n); !ok || found.Name != s.Name {
				t.Errorf("component %d of a %s is found as %q", n, s.Of, found.Name)
			}
			if limit, ok := Sets(n); limit != s.Set || ok != (s.Set > 0) {
				t.Errorf("%s is a set of %d, %t", s.Name, limit, ok)
			}
		}
		if s.Of == ClassNone || s.Who == 0 || s.Size < 1 || s.Size > 65_536 || s.Message() == "" {
			t.Errorf("%s lacks something: %+v", s.Name, s)
		}
		if s.Private && s.Of != ClassSeat {
			t.Errorf("%s is for one seat alone and of a %s", s.Name, s.Of)
		}
	}
}

// TestRegistry shows that questions and answers belong together (C18), and that unknown components
// are not found.
func TestRegistry(t *testing.T) {
	t.Run("C18.1 an answer has the next number and the entity of its question", func(t *testing.T) {
		questions := 0
		for s := range Registry() {
			if Answer(s.Number) == 0 {
				continue
			}
			questions++
			answer, ok := Find(s.Of, s.Answer)
			if !ok || s.Answer != s.Number+1 || answer.Who != ByServer ||
				answer.Private != s.Private || answer.Name != s.Name+"Result" {
				t.Errorf("%s is answered by %+v", s.Name, answer)
			}
		}
		if questions != 4 {
			t.Errorf("there are %d questions, want 4", questions)
		}
	})
	t.Run("C14.1 an unregistered component is not found", func(t *testing.T) {
		for _, n := range []uint32{0, 3000, 3014, 3099, 3132, 1<<32 - 1} {
			if s, ok := Find(ClassTable, n); ok && !s.Foreign {
				t.Errorf("component %d of the table is %s", n, s.Name)
			}
			if Private(n) || Answer(n) != 0 {
				t.Errorf("component %d is private or a question", n)
			}
			if _, ok := Sets(n); ok {
				t.Errorf("component %d is a set", n)
			}
		}
		if s, ok := Find(ClassSeat, Title); ok {
			t.Errorf("component %d of a seat is %s", Title, s.Name)
		}
	})
}

// largest returns, for each message, the longest one that the bounds of its fields allow.
func largest() map[uint32]proto.Message {
	wide := func(n int) string { return strings.Repeat("\U0001d54f", n) } // four bytes each
	const far, of = -table.MaxCoordinate, 1<<32 - 1
	text := func(n int) proto.Message { return &componentpb.Text{Text: wide(n)} }
	hits := &componentpb.HitTestResult{Of: of}
	for i := range uint32(MaxHits) {
		hits.Pieces = append(hits.Pieces, uint32(table.MaxRandomName)-i)
	}
	black, die, most := uint32(0xffffff), uint32(63), uint32(MaxDistance)
	spot := &componentpb.Spot{X: far, Y: far}
	return map[uint32]proto.Message{
		Title: text(MaxTitle), Label: text(MaxLine), Remark: text(MaxRemark), Sheet: text(MaxSheet),
		Row: text(MaxLine), FirstColumn: text(MaxLine), LastColumn: text(MaxLine),
		Surface: &componentpb.Surface{Colour: &black},
		Size:    &componentpb.Size{Width: 100_000, Height: 100_000},
		Grid: &componentpb.Grid{
			Form: componentpb.Grid_FORM_HEXAGONS, Pitch: 20_000, X: far, Y: far, Snap: true,
		},
		Foreign:   &componentpb.Foreign{Allowed: true, Shared: true},
		Recall:    &componentpb.Recall{Players: true},
		Undo:      &componentpb.Undo{Consent: componentpb.Undo_CONSENT_OFF},
		Recording: &componentpb.Recording{On: true},
		Chat:      &componentpb.Chat{Silent: true, Days: 30},
		Access:    &componentpb.Access{Closed: true, Frozen: true},
		Voice: &componentpb.Voice{
			Address: "https://example.org/" + strings.Repeat("a", MaxAddress-20),
		},
		Wins: &componentpb.Wins{Games: MaxWins},
		Profile: &componentpb.Profile{
			Nick: wide(MaxNick), Colour: black, Pronoun: wide(MaxPronoun), Away: true,
		},
		Tint:     &componentpb.Tint{Colour: black},
		Stroke:   &componentpb.Stroke{Colour: black, Width: MaxStroke},
		Identity: &componentpb.Identity{Piece: uint32(table.MaxRandomName)},
		Author:   &componentpb.Seat{Seat: table.MaxSeats},
		Ping: &componentpb.Ping{
			Seat: table.MaxSeats, X: far, Y: far, Time: 1<<53 - 1, Word: wide(MaxWord),
		},
		Roll: &componentpb.Roll{}, RollResult: &componentpb.RollResult{Of: of, Face: &die},
		Shuffle:       &componentpb.Shuffle{},
		ShuffleResult: &componentpb.ShuffleResult{Of: of, Reason: uint32(table.ReasonCooling)},
		HitTest:       &componentpb.HitTest{X: far, Y: far},
		HitTestResult: hits, Measure: &componentpb.Measure{From: spot, To: spot},
		MeasureResult: &componentpb.MeasureResult{Of: of, Distance: &most},
		About: &componentpb.About{
			Title: wide(MaxTitle), Width: 100_000, Height: 100_000, Surface: "paper",
		},
		Person: &componentpb.Person{
			Name: wide(MaxNick), Colour: black, Role: 3, Presence: 3, Home: wide(MaxDoorServer),
			Number: table.MaxSeats,
		},
		Kind: &componentpb.Kind{Number: of, Name: wide(game.MaxName), Ability: "hourglass"},
		Place: &componentpb.Place{
			X: far, Y: far, Angle: 35_999, Z: strings.Repeat("9", zlevel.MaxDigits+2),
			Owner: table.MaxSeats,
		},
		Face: &componentpb.Face{
			Face: die, Name: wide(game.MaxName), Value: -game.MaxValue,
			Text: strings.Repeat("x", table.MaxText),
		},
		Holder:   &componentpb.Seat{Seat: table.MaxSeats},
		Contents: &componentpb.Contents{Count: of},
		Clock: &componentpb.Clock{
			Running: 2, Since: 1<<53 - 1, Left1: 1 << 30, Left2: 1 << 30, Up: true, Sides: 2,
		},
		Door: &componentpb.Door{
			Title: wide(MaxTitle), Server: wide(MaxDoorServer), State: DoorUnreachable,
			Seal: strings.Repeat("A", MaxDoorSeal),
		},
	}
}

// TestC14SizesAreNeverTheBound shows that a message within the bounds on characters and numbers is
// within the bound on bytes. Links and points, which have many parts, are bounded by their bytes,
// as the registry says.
// Clauses: C14.3
func TestC14SizesAreNeverTheBound(t *testing.T) {
	all := largest()
	for s := range Registry() {
		if s.Number == Links || s.Number == Points {
			continue
		}
		m, ok := all[s.Number]
		if !ok {
			t.Errorf("there is no largest %s", s.Name)
			continue
		}
		if err := Check(s.Number, Encode(m)); err != nil {
			t.Errorf("the largest %s is refused: %v", s.Name, err)
		}
	}
}
