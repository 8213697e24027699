package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Buttons (T84, T85).

// OpRun presses a button. ("press" is an operation of clocks.)
const OpRun Op = 84

// Bounds of a press (T84.5).
const (
	MaxPressed = 256 // pieces that flip, rotate, face and count change, in steps behind one another
	MaxActs    = 64  // pieces with which the other verbs do something
	MaxDone    = 256 // steps, each as often as it is done
)

// ShortStep is added to the number of a step in its notice if it was done with fewer pieces than it
// says (T87.7).
const ShortStep = 64

// ButtonKind describes the buttons of a kind (T84).
type ButtonKind struct {
	Presses  bool
	Who      Right
	Cooldown id.Millis
	Asks     []Question // up to MaxQuestions
	Steps    []Step
}

// Verb says what a step does.
type Verb uint8

// The verbs (T85). Those up to DoSet change pieces by themselves. The others are acts: each
// does with one piece after the other what a player does with it.
const (
	DoFlip Verb = iota
	DoRotate
	DoFace
	DoAdd
	DoSet
	DoRoll
	DoShuffle
	DoRecall
	DoDeal
	DoMove
	DoPass
	DoPassBack // to the player before
	DoStart
	DoPause
	DoReset
	DoSort
	DoIf    // of two lists of steps, those of one are done (T91)
	DoEach  // a list of steps is done for each who plays (T92)
	DoSetUp // the table is set up again (T93)
)

// Step is done to all pieces of a kind that lie open on the table.
type Step struct {
	Do   Verb
	Kind uint32
	By   int32  // of DoRotate
	N    int32  // of DoAdd, DoSet, DoFace, DoDeal and DoMove; of DoStart the side, 0: that which waits
	To   uint32 // of DoMove: where a piece of this kind lies
	Face int32  // of DoMove: the face that is up; -1: the container decides
	At   int32  // its number among the steps of the button, from 1

	SetUp string // of DoSetUp: the name of a set-up; "": the first one

	Uses Uses     // answers of who presses
	Only id.Piece // the only piece of the kind that is meant; 0: all of them
	Onto id.Piece // of DoMove: the only piece that is meant by To; 0: the uppermost one
	Seat id.Seat  // of DoEach: the only seat for which its steps are done; 0: each

	If         Condition // of DoIf
	Then, Else []Step    // of DoIf; of DoEach Then alone
}

func init() {
	define(rows{
		OpRun: {Name: "run", Traits: NeedsFree | KeepsSets | Fence, Forms: []Form{{
			Required: blind, Optional: HasAnswers,
			Condition: "a button that lies open",
			Ack:       "name",
			Rejects: []Reason{ReasonHeld, ReasonLocked, ReasonNotAllowed, ReasonCooling,
				ReasonUnanswered, ReasonEmpty, ReasonRange},
		}}, run: (*judging).press, weigh: (*weighing).press},
	})
}

// press begins to do what a button says. PressOn does the rest. What there is to do is looked up
// before anything is recorded.
func (j *judging) press() Outcome {
	k := &j.t.kinds[j.after.Kind].Button
	switch s := &j.after; {
	case !k.Presses, !k.Who.has(j.by.Role), !j.t.open(s), k.setsUp() && !j.by.Role.Hosts():
		return j.reject(ReasonNotAllowed, 0)
	case s.Rolled != 0 && j.in.Now < s.Rolled+k.Cooldown:
		return j.reject(ReasonCooling, 0)
	}
	steps, permitted := j.t.answered(k, j.u.Answers, j.t.ViewOf(j.by.Seat))
	if !permitted {
		return j.reject(ReasonUnanswered, 0)
	}
	pl := plan{j: j}
	doings := pl.of(steps)
	switch {
	case pl.tooMany || pl.acts > MaxActs:
		return j.reject(ReasonRange, 0)
	case !pl.does:
		return j.reject(ReasonEmpty, 0)
	}
	j.after.Rolled = j.in.Now
	j.record(j.after, false)
	j.t.pressed = pressed{
		by: By{Seat: j.by.Seat, Role: j.by.Role}, button: j.p.oid, doings: doings,
	}
	return Outcome{Verdict: Recorded}
}

// BeginSteps begins to do the steps of a set-up, as if by had pressed a button (T88). PressOn does
// them. Steps beyond the bounds of a press are left out.
func (t *Table) BeginSteps(by By, steps []Step, in Inputs) {
	j := t.begin(by, &Update{Op: OpRun}, in, nil)
	defer j.end()
	pl := plan{j: j, leavesOut: true}
	t.pressed = pressed{by: By{Seat: by.Seat, Role: by.Role}, doings: pl.of(steps)}
}

// plan looks up what there is to do, before anything is recorded.
type plan struct {
	j         *judging
	leavesOut bool    // steps beyond the bounds
	seat      id.Seat // for whom the steps are done; 0: for nobody in particular
	done      int     // how many steps there are, each as often as it is done
	acts      int     // with how many pieces the acts would do something
	tooMany   bool    // whether the other steps would change too many
	does      bool    // whether there is something to do, as conditions are now (T91.10)
}

// of returns what there is to do by steps. Of a condition it looks up both lists, and the longer
// one counts.
func (pl *plan) of(steps []Step) (doings []doing) {
	for len(steps) > 0 {
		d := doing{steps: together(steps)}
		steps = steps[len(d.steps):]
		first := &d.steps[0]
		d.seat = pl.seat
		pl.done += len(d.steps)
		switch {
		case first.Do == DoSetUp:
			pl.does = true
		case first.Do == DoEach:
			for _, seat := range pl.j.inTurn() {
				if first.Seat != 0 && first.Seat != seat {
					continue
				}
				pl.seat = seat
				doings = append(doings, pl.of(first.Then)...)
			}
			pl.seat = 0
			continue
		case first.Do == DoIf:
			then := *pl
			otherwise := *pl
			d.then, d.otherwise = then.of(first.Then), otherwise.of(first.Else)
			pl.acts, pl.done = max(then.acts, otherwise.acts), max(then.done, otherwise.done)
			pl.tooMany = then.tooMany || otherwise.tooMany
			n, known := pl.j.t.counted(&first.If, pl.seat)
			switch {
			case !known:
				pl.does = then.does || otherwise.does // the notice says that it was not done
			case first.If.holds(n):
				pl.does = then.does
			default:
				pl.does = otherwise.does
			}
		case d.acts():
			for _, p := range pl.j.acted(first, pl.seat) {
				d.pieces = append(d.pieces, p.name)
			}
			if pl.leavesOut && pl.acts+len(d.pieces) > MaxActs {
				d.pieces = nil
			}
			pl.acts += len(d.pieces)
			pl.does = pl.does || len(d.pieces) > 0
		default:
			n := len(pl.j.changedBy(d.steps, pl.seat, nil))
			pl.does = pl.does || n > 0
			pl.tooMany = pl.tooMany || n > MaxPressed
		}
		pl.tooMany = pl.tooMany || pl.done > MaxDone
		doings = append(doings, d)
	}
	return doings
}

// pressed is what is left to do of a press, and to say of it. The zero value stands for nothing.
type pressed struct {
	by     By // without the client: the entries acknowledge nothing
	button id.OID
	doings []doing
	sorted int // how many pieces lay in the zones that it has sorted
	came   []result
}

// result says what became of a step, whose number is at.
type result struct {
	at    int32
	did   bool // it has done something
	short bool // it has done that with fewer pieces than it says
}

// resultOf returns what became of the step with a number.
func (on *pressed) resultOf(at int32) *result {
	i, found := slices.BinarySearchFunc(on.came, at, func(r result, at int32) int {
		return cmp.Compare(r.at, at)
	})
	if !found {
		on.came = slices.Insert(on.came, i, result{at: at})
	}
	return &on.came[i]
}

// doing is a step that acts on pieces, or several that change pieces by themselves.
type doing struct {
	steps  []Step
	seat   id.Seat    // for whom they are done (T92); 0: for nobody in particular
	pieces []id.Piece // to act on, in drawing order
	did    bool       // it has done something

	then, otherwise []doing // of a condition
}

func (d *doing) acts() bool { return d.steps[0].Do > DoSet }

// together returns the first step, with those behind it that can be done at once with it.
func together(steps []Step) []Step {
	n := 1
	if steps[0].Do <= DoSet {
		for n < len(steps) && steps[n].Do <= DoSet {
			n++
		}
	}
	return steps[:n]
}

// Pressing reports whether something of the last press is left to do. Whoever has called Apply must
// call PressOn until nothing is, before anything else: it is one commit (T84.1).
func (t *Table) Pressing() bool { return len(t.pressed.doings)+len(t.pressed.came) > 0 }

// PressOn does the next part of a press, with at most one random draw, which the outcome has. in
// has the time of the press.
func (t *Table) PressOn(in Inputs) Outcome {
	t.steps = true
	defer func() { t.steps = false }()
	on := &t.pressed
	if len(on.doings) == 0 {
		return t.sayUndone(in)
	}
	switch d := &on.doings[0]; {
	case d.steps[0].Do == DoIf:
		return t.decide()
	case d.steps[0].Do == DoSetUp:
		return t.wantSetUp()
	case !d.acts():
		return t.changeOn(in)
	case len(d.pieces) > 0:
		return t.actOn(in)
	case !d.did && t.isShort(&d.steps[0]):
		on.resultOf(d.steps[0].At).short = true
	default:
		on.resultOf(d.steps[0].At)
	}
	on.doings = on.doings[1:]
	return Outcome{Verdict: Recorded}
}

// isShort reports whether a step that did nothing for somebody lacked pieces.
func (t *Table) isShort(s *Step) bool { return s.Do == DoDeal || s.Do == DoMove }

// changeOn does the steps of a press that change pieces by themselves.
func (t *Table) changeOn(in Inputs) Outcome {
	on := &t.pressed
	d := on.doings[0]
	on.doings = on.doings[1:]
	j := t.begin(on.by, &Update{Op: OpRun}, in, nil)
	defer j.end()
	j.p = t.pieces[on.button]
	did := make([]bool, len(d.steps))
	changed := j.changedBy(d.steps, d.seat, did)
	changed = changed[:min(len(changed), MaxPressed)]
	was := make([]State, len(changed))
	for i, of := range changed {
		was[i] = of.p.state
		t.record(j.about(of.p, of.after, false))
	}
	for i, of := range changed { // what has turned itself stays where it is (T97.4)
		t.bringAlong(of.p, &was[i], j.by.Seat, j.in.Now)
	}
	for i := range d.steps {
		r := on.resultOf(d.steps[i].At)
		r.did = r.did || did[i]
	}
	return Outcome{Verdict: Recorded}
}

// actOn lets a step of a press act on its next piece. One that was hidden since the press began has
// another name, and the step leaves it alone: so nobody learns whether it is the same one.
func (t *Table) actOn(in Inputs) Outcome {
	on := &t.pressed
	d := &on.doings[0]
	name := d.pieces[0]
	p := t.names[name]
	d.pieces = d.pieces[1:]
	if p == nil || p.name != name {
		return Outcome{Verdict: Rejected}
	}
	u, into, short := Update{Op: OpRun}, (*piece)(nil), false
	isSort := d.steps[0].Do == DoSort
	if !isSort {
		if u, into, short = t.updateOf(&d.steps[0], d.seat, p); u.Op == OpNone {
			return Outcome{Verdict: Rejected}
		}
	}
	j := t.begin(on.by, &u, in, nil)
	defer j.end()
	var out Outcome
	if isSort {
		out = j.sort(p)
	} else {
		out = j.act(p, into)
		out.Chance = j.drawn
	}
	if out.Verdict == Recorded {
		d.did = true
		r := on.resultOf(d.steps[0].At)
		r.did, r.short = true, r.short || short
	}
	return out
}

// sayUndone ends a press. It records which steps did nothing, or not all that they say (T87).
// Everybody sees the pieces with which they would have done something, and how many lie in a
// container that is counted.
func (t *Table) sayUndone(in Inputs) Outcome {
	on := t.pressed
	t.pressed = pressed{}
	j := t.begin(on.by, &Update{Op: OpRun}, in, nil)
	defer j.end()
	if j.p = t.pieces[on.button]; j.p == nil {
		return Outcome{Verdict: Recorded}
	}
	for _, r := range on.came {
		switch {
		case !r.did:
			j.notice(int(r.at), 0)
		case r.short:
			j.notice(int(r.at)+ShortStep, 0)
		}
	}
	return Outcome{Verdict: Recorded}
}

// act does with a piece what a player would do with it. What it draws goes into the container into,
// if that is not nil and takes it. It does nothing that needs the owner of a set.
func (j *judging) act(p, into *piece) Outcome {
	j.p = p
	if reason, _ := j.hindrance(); reason != reasonNone || j.t.hasParts(p) {
		return Outcome{Verdict: Rejected}
	}
	j.after = p.state
	o := &operations[j.u.Op]
	switch {
	case into != nil:
		return j.drawInto(into)
	case o.run != nil:
		return o.run(j)
	}
	if reason := o.change(j); reason != reasonNone {
		return Outcome{Verdict: Rejected}
	}
	return j.changed(true)
}

// drawInto draws pieces out of a container into another one. What that does not take comes to lie
// on it.
func (j *judging) drawInto(into *piece) Outcome {
	t := j.t
	chosen, reason := j.choose(t.contents(j.p))
	if reason != reasonNone {
		return Outcome{Verdict: Rejected}
	}
	for _, p := range chosen {
		if t.takes(into, &p.state) {
			j.putInto(p, into)
		} else {
			j.takeOut(p, j.u.X, j.u.Y)
		}
	}
	return j.notice(len(chosen), 0)
}

// hasParts reports whether a piece is part of a guest set, or has such parts in it.
func (t *Table) hasParts(p *piece) bool {
	if !p.state.Set.IsZero() || !t.kind(p).Container.Holds || len(t.sets) == 0 {
		return !p.state.Set.IsZero()
	}
	all := t.contents(p).all()
	t.looks += uint64(len(all))
	return slices.ContainsFunc(all, func(of *piece) bool { return !of.state.Set.IsZero() })
}

// acted returns the pieces with which a step that is done for a seat does something, in drawing
// order.
func (j *judging) acted(s *Step, seat id.Seat) (all []*piece) {
	meant := j.t.meantFor(seat)
	j.t.looks += uint64(len(j.t.pieces))
	for _, p := range j.t.pieces {
		if p.state.Kind == s.Kind && j.t.open(&p.state) && s.means(p, &meant) &&
			(s.Do == DoSort || !j.spares(&p.state, s.Do.op())) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, j.t.byDrawing)
	if len(all) > 1 && (s.Do == DoDeal || s.Do == DoMove) {
		all = all[len(all)-1:]
	}
	return all
}

// updateOf returns the update by which a step acts on a piece, and for DoMove the container into
// which it draws, if that is one. The update is zero if there is nothing to do. If less lies in a
// container than n for each, it has what there is for each, and short is set.
func (t *Table) updateOf(s *Step, seat id.Seat, p *piece) (u Update, into *piece, short bool) {
	u = Update{Op: s.Do.op(), Has: HasPiece, Piece: p.name}
	n, each := s.N, int32(1)
	switch s.Do {
	case DoDeal:
		each = 0
		for _, h := range t.firstHands() {
			if !t.plays(h.state.Owner) || seat != 0 && h.state.Owner != seat {
				continue
			}
			if each++; seat != 0 {
				u.Has, u.Pieces = u.Has|HasPieces, []id.Piece{h.name}
			}
		}
	case DoMove:
		to := t.ontoOf(s, seat, p)
		if to == nil {
			return Update{}, nil, false
		}
		u.Has, u.X, u.Y = u.Has|HasXY, to.state.X, to.state.Y
		if s.Face >= 0 {
			u.Has, u.Face = u.Has|HasFace, s.Face
		}
		if t.kind(to).Container.Holds {
			into = to
		}
	case DoPassBack:
		u.Has, u.N, n = u.Has|HasN, -1, 0
	case DoStart:
		n = 0
		switch running := p.state.Clock.Running; {
		case s.N != 0:
			u.Has, u.Side = u.Has|HasSide, uint8(s.N) //nolint:gosec // 1 or 2
		case running != 0 && t.kind(p).Clock.Sides == 2:
			u.Op, u.Has, u.Side = OpPress, u.Has|HasSide, running
		}
	default:
		n = 0
	}
	if n > 0 {
		if !t.kind(p).Uncounted {
			n = min(n, int32(t.contents(p).n)/max(each, 1)) //nolint:gosec // at most MaxPieces
			short = n < s.N
		}
		if n == 0 || each == 0 {
			return Update{}, nil, false
		}
		u.Has, u.N = u.Has|HasN, n
	}
	if !t.open(&p.state) {
		return Update{}, nil, false
	}
	return u, into, short
}

// ontoOf returns the piece to which a step moves what it draws from p; nil if there is none.
func (t *Table) ontoOf(s *Step, seat id.Seat, p *piece) *piece {
	if s.Onto == 0 {
		return t.topOf(s.To, seat, p)
	}
	if to := t.names[s.Onto]; to != nil && to.name == s.Onto && to != p && t.open(&to.state) {
		return to
	}
	return nil
}

// topOf returns the uppermost piece of a kind that lies open and is meant for a seat, other than p;
// nil if there is none.
func (t *Table) topOf(kind uint32, seat id.Seat, p *piece) (top *piece) {
	meant := t.meantFor(seat)
	t.looks += uint64(len(t.pieces))
	for _, other := range t.pieces {
		if other.state.Kind == kind && t.open(&other.state) && other != p && meant.has(other) &&
			(top == nil || t.byDrawing(top, other) < 0) {
			top = other
		}
	}
	return top
}

// pressing is a piece with its state after the steps so far.
type pressing struct {
	p     *piece
	after State
}

// changedBy returns the pieces that steps change, with their new states, in drawing order.
// Everybody sees that order, so it tells nothing. Pieces that a step cannot be done to are as they
// were before it. did, if it is not nil, gets which steps change a piece.
func (j *judging) changedBy(steps []Step, seat id.Seat, did []bool) (all []pressing) {
	meant := j.t.meantFor(seat)
	j.t.looks += uint64(len(j.t.pieces))
	for _, p := range j.t.pieces {
		if p == j.p || !j.t.open(&p.state) || !p.state.Set.IsZero() {
			continue
		}
		after := p.state
		for i := range steps {
			if s := &steps[i]; s.Kind == after.Kind && s.means(p, &meant) &&
				!j.spares(&after, s.Do.op()) {
				was := after
				after = s.done(after, &j.t.kinds[s.Kind])
				if did != nil && (after != was || s.leaves(&was)) {
					did[i] = true
				}
			}
		}
		if after != p.state {
			all = append(all, pressing{p, after})
		}
	}
	slices.SortFunc(all, func(a, b pressing) int { return j.t.byDrawing(a.p, b.p) })
	return all
}

// leaves reports whether a piece is as the step says before it is done.
func (s *Step) leaves(is *State) bool {
	return s.Do == DoSet && is.Value == s.N || s.Do == DoFace && is.Face == s.N
}

// op is the operation by which a player does what a verb does.
func (v Verb) op() Op {
	switch v {
	case DoFlip:
		return OpFlip
	case DoRotate:
		return OpRotate
	case DoFace:
		return OpFlip
	case DoRoll:
		return OpRoll
	case DoShuffle:
		return OpShuffle
	case DoRecall:
		return OpRecall
	case DoDeal:
		return OpDeal
	case DoMove:
		return OpDraw
	case DoPass, DoPassBack:
		return OpPass
	case DoStart:
		return OpStart
	case DoPause:
		return OpPause
	case DoReset:
		return OpReset
	case DoSort, DoIf, DoEach, DoSetUp:
		return OpRun
	default:
		return OpCount
	}
}

// spares reports whether a piece is as it is for an operation of this seat (T14).
func (j *judging) spares(s *State, op Op) bool {
	return s.Locked || j.t.isOnRack(s) || s.Pinned && op.has(NeedsUnpinned) ||
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
	case DoFace:
		of.Face = s.N
	case DoAdd:
		value += s.N // no overflow: both lie within MaxValue
	case DoSet:
		value = s.N
	case DoRoll, DoShuffle, DoRecall, DoDeal, DoMove, DoPass, DoPassBack, DoStart, DoPause, DoReset,
		DoSort, DoIf, DoEach, DoSetUp: // see act
	}
	if value != of.Value && k.Counter.allows(value) {
		of.Value = value
	}
	return of
}

// press weighs a press. What it does is done to pieces that lie open now, or that it has brought
// there itself, so the weight tells nothing hidden.
func (w *weighing) press(u *Update, p *piece) {
	if p == nil {
		return
	}
	k := &w.t.kinds[p.state.Kind].Button
	if steps, permitted := w.t.answered(k, u.Answers, w.view); permitted {
		w.steps(steps)
	}
}

// steps weighs steps. Of a condition both lists count.
func (w *weighing) steps(steps []Step) {
	w.records(len(steps)) // a notice of each
	for len(steps) > 0 {
		now := together(steps)
		steps = steps[len(now):]
		w.Looks += 2 * len(w.t.pieces)
		switch now[0].Do {
		case DoIf: // which is counted twice: before the press, and when it has come to this step
			w.Looks += 2 * (len(w.t.pieces) + len(w.t.hands.all) + len(w.t.owned))
			w.steps(now[0].Then)
			w.steps(now[0].Else)
			continue
		case DoEach:
			// A press of more steps is refused.
			for range min(w.t.playing(), MaxDone/max(len(now[0].Then), 1)) {
				w.steps(now[0].Then)
			}
			continue
		default:
		}
		n := 0
		for _, other := range w.t.pieces {
			if !w.t.open(&other.state) ||
				!slices.ContainsFunc(now, func(s Step) bool { return s.Kind == other.state.Kind }) {
				continue
			}
			if now[0].Do <= DoSet {
				w.attached(other, MaxAttachedDepth)
			}
			if n++; now[0].Do <= DoSet || n > MaxActs {
				continue
			}
			s := &now[0]
			if s.Do == DoSort {
				w.sort(other)
				continue
			}
			u := Update{Op: s.Do.op(), Has: HasPiece | HasN, Piece: other.name, N: s.N}
			w.Looks += len(w.t.pieces) + w.within(other)
			w.update(&u)
		}
		if now[0].Do <= DoSet {
			w.records(min(w.pieces(n), MaxPressed))
		}
	}
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
