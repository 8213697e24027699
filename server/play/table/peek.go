package table

// How a seat is shown what it does not see (T31).

func init() {
	define(rows{
		OpPeek: {Name: "peek", LowN: 1, HighN: MaxShuffle, Traits: Fence, Forms: []Form{{
			Required: blind, Optional: HasN,
			Condition: "the right to peek (T31)",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonAway},
		}}, forbids: (*judging).mayPeek, run: (*judging).peek, weigh: (*weighing).peek},
		OpShow: {Name: "show", Forms: []Form{{
			Required:  blind | HasSeat,
			Condition: "a front that the sender sees; another seat, which plays",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
		}}, run: (*judging).show},
	})
}

// mayPeek forbids a peek to those who do not have the right.
func (j *judging) mayPeek() Reason {
	if !j.t.kind(j.p).Peek.has(j.by.Role) {
		return ReasonNotAllowed
	}
	return reasonNone
}

// peek shows the sender what nobody sees (T31).
func (j *judging) peek() Outcome {
	t, s := j.t, &j.p.state
	k := &t.kinds[s.Kind]
	n, most := j.argN(), t.contents(j.p).n
	if k.Uncounted {
		n = min(n, most)
	}
	e := Entry{Count: int32(n), To: j.by.Seat} //nolint:gosec // at most MaxShuffle
	switch {
	case !k.Container.Holds && (!t.concealed(s, j.by.Seat) || n != 1):
		return j.reject(ReasonNotAllowed, 0)
	case !k.Container.Holds:
		if k.Unknown {
			return j.reveal([]*piece{j.p}, e)
		}
		e.Faces = []uint32{s.Kind}
	case n > most || most == 0:
		return j.reject(ReasonEmpty, 0)
	default:
		var looked []*piece
		for p := range t.contents(j.p).downwards(nil) {
			if t.looks++; len(looked) == n {
				break
			}
			looked = append(looked, p)
		}
		if t.anyUnknown(looked) {
			return j.reveal(looked, e)
		}
		e.Faces = kindsOf(looked)
	}
	return j.noticed(e)
}

// peek weighs a look into a container.
func (w *weighing) peek(u *Update, p *piece) {
	n := 1
	if u.Has&HasN != 0 {
		n = int(u.N)
	}
	w.Looks += n + 1
	if p != nil && !p.state.Set.IsZero() {
		w.Looks += int(sorting(n)) //nolint:gosec // small
	}
	w.Bytes += n * kindBytes
}

// show shows one seat a piece that the sender sees (T31).
func (j *judging) show() Outcome {
	s := &j.p.state
	to, _ := j.t.Seat(j.u.Seat) // Check has checked that the seat exists.
	if j.t.concealed(s, j.by.Seat) || j.u.Seat == j.by.Seat || !to.Plays() {
		return j.reject(ReasonNotAllowed, 0)
	}
	e := Entry{Count: 1, Faces: []uint32{s.Kind}, To: j.u.Seat}
	if j.t.kinds[s.Kind].Unknown {
		return j.reveal([]*piece{j.p}, e)
	}
	return j.noticed(e)
}
