package game

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what a game file says of its pictures (docs/guides/games.md).
const (
	MaxCredits = 1_000
	MaxAuthor  = 100 // characters
	MaxSource  = 300 // characters
)

// Credit says who made a picture, under which licence it is, and where it comes from (G27). One of
// them may be empty, but not all.
type Credit struct{ Author, Licence, Source string }

func (c Credit) compare(other Credit) int {
	return slices.Compare([]string{c.Author, c.Licence, c.Source},
		[]string{other.Author, other.Licence, other.Source})
}

// Credits are the credits of pictures, by their hashes.
type Credits map[[sha256.Size]byte]Credit

// creditDoc is the written form of a credit: with the pictures that it is about.
type creditDoc struct {
	Art     []string `json:"art"`
	Author  string   `json:"author,omitempty"`
	Licence string   `json:"licence,omitempty"`
	Source  string   `json:"source,omitempty"`
}

// readCredits reads the credits of a game file, after everything that has pictures.
func readCredits(root object, lib *library) Credits {
	return readCreditsWith(root, func(o object, v value) [sha256.Size]byte {
		hash, ok := lib.byName[v.text]
		if !ok {
			o.fail(v, "art: no face has the picture %q", v.text)
			return hash
		}
		lib.refer(v, reference{art: lib.byHash[hash].Type, data: lib.byHash[hash].Data, hash: hash})
		return hash
	})
}

// readCreditsWith is readCredits with another way to find pictures.
func readCreditsWith(
	root object, picture func(o object, v value) [sha256.Size]byte,
) (all Credits) {
	if !root.has("credits") {
		return nil
	}
	all = Credits{}
	for i, v := range root.list("credits", 1, MaxCredits) {
		o := root.r.object(v, "credits: entry "+strconv.Itoa(i), "art", "author", "licence", "source")
		var c Credit
		for name, field := range map[string]struct {
			to   *string
			most int
		}{
			"author": {&c.Author, MaxAuthor}, "licence": {&c.Licence, MaxLicence},
			"source": {&c.Source, MaxSource},
		} {
			if o.has(name) {
				*field.to = o.text(name, field.most)
			}
		}
		if c == (Credit{}) {
			o.fail(v, "it has neither author nor licence nor source")
		}
		for _, v := range o.list("art", 1, MaxEntries) {
			if v.kind != aText {
				o.fail(v, "art: want %s, not %s", aText, v.kind)
			}
			if root.r.err != nil {
				return nil
			}
			hash := picture(o, v)
			if _, twice := all[hash]; twice {
				o.fail(v, "art: %q has a credit already", v.text)
			}
			all[hash] = c
		}
	}
	return all
}

// docs returns the written form of credits. Equal ones give equal lists.
func (all Credits) docs() (docs []creditDoc) {
	of := map[Credit][]string{}
	for hash, c := range all {
		of[c] = append(of[c], hex.EncodeToString(hash[:]))
	}
	for _, c := range slices.SortedFunc(maps.Keys(of), Credit.compare) {
		slices.Sort(of[c])
		docs = append(docs, creditDoc{of[c], c.Author, c.Licence, c.Source})
	}
	return docs
}

// Counted is a credit with how many pictures have it.
type Counted struct {
	Credit
	Pictures int
}

// Counted returns the different credits, those of most pictures first.
func (all Credits) Counted() (list []Counted) {
	of := map[Credit]int{}
	for _, c := range all {
		of[c]++
	}
	for c, n := range of {
		list = append(list, Counted{c, n})
	}
	slices.SortFunc(list, func(a, b Counted) int {
		if a.Pictures != b.Pictures {
			return b.Pictures - a.Pictures
		}
		return a.compare(b.Credit)
	})
	return list
}

// With returns these credits, with those that others give in their place.
func (all Credits) With(others Credits) Credits {
	if len(others) == 0 {
		return all
	}
	both := maps.Clone(others)
	for hash, c := range all {
		if _, newer := both[hash]; !newer {
			both[hash] = c
		}
	}
	return both
}

// Of returns the credits of the pictures of kinds; nil if there are none.
func (all Credits) Of(kinds []Kind) (some Credits) {
	for _, hash := range Pictures(kinds) {
		if c, ok := all[hash]; ok {
			if some == nil {
				some = Credits{}
			}
			some[hash] = c
		}
	}
	return some
}

// String returns a credit in one line.
func (c Credit) String() string {
	var parts []string
	for _, part := range []string{c.Author, c.Licence, c.Source} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}
