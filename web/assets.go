package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-chi/chi/v5"
)

// entries are what pages refer to. Scripts and styles are bundled: each with all that it imports.
var entries = []string{"js/main.js", "js/fairnesspage.js", "css/table.css", "css/pages.css", "css/fairness.css", "art/logo.svg"}

// assets are the files that belong to this version of the program.
type assets struct {
	raw    fs.FS             // for development: files are served as they are; else nil
	urls   map[string]string // by entry
	byName map[string]*file  // by the last part of the URL
}

// url returns the address of an entry. An entry that is not there is a fault of this program.
func (a *assets) url(entry string) string {
	u, ok := a.urls[entry]
	if !ok {
		panic("no asset " + entry)
	}
	return u
}

// rawAssets serves the files as they are.
func rawAssets(files fs.FS) (*assets, error) {
	a := &assets{raw: files, urls: map[string]string{}}
	for _, e := range entries {
		if _, err := fs.Stat(files, e); err != nil {
			return nil, err
		}
		a.urls[e] = "/assets/" + e
	}
	return a, nil
}

// bundleAssets bundles the files and names each after its content.
func bundleAssets(files fs.FS) (*assets, error) {
	a := &assets{urls: map[string]string{}, byName: map[string]*file{}}
	for _, e := range entries {
		body, err := bundle(files, e)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		hash := hex.EncodeToString(sum[:8])
		ext := path.Ext(e)
		name := strings.TrimSuffix(path.Base(e), ext) + "-" + hash + ext
		a.urls[e] = "/assets/" + name
		a.byName[name] = newFile(mediaType(ext), hash, body)
	}
	return a, nil
}

// mediaTypes are given here because a machine's own table may say something else.
var mediaTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
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

// bundle returns an entry with all that it imports, made small. What is neither script nor style is returned
// as it is.
func bundle(files fs.FS, entry string) ([]byte, error) {
	if ext := path.Ext(entry); ext != ".js" && ext != ".css" {
		return fs.ReadFile(files, entry)
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Write:             false,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsEndOfFile,
		LogLevel:          api.LogLevelSilent,
		Plugins:           []api.Plugin{fromFS(files)},
	})
	if len(result.Errors) > 0 {
		text := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, errors.New(strings.TrimSpace(strings.Join(text, "\n")))
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%s became %d files, want 1", entry, len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

// fromFS makes esbuild read from files instead of the disk. Imports are relative, as in a browser.
func fromFS(files fs.FS) api.Plugin {
	const namespace = "static"
	return api.Plugin{Name: namespace, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			name := a.Path
			if a.Importer != "" {
				if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
					return api.OnResolveResult{}, fmt.Errorf("%s imports %q, which is not relative", a.Importer, a.Path)
				}
				name = path.Join(path.Dir(a.Importer), name)
			}
			return api.OnResolveResult{Path: name, Namespace: namespace}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := fs.ReadFile(files, a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			contents, loader := string(text), api.LoaderJS
			if path.Ext(a.Path) == ".css" {
				loader = api.LoaderCSS
			}
			return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
		})
	}}
}

// Warm packs what every guest at a table asks for before somebody does: scripts, styles and albums. With Brotli that
// takes a third of a second, too long for the first visitor to wait. One after the other, because each takes 10 MB
// meanwhile. It returns when all is done.
func (s *Server) Warm() {
	for _, files := range []iter.Seq[*file]{maps.Values(s.assets.byName), maps.Values(s.art.albums)} {
		for f := range files {
			if f.packs() {
				f.brotli()
				f.gzip()
			}
		}
	}
}

// getAsset serves what belongs to this version of the program.
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

// getRaw serves a file of the folder in which somebody is developing.
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
