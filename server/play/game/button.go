package game

import (
	"fmt"
	"maps"
	"slices"
)

// MaxSteps is the most steps of a button (T84).
const MaxSteps = 64

// Button says that the pieces of a kind are buttons, and what the server does when one is pressed
// (T84, T85). The zero Button stands for a kind of other pieces.
type Button struct {
	Who      string // who may press it: "players" or "host"
	Cooldown int32  // the least time between two presses, in milliseconds, up to MaxCooldown
	Steps    []Step // none: the pieces are not buttons
}

// Step is something that a button does with all pieces of a kind that lie open on the table. It
// names the kind by its name, as the author does: so a kind keeps its button wherever it goes.
type Step struct {
	Do   string // "flip", "rotate" or "count"
	Kind string
	By   int32 // of rotate: the angle, clockwise, in hundredths of a degree
	Sets bool  // of count: N is the new value; else it is added
	N    int32
}

// The verbs that the server executes.
const (
	doFlip   = "flip"
	doRotate = "rotate"
	doCount  = "count"
)

var buttons = ability{
	field: "button", called: "a button",
	has:  func(k *Kind) bool { return len(k.Button.Steps) > 0 },
	read: func(o object, k *Kind) { k.Button = readButton(o) },
	offers: func(*Kind, []Kind) []Offer {
		return []Offer{{Op: "run", Key: "o", Label: "Press"}}
	},
}

// The form of a button in a catalogue (docs/protocol/http.md).
type (
	catalogButton struct {
		Who      string        `json:"who"`
		Cooldown int32         `json:"cooldown"`
		Steps    []catalogStep `json:"steps"`
	}
	catalogStep struct {
		Do   string `json:"do"`
		Kind string `json:"kind"`
		By   int32  `json:"by,omitempty"`
		Add  *int32 `json:"add,omitempty"`
		Set  *int32 `json:"set,omitempty"`
	}
)

func (b *Button) catalog() *catalogButton {
	if len(b.Steps) == 0 {
		return nil
	}
	c := &catalogButton{Who: b.Who, Cooldown: b.Cooldown}
	for i := range b.Steps {
		s := b.Steps[i]
		step := catalogStep{Do: s.Do, Kind: s.Kind, By: s.By}
		switch {
		case s.Do == doCount && s.Sets:
			step.Set = &s.N
		case s.Do == doCount:
			step.Add = &s.N
		}
		c.Steps = append(c.Steps, step)
	}
	return c
}

func readButton(kind object) (b Button) {
	if !kind.has("button") {
		return b
	}
	o := kind.r.object(kind.get("button"), kind.where+": button", "who", "cooldown", "steps")
	b.Who = "players"
	if o.has("who") {
		b.Who = o.choice("who", "players", "host")
	}
	b.Cooldown = o.optional("cooldown", 0, MaxCooldown)
	for i, v := range o.list("steps", 1, MaxSteps) {
		b.Steps = append(b.Steps, readStep(kind.r, v, fmt.Sprintf("%s: step %d", o.where, i)))
	}
	return b
}

func readStep(r *reader, v value, where string) Step {
	fields := []string{"do", "kind"}
	switch v.members["do"].text {
	case doRotate:
		fields = append(fields, "by")
	case doCount:
		fields = append(fields, "add", "set")
	case doFlip:
	default: // the fault is the verb, and not what belongs to it
		fields = slices.Sorted(maps.Keys(v.members))
	}
	o := r.object(v, where, fields...)
	s := Step{Do: o.choice("do", doFlip, doRotate, doCount), Kind: o.text("kind", MaxName)}
	switch s.Do {
	case doRotate:
		s.By = o.integer("by", 1, FullTurn-1)
	case doCount:
		s.Sets = o.has("set")
		switch {
		case s.Sets && o.has("add"):
			o.fail(o.get("set"), "a step has add or set, not both")
		case s.Sets:
			s.N = o.integer("set", -MaxValue, MaxValue)
		default:
			s.N = o.integer("add", -MaxValue, MaxValue)
		}
		if !s.Sets && s.N == 0 && r.err == nil {
			o.fail(o.get("add"), "add: 0 changes nothing")
		}
	}
	return s
}

// Of returns the kind to whose pieces the step is done; -1 if there is none, or if its pieces
// cannot have it. Of several with the name it is the first one.
func (s *Step) Of(kinds []Kind) int {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == s.Kind })
	if i < 0 || s.hindrance(kinds, i) != "" {
		return -1
	}
	return i
}

// hindrance says why the step cannot be done to the pieces of a kind; "" if it can be. What a
// button does never depends on what is hidden: it finds its pieces by their kind, so that everybody
// must know the kind.
func (s *Step) hindrance(kinds []Kind, i int) string {
	k := &kinds[i]
	switch {
	case k.Secret:
		return "is secret: a button would tell its pieces from others"
	case slices.ContainsFunc(kinds, func(o Kind) bool { return o.Secret && o.Mask == i }):
		return "is the mask of secret kinds, so that nobody knows which pieces are meant"
	case k.Hand || k.Container.Holds():
		return "is a hand or a container, which a button leaves alone"
	case s.Do == doFlip && len(k.Faces) != 2:
		return fmt.Sprintf("has %d faces, not the two of what can be turned over", len(k.Faces))
	case s.Do == doCount && !k.Counter.Counts:
		return "is no counter"
	case s.Do == doCount && s.Sets && (s.N < k.Counter.Min || s.N > k.Counter.Max):
		return fmt.Sprintf("cannot show %d", s.N)
	}
	return ""
}

// checkButtons fails if a step of a button of a game can never do anything. Catalogues are not
// checked: a kind may have come to another table without those that its button names.
func checkButtons(kinds []Kind, objects []object) {
	for i := range kinds {
		steps := kinds[i].Button.Steps
		for n := range steps {
			s := &steps[n]
			v := objects[i].get("button").members["steps"].items[n].members["kind"]
			of := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == s.Kind })
			if of < 0 {
				objects[i].fail(v, "button: step %d: no kind %q", n, s.Kind)
			} else if why := s.hindrance(kinds, of); why != "" {
				objects[i].fail(v, "button: step %d: %q %s", n, s.Kind, why)
			}
		}
	}
}
