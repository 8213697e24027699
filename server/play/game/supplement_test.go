package game

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
)

// TestSupplement shows what is kept of a game beside its catalogue.
func TestSupplement(t *testing.T) {
	p, _ := packedFull(t)
	doc, files := p.Game.Supplement()
	s, err := ReadSupplement(doc)
	if err != nil || s.RulesName != RulesText || s.Rules != p.Game.About.Rules.Hash ||
		len(s.Languages) != 2 || s.Languages["de"] != p.Game.Languages[0].Hash {
		t.Fatalf("%s is read as %+v, %v", doc, s, err)
	}
	all := s.Files()
	for _, data := range files {
		if !slices.Contains(all, sha256.Sum256(data)) {
			t.Errorf("%.40q is not named", data)
		}
	}
	if len(all) != len(files) {
		t.Errorf("%d files are named, %d are given", len(all), len(files))
	}
	bare := *p.Game
	bare.About.Rules, bare.Languages = Rules{}, nil
	if doc, files := bare.Supplement(); doc != nil || files != nil {
		t.Errorf("a game with nothing has %s", doc)
	}
	for want, change := range map[string][2]string{
		`"holt.supplement/2"`:         {"supplement/1", "supplement/2"},
		`unknown field "rule"`:        {`"rules":`, `"rule":`},
		"is not 64 small hexadecimal": {`"sha256":"`, `"sha256":"x`},
		`"rules.txt"`:                 {"rules.md", "rules.txt"},
		`"DE" is not a language`:      {`"de"`, `"DE"`},
		"line 1, column 1: the value": {"{", "x"},
	} {
		bad := bytes.Replace(doc, []byte(change[0]), []byte(change[1]), 1)
		if _, err := ReadSupplement(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", bad, err, want)
		}
	}
}
