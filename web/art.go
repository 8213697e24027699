package web

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"holt/server/game"
	"holt/server/room"
)

// file is something immutable to be served: its address changes when it does.
type file struct {
	kind string // media type
	tag  string // entity tag, quoted
	body []byte
	zip  []byte // gzip of body, nil if that does not pay
}

func newFile(kind, hash string, body []byte) *file {
	f := &file{kind: kind, tag: `"` + hash + `"`, body: body}
	if compressible(kind) {
		if z := compress(body, gzip.BestCompression); len(z) < len(body)*9/10 {
			f.zip = z
		}
	}
	return f
}

func compressible(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "image/svg") || strings.HasPrefix(kind, "application/json")
}

func compress(body []byte, level int) []byte {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, level)
	if err != nil {
		panic(err) // there is no such level
	}
	_, _ = w.Write(body) // a bytes.Buffer takes everything
	_ = w.Close()
	return z.Bytes()
}

// forEver is how long a browser keeps what is known by its content.
const forEver = "public, max-age=31536000, immutable"

// serve answers with the file, or with 304 if the browser has it.
func (f *file) serve(w http.ResponseWriter, r *http.Request, cache string) {
	h := w.Header()
	h.Set("Cache-Control", cache)
	h.Set("ETag", f.tag)
	if f.zip != nil {
		h.Set("Vary", "Accept-Encoding")
	}
	if hasTag(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.body
	if f.zip != nil && acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = f.zip
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // whoever does not read it does not need it
}

// hasTag reports whether an If-None-Match header names tag. Weak comparison (RFC 9110, 13.1.2).
func hasTag(header, tag string) bool {
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
			return true
		}
	}
	return false
}

// acceptsGzip reads Accept-Encoding (RFC 9110, 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for _, list := range r.Header.Values("Accept-Encoding") {
		for t := range strings.SplitSeq(list, ",") {
			coding, q, _ := strings.Cut(strings.TrimSpace(t), ";")
			if strings.TrimSpace(coding) == "gzip" {
				weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64)
				return err != nil || weight > 0
			}
		}
	}
	return false
}

// artShelf remembers the art of the shelf, each compressed when it is first asked for. The shelf does not
// change, so there are no more than it holds.
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
		f = &file{kind: blob.Type, tag: `"` + text + `"`, body: blob.Data}
	}
	w.Header().Set("Content-Security-Policy", artPolicy)
	f.serve(w, r, forEver)
	return nil
}
