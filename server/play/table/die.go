package table

import "holt/server/id"

// Dice and coins (T32).

// DieKind describes the dice of a kind (T32).
type DieKind struct {
	Rolls    bool
	Cooldown id.Millis
}

func init() {
	define(rows{
		OpRoll: {Name: "roll", Traits: NeedsFree, Forms: []Form{{
			Required:  blind,
			Condition: "a die",
			Ack:       "`face`",
			Rejects:   []Reason{ReasonHeld, ReasonLocked, ReasonNotAllowed, ReasonCooling, ReasonAway},
		}}, change: (*judging).roll, weigh: (*weighing).roll, drawFor: forWatchers},
	})
}

// roll rolls a die, or asks the owner of its set to roll it.
func (j *judging) roll() Reason {
	s, k := &j.after, &j.t.kinds[j.after.Kind]
	switch {
	case !k.Die.Rolls:
		return ReasonNotAllowed
	case s.Rolled != 0 && j.in.Now < s.Rolled+k.Die.Cooldown:
		return ReasonCooling
	case !s.Set.IsZero():
		return j.askOf(s, AskRoll)
	}
	s.Face, s.Rolled = int32(j.in.Rand.IntN(int(k.Faces))), j.in.Now //nolint:gosec // a face
	j.noteDraw(ChanceRoll,
		[]uint32{uint32(k.Faces)}, []uint32{uint32(s.Face)}) //nolint:gosec // not negative
	return reasonNone
}

// roll weighs a roll.
func (w *weighing) roll(*Update, *piece) { w.fact(2) }

// dice is the ability of dice.
type dice struct{ plain }

// The cool-down would reveal that the piece was rolled where others did not see it (T32.4).
func (dice) moved(s State) State {
	s.Rolled = 0
	return s
}

// Whoever takes the die out must not learn what was rolled in a hand (T29.5).
func (dice) stowed(s State) State {
	s.Face, s.Rolled = 0, 0
	return s
}

func (dice) answer(k *Kind, s State, a *Answer, now id.Millis) (State, bool) {
	s.Face, s.Rolled = a.Face, now
	return s, a.Face >= 0 && a.Face < k.Faces
}
