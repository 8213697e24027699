package web_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// changeKinds sends a packed game whose first kinds take the place of others.
func (e editing) changeKinds(as seat, file []byte, query string) answer {
	e.Helper()
	r := e.request(http.MethodPost, as.api("/kinds"+query), string(file), as.bearer())
	r.Header.Set("Content-Type", "application/zip")
	return e.do(r, nil)
}

// catalogHash returns the hash of the catalogue of the table.
func (e editing) catalogHash() string {
	e.Helper()
	var doc struct{ Info struct{ Catalog string } }
	e.get(e.ada.api(""), e.ada.bearer()...).json(e, &doc)
	return doc.Info.Catalog
}

// TestT104Change shows that who edits changes kinds, and when that is refused.
// Clauses: T103.4, T104.1, T104.2, T104.5, T104.6, T104.7
func TestT104Change(t *testing.T) {
	e := newEditing(t)
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	var got struct{ Kinds []int }
	blue := packedWith(t, `"layers": [{"colour": "#336699"}]`, "", nil)
	e.addKinds(e.ada, blue).json(t, &got)
	n := got.Kinds[0]
	was := e.catalogHash()
	red := packedWith(t, `"layers": [{"colour": "#993366"}]`, "", nil)
	at := fmt.Sprintf("?change=%d", n)
	for _, c := range []struct {
		what, query string
		as          seat
		file        []byte
		status      int
		code        string
	}{
		{"T104.1 Ben does not edit", at, e.ben, red, http.StatusForbidden, "role"},
		{"T104.3 another sort of piece", "?change=0", e.ada, red, http.StatusConflict, "kind-unlike"},
		{"T104.5 no such kind", fmt.Sprintf("?change=%d", n+1), e.ada, red, http.StatusNotFound,
			"not-found"},
		{"T104.5 more kinds than the file has", at + ",0", e.ada, red, http.StatusNotFound,
			"not-found"},
		{"T104.5 one kind twice", fmt.Sprintf("?change=%d,%d", n, n), e.ada, red,
			http.StatusNotFound, "not-found"},
		{"no number", "?change=x", e.ada, red, http.StatusUnprocessableEntity, "impossible-value"},
		{"no hash", at + "&was=x", e.ada, red, http.StatusUnprocessableEntity, "impossible-value"},
		{"T104.6 another catalogue", at + "&was=" + strings.Repeat("0a", 32), e.ada, red,
			http.StatusConflict, "kinds-changed"},
	} {
		wantProblem(t, c.what, e.changeKinds(c.as, c.file, c.query), c.status, c.code)
		if now := e.catalogHash(); now != was {
			t.Errorf("T104.7 %s: the catalogue has changed", c.what)
		}
	}
	a := e.changeKinds(e.ada, red, at+"&was="+was)
	if a.json(t, &got); a.StatusCode != http.StatusOK || len(got.Kinds) != 1 || got.Kinds[0] != n {
		t.Fatalf("T104.1 %s %s", a.Status, a.body)
	}
	if now := e.catalogHash(); now == was {
		t.Error("T104.2 the table has the old catalogue")
	}
	kinds := e.kinds()
	if c := kinds[n].Faces[0].Layers[0].Colour; len(kinds) != n+1 || c != "#993366" {
		t.Errorf("T104.1 of %d kinds the new one is %s", len(kinds), c)
	}
}

// TestT103Own shows that only the kinds of a file itself are answered.
// Clauses: T103.4
func TestT103Own(t *testing.T) {
	e := newEditing(t)
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	e.addKinds(e.ada, packedWith(t, `"layers": [{"colour": "#336699"}]`, "", nil))
	face := `"faces":[{"layers":[{"colour":"#112233"}],"name":"Front"}`
	box := `"height":889,"mask":"Card","name":"Ace","secret":true,"shape":"card",` +
		`"weight":"light","width":635`
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("game.json")
	e.must(err)
	_, err = fmt.Fprintf(f, `{"format":"holt.game/2","id":"k","kinds":[{%s,%s}],"name":"K",`+
		`"pieces":[],"summary":"K","table":{"height":1000,"surface":"felt","width":1000}}`,
		face+`,{"layers":[{"colour":"#112233"}],"name":"Back"}]`, box)
	e.must(err)
	e.must(w.Close())
	n := len(e.kinds())
	var got struct{ Kinds []int }
	a := e.addKinds(e.ada, b.Bytes())
	if a.json(t, &got); len(got.Kinds) != 1 || got.Kinds[0] != n {
		t.Fatalf("%s %s, want kind %d", a.Status, a.body, n)
	}
	if now := e.kinds(); len(now) != n+1 || now[n].Mask != n-1 {
		t.Errorf("T103.1 of %d kinds the new one has the mask %d", len(now), now[n].Mask)
	}
}
