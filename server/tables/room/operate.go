package room

import (
	"context"
	"strings"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/query"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Operations is a message of operations on components (C17).
type Operations struct {
	// Client is the client whose stream also gets the refusals; zero: none.
	Client id.Client
	// Epoch and Version are those of the last thing that the sender got before it made the message
	// (S1).
	Epoch   id.Epoch
	Version id.Version
	Ops     []crdt.Op
	// Life is the server life that sent Version; zero if the sender does not name it (S21).
	Life ServerLife
	// Lost, if it is not nil, gets what has won under each key of which an operation has lost, each
	// once (C2.5). It is called before Operate returns.
	Lost func(won crdt.Op)
}

// Operate lets a seat change components. Operations are judged one by one; Operate returns when
// those that had an effect are durable. A client whose operation lost gets what it lost to over its
// stream (C2). The error is a *table.Invalid if an operation is invalid (C12), ErrEpoch if they
// were made in another epoch, and then none has an effect; ErrRole for spectators.
func (rs *Rooms) Operate(ctx context.Context, s Session, m Operations) error {
	for i := range m.Ops {
		if err := schema.CheckOp(&m.Ops[i]); err != nil {
			return &table.Invalid{Index: i, Code: table.CodeImpossible, Detail: err.Error()}
		}
	}
	return rs.send(ctx, s, LastSent{m.Epoch, m.Life, m.Version}, func(r *room) error {
		_, err := do(ctx, r, func() (none, error) { return none{}, r.operate(s, &m) })
		return err
	})
}

// Components returns all components that the view of s may see, as a WireMessage, once everything
// in it is durable (C17). The error is a TooFast if the seat has read too much (T49).
func (rs *Rooms) Components(ctx context.Context, s Session) ([]byte, error) {
	return inSession(ctx, rs, s, func(r *room) ([]byte, error) {
		if err := r.budgets.admit(s.Seat, minUnitsOfRead); err != nil {
			return nil, err
		}
		foreign := s.Role.Hosts() || r.sharesForeign()
		message := r.components.encode(r.table, s.Seat, foreign)
		r.budgets.spend(s.Seat, minUnitsOfRead+len(message)/bytesPerUnit)
		return message, nil
	})
}

// operate judges operations that a seat has sent, and merges those that are allowed (C11 to C16).
// After an error none has an effect.
func (r *room) operate(s Session, m *Operations) error {
	if err := r.admit(&s, m); err != nil {
		return err
	}
	before := r.recorded.estimatedBytes
	o := operation{
		room: r, by: schema.Writer{Seat: s.Seat, Role: s.Role},
		version: m.Version, refused: map[key]bool{},
	}
	r.chargeFor(s.Seat, func() {
		for _, op := range m.Ops {
			o.judge(op)
		}
		o.answerPlaces()
		o.record()
	})
	r.charge(s.Seat, before)
	if m.Lost != nil {
		units := 0
		o.tellLosses(func(won crdt.Op) {
			units += len(won.Data) / bytesPerUnit
			m.Lost(won)
		})
		r.budgets.spend(s.Seat, units)
	}
	if m.Client != (id.Client{}) {
		for _, refusal := range o.refusals {
			r.recorded.queueEvent(m.Client, refusal)
		}
	}
	return nil
}

// admit returns why a whole message is refused; nil if it is not.
func (r *room) admit(s *Session, m *Operations) error {
	if err := r.checkSender(s, m.Epoch, m.Client, true); err != nil {
		return err
	}
	if m.Version > r.table.VersionAt(s.Seat, r.table.Gen()) {
		return &table.Invalid{
			Index: -1, Code: table.CodeFutureTag, Detail: "the mark has not been given to anybody",
		}
	}
	return r.budgets.admit(s.Seat, r.estimateUnits(s.Seat, m.Ops))
}

// estimateUnits returns how many units operations cost at most: what they add to the log, and what
// questions make the table do (C18).
func (r *room) estimateUnits(seat id.Seat, ops []crdt.Op) int {
	var updates []table.Update
	units := 0
	for i := range ops {
		op := &ops[i]
		units += 1 + len(op.Data)/bytesPerUnit
		switch op.Component {
		case schema.HitTest:
			units += r.table.Pieces() / pieceChecksPerUnit
		case schema.Roll, schema.Shuffle:
			updates = append(updates, asked(op))
		}
	}
	return units + r.table.Weigh(seat, updates, MaxUnits).Units()
}

// asked returns the update that a question asks for.
func asked(op *crdt.Op) table.Update {
	name, _ := schema.PieceOf(op.Entity)
	u := table.Update{Op: table.OpRoll, Has: table.HasPiece, Piece: name}
	if op.Component == schema.Shuffle {
		u.Op = table.OpShuffle
	}
	return u
}

// operation is a message of operations on its way through the room.
type operation struct {
	room    *room
	by      schema.Writer
	version id.Version // the version up to which its sender was informed

	asked    []crdt.Op       // questions about places that are to be answered
	refusals []*holtpb.Event // in order, each key once
	refused  map[key]bool
	lost     []key // keys of values of which an operation has lost, in order

	of  table.Component // what the operations in ops are about
	ops []byte
}

// key is what operations are about.
type key struct {
	entity    crdt.Entity
	component uint32
}

// judge judges an operation, and merges it if it is allowed. If it loses, its sender gets what it
// lost to over the stream, as everybody does (C2).
func (o *operation) judge(op crdt.Op) {
	r, sent := o.room, op
	found := schema.Found{}
	if name, ok := schema.PieceOf(op.Entity); ok {
		if name, found.Visible = r.table.CurrentNameForLabel(name, o.by.Seat, o.version); found.Visible {
			op.Entity = schema.EntityOfPiece(name)
		}
	}
	found = o.lookUp(&op, found.Visible)
	reason := schema.Judge(&op, o.by, found)
	if reason == schema.Allowed && o.noSpace() {
		reason = schema.Full
	}
	if reason != schema.Allowed {
		o.refuse(&sent, reason)
		return
	}
	o.lowerVersions(&op)
	if r.components.mergeOp(r.table, o.by.Seat, op) {
		o.add(op)
		o.effect(&op, &found)
		return
	}
	if state, ok := r.components.replica.State(op.Entity, op.Component); ok &&
		op.Kind != crdt.Append && replica.Compare(&op, &state) < 0 {
		o.lost = append(o.lost, key{sent.Entity, op.Component}, key{op.Entity, op.Component})
	}
}

// tellLosses passes on what has won under the keys of which an operation has lost (C2). The pieces
// have the names by which the sender knows them.
func (o *operation) tellLosses(lost func(crdt.Op)) {
	told := map[key]bool{}
	for i := 0; i < len(o.lost); i += 2 {
		known, now := o.lost[i], o.lost[i+1]
		won, ok := o.room.components.replica.State(now.entity, now.component)
		if ok && !told[known] {
			told[known] = true
			won.Entity = known.entity
			lost(won)
		}
	}
}

// noSpace reports whether the table or the seat may log no more (T45, T46).
func (o *operation) noSpace() bool {
	s := &o.room.space
	return s.full() || !s.spent.may(o.by.Seat, s.quota.Seat, o.room.rand, time.Now())
}

// lookUp returns what an operation finds at the table.
func (o *operation) lookUp(op *crdt.Op, here bool) schema.Found {
	r := o.room
	f := schema.FoundIn(r.components.replica, op)
	f.Visible, f.Now = here, schema.SecondAt(r.now())
	f.Bytes, f.Hidden = r.components.used(r.table, op, o.by.Seat)
	f.Counted = r.components.foreign.counted(op)
	if seat, ok := schema.SeatOf(op.Entity); ok {
		_, f.Visible = r.table.Seat(seat)
	}
	return f
}

// refuse notes that an operation was refused (C11).
func (o *operation) refuse(op *crdt.Op, why schema.Refusal) {
	if k := (key{op.Entity, op.Component}); !o.refused[k] {
		o.refused[k] = true
		o.refusals = append(o.refusals, wire.RefusedEvent(op, why))
	}
}

// add adds a merged operation to those that are to be recorded. It joins the one before if that is
// about the same.
func (o *operation) add(op crdt.Op) {
	if of := about(&op); of != o.of {
		o.record()
		o.of = of
	}
	o.ops = crdt.AppendOp(o.ops, &op)
}

// record records the operations that were merged so far.
func (o *operation) record() {
	if o.ops == nil {
		return
	}
	r := o.room
	r.table.RecordComponents(o.of, o.by.Seat, o.ops, r.now())
	o.ops = nil
	r.record()
}

// write merges an operation of the server's own and adds it to those that are to be recorded.
func (o *operation) write(e crdt.Entity, number uint32, data []byte) {
	op, err := o.room.components.replica.Put(e, number, data)
	if err != nil {
		return // the key is used up (C1): the question or stroke stays without an answer
	}
	o.room.components.charge(o.room.table, &op, o.by.Seat)
	o.add(op)
}

// erase deletes a value of the server's own.
func (o *operation) erase(e crdt.Entity, number uint32) {
	op, err := o.room.components.replica.Delete(e, number)
	if err != nil {
		return // the key is used up (C1): it was deleted with the last timestamp
	}
	o.room.components.charge(o.room.table, &op, o.by.Seat)
	o.add(op)
}

// effect does what a component asks for.
func (o *operation) effect(op *crdt.Op, found *schema.Found) {
	switch {
	case schema.ClassOf(op.Entity) == schema.ClassStroke && found.Author == 0 &&
		op.Kind == crdt.Put:
		o.write(op.Entity, schema.Author, schema.Encode(&componentpb.Seat{Seat: uint32(o.by.Seat)}))
	case op.Entity == schema.TheTable && op.Component == schema.Foreign:
		o.room.endSpectatorBridges()
	case op.Entity == schema.TheTable:
		o.room.adoptSetting(op)
	case op.Component == schema.Profile && op.Kind == crdt.Put:
		o.applyProfile(op)
	case op.Kind == crdt.Put && schema.Answer(op.Component) != 0:
		o.answer(op)
	}
}

// applyProfile gives a seat the name and the colour of its profile.
func (o *operation) applyProfile(op *crdt.Op) {
	profile, err := schema.Decode[componentpb.Profile](op.Data)
	if err != nil || strings.ContainsRune(profile.GetNick(), table.HomeSign) ||
		!o.room.table.Appear(o.by.Seat, profile.GetNick(), profile.GetColour(), o.room.now()) {
		return
	}
	o.room.record()
}

// answer answers a question (C18).
func (o *operation) answer(op *crdt.Op) {
	var data []byte
	switch op.Component {
	case schema.Roll, schema.Shuffle:
		o.record()
		var later bool
		if data, later = o.doAsked(op); later {
			return
		}
	default:
		o.asked = append(o.asked, *op)
		return
	}
	o.write(op.Entity, schema.Answer(op.Component), data)
}

// answerPlaces answers the questions about places at the end of the message. If a question was
// asked several times in the message, it answers only the last one (C18). So a message makes the
// room look for no more pieces than one question does.
func (o *operation) answerPlaces() {
	r := o.room
	for i := range o.asked {
		op := &o.asked[i]
		if state, ok := r.components.replica.State(op.Entity, op.Component); !ok ||
			replica.Compare(&state, op) != 0 {
			continue
		}
		data, err := query.Answer(r.table, r.kinds, op)
		if err != nil {
			r.log.Error("question not answered", "component", op.Component, "error", err)
			continue
		}
		o.write(op.Entity, schema.Answer(op.Component), data)
	}
}

// doAsked lets the seat do with a piece what a question asks for, and returns the answer. It
// reports true if the answer comes later, because the owner of the piece is asked first.
func (o *operation) doAsked(op *crdt.Op) (answer []byte, later bool) {
	r := o.room
	name, _ := schema.PieceOf(op.Entity)
	u := asked(op)
	by := table.By{Client: questionClient(o.by.Seat), Seat: o.by.Seat, Role: o.by.Role}
	u.Seq = r.table.NextSeq(by.Client)
	out := r.draw(by, &u,
		table.Inputs{Now: r.now(), Refused: r.refusedByFreeze(by.Seat, &u)})
	if out.Verdict == table.Deferred { // before anything else that makes the table ask the owner
		question := *op
		r.ask(&waitingUpdate{by: by, u: u, ask: out.Ask, done: func(out *table.Outcome) {
			// If the piece was renamed, the question is gone (C15). An answer would reveal the
			// piece's old name to those who get it.
			if now, sees := r.table.Find(name, o.by.Seat); !sees || now != name {
				return
			}
			o := operation{room: r, by: o.by}
			o.write(question.Entity, schema.Answer(question.Component),
				r.answerOf(&question, name, out))
			o.record()
		}})
		r.record()
		return nil, true
	}
	r.record()
	return r.answerOf(op, name, &out), false
}

// answerOf returns the answer to a question that asked to do something with a piece.
func (r *room) answerOf(op *crdt.Op, name id.Piece, out *table.Outcome) []byte {
	if op.Component == schema.Shuffle {
		return schema.Encode(&componentpb.ShuffleResult{
			Of: op.Timestamp, Reason: uint32(out.Reject.Reason),
		})
	}
	answer := &componentpb.RollResult{Of: op.Timestamp, Reason: uint32(out.Reject.Reason)}
	if state, ok := r.table.Look(name); ok && out.Verdict == table.Recorded {
		face := uint32(state.Face) //nolint:gosec // never negative
		answer.Face = &face
	}
	return schema.Encode(answer)
}

// questionClient is the client under which the questions of a seat are recorded. No page can have
// it: it is not random.
func questionClient(seat id.Seat) id.Client {
	c := id.Client{'c', 'o', 'm', 'p', 'o', 'n', 'e', 'n', 't', 's'}
	c[14], c[15] = byte(seat>>8), byte(seat) //nolint:gosec // at most table.MaxSeats
	return c
}

// isQuestionClient reports whether questionClient returns c for some seat. A client that could take
// the place of another seat there could use up its sequences, or learn by them what it asks.
func isQuestionClient(c id.Client) bool {
	return c == questionClient(id.Seat(c[14])<<8|id.Seat(c[15]))
}

// unknownSeat is a seat that no table has.
const unknownSeat id.Seat = table.MaxSeats + 1

// ruleOf returns what a component of the table says; nil, which says nothing, where there is none,
// or none that can be read.
func ruleOf[M any](p *components, component uint32, decode func([]byte) (*M, error)) *M {
	op, ok := p.replica.State(schema.TheTable, component)
	if !ok || op.Kind != crdt.Put {
		return nil
	}
	m, err := decode(op.Data)
	if err != nil {
		return nil
	}
	return m
}

// playersRecall reports whether players recall from the hands of others, too (T30.33).
func (p *components) playersRecall() bool {
	return ruleOf(p, schema.Recall, schema.Decode[componentpb.Recall]).GetPlayers()
}

// undoConsent returns whose consent undoing a gesture needs (T63).
func (p *components) undoConsent() componentpb.Undo_Consent {
	return ruleOf(p, schema.Undo, schema.Decode[componentpb.Undo]).GetConsent()
}

// adoptSetting makes the value of a component the setting of the table.
func (r *room) adoptSetting(op *crdt.Op) {
	s := r.row.Settings
	switch op.Component {
	case schema.Title:
		if m, err := schema.Decode[componentpb.Text](op.Data); err == nil {
			s.Title = m.GetText()
		}
	case schema.Surface:
		if m, err := schema.Decode[componentpb.Surface](op.Data); err == nil && m.GetName() != "" {
			s.Surface = m.GetName()
		}
	case schema.Recall:
		r.table.SetRecall(r.components.playersRecall())
	case schema.Chat:
		r.adoptChatRules()
	case schema.Access:
		r.setAccess(r.components.access())
	case schema.Undo:
		r.setUndoConsent(r.components.undoConsent())
	case schema.Recording:
		r.recorder.set(op)
	case schema.Size:
		if m, err := schema.Decode[componentpb.Size](op.Data); err == nil {
			s.Width, s.Height = int32(m.GetWidth()), int32(m.GetHeight()) //nolint:gosec // checked
			r.table.Resize(s.Width, s.Height)
		}
	}
	if s != r.row.Settings {
		r.row.Settings = s
		r.recorded.settings = &s
	}
}
