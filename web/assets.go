package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"iter"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// entries are the files to which pages refer. Scripts and styles are bundled: each with all that it
// imports.
var entries = []string{
	mainScript, "js/fairnesspage/fairnesspage.js", "js/homepage/homepage.js", fileScript, fileStyle,
	"css/table.css", "css/pages.css",
	"css/fairness.css",
	"art/logo.svg",
	"fonts/bree-serif.woff2", "fonts/OFL.txt",
}

// fileScript and fileStyle are what a replay has in it that is saved as one file (T73).
const (
	fileScript = "js/replayfile/replayfile.js"
	fileStyle  = "css/replayfile.css"
)

// mainScript is the script of a table's page, without its parts.
const mainScript = "js/main.js"

// Assets are the files that belong to this version of the program. Servers may share them.
type Assets struct {
	raw    fs.FS             // for development: files are served unchanged; otherwise nil
	urls   map[string]string // by entry, and by part
	byName map[string]*file  // by the last part of the URL
	hashes map[string]string // by entry: SHA-256 in base64, as policies name scripts
	parts  string            // the names of the files of all parts, for the page that may load them
}

// vendorFolder has the libraries of others, each with its licence. The page imports them when it
// needs them, by their names, which have their versions: they are served as they are.
const vendorFolder = "js/vendor"

// assetsPath is the path under which assets are served.
const assetsPath = "/assets/"

// url returns the address of an entry. A missing entry is a fault of this program: url panics.
func (a *Assets) url(entry string) string {
	u, ok := a.urls[entry]
	if !ok {
		panic("no asset " + entry)
	}
	return u
}

// RawAssets serves files unchanged, neither bundled nor cached, for development. files has the
// folders js, css, art and fonts.
func RawAssets(files fs.FS) (*Assets, error) {
	a := &Assets{raw: files, urls: map[string]string{}}
	parts, err := partFiles(files)
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Concat(entries, parts) {
		if _, err := fs.Stat(files, e); err != nil {
			return nil, err
		}
		a.urls[e] = assetsPath + e
	}
	a.parts = strings.Join(parts, " ")
	return a, nil
}

// BundleAssets bundles files and names each after its content. That takes half a second of
// processor time. files has the folders js, css, art and fonts. An error names the file and what is
// wrong in it.
func BundleAssets(files fs.FS) (*Assets, error) {
	a := &Assets{
		urls: map[string]string{}, byName: map[string]*file{}, hashes: map[string]string{},
	}
	parts, err := partFiles(files)
	if err != nil {
		return nil, err
	}
	scripts, err := bundleClient(files, parts)
	if err != nil {
		return nil, err
	}
	for e, f := range scripts {
		a.add(e, f.name, f.body)
	}
	for _, e := range slices.Concat(entries, parts) {
		if _, ok := a.urls[e]; ok {
			continue
		}
		body, err := bundle(files, e)
		if err != nil {
			return nil, err
		}
		a.add(e, nameOf(e, body), body)
	}
	vendored, err := fs.Glob(files, vendorFolder+"/*")
	if err != nil {
		return nil, err
	}
	for _, name := range vendored {
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		a.add(name, name, body)
	}
	names := make([]string, len(parts))
	for i, e := range parts {
		names[i] = path.Base(a.urls[e])
	}
	a.parts = strings.Join(names, " ")
	return a, nil
}

// nameOf returns a name for an entry that no other content has.
func nameOf(entry string, body []byte) string {
	ext := path.Ext(entry)
	sum := sha256.Sum256(body)
	return strings.TrimSuffix(path.Base(entry), ext) + "-" + hex.EncodeToString(sum[:8]) + ext
}

// add serves an entry under a name that no other content has.
func (a *Assets) add(entry, name string, body []byte) {
	sum := sha256.Sum256(body)
	a.urls[entry] = assetsPath + name
	a.hashes[entry] = base64.StdEncoding.EncodeToString(sum[:])
	a.byName[name] = sharedFile(mediaType(path.Ext(name)), hex.EncodeToString(sum[:]), body)
}

// mediaTypes are fixed here because the machine's own table may say something else.
var mediaTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json",
	".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

func mediaType(ext string) string {
	if t, ok := mediaTypes[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// Warm compresses the files that everybody at a table needs, before somebody asks for them:
// scripts, styles and albums. With Brotli that takes a third of a second, too long for the first
// visitor to wait. It compresses one file after the other, because each takes 10 MB meanwhile. It
// returns when all are done, or after the file during which ctx has ended. Libraries of others are
// left out: few people need them.
func (s *Server) Warm(ctx context.Context) {
	own := func(yield func(*file) bool) {
		for name, f := range s.assets.byName {
			if !strings.HasPrefix(name, vendorFolder) && !yield(f) {
				return
			}
		}
	}
	for _, files := range []iter.Seq[*file]{own, maps.Values(s.art.albums)} {
		for f := range files {
			if ctx.Err() != nil {
				return
			}
			if f.compressible() {
				f.brotli()
				f.gzip()
			}
		}
	}
}

// getAsset serves the files that belong to this version of the program.
func (s *Server) getAsset(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "*")
	if s.assets.raw != nil {
		return s.getRaw(w, r, name)
	}
	f, ok := s.assets.byName[name]
	if !ok {
		return notFound()
	}
	f.serve(w, r, forEver)
	return nil
}

// getRaw serves a file of the developer's folder.
func (s *Server) getRaw(w http.ResponseWriter, r *http.Request, name string) error {
	if !fs.ValidPath(name) {
		return notFound()
	}
	body, err := fs.ReadFile(s.assets.raw, name)
	if err != nil {
		return notFound()
	}
	sum := sha256.Sum256(body)
	f := &file{kind: mediaType(path.Ext(name)), tag: tagOf(hex.EncodeToString(sum[:])), body: body}
	f.serve(w, r, "no-cache")
	return nil
}
