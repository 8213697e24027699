package game

import (
	"fmt"
	"slices"
)

// Lists of steps, and steps that have such lists (T84, T91).

// MaxDeep is how deep lists of steps may stand in others (T91).
const MaxDeep = 2

// Condition is what decides which steps of an if are done: a number that everybody at the table
// knows, compared with another one.
type Condition struct {
	Of   string // "value", "pieces", "holds" or "answer"
	Kind string // of the counter, the container or the pieces; "": pieces of all kinds
	In   string // of pieces: the kind of the zone in which they lie; "": anywhere on the table
	Is   string // =, <, <=, > or >=
	N    int32

	Answer string // of an answer: the name of the question
	Choice string // of the answer to a choice: which one it is; N is its number, from 0
}

// comparisons are the ways in which a condition compares.
var comparisons = []string{"=", "<", "<=", ">", ">="}

// What a condition counts.
const (
	ofValue  = "value"  // the value of a counter
	ofPieces = "pieces" // pieces that lie open
	ofHolds  = "holds"  // pieces in a container
)

// catalogIf is what a condition has beside its kind and its number.
type catalogIf struct {
	Of   any           `json:"of"`
	In   string        `json:"in,omitempty"`
	Is   string        `json:"is"`
	Then []catalogStep `json:"then"`
	Else []catalogStep `json:"else,omitempty"`
}

func (s *Step) catalogIf() *catalogIf {
	c := &catalogIf{
		Of: orAnswer(s.If.Answer, s.If.Of), In: s.If.In, Is: s.If.Is,
		Then: catalogSteps(s.Then), Else: catalogSteps(s.Else),
	}
	if s.If.Choice != "" {
		c.Is = s.If.Choice
	}
	return c
}

// catalog puts into a step what a condition has in common with other steps.
func (c *Condition) catalog(step *catalogStep) {
	if c.Kind != "" {
		step.Kind = c.Kind
	}
	if c.Choice == "" {
		step.N = c.N
	}
}

// SetsUp reports whether the last step of a button sets the table up again (T93).
func (b *Button) SetsUp() bool {
	return len(b.Steps) > 0 && b.Steps[len(b.Steps)-1].Do == doSetUp
}

// lastSetUp fails if one of these steps sets the table up: none of them is the last of a button.
func lastSetUp(steps []Step, at []value, fail func(at value, format string, args ...any)) {
	for i := range steps {
		if steps[i].Do == doSetUp {
			fail(at[i].members["do"], "do: only the last step of a button sets up")
		}
	}
}

// checkSetUps fails if a button of a game sets up what is no set-up of it, or of its base.
func checkSetUps(root object, g *Game, base *Base) {
	for _, list := range []string{"kinds", "templates"} {
		for i, kind := range root.get(list).items {
			for n, step := range kind.members["button"].members["steps"].items {
				name := step.members["name"]
				if step.members["do"].text != doSetUp || name.kind == absent ||
					slices.Contains(base.SetUps, name.text) ||
					slices.ContainsFunc(g.AllSetups(), func(s Setup) bool { return s.Name == name.text }) {
					continue
				}
				root.r.fail(name.at, fmt.Sprintf("%s %d: button: step %d", list[:len(list)-1], i, n),
					"no set-up is called %q", name.text)
			}
		}
	}
}

// readSteps reads a list of steps that stands in lists of deep others.
func readSteps(o object, field, where string, deep int, asked []Question) []Step {
	return readList(o, field, where, deep, false, asked)
}

// readList is readSteps; of a button the first steps may ask, and the last one may set up. asked
// are the questions before the list.
func readList(
	o object, field, where string, deep int, ofButton bool, asked []Question,
) (steps []Step) {
	items := o.list(field, 1, MaxSteps)
	for i, v := range items {
		steps = append(steps, readStep(o.r, v, fmt.Sprintf("%sstep %d", where, i), deep, asked))
		if steps[i].Do == doAsk {
			asked = append(asked, steps[i].Ask)
		}
		if o.r.err == nil && deep == 0 && CountSteps(steps) > MaxSteps {
			o.fail(v, "%s: more than %d steps, with those in lists", field, MaxSteps)
		}
	}
	if of := len(steps); o.r.err == nil {
		if deep == 0 && ofButton {
			of--
		}
		lastSetUp(steps[:of], items, o.fail)
		onlyFirst(steps, items, ofButton, o.fail)
	}
	return steps
}

// CountSteps returns how many steps there are, with those in lists of steps.
func CountSteps(steps []Step) (n int) {
	eachStep(steps, func(*Step) { n++ })
	return n
}

// eachStep calls f for each step, and behind it for those in its lists.
func eachStep(steps []Step, f func(*Step)) {
	for i := range steps {
		f(&steps[i])
		eachStep(steps[i].Then, f)
		eachStep(steps[i].Else, f)
	}
}

// tooDeep fails if a step with lists stands in too many others.
func tooDeep(o object, deep int) bool {
	if deep == MaxDeep {
		o.fail(o.get("do"), "do: lists of steps stand at most %d deep in each other", MaxDeep)
	}
	return deep == MaxDeep
}

// readEach reads what an each seat has.
func (s *Step) readEach(o object, deep int, asked []Question) {
	if tooDeep(o, deep) {
		return
	}
	if o.has("seat") {
		s.Answers.Seat = o.answer("seat", asked, forSeat).Name
	}
	s.Then = readSteps(o, "steps", o.where+": ", deep+1, asked)
	eachStep(s.Then, func(in *Step) {
		if in.Do == doEach {
			o.fail(o.get("steps"), "steps: an each seat stands in another one")
		}
	})
}

// readIf reads what an if has.
func (s *Step) readIf(o object, deep int, asked []Question) {
	if tooDeep(o, deep) {
		return
	}
	if o.isAnswer("of") {
		s.If = readCompared(o, asked)
		for _, field := range []string{"kind", "in"} {
			if o.has(field) {
				o.fail(o.get(field), "%s: an answer is compared, and no pieces", field)
			}
		}
	} else {
		s.readCounted(o)
	}
	s.Then = readSteps(o, "then", o.where+": then: ", deep+1, asked)
	if o.has("else") {
		s.Else = readSteps(o, "else", o.where+": else: ", deep+1, asked)
	}
}

// readCounted reads a condition that counts something.
func (s *Step) readCounted(o object) {
	kind := ""
	if o.has("kind") {
		kind = o.text("kind", MaxName)
	}
	s.If = Condition{
		Of: o.choice("of", ofValue, ofPieces, ofHolds), Kind: kind,
		Is: o.choice("is", comparisons...), N: o.integer("n", -MaxValue, MaxValue),
	}
	if o.has("in") {
		s.If.In = o.text("in", MaxName)
	}
	switch {
	case s.If.Of != ofPieces && o.has("in"):
		o.fail(o.get("in"), "in: only pieces lie in a zone")
	case s.If.Kind == "" && s.If.In == "":
		o.fail(o.get("kind"), "kind is missing")
	}
}

// Known reports whether a table with these kinds has those of the condition, so that everybody
// knows what it counts.
func (c *Condition) Known(kinds []Kind) bool {
	of, in := c.KindOf(kinds), c.ZoneOf(kinds)
	return (c.Kind == "" || of >= 0 && c.hindrance(kinds, of) == "") &&
		(c.In == "" || in >= 0 && c.noZone(kinds, in) == "")
}

// KindOf returns the kind that a condition names; -1 if there is none.
func (c *Condition) KindOf(kinds []Kind) int { return named(kinds, c.Kind) }

// ZoneOf returns the kind of the zone that a condition names; -1 if there is none.
func (c *Condition) ZoneOf(kinds []Kind) int { return named(kinds, c.In) }

// hindrance says why not everybody knows what the condition counts of a kind, or why it cannot be
// counted; "" if all is well. A secret piece counts as its mask, so a mask is no hindrance.
func (c *Condition) hindrance(kinds []Kind, i int) string {
	k := &kinds[i]
	switch {
	case k.Secret:
		return "is secret: a button would tell its pieces from others"
	case c.Of == ofPieces && c.In != "" && k.Weight == "heavy":
		return "is heavy: it never lies in a zone"
	case c.Of == ofPieces:
		return ""
	case unclear(kinds, i) != "":
		return unclear(kinds, i)
	case c.Of == ofValue && !k.Counter.Counts:
		return "is no counter"
	case c.Of == ofHolds && !k.Container.Holds():
		return "is no container"
	case c.Of == ofHolds && k.Uncounted:
		return "does not say how many pieces lie in it"
	}
	return ""
}

// noZone says why a kind is no zone whose pieces can be counted; "" if it is one.
func (c *Condition) noZone(kinds []Kind, i int) string {
	switch {
	case unclear(kinds, i) != "":
		return unclear(kinds, i)
	case kinds[i].Zone.Lay == "":
		return "is no zone"
	}
	return ""
}

// checkButtons fails if a step of a button of a game can never do anything. Catalogues are not
// checked: a kind may have come to another table without those that its button names.
func checkButtons(kinds []Kind, objects []object) {
	for i := range objects {
		checkSteps(kinds, nil, kinds[i].Button.Steps, objects[i].get("button").members["steps"],
			"button: ", objects[i].fail)
	}
}

// checkSteps fails if one of these steps can never do anything. The pieces of the kinds without do
// not lie on the table. where says in whose list they stand.
func checkSteps(
	kinds []Kind, without []int, steps []Step, list value, where string,
	fail func(at value, format string, args ...any),
) {
	for n := range steps {
		s, is := &steps[n], list.items[n].members
		check := func(field, name string, hindrance func(of int) string) {
			what := ""
			switch of := named(kinds, name); {
			case of < 0:
				what = fmt.Sprintf("no kind %q", name)
			case slices.Contains(without, of):
				what = fmt.Sprintf("%q is not in this set-up", name)
			default:
				if why := hindrance(of); why != "" {
					what = fmt.Sprintf("%q %s", name, why)
				}
			}
			if what != "" {
				fail(is[field], "%sstep %d: %s", where, n, what)
			}
		}
		if s.Do == doSetUp || s.Do == doAsk && s.Ask.For != forPiece {
			continue
		}
		if s.Do == doAsk {
			check("kind", s.Ask.Kind, func(of int) string { return unclear(kinds, of) })
			continue
		}
		if s.Do == doEach {
			checkSteps(kinds, without, s.Then, is["steps"],
				fmt.Sprintf("%sstep %d: ", where, n), fail)
			continue
		}
		if s.Do == doIf {
			if s.If.Kind != "" {
				check("kind", s.If.Kind, func(of int) string { return s.If.hindrance(kinds, of) })
			}
			if s.If.In != "" {
				check("in", s.If.In, func(of int) string { return s.If.noZone(kinds, of) })
			}
			within := fmt.Sprintf("%sstep %d: ", where, n)
			checkSteps(kinds, without, s.Then, is["then"], within+"then: ", fail)
			checkSteps(kinds, without, s.Else, is["else"], within+"else: ", fail)
			continue
		}
		check("kind", s.Kind, func(of int) string { return s.hindrance(kinds, of) })
		if s.Do == doMove {
			check("to", s.To, func(of int) string { return unclear(kinds, of) })
		}
	}
}
