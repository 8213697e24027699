package room

import (
	"cmp"
	"context"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/proto/logpb"
	"holt/server/tables/wire"
)

// Undo (T63): the room asks those whose consent is needed, and lets the table undo. A question
// outlives a restart: it is stored beside the log.

// Bounds of undos.
const (
	questionFor  = 20 * time.Second // for the answers
	tokensOfSeat = 8                // requests of a seat that are remembered
	MaxUndoToken = 64               // bytes
)

// undoing is what a room knows about undos.
type undoing struct {
	consent  componentpb.Undo_Consent
	question *question // nil: nobody is asking
	last     uint32    // the last number of a question
	tokens   map[id.Seat][]undoToken
	busy     bool // an undo is being recorded
}

// question is an open question.
type question struct {
	id          uint32
	by          id.Seat
	gesture     id.Generation
	op          table.Op
	pieces      []id.Piece // their names when it was asked
	ends        id.Millis
	asked       []id.Seat // ascending
	agreed      []id.Seat // ascending
	oneIsEnough bool      // hosts are asked, and one of them suffices
	token       string    // of the request
	// The table was loaded just now: those who are asked, and who asks, may have no stream yet.
	waits bool
}

// undoToken is a request of a client, with its answer.
type undoToken struct {
	token  string
	answer UndoAnswer
}

// Meant is an update of a client whose gesture a request means; zero: the last gesture of the seat.
type Meant struct {
	Client id.Client
	Seq    id.ClientSeq
}

// UndoAnswer answers a request to undo a gesture: it was done, or others are asked.
type UndoAnswer struct {
	Undone   bool
	Op       table.Op   // the main operation of the gesture
	Pieces   []id.Piece // that have changed back, as the seat names them; ascending
	Question uint32     // if it was not done
	Asked    []id.Seat
}

// NoUndo is the error of an undo that is not possible (409).
type NoUndo struct {
	Why   table.ObstacleKind
	Piece id.Piece // 0: none that the seat sees
}

func (e *NoUndo) Error() string {
	switch e.Why {
	case table.UndoNothing:
		return "you have done nothing that could be undone"
	case table.UndoHeld:
		return "somebody holds one of the pieces"
	case table.UndoStays:
		return "what was done stays: it cannot be undone"
	case table.UndoNotMeant:
		return "you have done something else since, or it is undone already"
	case table.UndoTableFull:
		return "the table has no room for what would come back"
	default:
		return "somebody has changed one of the pieces since"
	}
}

// Undo undoes the last gesture of the seat of s, or asks those whose consent it needs (T63). A
// request with a token that the seat has used lately gets the same answer again, and undoes
// nothing. It undoes nothing but the gesture of an update that is meant (T63.28). It returns when
// what it did is durable. Errors: *NoUndo, ErrRole, ErrUndoOff,
// ErrQuestion, ErrLogFull, *TooSoon, TooFast.
func (rs *Rooms) Undo(ctx context.Context, s Session, token string, of Meant) (UndoAnswer, error) {
	if !s.Role.Plays() {
		return UndoAnswer{}, ErrRole
	}
	return change(ctx, rs, s, func(r *room) (UndoAnswer, error) {
		for _, t := range r.undo.tokens[s.Seat] {
			if t.token == token {
				return t.answer, nil
			}
		}
		a, err := r.askUndo(s, token, of)
		if err != nil {
			return UndoAnswer{}, err
		}
		all := r.undo.tokens[s.Seat]
		all = append(all, undoToken{token, a})
		r.undo.tokens[s.Seat] = all[max(0, len(all)-tokensOfSeat):]
		return a, nil
	})
}

// WithdrawUndo ends the question that the seat of s asks. ErrNoQuestion if it asks none.
func (rs *Rooms) WithdrawUndo(ctx context.Context, s Session) error {
	_, err := inSession(ctx, rs, s, func(r *room) (none, error) {
		if q := r.undo.question; q == nil || q.by != s.Seat {
			return none{}, ErrNoQuestion
		}
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_WITHDRAWN, 0)
		return none{}, nil
	})
	return err
}

// AnswerUndo answers a question (T63). To agree again changes nothing. ErrNoQuestion if that
// question is not open; ErrRole if the seat is not asked.
func (rs *Rooms) AnswerUndo(ctx context.Context, s Session, question uint32, agree bool) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		q := r.undo.question
		switch {
		case q == nil || q.id != question:
			return none{}, ErrNoQuestion
		case !slices.Contains(q.asked, s.Seat):
			return none{}, ErrRole
		case !agree:
			r.endQuestion(holtpb.QuestionState_QUESTION_STATE_REFUSED, s.Seat)
		case !slices.Contains(q.agreed, s.Seat):
			q.agreed = append(q.agreed, s.Seat)
			slices.Sort(q.agreed)
			r.noteOpen(OpenQuestion)
			r.settleQuestion(true)
		}
		return none{}, nil
	})
	return err
}

// askUndo undoes the last gesture of a seat, or asks.
func (r *room) askUndo(s Session, token string, of Meant) (UndoAnswer, error) {
	if r.access.frozen && !s.Role.Hosts() {
		return UndoAnswer{}, ErrFrozen
	}
	if r.undo.consent == componentpb.Undo_CONSENT_OFF {
		return UndoAnswer{}, ErrUndoOff
	}
	if of != (Meant{}) && r.table.UndoesAnother(s.Seat, of.Client, of.Seq) {
		return UndoAnswer{}, &NoUndo{Why: table.UndoNotMeant}
	}
	u, no := r.table.Undoable(s.Seat)
	if no != nil {
		return UndoAnswer{}, &NoUndo{Why: no.Why, Piece: no.Piece}
	}
	if err := r.admitUndo(u); err != nil {
		return UndoAnswer{}, err
	}
	asked, one := r.toAsk(s, u)
	a := UndoAnswer{Op: u.Op, Asked: asked}
	if len(asked) == 0 {
		if err := r.takeBack(u); err != nil {
			return UndoAnswer{}, err
		}
		a.Undone = true
		for _, p := range u.Pieces {
			if name, ok := r.table.Find(p, s.Seat); ok {
				a.Pieces = append(a.Pieces, name)
			}
		}
		slices.Sort(a.Pieces)
		return a, nil
	}
	if r.undo.question != nil {
		return UndoAnswer{}, ErrQuestion
	}
	r.undo.last = max(r.undo.last+1, uint32(r.now()/1000)) //nolint:gosec // until 2106
	r.undo.question = &question{
		id: r.undo.last, by: s.Seat, gesture: u.Gesture, op: u.Op,
		pieces: slices.Clone(u.Pieces), asked: slices.Clone(asked), oneIsEnough: one,
		ends: r.now() + millis(questionFor), token: token,
	}
	r.noteOpen(OpenQuestion)
	r.timers.question.Reset(questionFor)
	r.publishQuestion(holtpb.QuestionState_QUESTION_STATE_OPEN, 0)
	a.Question = r.undo.last
	return a, nil
}

// toAsk returns whose consent an undo needs: that of all others who play and are here, or of the
// hosts among them if one of these suffices.
func (r *room) toAsk(s Session, u *table.Undo) (asked []id.Seat, oneIsEnough bool) {
	byHost := r.undo.consent == componentpb.Undo_CONSENT_HOST
	if u.AtOnce || byHost && s.Role.Hosts() {
		return nil, false
	}
	var hosts []id.Seat
	for i := range r.table.Seats() {
		who := &r.table.Seats()[i]
		if who.Seat == s.Seat || !who.Plays() || r.seatStreams.open(who.Seat) == 0 {
			continue
		}
		asked = append(asked, who.Seat)
		if who.Role.Hosts() {
			hosts = append(hosts, who.Seat)
		}
	}
	if byHost && len(hosts) > 0 {
		return hosts, true
	}
	return asked, false
}

// admitUndo returns why an undo may not be recorded now; nil if it may.
func (r *room) admitUndo(u *table.Undo) error {
	units := u.Entries + u.Bytes/bytesPerUnit + r.table.Pieces()/pieceChecksPerUnit
	if err := r.budgets.admit(u.Seat, min(units, MaxUnits)); err != nil {
		return err
	}
	space := &r.space
	switch {
	case space.reserveUsed(), space.full() && (u.Makes > 0 || u.Bytes > smallOnly):
		return ErrLogFull
	case !space.spent.may(u.Seat, space.quota.Seat, r.rand, time.Now()):
		return &TooSoon{After: time.Minute}
	}
	return nil
}

// takeBack undoes a gesture: it shuffles what came back into containers, and marks the draws.
func (r *room) takeBack(u *table.Undo) error {
	oids := make([]id.OID, u.Makes)
	for i := range oids {
		var err error
		if oids[i], err = r.cfg.Minter.Mint(r.cfg.Now()); err != nil {
			return inStorage(err)
		}
	}
	if r.randomness.stale() {
		if _, err := r.openRound(); err != nil {
			return err
		}
	}
	var draws []fairness.Drawn
	for _, f := range u.Facts {
		if fact, err := fairness.DecodeFact(f); err == nil {
			if d, is := fact.(fairness.Drawn); is {
				draws = append(draws, d)
			}
		}
	}
	r.undo.busy = true
	defer func() { r.undo.busy = false }()
	before := r.recorded.estimatedBytes
	r.chargeFor(u.Seat, func() {
		now := r.now()
		shuffles := r.table.TakeBack(u, now, oids)
		for i := range shuffles {
			again := table.Update{Op: table.OpShuffle}
			by := table.By{Seat: u.Seat}
			r.drawWith(by, &again, table.Inputs{Now: now, Unproved: &unprovedRandom{room: r}},
				func(in table.Inputs) table.Outcome {
					return r.table.Reshuffle(&shuffles[i], u.Seat, in)
				})
		}
		r.markUndone(draws, u.Seat, now)
		r.record()
	})
	r.charge(u.Seat, before)
	return nil
}

// markUndone records for verifiers that draws were taken back (F17), but those that only one seat
// may know.
func (r *room) markUndone(draws []fairness.Drawn, by id.Seat, now id.Millis) {
	if !r.randomness.state.Bound() {
		return // a round of version 1 has no such facts
	}
	for i := range draws {
		of := &draws[i]
		if of.Record.Audience != fairness.Everybody {
			continue
		}
		f := fairness.Undone{
			Round: r.randomness.round(), Of: of.Round, Number: of.Record.Number, Seat: by,
		}
		if err := r.randomness.enact(f, 0, now); err != nil {
			r.broken = err
		}
	}
}

// questionEvent returns the open question as the view of a seat gets it.
func (r *room) questionEvent(seat id.Seat) *holtpb.Event {
	return r.questionAs(seat, holtpb.QuestionState_QUESTION_STATE_OPEN, 0, r.asked())
}

// asked returns the undo that the question is about; nil if it is not possible now.
func (r *room) asked() *table.Undo {
	q := r.undo.question
	u, no := r.table.UndoableGesture(q.by, q.gesture)
	if no != nil {
		return nil
	}
	return u
}

// questionAs returns how the question stands, as the view of a seat gets it. of is the undo, if the
// view is to see where the pieces would lie.
func (r *room) questionAs(
	seat id.Seat, state holtpb.QuestionState, refusedBy id.Seat, of *table.Undo,
) *holtpb.Event {
	q := r.undo.question
	m := &holtpb.Question{
		Id: q.id, By: uint32(q.by), Op: holtpb.Op(q.op), State: state,
		Ends:  uint64(q.ends), //nolint:gosec // times are not negative
		Asked: numbersOf(q.asked), Agreed: numbersOf(q.agreed), RefusedBy: uint32(refusedBy),
	}
	for _, p := range q.pieces {
		if name, ok := r.table.Find(p, seat); ok {
			m.Pieces = append(m.Pieces, uint32(name))
		}
	}
	slices.Sort(m.Pieces)
	if of != nil {
		m.Ghosts = wire.Ghosts(r.table.Ghosts(of, seat))
	}
	return wire.QuestionEvent(m)
}

func numbersOf(seats []id.Seat) (numbers []uint32) {
	for _, s := range seats {
		numbers = append(numbers, uint32(s))
	}
	return numbers
}

// publishQuestion sends everybody how the question stands, each in their own view.
func (r *room) publishQuestion(state holtpb.QuestionState, refusedBy id.Seat) {
	all := make([]*attached, 0, len(r.clients))
	for _, a := range r.clients {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *attached) int { return cmp.Compare(a.order, b.order) })
	var of *table.Undo
	if state == holtpb.QuestionState_QUESTION_STATE_OPEN {
		of = r.asked()
	}
	for _, a := range all {
		r.recorded.queueEvent(a.id, r.questionAs(a.seat, state, refusedBy, of))
	}
}

// endQuestion ends the question and says how.
func (r *room) endQuestion(state holtpb.QuestionState, refusedBy id.Seat) {
	r.timers.question.Stop()
	r.publishQuestion(state, refusedBy)
	r.undo.question = nil
	r.noteOpen(OpenQuestion)
}

// questionOver ends a question that nobody has answered in time. If the table was loaded a while
// ago, it takes those out of the question who have not come back.
func (r *room) questionOver() {
	switch q := r.undo.question; {
	case q == nil:
	case q.waits:
		q.waits = false
		r.timers.question.Reset(time.Duration(max(q.ends-r.now(), 0)) * time.Millisecond)
		r.countAbsences()
	default:
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_TIMED_OUT, 0)
	}
}

// settleQuestion undoes the gesture if nobody is left whose consent is needed. Otherwise it
// publishes the question if that has changed.
func (r *room) settleQuestion(changed bool) {
	q := r.undo.question
	if q.oneIsEnough && len(q.agreed) > 0 || len(q.agreed) == len(q.asked) {
		u, no := r.table.UndoableGesture(q.by, q.gesture)
		if no != nil || r.cannotSave() || r.admitUndo(u) != nil || r.takeBack(u) != nil {
			r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
			return
		}
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_AGREED, 0)
		return
	}
	if changed {
		r.publishQuestion(holtpb.QuestionState_QUESTION_STATE_OPEN, 0)
	}
}

// checkQuestion ends the question if what was recorded makes the undo impossible.
func (r *room) checkQuestion() {
	q := r.undo.question
	if q == nil || r.undo.busy {
		return
	}
	if _, no := r.table.UndoableGesture(q.by, q.gesture); no != nil {
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
	}
}

// noteAbsence takes a seat that has no stream any more out of the question. If it asks itself, the
// question is withdrawn.
func (r *room) noteAbsence(seat id.Seat) {
	if q := r.undo.question; q != nil && !q.waits && r.seatStreams.open(seat) == 0 {
		r.leaveQuestion(seat, holtpb.QuestionState_QUESTION_STATE_WITHDRAWN)
	}
}

// leaveQuestion takes a seat out of the question. If it asks itself, the question ends in a state.
func (r *room) leaveQuestion(seat id.Seat, state holtpb.QuestionState) {
	q := r.undo.question
	is := func(s id.Seat) bool { return s == seat }
	switch {
	case q == nil:
	case q.by == seat:
		r.endQuestion(state, 0)
	case slices.ContainsFunc(q.asked, is):
		q.asked = slices.DeleteFunc(q.asked, is)
		q.agreed = slices.DeleteFunc(q.agreed, is)
		if q.oneIsEnough && len(q.asked) == 0 { // the others have not been asked
			r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
			return
		}
		r.noteOpen(OpenQuestion)
		r.settleQuestion(true)
	}
}

// askHostsOnly takes those out of the question who are asked as hosts and are none any more. On a
// frozen table it ends the question of somebody who is no host any more.
func (r *room) askHostsOnly() {
	q := r.undo.question
	if q == nil {
		return
	}
	if r.access.frozen && !r.roleOf(q.by).Hosts() {
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
		return
	}
	for _, seat := range slices.Clone(q.asked) {
		if r.undo.question == q && q.oneIsEnough && !r.roleOf(seat).Hosts() {
			r.leaveQuestion(seat, holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE)
		}
	}
}

// countAbsences lets noteAbsence look at everybody whom the question concerns: first at who asks.
func (r *room) countAbsences() {
	q := r.undo.question
	for _, seat := range append([]id.Seat{q.by}, q.asked...) {
		if r.undo.question == q {
			r.noteAbsence(seat)
		}
	}
}

// stored returns what is stored of a question.
func (q *question) stored() *logpb.OpenQuestion {
	return &logpb.OpenQuestion{
		Id: q.id, By: uint32(q.by), Gesture: uint64(q.gesture), Ends: int64(q.ends),
		Asked: numbersOf(q.asked), Agreed: numbersOf(q.agreed), OneIsEnough: q.oneIsEnough,
		Token: q.token,
	}
}

// resumeQuestion goes on with the question that was open when the table was last used (T63.19), if
// its gesture can still be undone.
func (r *room) resumeQuestion(body []byte) {
	if body == nil {
		return
	}
	r.noteOpen(OpenQuestion)
	m, err := wire.DecodeOpenQuestion(body)
	if err != nil {
		return
	}
	q := &question{
		id: m.GetId(), by: id.Seat(m.GetBy()), gesture: id.Generation(m.GetGesture()),
		asked: seatsOf(m.GetAsked()), agreed: seatsOf(m.GetAgreed()),
		oneIsEnough: m.GetOneIsEnough(), token: m.GetToken(), waits: true,
	}
	now := r.now()
	u, no := r.table.UndoableGesture(q.by, q.gesture)
	if no != nil || q.gesture == 0 || !lasts(id.Millis(m.GetEnds()), now) ||
		r.undo.consent == componentpb.Undo_CONSENT_OFF ||
		r.access.frozen && !r.roleOf(q.by).Hosts() {
		return
	}
	q.op, q.pieces = u.Op, slices.Clone(u.Pieces)
	q.ends = max(id.Millis(m.GetEnds()), now+millis(askAgainFor))
	r.undo.question, r.undo.last = q, q.id
	r.undo.tokens[q.by] = []undoToken{{q.token, UndoAnswer{
		Op: q.op, Question: q.id, Asked: slices.Clone(q.asked),
	}}}
	r.timers.question.Reset(returnWithin)
}

func seatsOf(numbers []uint32) (seats []id.Seat) {
	for _, n := range numbers {
		seats = append(seats, id.Seat(n))
	}
	return seats
}

// setUndoConsent notes whose consent undoing needs from now on. An open question ends: it was asked
// by another rule.
func (r *room) setUndoConsent(consent componentpb.Undo_Consent) {
	if consent != r.undo.consent && r.undo.question != nil {
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
	}
	r.undo.consent = consent
}
