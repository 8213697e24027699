package node_test

import (
	"crypto/sha256"
	"errors"
	"testing"

	"holt/server/tables/room"
)

func TestFetchedKinds(t *testing.T) {
	t.Run("O30.6 art that breaks the rules of game files is not kept", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		data := []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
		bad := room.Blob{Hash: sha256.Sum256(data), Type: "image/svg+xml", Data: data}
		doc := version("Stone", "light", "", []room.Blob{bad}, "")
		c := room.Contents{Art: []room.Blob{bad}, Kinds: [][]byte{doc},
			Parts: []room.Part{{Kind: sha256.Sum256(doc)}}}
		on, set := room.Session{Table: ada.mint(), Seat: 1}, ada.mint()
		p.must(ada.world.Make(t.Context(), on, set, c))
		p.must(ada.world.Put(t.Context(), ada.person(), set))
		p.must(ada.world.Delete(t.Context(), on.Table))
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		var absent *room.Unreachable
		if _, err := ben.world.Hold(t.Context(),
			room.Session{Table: ben.mint(), Seat: 1}, set); !errors.As(err, &absent) {
			t.Errorf("it lies there: %v", err)
		}
		if _, err := ben.db.Blob(t.Context(), bad.Hash); !errors.Is(err, room.ErrNoBlob) {
			t.Errorf("the picture is kept: %v", err)
		}
	})
}

func TestPassedReferences(t *testing.T) {
	t.Run("O31.7 with a reference goes the card of the host that made the object", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben", "Cy")
		ada, ben, cy := p.servers[0], p.servers[1], p.servers[2]
		p.must(ben.links.Remove(t.Context(), cy.self()))
		p.must(cy.links.Remove(t.Context(), ben.self()))
		if _, ok := ben.links.Card(cy.self()); ok {
			t.Fatal("Ben's server knows the card already")
		}
		_, set, _ := cy.owned()
		p.must(cy.world.Give(t.Context(), set, ada.self()))
		p.must(ada.world.Put(t.Context(), ada.person(), set))
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.await("the card", func() bool {
			c, ok := ben.links.Card(cy.self())
			return ok && c.Name == "Cy"
		})
	})
}
