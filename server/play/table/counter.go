package table

import "holt/server/id"

// Counters (T33).

// MaxValue bounds the value of a counter, either side of 0, and that of currency (T33, T34).
const MaxValue = 1 << 30

// CounterKind describes the counters of a kind (T33). The numbers lie within MaxValue.
type CounterKind struct {
	Counts            bool
	Min, Max, Initial int32
}

// allows reports whether a counter of the kind can show a value.
func (c *CounterKind) allows(value int32) bool { return value >= c.Min && value <= c.Max }

func init() {
	define(rows{
		OpCount: {Name: "count", LowN: -MaxValue, HighN: MaxValue, Forms: []Form{{
			Required:  blind | HasN,
			Condition: "a counter",
			Ack:       "`value`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonRange, ReasonAway},
		}}, change: (*judging).addToCounter},
	})
}

// addToCounter adds a number to a counter, or asks the owner of its set to do so.
func (j *judging) addToCounter() Reason {
	s, k := &j.after, &j.t.kinds[j.after.Kind]
	v := s.Value + j.u.N // no overflow: both lie within MaxValue
	switch {
	case !k.Counter.Counts:
		return ReasonNotAllowed
	case !k.Counter.allows(v):
		return ReasonRange
	}
	s.Value = v
	return j.askOf(s, AskCount)
}

// counters is the ability of counters.
type counters struct{ plain }

func (counters) begin(k *Kind, s State, _ id.Millis) State {
	s.Value = k.Counter.Initial
	return s
}

func (counters) fits(k *Kind, part *SetPart) bool { return k.Counter.allows(part.Value) }

func (counters) part(s State, part *SetPart) State {
	s.Value = part.Value
	return s
}

func (counters) isChangedByOwner() bool { return true }

func (counters) learn(k *Kind, s State, part *SetPart) State {
	if k.Counter.allows(part.Value) {
		s.Value = part.Value
	}
	return s
}

func (counters) answer(k *Kind, s State, a *Answer, _ id.Millis) (State, bool) {
	s.Value = a.Value
	return s, k.Counter.allows(a.Value)
}
