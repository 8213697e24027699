package web_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"holt/static"
	"holt/web"
)

func TestAssets(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	page := s.get("/t/"+k.Table, k.bearer()...).body
	home := s.get("/").body
	script := regexp.MustCompile(`/assets/main-[0-9A-Z]{8}\.js`).FindString(page)
	style := regexp.MustCompile(`/assets/table-[0-9a-f]{16}\.css`).FindString(page)
	for path, kind := range map[string]string{
		script: "text/javascript; charset=utf-8",
		style:  "text/css; charset=utf-8",
		regexp.MustCompile(`/assets/pages-[0-9a-f]{16}\.css`).FindString(
			home): "text/css; charset=utf-8",
		regexp.MustCompile(`/assets/logo-[0-9a-f]{16}\.svg`).FindString(home): "image/svg+xml",
		regexp.MustCompile(`/art/[0-9a-f]{64}`).FindString(home):              "image/svg+xml",
	} {
		plain := s.get(path)
		if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Type") != kind ||
			plain.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%q: %s %v", path, plain.Status, plain.Header)
			continue
		}
		if plain.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: Vary %q", path, plain.Header.Get("Vary"))
		}
		size := len(plain.body)
		for _, coding := range []string{"gzip", "br"} { // each smaller than the one before
			packed := s.get(path, "Accept-Encoding", coding)
			if packed.Header.Get("Content-Encoding") != coding ||
				packed.Header.Get("Vary") != "Accept-Encoding" || len(packed.body) >= size {
				t.Errorf("%s: %d bytes, %d packed, %v", path, size, len(packed.body), packed.Header)
			}
			size = len(packed.body)
			if got := unpack(t, packed); got != plain.body {
				t.Errorf("%s: unpacked from %s it differs", path, coding)
			}
			if a := s.get(path, "Accept-Encoding", coding, "If-None-Match",
				packed.Header.Get("ETag")); a.StatusCode != http.StatusNotModified ||
				a.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s with the tag of the one in %s: %s %v", path, coding,
					a.Status, a.Header)
			}
		}
		for _, tag := range []string{plain.Header.Get("ETag"), strings.TrimPrefix(
			plain.Header.Get("ETag"), "W/"), `"x", ` + plain.Header.Get("ETag"), "*"} {
			if a := s.get(path, "If-None-Match", tag); a.StatusCode != http.StatusNotModified ||
				a.body != "" {
				t.Errorf("%s with If-None-Match %s: %s", path, tag, a.Status)
			}
		}
		if a := s.get(path, "If-None-Match", `"x"`); a.StatusCode != http.StatusOK {
			t.Errorf("%s with another tag: %s", path, a.Status)
		}
	}
	if len(script) == 0 || strings.Contains(s.get(script).body, "sourceMappingURL") {
		t.Errorf("the bundle %q names a source map", script)
	}
}

// unpack returns the decompressed body of an answer.
func unpack(t *testing.T, a answer) string {
	t.Helper()
	var r io.Reader = strings.NewReader(a.body)
	switch coding := a.Header.Get("Content-Encoding"); coding {
	case "":
	case "br":
		r = brotli.NewReader(r)
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	default:
		t.Fatalf("packed with %q", coding)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestNegotiation(t *testing.T) {
	s := newStack(t)
	path := regexp.MustCompile(`/assets/pages-[0-9a-f]{16}\.css`).FindString(s.get("/").body)
	plain := s.get(path).body
	for _, c := range []struct{ accept, coding string }{
		{"", ""},
		{"identity", ""},
		{"zstd", ""},
		{"gzip", "gzip"},
		{"br", "br"},
		{"gzip, deflate, br, zstd", "br"},
		{"gzip;q=1.0, br;q=0.9", "gzip"},
		{"gzip;q=0.5,br;q=0.5", "br"},
		{"BR", "br"},
		{"br ; q=1", "br"},
		{"br;Q=0.2", "br"},
		{"*", "br"},
		{"br;q=0, *", "gzip"},
		{"br;q=0", ""},
		{"gzip;q=0, br;q=0", ""},
		{"*;q=0", ""},
		{"identity, gzip;q=0.5", ""},
		{"identity;q=0, gzip;q=0.001", "gzip"},
		{"br;q=high, gzip", "gzip"},
		{"br;q=NaN, gzip", "gzip"},
		{"br;q=-1, gzip", "gzip"},
		{"br;q=2", ""},
		{"br;level=11, gzip", "gzip"},
		{",,;q=1,", ""},
	} {
		a := s.get(path, "Accept-Encoding", c.accept)
		if got := a.Header.Get("Content-Encoding"); got != c.coding {
			t.Errorf("Accept-Encoding %q: %q, want %q", c.accept, got, c.coding)
		}
		if unpack(t, a) != plain {
			t.Errorf("Accept-Encoding %q: it differs", c.accept)
		}
	}
}

// TestLibraries shows that the libraries of others are served as they are, under the same addresses
// in development.
func TestLibraries(t *testing.T) {
	files, err := fs.Glob(static.Files, "js/vendor/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no libraries: %v", err)
	}
	for _, s := range []*stack{newStack(t), newStack(t, unbundled)} {
		for _, name := range files {
			raw, err := static.Files.ReadFile(name)
			s.must(err)
			kind := "text/plain; charset=utf-8"
			if strings.HasSuffix(name, ".mjs") || strings.HasSuffix(name, ".js") {
				kind = "text/javascript; charset=utf-8"
			}
			if a := s.get("/assets/" + name); a.body != string(raw) ||
				a.Header.Get("Content-Type") != kind {
				t.Errorf("%s: %s %v", name, a.Status, a.Header)
			}
		}
	}
}

func TestDevelopment(t *testing.T) {
	s := newStack(t, unbundled)
	home := s.get("/").body
	if !strings.Contains(home, `href="/assets/css/pages.css"`) {
		t.Errorf("home: %s", home)
	}
	raw, err := static.Files.ReadFile("js/main.js")
	s.must(err)
	a := s.get("/assets/js/main.js")
	if a.body != string(raw) || a.Header.Get("Cache-Control") != "no-cache" ||
		a.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("a module as it is: %s %v", a.Status, a.Header)
	}
	for _, path := range []string{"/assets/", "/assets/js", "/assets/../go.mod",
		"/assets/%2e%2e/go.mod", "/assets//etc/passwd"} {
		if a := s.get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
}

// client returns the files of a client with a main of a few lines, with all files that the server
// expects.
func client(main string) fstest.MapFS {
	files := fstest.MapFS{
		"js/main.js":                      {Data: []byte(main)},
		"js/other.js":                     {Data: []byte(`export const answer = Math.sqrt(1764);`)},
		"js/fairnesspage/fairnesspage.js": {Data: []byte(`import '../other.js';`)},
		"js/homepage/homepage.js":         {Data: []byte(`addEventListener('drop', alert);`)},
		"js/replayfile/replayfile.js":     {Data: []byte(`import '../other.js';`)},
		"css/replayfile.css":              {Data: []byte(`a { opacity: 0.5 }`)},
		"css/fairness.css":                {Data: []byte(`a { opacity: 0.5 }`)},
		"css/table.css":                   {Data: []byte(`a { opacity: 0.5 }`)},
		"css/pages.css":                   {Data: []byte(`a { opacity: 0.5 }`)},
		"art/logo.svg":                    {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)},
		"fonts/bree-serif.woff2":          {Data: []byte("wOF2")},
		"fonts/OFL.txt":                   {Data: []byte("licence")},
	}
	for _, part := range web.Parts() {
		text := `import { answer } from '../../other.js'; export const part = answer + 1;`
		if strings.HasSuffix(part, ".css") {
			text = `b { opacity: 0.5 }`
		}
		files[part] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// serve returns a server of these files.
func serve(t *testing.T, files fstest.MapFS) (*web.Server, error) {
	t.Helper()
	assets, err := web.BundleAssets(files)
	if err != nil {
		return nil, err
	}
	return newServer(t, func(c *web.Config) { c.Assets = assets }).web, nil
}

func TestBundleErrors(t *testing.T) {
	const good = `import { answer } from './other.js'; console.log(answer);`
	if _, err := serve(t, client(good)); err != nil {
		t.Errorf("a client that is in order: %v", err)
	}
	for _, c := range []struct{ main, want string }{
		{`let = ;`, "js/main.js:1"},
		{`import './missing.js';`, "missing.js"},
		{`import 'left-pad';`, "not relative"},
		{`import { nothing } from './other.js'; nothing();`, "nothing"},
		{`console.log('without what its parts share');`, "js/other.js"},
	} {
		if _, err := serve(t, client(c.main)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.main, err, c.want)
		}
	}
}

func TestAlbum(t *testing.T) {
	s := newStack(t)
	for _, game := range []string{"chess", "draughts", "cards"} {
		k := s.open(game)
		page := s.get("/t/"+k.Table, k.bearer()...).body
		if !strings.Contains(page, " data-album ") {
			t.Errorf("the page of %s does not say that there is an album", game)
		}
		catalog := regexp.MustCompile(`/art/[0-9a-f]{64}`).FindString(page)
		var doc struct {
			Kinds []struct{ Faces []struct{ Art string } }
		}
		s.get(catalog).json(t, &doc)
		a := s.get(catalog + "/album")
		if a.Header.Get("Content-Type") != "application/json" ||
			a.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("album of %s: %s %v", game, a.Status, a.Header)
		}
		var pictures []*string
		a.json(t, &pictures)
		seen := map[string]bool{}
		for _, kind := range doc.Kinds {
			for _, face := range kind.Faces {
				if seen[face.Art] {
					continue
				}
				if n := len(seen); n >= len(pictures) || pictures[n] == nil ||
					*pictures[n] != s.get("/art/"+face.Art).body {
					t.Errorf("album of %s: picture %d is not %s", game, n, face.Art)
				}
				seen[face.Art] = true
			}
		}
		if len(pictures) != len(seen) {
			t.Errorf("album of %s: %d pictures, want %d", game, len(pictures), len(seen))
		}
		for art := range seen {
			if a := s.get("/art/" + art + "/album"); a.StatusCode != http.StatusNotFound {
				t.Errorf("a picture has an album: %s", a.Status)
			}
		}
		if packed := s.get(catalog+"/album", "Accept-Encoding", "br"); unpack(t, packed) != a.body {
			t.Errorf("album of %s: packed it differs", game)
		}
	}
	for _, path := range []string{"/art/" + strings.Repeat("0", 64) + "/album",
		"/art/0/album", "/art/album"} {
		if a := s.get(path); a.StatusCode != http.StatusNotFound ||
			a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %s %v", path, a.Status, a.Header)
		}
	}
}
