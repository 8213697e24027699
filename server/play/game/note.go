package game

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxText is the most bytes that a note or a label can have (T35).
const MaxText = 2_000

// Text says that the pieces of a kind are notes or labels (T35). The zero Text stands for a kind of
// other pieces.
type Text struct {
	Written bool // the pieces are notes or labels
	// Initial is the text of a new piece: up to MaxText bytes, without control characters other
	// than line feeds.
	Initial string
}

var notes = ability{
	field: "text", called: "a note", written: true,
	has:  func(k *Kind) bool { return k.Text.Written },
	read: func(o object, k *Kind) { k.Text = readText(o) },
	offers: func(*Kind, []Kind) []Offer {
		return []Offer{{Op: "write", Key: "m", Label: "Write",
			Asks: []Ask{{Name: "text", Label: "What stands on it?", Max: MaxText}}}}
	},
}

// catalogText is the form of a note in a catalogue (docs/protocol/http.md).
type catalogText struct {
	Initial string `json:"initial"`
}

func (t Text) catalog() *catalogText {
	if !t.Written {
		return nil
	}
	return &catalogText{Initial: t.Initial}
}

func readText(kind object) Text {
	if !kind.has("text") {
		return Text{}
	}
	o := kind.r.object(kind.get("text"), kind.where+": text", "initial")
	v, ok := o.want("initial", aText)
	if err := checkInitial(v.text); ok && err != nil {
		o.fail(v, "initial: %w", err)
	}
	return Text{Written: true, Initial: v.text}
}

// checkInitial returns what is wrong with the text of a new note.
func checkInitial(text string) error {
	switch {
	case len(text) > MaxText:
		return fmt.Errorf("it has %d bytes, more than %d", len(text), MaxText)
	case strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' }):
		return fmt.Errorf("%q has a control character", text)
	}
	return nil
}
