package game

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a game file says about the game (docs/guides/games.md).
const (
	MaxPlayers     = 32
	MaxMinutes     = 10_000
	MaxAge         = 99
	MaxLanguages   = 32
	MaxLicence     = 100  // characters
	MaxAttribution = 1000 // characters
	MaxAuthors     = 32
	MaxRules       = 8 << 20 // bytes of the rules as PDF
	MaxRulesText   = 1 << 20 // bytes of the rules as Markdown
	MaxGenres      = 3
	MaxWords       = 16
)

// Genres are the sorts of games, in the order in which pages offer them (G19).
var Genres = []string{"board", "cards", "dice", "tiles", "party", "tool"}

// About is what a game file says about the game. Whatever is left out is zero.
type About struct {
	Players Range
	Minutes Range
	Genres  []string // some of Genres, without repetition
	// Words are further names and words by which people find the game (G19.2). Pages do not show them.
	Words     []string
	Age       int32    // the youngest players
	Languages []string // of the texts and the art, as BCP 47 tags
	// Licence is an SPDX identifier or a name. Attribution is what must be said of the sources.
	Licence, Attribution string
	Authors              []string
	Rules                Rules
}

// Range is a number from Least to Most. It is zero if there is none.
type Range struct{ Least, Most int32 }

// Rules are the rules of a game: text in Markdown, or a PDF. Data is nil if there are none.
type Rules struct {
	Name string // "rules.md" or "rules.pdf"
	Data []byte
	Hash [sha256.Size]byte
}

// The names of rules in packed games.
const (
	RulesText = "rules.md"
	RulesPDF  = "rules.pdf"
)

// readAbout reads what a game file says about the game.
func readAbout(root object, lib *library) (a About) {
	if !root.has("about") {
		return a
	}
	o := root.r.object(root.get("about"), "about", "players", "minutes", "genres", "words", "age",
		"languages", "licence", "attribution", "authors", "rules")
	if o.has("players") {
		o.want("players", anArray)
		a.Players = o.between("players", MaxPlayers)
	}
	if o.has("minutes") {
		a.Minutes = o.between("minutes", MaxMinutes)
	}
	if o.has("age") {
		a.Age = o.integer("age", 1, MaxAge)
	}
	if o.has("licence") {
		a.Licence = o.text("licence", MaxLicence)
	}
	if o.has("attribution") {
		a.Attribution = o.text("attribution", MaxAttribution)
	}
	a.Genres = o.names("genres", MaxGenres, checkGenre)
	a.Words = o.names("words", MaxWords,
		func(name string) error { return CheckName(name, 1, MaxName) })
	a.Languages = o.names("languages", MaxLanguages, checkTag)
	a.Authors = o.names("authors", MaxAuthors,
		func(name string) error { return CheckName(name, 1, MaxName) })
	a.Rules = readRules(o, lib)
	return a
}

// between returns a whole number from 1 to high, or a list of the least and the most of them.
func (o object) between(name string, high int32) Range {
	if o.get(name).kind != anArray {
		n := o.integer(name, 1, high)
		return Range{n, n}
	}
	items := o.list(name, 2, 2)
	if items == nil {
		return Range{}
	}
	pair := object{r: o.r, where: o.where + ": " + name, members: map[string]value{
		"the least": items[0], "the most": items[1],
	}}
	r := Range{pair.integer("the least", 1, high), pair.integer("the most", 1, high)}
	if r.Least > r.Most {
		o.fail(items[0], "%s: %d is more than %d", name, r.Least, r.Most)
	}
	return r
}

// names returns a list of 1 to limit different texts that check accepts, nil if it is missing.
func (o object) names(name string, limit int, check func(string) error) (all []string) {
	if !o.has(name) {
		return nil
	}
	for i, v := range o.list(name, 1, limit) {
		if v.kind != aText {
			o.fail(v, "%s: entry %d: want %s, not %s", name, i, aText, v.kind)
		} else if err := check(v.text); err != nil {
			o.fail(v, "%s: entry %d: %w", name, i, err)
		} else if slices.Contains(all, v.text) {
			o.fail(v, "%s: entry %d: %q stands there twice", name, i, v.text)
		}
		all = append(all, v.text)
	}
	return all
}

func checkGenre(genre string) error {
	if !slices.Contains(Genres, genre) {
		return fmt.Errorf("%q is not %s", genre, strings.Join(Genres, " or "))
	}
	return nil
}

// tag matches a BCP 47 tag: a language, perhaps with a script and a region. Capitals are as usual,
// so that each language has one tag: "de", "pt-BR", "zh-Hant-TW".
var tag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)

// CheckTag returns an error unless a text is the tag of a language.
func CheckTag(t string) error { return checkTag(t) }

func checkTag(t string) error {
	if !tag.MatchString(t) {
		return fmt.Errorf(`%q is not a language such as "de", "pt-BR" or "zh-Hant"`, t)
	}
	return nil
}

// readRules reads the rules: in a loose file their path, in a packed one their name and hash.
func readRules(about object, lib *library) Rules {
	if !about.has("rules") {
		return Rules{}
	}
	v := about.get("rules")
	rules := Rules{Name: RulesText}
	var path string
	if lib.packed {
		o := about.r.object(v, "about: rules", "name", "sha256")
		rules.Name = o.choice("name", RulesText, RulesPDF)
		path = rules.Name
		rules.Data, rules.Hash = lib.beside(o, o.get("sha256"), path, hashText(o, "sha256"))
	} else {
		path = about.text("rules", maxPath)
		switch {
		case strings.HasSuffix(path, ".pdf"):
			rules.Name = RulesPDF
		case !strings.HasSuffix(path, ".md"):
			about.fail(v, "rules: %q ends neither in .md nor in .pdf", path)
		}
		rules.Data, rules.Hash = lib.beside(about, v, path, nil)
	}
	if about.r.err != nil {
		return Rules{}
	}
	if err := rules.check(); err != nil {
		about.fail(v, "rules: %s %w", path, err)
	}
	lib.refer(v, reference{name: rules.Name, data: rules.Data, hash: rules.Hash})
	return rules
}

// check returns what is wrong with the bytes of rules.
func (r *Rules) check() error {
	switch {
	case r.Name == RulesPDF && len(r.Data) > MaxRules:
		return fmt.Errorf("has %d bytes, more than %d", len(r.Data), MaxRules)
	case r.Name == RulesPDF && !bytes.HasPrefix(r.Data, []byte("%PDF-")):
		return errors.New("is not a PDF")
	case r.Name == RulesPDF:
		return nil
	case len(r.Data) > MaxRulesText:
		return fmt.Errorf("has %d bytes, more than %d", len(r.Data), MaxRulesText)
	case !utf8.Valid(r.Data):
		return errors.New("is not UTF-8")
	case hasControls(string(r.Data)):
		return errors.New("has a control character other than tabs and ends of lines")
	}
	return nil
}
