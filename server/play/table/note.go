package table

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"holt/server/id"
)

// Notes and labels, on which a text is written (T35).

// MaxText is the most bytes of a text.
const MaxText = 2000

func init() {
	define(rows{
		OpWrite: {Name: "write", Forms: []Form{{
			Required:  tagged | HasText,
			Condition: "a note or a label",
			Ack:       "name: `text` is not repeated",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
		}}, change: (*judging).write},
	})
}

// write changes the text of a note.
func (j *judging) write() Reason {
	s := &j.after
	switch {
	case !j.t.kinds[s.Kind].Text:
		return ReasonNotAllowed
	case j.t.isAway(s.Set, j.in.Now):
		return ReasonAway
	}
	s.Text = j.u.Text
	return reasonNone
}

// Plain reports whether a text can be written on a note (T35): it is UTF-8 without control
// characters other than line feeds. It does not check the length.
func Plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n'
	})
}

// checkText refuses a text that cannot be written on a note.
func (u *Update) checkText() (code, detail string) {
	switch {
	case len(u.Text) > MaxText:
		return CodeImpossible, fmt.Sprintf("a text has at most %d bytes", MaxText)
	case !Plain(u.Text):
		return CodeImpossible, "a text is UTF-8 without control characters but for line feeds"
	}
	return "", ""
}

// newTextBytes returns what the text of a new piece weighs: three entries have it, each before and
// after.
func (k *Kind) newTextBytes() int { return 6 * len(k.InitialText) }

// maxTextBytes returns the most bytes that the text of a piece can have.
func (k *Kind) maxTextBytes() int {
	if k.Text {
		return MaxText
	}
	return 0
}

// notes is the ability of notes and labels.
type notes struct{ plain }

func (notes) begin(k *Kind, s State, _ id.Millis) State {
	s.Text = k.InitialText
	return s
}

func (notes) fits(_ *Kind, part *SetPart) bool {
	return len(part.Text) <= MaxText && Plain(part.Text)
}

func (notes) part(s State, part *SetPart) State {
	s.Text = part.Text
	return s
}
