package room

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/proto/logpb"
	"holt/server/tables/wire"
)

// A round (T76): the players who are asked choose pieces of their hands, or write an answer, and
// everything is shown at once. Until then a choice is known to its seat and to the store alone.

// Bounds of rounds.
const (
	MaxChosen     = 16  // pieces of a choice
	MaxAnswer     = 200 // characters
	MaxRoundTitle = 60  // characters
	unitsOfRound  = 8   // what a request costs a seat (T49)
	unitsOfShown  = 8   // and what each piece does that is shown
)

// Errors of rounds.
var (
	// 409 round
	ErrRound = errors.New("the table has an open round already")
	// 404 not-found
	ErrNoRound = errors.New("there is no such round")
	// 409 not-in-hand
	ErrNotInHand = errors.New("a chosen piece does not lie in your hand")
)

// Choice is what a seat chooses in a round. Both may be empty: somebody may choose nothing.
type Choice struct {
	Pieces []id.Piece
	Text   string
}

// round is an open round. Owned by the room's run.
type round struct {
	id      uint32
	by      id.Seat
	title   string
	asked   []id.Seat          // ascending
	choices map[id.Seat]Choice // of those who are ready
}

// BeginRound begins a round (T76) in which the seats of asked choose; if there are none, all who
// play. It returns the number of the round when it is durable. Errors: ErrRole, ErrPerson,
// ErrRound, ErrOver if a seat does not play, ErrFrozen, ErrLogFull, a TooFast.
func (rs *Rooms) BeginRound(
	ctx context.Context, s Session, title string, asked []id.Seat,
) (uint32, error) {
	if title != "" {
		if err := checkName(title, MaxRoundTitle); err != nil {
			return 0, err
		}
	}
	return change(ctx, rs, s, func(r *room) (uint32, error) {
		if err := r.mayChoose(s); err != nil {
			return 0, err
		}
		if r.round != nil {
			return 0, ErrRound
		}
		var all []id.Seat
		for i := range r.table.Seats() {
			who := &r.table.Seats()[i]
			if who.Plays() && (len(asked) == 0 || slices.Contains(asked, who.Seat)) {
				all = append(all, who.Seat)
			}
		}
		slices.Sort(all)
		for _, seat := range asked {
			if !slices.Contains(all, seat) {
				return 0, ErrOver
			}
		}
		r.lastRound = max(r.lastRound+1, uint32(r.now()/1000)) //nolint:gosec // until 2106
		r.round = &round{
			id: r.lastRound, by: s.Seat, title: title, asked: all, choices: map[id.Seat]Choice{},
		}
		r.changedRound()
		return r.round.id, nil
	})
}

// Choose says what the seat of s has chosen in a round, and that it is ready (T76). When all are,
// what they have chosen is shown. Errors: ErrRole, ErrNoRound, ErrNotInHand, ErrAnswer, ErrFrozen,
// ErrLogFull, a TooFast.
func (rs *Rooms) Choose(ctx context.Context, s Session, number uint32, c Choice) error {
	if len(c.Pieces) > MaxChosen || c.Text != "" && !isAnswer(c.Text) {
		return ErrAnswer
	}
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if err := r.mayAnswer(s, number); err != nil {
			return none{}, err
		}
		if !r.table.InHands(s.Seat, c.Pieces) {
			return none{}, ErrNotInHand
		}
		slices.Sort(c.Pieces)
		c.Pieces = slices.Compact(c.Pieces)
		r.round.choices[s.Seat] = c
		r.settleRound()
		return none{}, nil
	})
	return err
}

// ErrAnswer is the error of a choice that is too large, or whose text is not one line (422).
var ErrAnswer = errors.New("a choice has at most 16 pieces and one line of 200 characters")

func isAnswer(text string) bool {
	return len([]rune(text)) <= MaxAnswer && table.CheckChat(text)
}

// Unchoose says that the seat of s is not ready any more (T76). Errors: ErrRole, ErrNoRound,
// ErrFrozen, a TooFast.
func (rs *Rooms) Unchoose(ctx context.Context, s Session, number uint32) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if err := r.mayAnswer(s, number); err != nil {
			return none{}, err
		}
		if _, ready := r.round.choices[s.Seat]; ready {
			delete(r.round.choices, s.Seat)
			r.changedRound()
		}
		return none{}, nil
	})
	return err
}

// EndRound ends a round that the seat of s has begun, or any if s hosts: it shows what was chosen
// so far, or nothing at all (T76). Errors: ErrRole, ErrNoRound, ErrFrozen, ErrLogFull, a TooFast.
func (rs *Rooms) EndRound(ctx context.Context, s Session, number uint32, show bool) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if err := r.mayChoose(s); err != nil {
			return none{}, err
		}
		switch {
		case r.round == nil || r.round.id != number:
			return none{}, ErrNoRound
		case r.round.by != s.Seat && !s.Role.Hosts():
			return none{}, ErrRole
		case show:
			r.showRound()
		default:
			r.cancelRound()
		}
		return none{}, nil
	})
	return err
}

// mayChoose returns why a seat may do nothing about rounds now, and charges it otherwise.
func (r *room) mayChoose(s Session) error {
	switch {
	case !s.Role.Plays():
		return ErrRole
	case r.access.frozen && !s.Role.Hosts():
		return ErrFrozen
	case r.space.full():
		return ErrLogFull // it could not be shown
	}
	// All that may be shown counts, whatever was chosen: a budget must not tell how much that is.
	most := unitsOfRound
	if r.round != nil {
		most += unitsOfShown * MaxChosen * len(r.round.asked)
	}
	if err := r.budgets.admit(s.Seat, min(most, MaxUnits)); err != nil {
		return err
	}
	r.budgets.spend(s.Seat, unitsOfRound)
	return nil
}

// mayAnswer returns why a seat may not say what it chooses in a round, and charges it otherwise.
func (r *room) mayAnswer(s Session, number uint32) error {
	if err := r.mayChoose(s); err != nil {
		return err
	}
	switch {
	case r.round == nil || r.round.id != number:
		return ErrNoRound
	case !slices.Contains(r.round.asked, s.Seat):
		return ErrRole
	}
	return nil
}

// changedRound publishes how the round stands, and lets it be stored.
func (r *room) changedRound() {
	r.noteOpen(OpenRound)
	r.publishRound(holtpb.RoundState_ROUND_STATE_OPEN, nil)
}

// settleRound shows what was chosen if all are ready.
func (r *room) settleRound() {
	if len(r.round.choices) == len(r.round.asked) {
		r.showRound()
		return
	}
	r.changedRound()
}

// showRound shows everything that was chosen, in one commit, and ends the round.
func (r *room) showRound() {
	q, now := r.round, r.now()
	var shown []*holtpb.Choice
	for _, seat := range q.asked {
		c, ready := q.choices[seat]
		if !ready {
			continue
		}
		one := &holtpb.Choice{Seat: uint32(seat), Text: c.Text}
		r.chargeFor(seat, func() {
			for _, p := range r.table.ShowChosen(seat, c.Pieces, now) {
				one.Pieces = append(one.Pieces, uint32(p))
			}
			if c.Text != "" {
				r.table.Write(seat, q.lineOf(c), now)
			}
			r.record()
		})
		shown = append(shown, one)
	}
	r.publishRound(holtpb.RoundState_ROUND_STATE_SHOWN, shown)
	r.round = nil
	r.noteOpen(OpenRound)
}

// lineOf returns the answer of a choice as a line of the chat: behind the title of the round, so
// that the log says what was answered.
func (q *round) lineOf(c Choice) string {
	if q.title == "" {
		return c.Text
	}
	return q.title + " — " + c.Text
}

// cancelRound ends the round and shows nothing.
func (r *room) cancelRound() {
	r.publishRound(holtpb.RoundState_ROUND_STATE_CANCELLED, nil)
	r.round = nil
	r.noteOpen(OpenRound)
}

// leaveRound does not wait any more for a seat that has ended, and shows nothing of it.
func (r *room) leaveRound(seat id.Seat) {
	q := r.round
	if q == nil || !slices.Contains(q.asked, seat) {
		return
	}
	q.asked = slices.DeleteFunc(q.asked, func(s id.Seat) bool { return s == seat })
	delete(q.choices, seat)
	switch {
	case len(q.asked) == 0, r.space.full() && len(q.choices) == len(q.asked):
		r.cancelRound()
	default:
		r.settleRound()
	}
}

// publishRound sends everybody how the round stands, each in their own view.
func (r *room) publishRound(state holtpb.RoundState, shown []*holtpb.Choice) {
	all := make([]*attached, 0, len(r.clients))
	for _, a := range r.clients {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *attached) int { return cmp.Compare(a.order, b.order) })
	for _, a := range all {
		m := r.roundAs(a.seat)
		m.State = state
		for _, c := range shown {
			m.Shown = append(m.Shown, r.choiceAs(a.seat, c))
		}
		if state != holtpb.RoundState_ROUND_STATE_OPEN {
			m.Own = nil
		}
		r.recorded.queueEvent(a.id, wire.RoundEvent(m))
	}
}

// choiceAs returns a choice that is shown as the view of a seat gets it.
func (r *room) choiceAs(seat id.Seat, c *holtpb.Choice) *holtpb.Choice {
	m := &holtpb.Choice{Seat: c.GetSeat(), Text: c.GetText()}
	for _, p := range c.GetPieces() {
		if name, ok := r.table.Find(id.Piece(p), seat); ok {
			m.Pieces = append(m.Pieces, uint32(name))
		}
	}
	slices.Sort(m.Pieces)
	return m
}

// roundEvent returns the open round as the view of a seat gets it.
func (r *room) roundEvent(seat id.Seat) *holtpb.Event { return wire.RoundEvent(r.roundAs(seat)) }

func (r *room) roundAs(seat id.Seat) *holtpb.Round {
	q := r.round
	m := &holtpb.Round{
		Id: q.id, By: uint32(q.by), Title: q.title, Asked: numbersOf(q.asked),
		Ready: numbersOf(q.ready()),
	}
	if c, ready := q.choices[seat]; ready {
		m.Own = &holtpb.Choice{Seat: uint32(seat), Pieces: piecesOf(c.Pieces), Text: c.Text}
	}
	return m
}

// ready returns the seats that have chosen, ascending.
func (q *round) ready() (all []id.Seat) {
	for _, seat := range q.asked {
		if _, is := q.choices[seat]; is {
			all = append(all, seat)
		}
	}
	return all
}

func piecesOf(pieces []id.Piece) (names []uint32) {
	for _, p := range pieces {
		names = append(names, uint32(p))
	}
	return names
}

// stored returns what is stored of a round.
func (q *round) stored() *logpb.OpenRound {
	m := &logpb.OpenRound{Id: q.id, By: uint32(q.by), Asked: numbersOf(q.asked), Title: q.title}
	for _, seat := range q.ready() {
		c := q.choices[seat]
		m.Choices = append(m.Choices, &logpb.OpenChoice{
			Seat: uint32(seat), Pieces: piecesOf(c.Pieces), Text: c.Text,
		})
	}
	return m
}

// resumeRound goes on with the round that was open when the table was last used.
func (r *room) resumeRound(body []byte) {
	m, err := wire.DecodeOpenRound(body)
	if err != nil || m.GetId() == 0 {
		return
	}
	q := &round{
		id: m.GetId(), by: id.Seat(m.GetBy()), title: m.GetTitle(), asked: seatsOf(m.GetAsked()),
		choices: map[id.Seat]Choice{},
	}
	for _, c := range m.GetChoices() {
		chosen := Choice{Text: c.GetText()}
		for _, p := range c.GetPieces() {
			chosen.Pieces = append(chosen.Pieces, id.Piece(p))
		}
		q.choices[id.Seat(c.GetSeat())] = chosen
	}
	r.round, r.lastRound = q, q.id
}
