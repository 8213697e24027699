package table_test

import (
	"fmt"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// benchTable returns a table with n pieces and the clients of two players.
func benchTable(b *testing.B, n int) (t *table.Table, ada, bob table.By) {
	b.Helper()
	t = table.New(configured(1))
	places := setUp()
	for i := len(places); i < n; i++ {
		places = append(places, table.Place{
			OID: oid(uint64(i + 1)), State: table.State{Kind: kindToken, X: int32(i % 10_000)},
		})
	}
	t.SetUp(places, 1)
	for range 2 {
		if _, ok := t.Sit(table.SeatInfo{Nick: "player", Role: table.RolePlayer}, 1); !ok {
			b.Fatal("no seat")
		}
	}
	t.Take()
	return t, table.By{Client: clientID(1), Seat: 1, Role: table.RolePlayer},
		table.By{Client: clientID(2), Seat: 2, Role: table.RolePlayer}
}

// run measures Check and Apply of one update after another. next changes the update.
func run(
	b *testing.B, t *table.Table, by table.By, want table.Verdict,
	next func(i int, u *table.Update),
) {
	b.Helper()
	b.ReportAllocs()
	in := table.Inputs{Now: 1, Rand: seeded(1)}
	batch := make([]table.Update, 1)
	i := 0
	for b.Loop() {
		i++
		u := &batch[0]
		u.Seq = id.ClientSeq(i)
		next(i, u)
		if bogus := t.Check(by.Client, by.Seat, batch); bogus != nil {
			b.Fatal(bogus)
		}
		if out := t.Apply(by, u, in); out.Verdict != want {
			b.Fatalf("verdict %d, want %d", out.Verdict, want)
		}
		if i%64 == 0 {
			t.Take()
		}
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "updates/s")
}

// BenchmarkApply measures Check and Apply of common updates, at tables of several sizes.
func BenchmarkApply(b *testing.B) {
	const onPiece = table.HasPiece | table.HasTag
	levels := []zlevel.Level{level(b, "0.951"), level(b, "0.952")}
	for _, n := range []int{600, 3000} {
		b.Run(fmt.Sprintf("recorded move, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			tag := t.VersionAt(1, t.Gen())
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				u.Op, u.Has, u.Piece, u.Tag, u.X = table.OpMove, onPiece|table.HasXY, tokenOne, tag,
					int32(i%1000)
			})
		})
		b.Run(fmt.Sprintf("recorded move of a card, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			tag := t.VersionAt(1, t.Gen())
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				u.Op, u.Has, u.Piece, u.Tag, u.X = table.OpMove, onPiece|table.HasXY, cardOne, tag,
					int32(i%1000)
			})
		})
		b.Run(fmt.Sprintf("grab with level, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			tag := t.VersionAt(1, t.Gen())
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				u.Op, u.Has, u.Piece, u.Tag, u.Z = table.OpGrab, onPiece|table.HasZ, tokenOne, tag,
					levels[i%2]
			})
		})
		b.Run(fmt.Sprintf("card drawn into a hand, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			// Into the hand and back to the middle; the server adds an entry each time.
			in := [2]int32{handOneY, 0}
			card := cardOne
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				card, _ = t.Find(card, 1) // each move gives it a new name
				u.Op, u.Has, u.Piece, u.Tag, u.Y = table.OpMove, onPiece|table.HasXY, card,
					t.VersionAt(1, t.Gen()), in[i%2]
			})
		})
		b.Run(fmt.Sprintf("addition without level, and deletion, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				if i%2 == 1 {
					u.Op, u.Has, u.Piece, u.Tag, u.Kind = table.OpAdd, table.HasKind|table.HasXY, 0,
						0, kindToken
					return
				}
				entries := t.Take()
				u.Op, u.Has, u.Piece, u.Tag = table.OpDelete, onPiece, entries[len(entries)-1].Name,
					t.VersionAt(1, t.Gen())
			})
		})
		b.Run(fmt.Sprintf("raise without level, %d pieces", n), func(b *testing.B) {
			t, ada, _ := benchTable(b, n)
			tag := t.VersionAt(1, t.Gen())
			run(b, t, ada, table.Recorded, func(i int, u *table.Update) {
				u.Op, u.Has, u.Piece, u.Tag = table.OpRaise, onPiece, tokenOne+id.Piece(i%3), tag
			})
		})
	}
	b.Run("discarded", func(b *testing.B) {
		t, ada, bob := benchTable(b, 600)
		tag := t.VersionAt(1, t.Gen())
		move := table.Update{
			Seq: 1, Op: table.OpMove, Has: onPiece | table.HasXY, Piece: tokenOne, Tag: tag, X: 5,
		}
		t.Apply(bob, &move, table.Inputs{Now: 1})
		run(b, t, ada, table.Discarded, func(_ int, u *table.Update) {
			u.Op, u.Has, u.Piece, u.Tag = table.OpMove, onPiece|table.HasXY, tokenOne, tag
		})
	})
	b.Run("rejected", func(b *testing.B) {
		t, ada, bob := benchTable(b, 600)
		tag := t.VersionAt(1, t.Gen())
		grab := table.Update{Seq: 1, Op: table.OpGrab, Has: onPiece, Piece: tokenOne, Tag: tag}
		t.Apply(bob, &grab, table.Inputs{Now: 1})
		t.Take()
		tag = t.VersionAt(1, t.Gen())
		run(b, t, ada, table.Rejected, func(_ int, u *table.Update) {
			u.Op, u.Has, u.Piece, u.Tag = table.OpMove, onPiece|table.HasXY, tokenOne,
				max(tag, t.VersionAt(1, t.Gen()))
			tag = u.Tag + 1 // the version of the reject
		})
	})
}
