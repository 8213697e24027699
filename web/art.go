package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"holt/server/play/game"
	"holt/server/tables/room"
)

// artShelf keeps the art of the shelf, each compressed when a client first asks for it, the albums
// of its games, and what they look like from afar. The shelf does not change, so this needs no
// bound.
type artShelf struct {
	shelf *game.Shelf
	// Set at construction.
	albums   map[room.Hash]*file  // by catalogue
	previews map[string]room.Hash // of drawings of games from afar, by their ids

	mu sync.Mutex
	// Guarded by mu.
	files map[room.Hash]*file
}

func newArtShelf(shelf *game.Shelf) *artShelf {
	a := &artShelf{shelf: shelf, albums: map[room.Hash]*file{}, files: map[room.Hash]*file{},
		previews: map[string]room.Hash{}}
	for _, g := range shelf.Games() {
		body := album(g)
		sum := sha256.Sum256(body)
		a.albums[g.CatalogHash] = sharedFile("application/json", hex.EncodeToString(sum[:]), body)
		body = previewFile(g)
		hash := room.Hash(sha256.Sum256(body))
		a.previews[g.ID] = hash
		a.files[hash] = sharedFile("image/svg+xml", hashText(hash), body)
	}
	return a
}

// hasAlbum reports whether the pictures of a catalogue come in one document.
func (a *artShelf) hasAlbum(catalog room.Hash) bool { return a.albums[catalog] != nil }

// album returns the pictures of a game as one JSON document: a list with each picture once, in the
// order of the catalogue. It has null for art that is not SVG. The pictures of one game are alike,
// so all of them compressed together take a third of their separate sizes, or less.
func album(g *game.Game) []byte {
	pictures := []*string{}
	for _, hash := range game.Pictures(g.Kinds) {
		var picture *string
		if art := g.Art[hash]; art.Type == "image/svg+xml" {
			text := string(art.Data)
			picture = &text
		}
		pictures = append(pictures, picture)
	}
	var doc bytes.Buffer
	e := json.NewEncoder(&doc)
	e.SetEscapeHTML(false) // it is read as JSON only, and its type says so
	if err := e.Encode(pictures); err != nil {
		panic(err) // strings can always be encoded
	}
	return doc.Bytes()
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

// getArt serves art and catalogues: those of the shelf, and those that are stored with a table.
func (s *Server) getArt(w http.ResponseWriter, r *http.Request) error {
	hash, err := artHash(r)
	if err != nil {
		return err
	}
	f, ok := s.art.file(hash)
	if !ok {
		blob, err := s.rooms.Blob(r.Context(), hash)
		if err != nil {
			return err
		}
		// Not compressed: each browser asks for it once, and compression costs more than it saves
		// here.
		f = &file{kind: blob.Type, tag: tagOf(hashText(hash)), body: blob.Data}
	}
	w.Header().Set("Content-Security-Policy", artPolicy)
	f.serve(w, r, forEver)
	return nil
}

// getAlbum serves the pictures of a catalogue of the shelf in one document. Other catalogues have
// no album.
func (s *Server) getAlbum(w http.ResponseWriter, r *http.Request) error {
	hash, err := artHash(r)
	if err != nil {
		return err
	}
	f, ok := s.art.albums[hash]
	if !ok {
		return notFound()
	}
	f.serve(w, r, forEver)
	return nil
}

// artHash reads the hash in the path.
func artHash(r *http.Request) (room.Hash, error) {
	var hash room.Hash
	text := chi.URLParam(r, "hash")
	if n, err := hex.Decode(hash[:], []byte(clip(text, 64))); err != nil || n != len(hash) ||
		text != hashText(hash) {
		return hash, newProblem("not-found",
			"the address is not a SHA-256 in 64 hexadecimal digits")
	}
	return hash, nil
}
