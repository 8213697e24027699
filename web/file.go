package web

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// file is immutable content to serve: its address changes with it.
type file struct {
	kind string // media type
	tag  string // entity tag
	body []byte
	// brotli and gzip return the compressed body, or nil if compression does not pay. They are nil
	// for files that are only served uncompressed.
	brotli, gzip func() []byte
}

// newFile returns a file with the given content. hash has at least tagLength digits. The file is
// compressed when a client first asks for that.
func newFile(kind, hash string, body []byte) *file {
	f := &file{kind: kind, tag: tagOf(hash), body: body}
	if compressible(kind) {
		f.brotli = compressedIfSmaller(body, brotliCompress)
		f.gzip = compressedIfSmaller(body, func(b []byte) []byte {
			return compress(b, gzip.BestCompression)
		})
	}
	return f
}

// embedded has the files that belong to the program, by type and hash. Servers in one process share
// them, because it takes a processor more than a second to compress all of them.
var embedded = struct {
	sync.Mutex
	files map[string]*file
}{files: map[string]*file{}}

// sharedFile returns a file that belongs to the program. It is kept until the process ends.
func sharedFile(kind, hash string, body []byte) *file {
	embedded.Lock()
	defer embedded.Unlock()
	name := kind + " " + hash
	if embedded.files[name] == nil {
		embedded.files[name] = newFile(kind, hash, body)
	}
	return embedded.files[name]
}

// compressedIfSmaller compresses body when it is first asked for. It returns nil unless that saves
// a tenth.
func compressedIfSmaller(body []byte, pack func([]byte) []byte) func() []byte {
	return sync.OnceValue(func() []byte {
		if z := pack(body); len(z) < len(body)*9/10 {
			return z
		}
		return nil
	})
}

// tagLength is how many digits of a hash an entity tag has. The address has all of them.
const tagLength = 16

// tagOf returns the entity tag of content. It is weak, because it is the same for all codings of
// the content (RFC 9110, 8.8.1).
func tagOf(hash string) string { return `W/"` + hash[:tagLength] + `"` }

// forEver makes browsers keep content for a year, because its address contains its hash.
const forEver = "public, max-age=31536000, immutable"

// serve answers with the file, or with 304 if the browser has it. It uses the coding that r
// prefers. If r does not prefer one it takes Brotli, because that is smaller.
func (f *file) serve(w http.ResponseWriter, r *http.Request, cache string) {
	h := w.Header()
	h.Set("Cache-Control", cache)
	h.Set("ETag", f.tag)
	if f.compressible() {
		h.Set("Vary", "Accept-Encoding")
	}
	if hasTag(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.body
	if f.compressible() {
		var z []byte
		coding := negotiate(r, codingBrotli, codingGzip)
		switch coding {
		case codingBrotli:
			z = f.brotli()
		case codingGzip:
			z = f.gzip()
		}
		if z != nil {
			h.Set("Content-Encoding", coding)
			body = z
		}
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client may have gone
}

// compressible reports whether the file can be served compressed.
func (f *file) compressible() bool { return f.brotli != nil }

// hasTag reports whether an If-None-Match header names tag. It compares weakly (RFC 9110, 13.1.2).
func hasTag(header, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
			return true
		}
	}
	return false
}
