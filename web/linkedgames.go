package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"holt/server/federation/node"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/library"
)

// Games on the shelves of linked servers (O54). Whoever may bring games to this server may see
// them, and fetch one into their own library.

// linkedShelfJSON is what a linked server offers.
type linkedShelfJSON struct {
	Server string           `json:"server"` // its number
	Name   string           `json:"name"`
	Away   bool             `json:"away,omitempty"` // it cannot be asked at the moment
	Games  []linkedGameJSON `json:"games"`
}

type linkedGameJSON struct {
	Game    string `json:"game"`
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// apiLinkedGames lists the games of linked servers that this one does not have on its own shelf.
func (s *Server) apiLinkedGames(w http.ResponseWriter, r *http.Request) error {
	if err := s.admitUpload(r); err != nil {
		return err
	}
	list := []linkedShelfJSON{}
	if s.servers != nil {
		if err := s.limits.uploads.take(addressOf(r), 1); err != nil {
			return err
		}
		for _, shelf := range s.servers.Objects.Shelves(r.Context()) {
			of := linkedShelfJSON{
				Server: shelf.Host.String(), Name: s.hostName(shelf.Host), Away: shelf.Err != nil,
				Games: []linkedGameJSON{},
			}
			for _, g := range shelf.Games {
				if _, here := s.shelf.Part(g.Game); !here {
					of.Games = append(of.Games, linkedGameJSON{hashText(g.Game), g.Name, g.Summary})
				}
			}
			list = append(list, of)
		}
	}
	noStore(w)
	return writeJSON(w, http.StatusOK, map[string]any{"servers": list})
}

// apiBringLinkedGame fetches a game of a linked server into the library of the request.
func (s *Server) apiBringLinkedGame(w http.ResponseWriter, r *http.Request) error {
	if err := s.admitUpload(r); err != nil {
		return err
	}
	var server, identity string
	err := readObject(r, []string{"server", "game"},
		map[string]any{"server": &server, "game": &identity})
	if err != nil {
		return err
	}
	hash, err := game.ParseHash(identity)
	if err != nil {
		return malformed("game: " + err.Error())
	}
	host, ok := s.linkedHost(server)
	if !ok {
		return newProblem("not-found", "there is no link with that server")
	}
	end, err := s.beginUpload(w, r)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithTimeout(r.Context(), uploadTimeout)
	defer cancel()
	p, err := s.servers.Objects.SharedGame(ctx, host, hash)
	switch {
	case errors.Is(err, node.ErrSharedGame):
		return &library.Unreadable{Err: err}
	case err != nil:
		return newProblem("away", fmt.Sprintf("%s did not send the game", s.hostName(host)))
	}
	type about = library.About
	return s.keepGame(w, r, func(ctx context.Context, own library.Secret) (about, bool, error) {
		return s.library.KeepPacked(ctx, own, p)
	})
}

// linkedHost returns the linked server with a number.
func (s *Server) linkedHost(number string) (host id.HostID, ok bool) {
	if s.servers == nil {
		return host, false
	}
	all := s.servers.Links.Linked()
	i := slices.IndexFunc(all, func(h id.HostID) bool { return h.String() == number })
	if i < 0 {
		return host, false
	}
	return all[i], true
}
