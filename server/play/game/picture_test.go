package game

import (
	"os"
	"strings"
	"testing"
)

// TestReadPicture shows how the picture of a game is read, and the words by which it is found.
func TestReadPicture(t *testing.T) {
	doc, err := os.ReadFile(samplesFolder + "/spells.json")
	if err != nil {
		t.Fatal(err)
	}
	files := os.DirFS(samplesFolder)
	read := func(doc string) (*Packed, error) {
		return ReadLoose([]byte(doc), FilesOf(files, ".", files))
	}
	p, err := read(string(doc))
	if err != nil {
		t.Fatal(err)
	}
	of := p.Game.Picture
	if len(of.Pieces) != 3 || of.Width != 2400 || of.Pieces[0].Angle != 34500 ||
		p.Game.Kinds[of.Pieces[2].Kind].Name != "Moss" || len(p.Game.About.Words) != 2 {
		t.Errorf("the picture is %+v, the words are %q", of, p.Game.About.Words)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"width": 2400`, `"width": 900`, `picture: width: 900 is not`},
		{`{"kind": "Blaze", "x"`, `{"kind": "Blaz", "x"`, `picture: piece 0: no kind "Blaz"`},
		{`"x": -480`, `"x": -4800`, `picture: piece 0: x: -4800 is not`},
		{`"angle": 34500`, `"angle": 36000`, `picture: piece 0: angle: 36000 is not`},
		{`"angle": 34500`, `"face": 2`, `picture: piece 0: face: 2 is not`},
		{`"angle": 34500`, `"locked": true`, `picture: piece 0: unknown field "locked"`},
		{`"wizards", "magic"`, `"magic", "magic"`, `about: words: entry 1: "magic" stands there twice`},
		{`"wizards", "magic"`, ``, `about: words has 0 entries`},
	} {
		if strings.Count(string(doc), c.old) != 1 {
			t.Fatalf("the sample has not one %s", c.old)
		}
		_, err := read(strings.Replace(string(doc), c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}
