package game

import (
	"strings"
	"unicode"
)

// MaxValue is the greatest value of a counter or a heap of currency. -MaxValue is the least one of
// a counter (T33, T34).
const MaxValue int32 = 1 << 30

// MaxText is the most bytes that a note or a label can have (T35).
const MaxText = 2_000

// MaxCooldown is the longest cool-down of a die, in milliseconds.
const MaxCooldown = 60_000

// Die says that the pieces of a kind are dice or coins (T32), with a side for each face. The zero
// Die stands for a kind of other pieces.
type Die struct {
	Rolls    bool  // the pieces are dice
	Cooldown int32 // the least time between two rolls, in milliseconds, up to MaxCooldown
}

// Counter says that the pieces of a kind are counters (T33), and which values they can show. The
// zero Counter stands for a kind of other pieces.
type Counter struct {
	Counts            bool  // the pieces are counters
	Min, Max, Initial int32 // from -MaxValue to MaxValue
}

// Text says that the pieces of a kind are notes or labels (T35). The zero Text stands for a kind of
// other pieces.
type Text struct {
	Written bool // the pieces are notes or labels
	// Initial is the text of a new piece: up to MaxText bytes, without control characters other
	// than line feeds.
	Initial string
}

// The ways in which a piece may belong to a seat (T35).
const (
	seatLabel = "label"
	seatTurn  = "turn"
)

// The form of all these in a catalogue (docs/protocol/http.md).
type (
	catalogDie struct {
		Cooldown int32 `json:"cooldown"`
	}
	catalogCounter struct {
		Min     int32 `json:"min"`
		Max     int32 `json:"max"`
		Initial int32 `json:"initial"`
	}
	catalogCurrency struct {
		Initial int32 `json:"initial"`
	}
	catalogText struct {
		Initial string `json:"initial"`
	}
)

func (d Die) catalog() *catalogDie {
	if !d.Rolls {
		return nil
	}
	return &catalogDie{Cooldown: d.Cooldown}
}

func (c Counter) catalog() *catalogCounter {
	if !c.Counts {
		return nil
	}
	return &catalogCounter{Min: c.Min, Max: c.Max, Initial: c.Initial}
}

func (t Text) catalog() *catalogText {
	if !t.Written {
		return nil
	}
	return &catalogText{Initial: t.Initial}
}

func readDie(kind object, k Kind) Die {
	if !kind.has("die") {
		return Die{}
	}
	o := kind.r.object(kind.get("die"), kind.where+": die", "cooldown")
	if len(k.Faces) < 2 {
		kind.fail(kind.get("faces"), "a die has two faces or more, not %d", len(k.Faces))
	}
	return Die{Rolls: true, Cooldown: o.optional("cooldown", 0, MaxCooldown)}
}

func readCounter(kind object) Counter {
	if !kind.has("counter") {
		return Counter{}
	}
	o := kind.r.object(kind.get("counter"), kind.where+": counter", "min", "max", "initial")
	c := Counter{
		Counts:  true,
		Min:     o.integer("min", -MaxValue, MaxValue),
		Max:     o.integer("max", -MaxValue, MaxValue),
		Initial: o.integer("initial", -MaxValue, MaxValue),
	}
	switch {
	case c.Min >= c.Max:
		o.fail(o.get("max"), "max: %d is not above %d", c.Max, c.Min)
	case c.Initial < c.Min || c.Initial > c.Max:
		o.fail(o.get("initial"), "initial: %d is not from %d to %d", c.Initial, c.Min, c.Max)
	}
	return c
}

func readCurrency(kind object) int32 {
	if !kind.has("currency") {
		return 0
	}
	o := kind.r.object(kind.get("currency"), kind.where+": currency", "initial")
	return o.integer("initial", 1, MaxValue)
}

func readText(kind object) Text {
	if !kind.has("text") {
		return Text{}
	}
	o := kind.r.object(kind.get("text"), kind.where+": text", "initial")
	v, ok := o.want("initial", aText)
	switch {
	case !ok:
	case len(v.text) > MaxText:
		o.fail(v, "initial has %d bytes, more than %d", len(v.text), MaxText)
	case strings.ContainsFunc(v.text, func(c rune) bool {
		return unicode.IsControl(c) && c != '\n'
	}):
		o.fail(v, "initial: %q has a control character", v.text)
	}
	return Text{Written: true, Initial: v.text}
}

func readSeat(kind object) string {
	if !kind.has("seat") {
		return ""
	}
	return kind.choice("seat", seatLabel, seatTurn)
}
