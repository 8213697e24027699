package node_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"holt/server/federation/node"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
)

// Games of linked servers (O54).

func TestSharedGames(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	ada.changes(gameFile)
	p.together(ada, ben)
	shelf := ada.shelf()
	own := shelf.Games()[0]
	identity := room.Hash(shelf.Identity(own))

	t.Run("O54.1 a linked server lists its games", func(t *testing.T) {
		all := ben.world.Shelves(t.Context())
		if len(all) != 1 || all[0].Host != ada.self() || all[0].Err != nil {
			t.Fatalf("the shelves are %+v", all)
		}
		want := node.SharedGame{Game: identity, Name: own.Name, Summary: own.Summary}
		if len(all[0].Games) != 1 || all[0].Games[0] != want {
			t.Errorf("the games are %+v, not %+v", all[0].Games, want)
		}
	})
	t.Run("O54.1 a server without games has an empty list", func(t *testing.T) {
		all := ada.world.Shelves(t.Context())
		if len(all) != 1 || all[0].Err != nil || len(all[0].Games) != 0 {
			t.Errorf("the shelves are %+v", all)
		}
	})
	t.Run("O54.2 a game comes whole", func(t *testing.T) {
		got, err := ben.world.SharedGame(t.Context(), ada.self(), identity)
		if err != nil {
			t.Fatal(err)
		}
		if room.Hash(got.ID) != identity || !bytes.Equal(got.Game.Catalog, own.Catalog) {
			t.Errorf("it is game %x", got.ID)
		}
		for hash, art := range own.Art {
			if !bytes.Equal(got.Game.Art[hash].Data, art.Data) {
				t.Errorf("picture %x is missing", hash)
			}
		}
	})
	t.Run("O54.2 nobody sends a game that is not there", func(t *testing.T) {
		_, err := ben.world.SharedGame(t.Context(), ada.self(), room.Hash{1})
		if err == nil || errors.Is(err, node.ErrSharedGame) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("O54.3 a game that is not correct is refused", func(t *testing.T) {
		for _, doc := range []string{
			"{}", strings.Replace(gameFile, "holt.game/1", "holt.game/3", 1),
			gameFile, // its pictures have paths
		} {
			hash := room.Hash(sha256.Sum256([]byte(doc)))
			p.must(ada.db.KeepObjects(t.Context(), nil,
				[]room.Blob{{Hash: hash, Type: "application/json", Data: []byte(doc)}}))
			_, err := ben.world.SharedGame(t.Context(), ada.self(), hash)
			if !errors.Is(err, node.ErrSharedGame) {
				t.Errorf("of %.20s… the error is %v", doc, err)
			}
		}
	})
	t.Run("O54.4 a paused link shows nothing", func(t *testing.T) {
		p.must(ben.links.Pause(t.Context(), ada.self()))
		for _, of := range ben.world.Shelves(t.Context()) {
			if of.Err == nil {
				t.Errorf("host %s is asked: %+v", of.Host, of.Games)
			}
		}
		if _, err := ben.world.SharedGame(t.Context(), ada.self(), identity); err == nil {
			t.Error("the game came")
		}
	})
}

// liar answers questions for games with something else.
type liar struct {
	*server
	says atomic.Value // a string
}

func (l *liar) Receive(host id.HostID, m peer.Message) {
	if len(m.Bytes) == 9 && m.Bytes[0] == 6 {
		answer := append([]byte{7}, m.Bytes[1:9]...)
		l.must(l.links.Send(host, peer.Message{Bytes: append(answer, l.says.Load().(string)...)}))
		return
	}
	l.world.Receive(host, m)
}

func (l *liar) Up(host id.HostID) { l.world.Up(host) }

func (l *liar) Down(host id.HostID) { l.world.Down(host) }

func TestShelvesOfLiars(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	lies := &liar{server: ada}
	ada.machine = lies
	ada.stop()
	ada.start()
	p.together(ada, ben)
	identity := hex.EncodeToString(make([]byte, 32))
	entry := func(name string) string {
		return `{"game":"` + identity + `","name":"` + name + `","summary":"A game."}`
	}
	for what, says := range map[string]string{
		"no JSON":       "games",
		"no list":       "{}",
		"no identity":   `[{"game":"ab","name":"Chess","summary":"A game."}]`,
		"no name":       "[" + entry("") + "]",
		"a long name":   "[" + entry(strings.Repeat("x", game.MaxName+1)) + "]",
		"several lines": "[" + entry(`a\nb`) + "]",
		"too many":      "[" + strings.Repeat(entry("Go")+",", 256) + entry("Go") + "]",
	} {
		lies.says.Store(says)
		all := ben.world.Shelves(t.Context())
		if len(all) != 1 || all[0].Err == nil || len(all[0].Games) != 0 {
			t.Errorf("O54.3 a list with %s is not refused: %+v", what, all)
		}
	}
	lies.says.Store("[" + strings.Replace(entry("Go"), "{", `{"later":1,`, 1) + "]")
	if all := ben.world.Shelves(t.Context()); all[0].Err != nil || len(all[0].Games) != 1 {
		t.Errorf("O54.3 a field of a later version is in the way: %+v", all)
	}
}
