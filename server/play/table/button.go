package table

import (
	"slices"

	"holt/server/id"
)

// Buttons (T84, T85).

// OpRun presses a button. ("press" is an operation of clocks.)
const OpRun Op = 84

// MaxPressed is the most pieces that a press changes, beside the button.
const MaxPressed = 256

// ButtonKind describes the buttons of a kind (T84).
type ButtonKind struct {
	Presses  bool
	Who      Right
	Cooldown id.Millis
	Steps    []Step
}

// Verb says what a step does.
type Verb uint8

// The verbs (T85).
const (
	DoFlip Verb = iota
	DoRotate
	DoAdd
	DoSet
)

// Step is done to all pieces of a kind that lie open on the table.
type Step struct {
	Do   Verb
	Kind uint32
	By   int32 // of DoRotate
	N    int32 // of DoAdd and DoSet
}

func init() {
	define(rows{
		OpRun: {Name: "run", Traits: NeedsFree | KeepsSets | Fence, Forms: []Form{{
			Required:  blind,
			Condition: "a button that lies open",
			Ack:       "name",
			Rejects: []Reason{ReasonHeld, ReasonLocked, ReasonNotAllowed, ReasonCooling, ReasonEmpty,
				ReasonRange},
		}}, run: (*judging).press, weigh: (*weighing).press},
	})
}

// press does what a button says. All of it is worked out before anything is recorded.
func (j *judging) press() Outcome {
	k := &j.t.kinds[j.after.Kind].Button
	switch s := &j.after; {
	case !k.Presses, !k.Who.has(j.by.Role), !j.t.open(s):
		return j.reject(ReasonNotAllowed, 0)
	case s.Rolled != 0 && j.in.Now < s.Rolled+k.Cooldown:
		return j.reject(ReasonCooling, 0)
	}
	all := j.pressed(k.Steps)
	switch {
	case len(all) == 0:
		return j.reject(ReasonEmpty, 0)
	case len(all) > MaxPressed:
		return j.reject(ReasonRange, 0)
	}
	for i := range all {
		j.t.record(j.about(all[i].p, all[i].after, false))
	}
	j.after.Rolled = j.in.Now
	j.record(j.after, false)
	return Outcome{Verdict: Recorded}
}

// pressing is a piece with its state after the steps so far.
type pressing struct {
	p     *piece
	after State
}

// pressed returns the pieces that steps change, with their new states, in drawing order. Everybody
// sees that order, so it tells nothing. Pieces that a step cannot be done to are as they were
// before it.
func (j *judging) pressed(steps []Step) (all []pressing) {
	j.t.looks += uint64(len(j.t.pieces))
	for _, p := range j.t.pieces {
		if p == j.p || !j.t.open(&p.state) || !p.state.Set.IsZero() {
			continue
		}
		after := p.state
		for i := range steps {
			if s := &steps[i]; s.Kind == after.Kind && !j.spares(&after, s.Do.op()) {
				after = s.done(after, &j.t.kinds[s.Kind])
			}
		}
		if after != p.state {
			all = append(all, pressing{p, after})
		}
	}
	slices.SortFunc(all, func(a, b pressing) int { return j.t.byDrawing(a.p, b.p) })
	return all
}

// op is the operation by which a player does what a verb does.
func (v Verb) op() Op {
	switch v {
	case DoFlip:
		return OpFlip
	case DoRotate:
		return OpRotate
	default:
		return OpCount
	}
}

// spares reports whether a piece is as it is for an operation of this seat (T14).
func (j *judging) spares(s *State, op Op) bool {
	return s.Locked || s.Pinned && op.has(NeedsUnpinned) ||
		s.Holder != 0 && s.Holder != j.by.Seat && op.has(NeedsFree)
}

// done returns the state of a piece after the step.
func (s *Step) done(of State, k *Kind) State {
	value := of.Value
	switch s.Do {
	case DoFlip:
		of.Face = 1 - of.Face
	case DoRotate:
		of.Angle = (of.Angle + s.By) % FullTurn
	case DoAdd:
		value += s.N // no overflow: both lie within MaxValue
	case DoSet:
		value = s.N
	}
	if value != of.Value && k.Counter.allows(value) {
		of.Value = value
	}
	return of
}

// press weighs a press. The pieces that it changes lie open, so the weight tells nothing hidden.
func (w *weighing) press(_ *Update, p *piece) {
	if p == nil {
		return
	}
	steps := w.t.kinds[p.state.Kind].Button.Steps
	if len(steps) == 0 {
		return
	}
	named := map[uint32]bool{}
	for i := range steps {
		named[steps[i].Kind] = true
	}
	n := 0
	for _, other := range w.t.pieces {
		if named[other.state.Kind] && w.t.open(&other.state) {
			n++
		}
	}
	w.records(min(w.pieces(n), MaxPressed))
	w.Looks += len(w.t.pieces)
}

// buttons is the ability of buttons.
type buttons struct{ plain }

// A button is pressed only where everybody sees it.
func (buttons) moved(s State) State {
	s.Rolled = 0
	return s
}

func (buttons) stowed(s State) State {
	s.Rolled = 0
	return s
}
