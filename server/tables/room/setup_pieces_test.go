package room_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"holt/server/tables/room"
)

// layoutFile is a game for two with a set-up for one that has pieces of its own.
const layoutFile = `{"format":"holt.game/2","id":"test","name":"Test","summary":"A test.","order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "seats":[{"name":"South","side":"south","colour":"#112233","hand":0},
  {"name":"North","side":"north","colour":"#445566","hand":1}],
 "kinds":[
  {"name":"Hand","width":4000,"height":1000,"shape":"rect","weight":"heavy","hand":true,
   "faces":[{"name":"Hand","art":"a.svg"}]},
  {"name":"Deck","width":700,"height":900,"shape":"rect","weight":"heavy",
   "container":{"draws":"top","takes":"Back"},"faces":[{"name":"Deck","art":"a.svg"}]},
  {"name":"Back","width":600,"height":800,"shape":"card","weight":"light",
   "faces":[{"name":"Back","art":"a.svg"}]},
  {"name":"Ace","width":600,"height":800,"shape":"card","weight":"light","secret":true,
   "mask":"Back","faces":[{"name":"Ace","art":"a.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"Pawn","width":200,"height":200,"shape":"round","weight":"light",
   "faces":[{"name":"Pawn","art":"a.svg"}]},
  {"name":"Board","width":900,"height":900,"shape":"rect","weight":"heavy",
   "faces":[{"name":"Board","art":"a.svg"}]}],
 "pieces":[{"kind":"Hand","x":0,"y":4000},{"kind":"Hand","x":0,"y":-4000},
  {"kind":"Deck","x":1000,"y":0,"holds":["Ace","Ace","Ace"],"shuffled":true},
  {"kind":"Pawn","x":-500,"y":0}],
 "setups":[{"name":"Alone","pieces":[{"kind":"Board","x":10,"y":0},
  {"kind":"Hand","piece":1,"x":0,"y":3000},
  {"kind":"Deck","piece":2,"x":2000,"y":0,"holds":["Ace","Ace"],"shuffled":true},
  {"kind":"Ace","x":-900,"y":0},{"kind":"Pawn","x":-600,"y":0},
  {"kind":"Pawn","x":-700,"y":0,"angle":9000}]}]}`

// The pieces of both set-ups, each with its name if that stays the same.
var (
	layoutForTwo = []string{
		"Deck 3 at 1000,0 turned by 0 with 3", "Hand 1 at 0,4000 turned by 0",
		"Hand 2 at 0,-4000 turned by 0", "Pawn at -500,0 turned by 0",
	}
	layoutForOne = []string{
		"Ace at -900,0 turned by 0", "Board at 10,0 turned by 0", "Deck 3 at 2000,0 turned by 0 with 2",
		"Hand 2 at 0,3000 turned by 0", "Pawn at -600,0 turned by 0", "Pawn at -700,0 turned by 9000",
	}
)

// lies returns what lies on the table.
func (p *player) lies() (all []string) {
	names := []string{"Hand", "Deck", "Back", "Ace", "Pawn", "Board"}
	full, held := p.reopenForFull(), map[uint32]uint32{}
	for _, h := range full.GetHolds() {
		for _, n := range h.GetCounts() {
			held[h.GetPiece()] += n
		}
	}
	for _, is := range full.GetPieces() {
		text := names[is.GetKind()]
		if kind := is.GetKind(); kind < 2 {
			text += fmt.Sprint(" ", is.GetId())
		}
		text += fmt.Sprintf(" at %d,%d turned by %d", is.GetX(), is.GetY(), is.GetAngle())
		if is.GetKind() == 1 {
			text += fmt.Sprint(" with ", held[is.GetId()])
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// TestG25Rematch shows that a table can be set up with pieces of a set-up, and without them again.
// Clauses: G25.1, G25.2
func TestG25Rematch(t *testing.T) {
	bubble{t: t, game: layoutFile, random: rand.Reader}.Run("G25 a rematch",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			if got := ada.lies(); !slices.Equal(got, layoutForTwo) {
				t.Errorf("G25.1 at first there are %q", got)
			}
			for i, c := range []struct {
				save uint32
				want []string
			}{{2, layoutForOne}, {1, layoutForTwo}, {2, layoutForOne}} {
				if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
					Rematch: true, Save: c.save, Token: fmt.Sprint(i), Epoch: ada.epoch,
				}); err != nil {
					t.Fatal(err)
				}
				ada = r.open(ada.session)
				if got := ada.lies(); !slices.Equal(got, c.want) {
					t.Errorf("G25.2 with save point %d there are %q, want %q", c.save, got, c.want)
				}
			}
			r.stop()
			r.start()
			ada = r.open(ada.session)
			if got := ada.lies(); !slices.Equal(got, layoutForOne) {
				t.Errorf("after a restart there are %q", got)
			}
		})
}

// TestG25Begin shows that a table may begin with a set-up that has pieces of its own.
// Clauses: G25.1
func TestG25Begin(t *testing.T) {
	bubble{t: t, game: layoutFile, random: rand.Reader}.Run("G25 a new table",
		func(t *testing.T, r *rig) {
			taken, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
				Game: "test", Host: room.Person{Nick: "Ada", Colour: 0x2a6fdb}, Setup: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			ada := r.open(taken.Session)
			if got := ada.lies(); !slices.Equal(got, layoutForOne) {
				t.Errorf("G25.1 there are %q", got)
			}
		})
}
