package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"holt/server/play/game"
)

// Packed games that come in parts (T108).

// begin begins a file, and returns its address.
func (e editing) begin(as seat, size int) (path string) {
	e.Helper()
	var got struct {
		Upload string
		Part   int
	}
	a := e.post(as.api("/uploads"), fmt.Sprintf(`{"bytes":%d}`, size), as.bearer()...)
	if a.json(e, &got); a.StatusCode != http.StatusCreated || got.Part < 1<<20 {
		e.Fatalf("begin: %s %s", a.Status, a.body)
	}
	return as.api("/uploads/" + got.Upload)
}

// part sends a part.
func (e editing) part(as seat, path string, offset int, body []byte) answer {
	e.Helper()
	path = fmt.Sprintf("%s?offset=%d", path, offset)
	r := e.request(http.MethodPut, path, string(body), as.bearer())
	r.Header.Set("Content-Type", "application/octet-stream")
	return e.do(r, nil)
}

// pictured returns a packed game with a kind that has the picture with that number, whose drawing
// has so many bytes more.
func pictured(t *testing.T, kind string, n, more int) []byte {
	t.Helper()
	noise := make([]byte, more*3/4)
	_, _ = rand.NewChaCha8([32]byte{byte(n)}).Read(noise) // it cannot be packed any smaller
	return packedFolder(t, fmt.Appendf(nil, `{"format": "holt.game/2", "id": "one", "name": "One",
		"summary": "One kind.", "table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": %q, "width": 600, "height": 600, "shape": "rect", "weight": "light",
			"faces": [{"name": "Front", "art": "one.svg"}]}], "pieces": []}`, kind),
		map[string]string{"art/one.svg": fmt.Sprintf(
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><desc>%s</desc>`+
				`<rect width="%d" height="9" fill="#336699"/></svg>`,
			base64.StdEncoding.EncodeToString(noise), n)})
}

// storedZip returns a zip of one stored file.
func storedZip(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	size := uint64(len(data))
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: size, UncompressedSize64: size,
	})
	if err == nil {
		_, err = w.Write(data)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestT108Parts shows how a file comes in parts, and goes on after a cut.
// Clauses: T108.2, T108.3
func TestT108Parts(t *testing.T) {
	e := newEditing(t)
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	file := pictured(t, "Large", 1, 300_000)
	before := len(e.kinds())
	path := e.begin(e.ada, len(file))
	want := func(what string, a answer, offset int) {
		t.Helper()
		if a.StatusCode != http.StatusOK || a.body != fmt.Sprintf("{\"offset\":%d}\n", offset) {
			t.Errorf("T108.2 %s: %s %s, want %d", what, a.Status, a.body, offset)
		}
	}
	half := len(file) / 2
	want("the first part", e.part(e.ada, path, 0, file[:half]), half)
	want("the same again", e.part(e.ada, path, 0, file[:half]), half)
	want("a part too far on", e.part(e.ada, path, half+1, file[half+1:]), half)
	a := e.post(path+"/kinds", "", e.ada.bearer()...)
	wantProblem(t, "T108.3 too early", a, http.StatusBadRequest, "malformed")
	// The connection is cut in the middle of a part.
	cut := half + 70_000
	r := e.request(http.MethodPut, fmt.Sprintf("%s?offset=%d", path, half), "", e.ada.bearer())
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(file[half:cut]),
		iotest.ErrReader(errors.New("cut"))))
	r.ContentLength = int64(len(file) - half)
	if answer, err := http.DefaultTransport.RoundTrip(r); err == nil {
		answer.Body.Close()
		t.Fatal("the cut request has an answer")
	}
	var at struct{ Offset int }
	for range 100 { // the server may notice later
		e.get(path, e.ada.bearer()...).json(t, &at)
		if at.Offset > half {
			break
		}
	}
	if at.Offset <= half || at.Offset > cut {
		t.Fatalf("T108.2 after the cut %d bytes are there, of %d", at.Offset, cut)
	}
	want("the rest", e.part(e.ada, path, at.Offset, file[at.Offset:]), len(file))
	want("nothing more", e.part(e.ada, path, len(file), []byte("more")), len(file))
	a = e.post(path+"/kinds", "", e.ada.bearer()...)
	if a.StatusCode != http.StatusOK || a.body != fmt.Sprintf("{\"kinds\":[%d]}\n", before) {
		t.Fatalf("T108.3 %s %s", a.Status, a.body)
	}
	wantProblem(t, "T108.3 it is forgotten", e.get(path, e.ada.bearer()...), http.StatusNotFound,
		"not-found")
	bad := e.begin(e.ada, 2)
	want("no game", e.part(e.ada, bad, 0, []byte("PK")), 2)
	wantProblem(t, "T108.3 no game", e.post(bad+"/kinds", "", e.ada.bearer()...),
		http.StatusUnprocessableEntity, "game")
	wantProblem(t, "T108.3 it is forgotten, too", e.get(bad, e.ada.bearer()...),
		http.StatusNotFound, "not-found")
}

// TestT108Others shows who has nothing to do with a file, and what ends it.
// Clauses: T108.4, T108.5, T108.6
func TestT108Others(t *testing.T) {
	e := newEditing(t)
	a := e.post(e.ada.api("/uploads"), `{"bytes":9}`, e.ada.bearer()...)
	wantProblem(t, "T108.6 nobody lets Ada", a, http.StatusForbidden, "role")
	for _, who := range []seat{e.ada, e.ben} {
		e.letEdit("all edit", e.ada, who, true, http.StatusNoContent)
	}
	for body, code := range map[string]int{
		`{"bytes":0}`: http.StatusUnprocessableEntity, `{"bytes":"9"}`: http.StatusBadRequest,
		fmt.Sprintf(`{"bytes":%d}`, game.MaxPacked+1): http.StatusRequestEntityTooLarge,
	} {
		if a := e.post(e.ada.api("/uploads"), body, e.ada.bearer()...); a.StatusCode != code {
			t.Errorf("T108.6 %s: %s %s", body, a.Status, a.body)
		}
	}
	path := e.begin(e.ada, 9)
	e.part(e.ada, path, 0, []byte("1234"))
	gone := func(what string, as seat, at string) {
		t.Helper()
		wantProblem(t, what, e.get(at, as.bearer()...), http.StatusNotFound, "not-found")
		wantProblem(t, what, e.part(as, at, 4, []byte("56")), http.StatusNotFound, "not-found")
		wantProblem(t, what, e.post(at+"/kinds", "", as.bearer()...), http.StatusNotFound,
			"not-found")
		r := e.request(http.MethodDelete, at, "", as.bearer())
		wantProblem(t, what, e.do(r, nil), http.StatusNotFound, "not-found")
	}
	gone("T108.4 Ben", e.ben, path)
	if a := e.get(path, e.ada.bearer()...); a.body != "{\"offset\":4}\n" {
		t.Errorf("T108.4 Ada's file: %s %s", a.Status, a.body)
	}
	r := e.request(http.MethodPut, path+"?offset=4", "", e.ada.bearer())
	r.Header.Set("Content-Type", "application/octet-stream")
	r.ContentLength = 5 << 20
	w := httptest.NewRecorder()
	e.web.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("T108.6 a large part: %d %s", w.Code, w.Body)
	}
	next := e.begin(e.ada, 9)
	gone("T108.5 another one was begun", e.ada, path)
	r = e.request(http.MethodDelete, next, "", e.ada.bearer())
	if a := e.do(r, nil); a.StatusCode != http.StatusNoContent {
		t.Errorf("T108.5 it is given up: %s %s", a.Status, a.body)
	}
	gone("T108.5 it was given up", e.ada, next)
}

// TestT108Lacking shows which pictures a file may lack.
// Clauses: T108.1
func TestT108Lacking(t *testing.T) {
	e := newEditing(t)
	other := e.open("draughts")
	for _, who := range []seat{e.ada, other} {
		e.letEdit("all edit", who, who, true, http.StatusNoContent)
	}
	// lacking is a game without its picture.
	lacking := func(kind string, n int) []byte {
		p, err := game.ReadPacked(pictured(t, kind, n, 0))
		e.must(err)
		return storedZip(t, game.DocumentName, p.Doc)
	}
	if a := e.addKinds(e.ada, pictured(t, "One", 1, 0)); a.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", a.Status, a.body)
	}
	if a := e.addKinds(e.ada, lacking("Again", 1)); a.StatusCode != http.StatusOK {
		t.Errorf("T108.1 a picture of the table: %s %s", a.Status, a.body)
	}
	kinds := e.kinds()
	if n := len(kinds); kinds[n-1].Name != "Again" || kinds[n-1].Faces[0].Art !=
		kinds[n-2].Faces[0].Art {
		t.Errorf("T108.1 the kinds are %+v", kinds[n-2:])
	}
	known, unknown := e.addKinds(other, lacking("One", 1)), e.addKinds(other, lacking("One", 2))
	wantProblem(t, "T108.1 a picture of another table", known, http.StatusUnprocessableEntity, "game")
	wantProblem(t, "T108.1 nobody's picture", unknown, http.StatusUnprocessableEntity, "game")
	hashless := func(a answer) string {
		_, rest, _ := strings.Cut(a.body, "art/")
		return rest[min(64, len(rest)):]
	}
	if hashless(known) != hashless(unknown) {
		t.Errorf("T108.1 the answers differ: %s and %s", known.body, unknown.body)
	}
}
