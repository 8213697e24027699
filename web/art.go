package web

import (
	"encoding/hex"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"holt/server/game"
	"holt/server/room"
)

// artShelf remembers the art of the shelf, each packed when it is first asked for. The shelf does not change, so
// there are no more than it holds.
type artShelf struct {
	shelf *game.Shelf

	mu sync.Mutex
	// Guarded by mu.
	files map[room.Hash]*file
}

func newArtShelf(shelf *game.Shelf) *artShelf {
	return &artShelf{shelf: shelf, files: map[room.Hash]*file{}}
}

func (a *artShelf) file(hash room.Hash) (*file, bool) {
	a.mu.Lock()
	f, ok := a.files[hash]
	a.mu.Unlock()
	if ok {
		return f, true
	}
	art, ok := a.shelf.Art(hash)
	if !ok {
		return nil, false
	}
	f = newFile(art.Type, hashText(hash), art.Data)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.files[hash] = f
	return f, true
}

// artPolicy keeps a picture that is opened by itself from running or fetching anything.
const artPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// getArt serves art and catalogues: those of the shelf, and those that were stored with a table.
func (s *Server) getArt(w http.ResponseWriter, r *http.Request) error {
	var hash room.Hash
	text := chi.URLParam(r, "hash")
	if n, err := hex.Decode(hash[:], []byte(clip(text, 64))); err != nil || n != len(hash) || text != hashText(hash) {
		return &problem{Code: "not-found", Detail: "the address is not a SHA-256 in 64 hexadecimal digits"}
	}
	f, ok := s.art.file(hash)
	if !ok {
		blob, err := s.rooms.Blob(r.Context(), hash)
		if err != nil {
			return err
		}
		// Not compressed: it is asked for once by each browser, and compressing costs more than it saves here.
		f = &file{kind: blob.Type, tag: tagOf(text), body: blob.Data}
	}
	w.Header().Set("Content-Security-Policy", artPolicy)
	f.serve(w, r, forEver)
	return nil
}
