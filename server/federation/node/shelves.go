package node

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
)

// Games of linked hosts (O54). A host says which games are on its shelf, and sends a game to
// whoever knows its identity, part by part as kinds and pictures (O30).

// Bounds of shelves.
const (
	maxShelf     = 256 // games in an answer
	maxShelfText = fetchPart
	shelfTimeout = 3 * time.Second
	maxShelves   = 32 // questions that wait for their answers
)

// ErrSharedGame says that a linked host has sent a game that is not correct.
var ErrSharedGame = errors.New("that server sent a game that is not correct")

// SharedGame is a game on the shelf of a linked host.
type SharedGame struct {
	Game    room.Hash // its identity (G2)
	Name    string    // up to game.MaxName characters
	Summary string    // up to game.MaxSummary characters
}

// Shelf is what a linked host offers.
type Shelf struct {
	Host  id.HostID
	Games []SharedGame
	Err   error // why nothing is known: the host cannot be reached, or it is of an older version
}

// sharedJSON is the form of a game in an answer.
type sharedJSON struct {
	Game    string `json:"game"`
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// serveShelf answers the question of a host for the games of this one.
func (w *Objects) serveShelf(host id.HostID, b []byte) {
	if len(b) != newerHead {
		w.cfg.Links.Refused(host, id.OID{}, "a question for games that cannot be read")
		return
	}
	end, err := w.cfg.Links.Begin(host)
	if err != nil {
		return // it asks again
	}
	defer end()
	_ = w.cfg.Links.Send(host, peer.Message{ // as above
		Bytes: append(append([]byte{kindShelfIs}, b...), w.newer.shared()...),
	})
}

// shared returns the games of the shelf as they stand in an answer. Those that have no room are
// left out.
func (n *newerKinds) shared() []byte {
	list := []sharedJSON{}
	if n.shelf != nil {
		for _, g := range n.shelf.Games() {
			identity := n.shelf.Identity(g)
			list = append(list, sharedJSON{fmt.Sprintf("%x", identity), g.Name, g.Summary})
		}
	}
	for list = list[:min(len(list), maxShelf)]; ; list = list[:len(list)/2] {
		if b, err := json.Marshal(list); err == nil && len(b) <= maxShelfText {
			return b
		}
	}
}

// shelfIs processes an answer. It ignores one for which nobody waits.
func (w *Objects) shelfIs(host id.HostID, b []byte) {
	if len(b) < newerHead || len(b) > newerHead+maxShelfText {
		w.cfg.Links.Refused(host, id.OID{}, "a list of games that cannot be read")
		return
	}
	w.shelves.Answer(host, b)
}

// Shelves asks all linked hosts that can be reached which games they have. It waits up to 3 s.
func (w *Objects) Shelves(ctx context.Context) []Shelf {
	hosts := w.cfg.Links.Linked()
	all := make([]Shelf, len(hosts))
	var asked sync.WaitGroup
	for i, host := range hosts {
		asked.Go(func() {
			games, err := w.shelfOf(ctx, host)
			all[i] = Shelf{host, games, err}
		})
	}
	asked.Wait()
	return all
}

// shelfOf asks a host which games it has.
func (w *Objects) shelfOf(ctx context.Context, host id.HostID) ([]SharedGame, error) {
	if !w.cfg.Links.Reached(host) {
		return nil, errNowhere
	}
	n, answer, end, ok := w.shelves.Ask(host, maxShelves)
	if !ok {
		return nil, peer.ErrBusy
	}
	defer end()
	ask := binary.BigEndian.AppendUint64([]byte{kindShelf}, n)
	if err := w.cfg.Links.Send(host, peer.Message{Request: true, Bytes: ask}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, shelfTimeout)
	defer cancel()
	select {
	case b := <-answer:
		games, err := readShelf(b)
		if err != nil {
			w.cfg.Links.Refused(host, id.OID{}, err.Error())
		}
		return games, err
	case <-ctx.Done():
		return nil, errSilent
	case <-w.halt:
		return nil, ErrClosed
	}
}

// readShelf reads an answer. It leaves out fields that it does not know: a newer version may have
// them.
func readShelf(b []byte) ([]SharedGame, error) {
	var list []sharedJSON
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("a list of games that cannot be read: %w", err)
	}
	if len(list) > maxShelf {
		return nil, fmt.Errorf("a list of %d games", len(list))
	}
	games := make([]SharedGame, len(list))
	for i, g := range list {
		identity, err := game.ParseHash(g.Game)
		err = cmp.Or(err, game.CheckName(g.Name, 1, game.MaxName),
			game.CheckName(g.Summary, 1, game.MaxSummary))
		if err != nil {
			return nil, fmt.Errorf("a list of games, of which game %d cannot be: %w", i, err)
		}
		games[i] = SharedGame{identity, g.Name, g.Summary}
	}
	return games, nil
}

// SharedGame fetches a game of a linked host by its identity, and checks all of it. It stores
// nothing. What is here already is not fetched. Errors: ErrSharedGame, and why something could
// not be fetched.
func (w *Objects) SharedGame(
	ctx context.Context, host id.HostID, identity room.Hash,
) (*game.Packed, error) {
	var lost error
	get := func(hash [sha256.Size]byte) (data []byte, err error) {
		data, _, err = w.content(ctx, hash, []id.HostID{host})
		lost = cmp.Or(lost, err)
		return data, err
	}
	doc, err := get(identity)
	if err != nil {
		return nil, err
	}
	p, err := game.ReadHashed(doc, get)
	switch {
	case lost != nil:
		return nil, lost
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrSharedGame, err)
	}
	return p, nil
}
