package node_test

import (
	"crypto/rand"
	"log/slog"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// gameFile is a game with a deck of three cards.
const gameFile = `{"format":"holt.game/1","id":"test","name":"Test","summary":"A test.","order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "kinds":[
  {"name":"Deck","width":700,"height":950,"shape":"rect","weight":"heavy",
   "container":{"draws":"top","takes":"Back"},"faces":[{"name":"Deck","art":"a.svg"}]},
  {"name":"Back","width":635,"height":889,"shape":"card","weight":"light",
   "faces":[{"name":"Back","art":"a.svg"}]},
  {"name":"Ace","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"Ace","art":"b.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"King","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"King","art":"c.svg"},{"name":"Back","art":"a.svg"}]}],
 "pieces":[{"kind":"Deck","x":0,"y":0,"holds":["Ace","King","King"]}]}`

// otherGame has none of its pieces.
const otherGame = `{"format":"holt.game/1","id":"test","name":"Other","summary":"A test.","order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "kinds":[{"name":"Token","width":400,"height":400,"shape":"round","weight":"light",
  "faces":[{"name":"Token","art":"d.svg"}]}],
 "pieces":[{"kind":"Token","x":0,"y":0}]}`

// shelf returns the game of a server; nil: it has none.
func (s *server) shelf() *game.Shelf {
	s.Helper()
	if s.game == "" {
		return nil
	}
	files := fstest.MapFS{"games/test.json": {Data: []byte(s.game)}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files["art/"+name+".svg"] = &fstest.MapFile{Data: picture(name).Data}
	}
	shelf, err := game.LoadShelf(files)
	s.must(err)
	return shelf
}

// openRooms opens the rooms of a server that has a game.
func (s *server) openRooms() {
	s.Helper()
	if s.game == "" {
		return
	}
	var store room.Store = s.db
	if s.dies != nil {
		store = &cut{DB: s.db, cord: s.dies}
	}
	s.rooms = room.New(room.Config{
		SetOwners: s.world, Store: store, Minter: s.minter, Shelf: s.shelf(), InviteKey: make([]byte, 32),
		Now: s.now, Random: rand.Reader,
		Log: slog.New(slog.NewTextHandler(s.log, nil)),
	})
}

// guest is a seat at a table of a server.
type guest struct {
	*server
	session room.Session
	client  id.Client
	seq     id.ClientSeq
}

func (s *server) sit() *guest {
	s.Helper()
	taken, _, err := s.rooms.Create(s.Context(),
		room.NewTableRequest{Game: "test", Host: room.Person{Nick: s.name}})
	s.must(err)
	return &guest{server: s, session: taken.Session, client: id.Client{byte(len(s.name)), 1}}
}

func (g *guest) sees() *holtpb.Full {
	g.Helper()
	f, err := g.rooms.Read(g.Context(), g.session)
	g.must(err)
	for _, e := range f.GetEvents() {
		if full := e.GetFull(); full != nil {
			return full
		}
	}
	g.Fatal("there is no table")
	return nil
}

// does posts an update.
func (g *guest) does(u table.Update) {
	g.Helper()
	g.seq++
	u.Seq = g.seq
	g.must(g.rooms.Update(g.Context(), g.session, wire.Batch{
		Client: g.client, Epoch: id.Epoch(g.sees().GetEpoch()), Updates: []table.Update{u},
	}))
}

// piece returns the first piece of a set for which so is true, or nil.
func (g *guest) piece(so func(*holtpb.Piece) bool) *holtpb.Piece {
	for _, p := range g.sees().GetPieces() {
		if so(p) {
			return p
		}
	}
	return nil
}

func TestRooms(t *testing.T) {
	// Clauses: O2.4
	t.Run("O4, O20, T37, T40, T41 a deck visits another server's table unchanged", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		for i, s := range p.servers {
			s.stop()
			s.game = []string{gameFile, otherGame}[i]
			s.start()
		}
		p.together(ada, ben)
		at := ada.sit()
		box := at.piece(func(*holtpb.Piece) bool { return true })
		at.does(table.Update{Op: table.OpTake, Has: table.HasPiece, Piece: id.Piece(box.GetId())})
		set := ada.onlySet()
		p.await("the table to be empty",
			func() bool { return at.piece(func(*holtpb.Piece) bool { return true }) == nil })
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		visited := ben.sit()
		visited.does(table.Update{Op: table.OpPlace, Has: table.HasSet | table.HasXY,
			Set: set, X: 100, Y: 100})
		inSet := func(p *holtpb.Piece) bool { return p.GetSet() != 0 }
		p.await("the deck", func() bool { return visited.piece(inSet) != nil })
		deck := visited.piece(inSet)
		if known := len(visited.sees().GetSets()); known != 1 || ben.owns(set) {
			t.Fatalf("%d sets", known)
		}
		visited.does(table.Update{
			Op: table.OpDraw, Has: table.HasPiece | table.HasXY | table.HasFace,
			Piece: id.Piece(deck.GetId()), X: 2000, Y: 100, Face: 0,
		})
		card := func(p *holtpb.Piece) bool {
			return inSet(p) && p.GetId() != deck.GetId() && p.GetFace() == 0 && p.GetX() == 2000
		}
		p.await("the card that was drawn", func() bool { return visited.piece(card) != nil })
		names := func() (all []string) {
			row, err := ben.rooms.About(t.Context(), visited.session.Table)
			p.must(err)
			b, err := ben.rooms.Blob(t.Context(), row.Catalog)
			p.must(err)
			kinds, err := game.ParseCatalog(b.Data)
			p.must(err)
			for _, k := range kinds {
				all = append(all, k.Name)
			}
			return all
		}
		p.await("what it is", func() bool {
			kinds := names()
			k := visited.piece(card).GetKind()
			return int(k) < len(kinds) && slices.Contains([]string{"Ace", "King"}, kinds[k])
		})
		visited.does(table.Update{Op: table.OpTake, Has: table.HasPiece,
			Piece: id.Piece(deck.GetId())})
		p.await("the deck to leave the table", func() bool {
			return visited.piece(inSet) == nil && len(visited.sees().GetSets()) == 0
		})
		p.await("the deck to be at home and on no table", func() bool {
			return ada.owns(set) && !ben.owns(set) && ben.keeps(object.Moves) == 0
		})
		again := ada.sit()
		asked := time.Time{} // the owner may be unreachable for a moment, so the guest tries again
		p.await("the deck at home", func() bool {
			if now := time.Now(); now.Sub(asked) > time.Second {
				asked = now
				again.does(table.Update{Op: table.OpPlace, Has: table.HasSet | table.HasXY,
					Set: set, X: 0, Y: 0})
			}
			return again.piece(inSet) != nil
		})
	})
}

// onlySet returns the only set that a server owns.
func (s *server) onlySet() (set id.OID) {
	s.Helper()
	s.await("a set", func() bool {
		page, err := s.db.ObjectValues(s.Context(), object.Heads, id.OID{}, 100)
		s.must(err)
		for _, x := range page {
			if class, _, err := object.ReadHead(x.Value); err == nil && class == object.Set {
				set = x.OID
			}
		}
		return !set.IsZero()
	})
	return set
}
