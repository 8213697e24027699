package room_test

import (
	"crypto/rand"
	"io/fs"
	"os"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/server/proto/holtpb"
)

// TestChess960 shows that the server lays the back ranks of Chess960 in an order that the rules
// allow, the same on both sides, and not always in the same one.
func TestChess960(t *testing.T) {
	static := os.DirFS("../../../static")
	shelf, err := game.LoadShelf(static)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	with := bubble{t: t, game: gameFile, more: []fs.FS{shelfFolder(t, static)}, random: rand.Reader}
	with.Run("ten tables", func(t *testing.T, r *rig) {
		g, ok := shelf.Game("chess960")
		if !ok {
			t.Fatal("it is not on the shelf")
		}
		for range 10 {
			s := r.sitAtSample(g, 0, 2)
			white, black := s.backRank("White"), s.backRank("Black")
			if white != black || !isOf960(white) {
				t.Errorf("White has %s, and Black has %s", white, black)
			}
			seen[white] = true
		}
	})
	if len(seen) < 2 {
		t.Errorf("ten tables began with %v", seen)
	}
}

// backRank returns a letter for each man of a colour behind the pawns, from file a on.
func (s *sampleTable) backRank(colour string) string {
	files := []byte("........")
	s.players[0].sight.all(func(q *holtpb.Piece) bool {
		man, isMan := strings.CutPrefix(s.game.Kinds[q.GetKind()].Name, colour+" ")
		if isMan && man != "pawn" && -2000 < q.GetX() && q.GetX() < 2000 {
			files[(q.GetX()+2000)/500] = map[string]byte{
				"bishop": 'B', "knight": 'N', "rook": 'R', "king": 'K', "queen": 'Q',
			}[man]
		}
		return false
	})
	return string(files)
}

// isOf960 reports whether the rules of Chess960 allow this order.
func isOf960(order string) bool {
	king := strings.IndexByte(order, 'K')
	bishops := strings.IndexByte(order, 'B') + strings.LastIndexByte(order, 'B')
	for _, man := range []struct {
		name string
		n    int
	}{{"B", 2}, {"N", 2}, {"R", 2}, {"K", 1}, {"Q", 1}} {
		if strings.Count(order, man.name) != man.n {
			return false
		}
	}
	return strings.IndexByte(order, 'R') < king && king < strings.LastIndexByte(order, 'R') &&
		bishops%2 == 1
}
