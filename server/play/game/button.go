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
// names kinds by their names, as the author does: so a kind keeps its button wherever it goes.
type Step struct {
	Do   string
	Kind string
	By   int32  // of rotate: the angle, clockwise, in hundredths of a degree
	Sets bool   // of count: N is the new value; else it is added
	N    int32  // of count; of face: the face that is up; of deal and move: how many pieces
	To   string // of move: the kind of the piece to which the pieces go
	Face int32  // of move: the face that is up, 0 the front; -1: as the container draws them
	Back bool   // of pass: to the player before, not to the next one
	Side int32  // of start: the side that runs then; 0: the one that waits

	SetUp string // of set up: the name of a set-up; "": the first one

	Ask     Question // of ask
	Answers Answers  // which answers it uses

	If   Condition // of if
	Then []Step    // of if: the steps if the condition holds; of each seat: its steps
	Else []Step    // of if: the steps otherwise
}

// The verbs that the server executes (T85).
const (
	doFlip    = "flip"
	doRotate  = "rotate"
	doFace    = "face"
	doCount   = "count"
	doRoll    = "roll"
	doShuffle = "shuffle"
	doRecall  = "recall"
	doDeal    = "deal"
	doMove    = "move"
	doPass    = "pass"
	doStart   = "start"
	doPause   = "pause"
	doReset   = "reset"
	doSort    = "sort"
	doIf      = "if"
	doEach    = "each seat"
	doSetUp   = "set up"
	doAsk     = "ask"
)

// verbs has the fields that a step with a verb may have beside do and kind.
var verbs = map[string][]string{
	doFlip: {}, doRotate: {"by"}, doFace: {"face"}, doCount: {"add", "set"}, doRoll: {},
	doShuffle: {}, doRecall: {}, doDeal: {"n"}, doMove: {"n", "to", "face"},
	doPass: {"reverse"}, doStart: {"side"}, doPause: {}, doReset: {}, doSort: {},
	doIf: {"of", "in", "is", "n", "then", "else"}, doEach: {"seat", "steps"},
	doSetUp: {"name"}, doAsk: {"name", "question", "for", "min", "max", "initial", "choices"},
}

// maxDealt is the most pieces that a step gives to each hand, or moves (T30).
const maxDealt = 100

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
		Kind any    `json:"kind,omitempty"` // a name, or an answer
		By   int32  `json:"by,omitempty"`
		Add  any    `json:"add,omitempty"` // a number, or an answer, as all of these
		Set  any    `json:"set,omitempty"`
		N    any    `json:"n,omitempty"`
		To   any    `json:"to,omitempty"`
		Face *int32 `json:"face,omitempty"`
		Back bool   `json:"reverse,omitempty"`
		Side int32  `json:"side,omitempty"`

		*catalogIf
		*catalogQuestion
		Seat  any           `json:"seat,omitempty"`
		Steps []catalogStep `json:"steps,omitempty"`
		Name  string        `json:"name,omitempty"`
	}
)

func (b *Button) catalog() *catalogButton {
	if len(b.Steps) == 0 {
		return nil
	}
	c := &catalogButton{Who: b.Who, Cooldown: b.Cooldown}
	c.Steps = catalogSteps(b.Steps)
	return c
}

// catalogSteps returns steps as they stand in a catalogue, which is as they stand in a game file.
func catalogSteps(steps []Step) (all []catalogStep) {
	for i := range steps {
		s := steps[i]
		step := catalogStep{Do: s.Do, By: s.By, Back: s.Back, Side: s.Side, Name: s.SetUp}
		if s.Kind != "" {
			step.Kind = orAnswer(s.Answers.Kind, s.Kind)
		}
		n := orAnswer(s.Answers.N, s.N)
		switch {
		case s.Do == doCount && s.Sets:
			step.Set = n
		case s.Do == doCount:
			step.Add = n
		case s.Do == doFace:
			step.Face = &s.N
		case s.Do == doMove && s.Face >= 0:
			step.Face = &s.Face
		}
		if s.Do == doDeal || s.Do == doMove {
			step.N = n
		}
		if s.To != "" {
			step.To = orAnswer(s.Answers.To, s.To)
		}
		if s.Do == doEach {
			step.Seat, step.Steps = orAnswer(s.Answers.Seat, nil), catalogSteps(s.Then)
		}
		if s.Do == doIf {
			s.If.catalog(&step)
			step.catalogIf = s.catalogIf()
		}
		if s.Do == doAsk {
			step.Name, step.catalogQuestion = s.Ask.Name, s.Ask.catalogQuestion()
			if s.Ask.Kind != "" {
				step.Kind = s.Ask.Kind
			}
		}
		all = append(all, step)
	}
	return all
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
	b.Steps = readList(o, "steps", o.where+": ", 0, true, nil)
	if b.SetsUp() && b.Who != "host" && o.r.err == nil {
		o.fail(o.get("steps"), "steps: only a button of the host sets up, with \"who\": \"host\"")
	}
	return b
}

// kindless reports whether a step with a verb has no kind, or need not have one.
func kindless(do string) bool { return do == doEach || do == doSetUp || do == doIf || do == doAsk }

// readStep reads a step that stands in lists of deep others. asked are the questions before it.
func readStep(r *reader, v value, where string, deep int, asked []Question) Step {
	fields, ok := verbs[v.members["do"].text]
	fields = append([]string{"do"}, fields...)
	if do := v.members["do"].text; do != doEach && do != doSetUp {
		fields = append(fields, "kind")
	}
	if !ok { // the fault is the verb, and not what belongs to it
		fields = slices.Sorted(maps.Keys(v.members))
	}
	o := r.object(v, where, fields...)
	s := Step{Do: o.choice("do", slices.Sorted(maps.Keys(verbs))...)}
	if !kindless(s.Do) {
		s.Kind, s.Answers.Kind = o.readKind("kind", asked)
	}
	switch s.Do {
	case doAsk:
		s.Ask = readQuestion(o, asked)
	case doIf:
		s.readIf(o, deep, asked)
	case doEach:
		s.readEach(o, deep, asked)
	case doSetUp:
		if o.has("name") {
			s.SetUp = o.text("name", MaxSetupName)
		}
	case doRotate:
		s.By = o.integer("by", 1, FullTurn-1)
	case doFace:
		s.N = o.integer("face", 0, MaxFaces-1)
	case doDeal:
		s.N = s.readNumber(o, "n", 1, maxDealt, asked)
	case doPass:
		s.Back = o.boolean("reverse")
	case doStart:
		if o.has("side") {
			s.Side = o.integer("side", 1, 2)
		}
	case doMove:
		s.N, s.Face = s.readNumber(o, "n", 1, maxDealt, asked), -1
		s.To, s.Answers.To = o.readKind("to", asked)
		if o.has("face") {
			s.Face = o.integer("face", 0, 1)
		}
	case doCount:
		s.Sets = o.has("set")
		switch {
		case s.Sets && o.has("add"):
			o.fail(o.get("set"), "a step has add or set, not both")
		case s.Sets:
			s.N = s.readNumber(o, "set", -MaxValue, MaxValue, asked)
		default:
			s.N = s.readNumber(o, "add", -MaxValue, MaxValue, asked)
		}
		if !s.Sets && s.N == 0 && s.Answers.N == "" && r.err == nil {
			o.fail(o.get("add"), "add: 0 changes nothing")
		}
	}
	return s
}

// Of returns the kind to whose pieces the step is done; -1 if there is none, or if its pieces
// cannot have it. Of several with the name it is the first one.
func (s *Step) Of(kinds []Kind) int {
	if kindless(s.Do) {
		return -1
	}
	i := named(kinds, s.Kind)
	if i < 0 || s.hindrance(kinds, i) != "" || s.Do == doMove && s.ToOf(kinds) < 0 {
		return -1
	}
	return i
}

// ToOf returns the kind of the piece to which a step moves something; -1 if there is none, or if
// nobody may know which piece is meant.
func (s *Step) ToOf(kinds []Kind) int {
	i := named(kinds, s.To)
	if i < 0 || unclear(kinds, i) != "" {
		return -1
	}
	return i
}

// named returns the first kind with a name; -1 if there is none.
func named(kinds []Kind, name string) int {
	return slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
}

// unclear says why not everybody knows which pieces are of a kind; "" if everybody does. What a
// button does never depends on what is hidden: it finds its pieces by their kind.
func unclear(kinds []Kind, i int) string {
	switch {
	case kinds[i].Secret:
		return "is secret: a button would tell its pieces from others"
	case slices.ContainsFunc(kinds, func(o Kind) bool { return o.Secret && o.Mask == i }):
		return "is the mask of secret kinds, so that nobody knows which pieces are meant"
	}
	return ""
}

// hindrance says why the step cannot be done to the pieces of a kind; "" if it can be.
func (s *Step) hindrance(kinds []Kind, i int) string {
	k := &kinds[i]
	if why := unclear(kinds, i); why != "" {
		return why
	}
	switch s.Do {
	case doShuffle, doRecall, doDeal, doMove:
		switch {
		case !k.Container.Holds():
			return "is no container"
		case s.Do == doShuffle && k.Container.Draws == "random":
			return "has no order: pieces are drawn from it at random"
		}
		return ""
	case doSort:
		switch k.Zone.Lay {
		case "":
			return "is no zone"
		case "free":
			return "is a free zone, in which nothing has a place of its own"
		}
		return ""
	}
	switch {
	case k.Hand || k.Container.Holds():
		return "is a hand or a container, which this verb leaves alone"
	case s.Do == doFlip && len(k.Faces) != 2:
		return fmt.Sprintf("has %d faces, not the two of what can be turned over", len(k.Faces))
	case s.Do == doFace && int(s.N) >= len(k.Faces):
		return fmt.Sprintf("has no face %d", s.N)
	case s.Do == doCount && !k.Counter.Counts:
		return "is no counter"
	case s.Do == doCount && s.Sets && (s.N < k.Counter.Min || s.N > k.Counter.Max):
		return fmt.Sprintf("cannot show %d", s.N)
	case s.Do == doCount && s.Sets && s.Answers.Most > k.Counter.Max:
		return fmt.Sprintf("cannot show %d", s.Answers.Most)
	case s.Do == doRoll && !k.Die.Rolls:
		return "is no die"
	case s.Do == doPass && k.Seat != "turn":
		return "is no turn marker"
	case (s.Do == doStart || s.Do == doPause || s.Do == doReset) && k.Clock.Sides() == 0:
		return "is no clock"
	case s.Do == doStart && int(s.Side) > k.Clock.Sides():
		return fmt.Sprintf("has no side %d", s.Side)
	}
	return ""
}
