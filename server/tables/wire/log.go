package wire

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/logpb"
)

// EncodeEntry returns the stored form of an entry (log.proto).
func EncodeEntry(e *table.Entry) ([]byte, error) {
	m := &logpb.Entry{
		Gen: uint64(e.Gen), At: int64(e.At), Op: uint32(e.Op), Seat: uint32(e.Seat),
		Client: clientBytes(e.Client),
		Seq:    uint64(e.Seq), Digest: e.Digest, Server: e.Server, Name: uint32(e.Name),
		Made: e.Made,
	}
	switch {
	case e.Who != nil:
		m.Who = logSeat(e.Who)
	case e.Set != nil:
		m.Set = logSet(e.Set)
	case e.Fact != nil:
		m.Fact, m.To = e.Fact, uint32(e.To)
	case e.Chat != nil:
		m.Chat = &logpb.Chat{
			Line: uint64(e.Chat.Line), By: uint32(e.Chat.By), To: uint32(e.Chat.To),
			Deleted: e.Chat.Deleted,
		}
	case e.Rewound != nil:
		r := e.Rewound
		m.Rewound = &logpb.Rewound{
			Save: r.Save, Kind: uint32(r.Kind), Name: r.Name, Made: int64(r.Made),
			Boxes: each(r.Boxes, func(b *table.BoxMark) *logpb.Box {
				return &logpb.Box{Piece: b.Piece[:], Loose: b.Loose, Spoiled: b.Spoiled}
			}),
			Blurred: logLooks(r.Blurred), Tracked: r.Tracked,
		}
	case e.Ops != nil:
		m.Ops, m.To = e.Ops, uint32(e.To)
		if !e.Piece.IsZero() {
			m.Piece = e.Piece[:]
		}
	default:
		//nolint:gosec // never negative
		m.NewName, m.Notice, m.Count, m.Faces, m.To =
			uint32(e.NewName), e.Notice, uint32(e.Count), e.Faces, uint32(e.To)
		if e.Brought != 0 || e.Made && e.Client != (id.Client{}) {
			m.Brought = proto.Uint32(uint32(e.Brought))
		}
		m.Order, m.Owed, m.Whole, m.Step = e.Order, e.Owed, e.Whole, e.Step
		m.Piece = e.Piece[:]
		m.After = logState(&e.After)
		if !e.Made {
			m.Before = logState(&e.Before)
		}
	}
	b, err := proto.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode entry %d: %w", e.Gen, err)
	}
	return b, nil
}

// DecodeEntry reads what EncodeEntry has returned. It fails on anything else and does not guess.
func DecodeEntry(b []byte) (table.Entry, error) {
	var m logpb.Entry
	if err := proto.Unmarshal(b, &m); err != nil {
		return table.Entry{}, fmt.Errorf("decode entry: %w", err)
	}
	//nolint:gosec // checked below
	e := table.Entry{
		Gen: id.Generation(m.Gen), At: id.Millis(m.At), Op: table.Op(m.Op),
		Seat: id.Seat(m.Seat),
		Seq:  id.ClientSeq(m.Seq), Digest: m.Digest, Server: m.Server,
		Name: id.Piece(m.Name), Made: m.Made,
	}
	d := decoder{}
	d.bytes(e.Client[:], m.Client, true)
	if m.Op > 255 {
		d.fail("operation %d", m.Op)
	}
	switch who := m.Who; {
	case who != nil:
		s := d.seat(who)
		e.Who = &s
	case m.Set != nil:
		s := d.set(m.Set)
		e.Set = &s
	case m.Chat != nil:
		e.Chat = d.chat(m.Chat)
	case m.Rewound != nil:
		e.Rewound = d.rewound(m.Rewound)
	case len(m.Fact) > 0:
		e.Fact, e.To = m.Fact, id.Seat(m.To)
	case len(m.Ops) > 0:
		e.Ops, e.To = m.Ops, id.Seat(m.To)
		d.bytes(e.Piece[:], m.Piece, true)
	default:
		d.bytes(e.Piece[:], m.Piece, false)
		e.NewName, e.Notice, e.To, e.Brought =
			id.Piece(m.NewName), m.Notice, id.Seat(m.To), id.Piece(m.GetBrought())
		if m.Count > table.MaxPieces || len(m.Faces) > table.MaxPieces {
			d.fail("notice of %d things, %d faces", m.Count, len(m.Faces))
		} else {
			e.Count, e.Faces = int32(m.Count), m.Faces
		}
		if len(m.Order) > table.MaxPieces {
			d.fail("order of %d pieces", len(m.Order))
		}
		e.Order, e.Owed, e.Whole, e.Step = m.Order, hiddenSince(m.Owed, m.OwedOnce), m.Whole, m.Step
		if e.Made && m.Brought == nil && e.Client != (id.Client{}) {
			e.Brought = e.Name
		}
		e.After = d.state(m.After)
		if !e.Made {
			e.Before = d.state(m.Before)
		}
	}
	if d.err != nil {
		return table.Entry{}, fmt.Errorf("decode entry %d: %w", e.Gen, d.err)
	}
	return e, nil
}

// chat reads what the log has of a line. Its text is elsewhere.
func (d *decoder) chat(c *logpb.Chat) *table.Chat {
	if c.Line < table.MinLine || c.Line > table.MaxLine || c.By == 0 {
		d.fail("line of chat %d by %d", c.Line, c.By)
	}
	return &table.Chat{
		Line: id.ChatLine(c.Line), By: id.Seat(c.By), To: id.Seat(c.To), Deleted: c.Deleted,
	}
}

// logLooks returns the stored form of looks, and looks reads it.
func logLooks(all []table.Look) []*logpb.Look {
	return each(all, func(l *table.Look) *logpb.Look {
		return &logpb.Look{Mask: l.Mask, Heavy: l.Heavy}
	})
}

func looks(all []*logpb.Look) (read []table.Look) {
	for _, l := range all {
		read = append(read, table.Look{Mask: l.GetMask(), Heavy: l.GetHeavy()})
	}
	return read
}

// rewound reads the mark of a rewind.
func (d *decoder) rewound(r *logpb.Rewound) *table.Rewound {
	kind := table.SaveKind(r.Kind) //nolint:gosec // checked below
	if r.Kind < uint32(table.SaveNamed) || r.Kind > uint32(table.SaveBefore) {
		d.fail("kind of save point %d", r.Kind)
	}
	m := &table.Rewound{Save: r.Save, Kind: kind, Name: r.Name, Made: id.Millis(r.Made),
		Blurred: looks(r.Blurred), Tracked: r.Tracked}
	for _, b := range r.Boxes {
		box := table.BoxMark{Loose: b.Loose, Spoiled: b.Spoiled}
		d.bytes(box.Piece[:], b.Piece, false)
		m.Boxes = append(m.Boxes, box)
	}
	return m
}

// EncodeImage returns the stored form of a snapshot.
func EncodeImage(im *table.Image) ([]byte, error) {
	m := &logpb.Image{
		Gen: uint64(im.Gen), At: int64(im.At), LastName: uint32(im.LastName), Fair: im.Fair,
		Components: im.Components, Epoch: uint64(im.Epoch), LastSet: im.LastSet, Moves: im.Moves,
		Tracked: im.Tracked,
		Steps:   im.Steps,
		Sets:    each(im.Sets, logSet), Pieces: each(im.Pieces, logPiece),
		Seats: each(im.Seats, logSeat), Clients: each(im.Clients, logClient),
	}
	m.Writers = each(im.Writers, func(w *table.Writer) *logpb.Writer {
		return &logpb.Writer{Entity: w.Entity, Component: w.Component, Seat: uint32(w.Seat)}
	})
	m.Blurred = logLooks(im.Blurred)
	m.Views = each(im.Views, func(v *table.ViewImage) *logpb.View {
		return &logpb.View{Seat: uint32(v.Seat), Runs: each(v.Runs, logRun)}
	})
	b, err := proto.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode snapshot at %d: %w", im.Gen, err)
	}
	return b, nil
}

// DecodeImage reads what EncodeImage has returned.
func DecodeImage(b []byte) (*table.Image, error) {
	var m logpb.Image
	if err := proto.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("decode snapshot: %w", err)
	}
	d := decoder{}
	im := &table.Image{
		Gen: id.Generation(m.Gen), At: id.Millis(m.At),
		LastName: id.Piece(m.LastName), Fair: m.Fair, Components: m.Components,
		Epoch: id.Epoch(m.Epoch), LastSet: m.LastSet, Moves: m.Moves,
		Tracked: m.Tracked,
		Steps:   m.Steps,
	}
	for _, s := range m.Sets {
		im.Sets = append(im.Sets, d.set(s))
	}
	for _, p := range m.Pieces {
		pi := table.PieceImage{
			Name: id.Piece(p.Name), State: d.state(p.State), Lineage: d.lineage(p),
			LabelsDropped: id.Generation(p.Shed), Loose: p.Loose, Spoiled: p.Spoiled,
			AsSetUp: p.AsSetUp,
		}
		for _, l := range p.Views {
			pi.Views = append(pi.Views,
				table.OwnLineage{View: id.Seat(l.Seat), Lineage: d.lineage(l)})
		}
		for _, f := range p.Formers {
			pi.Formers = append(pi.Formers, table.FormerImage{
				Name: id.Piece(f.Name), Views: seats(f.Views),
			})
		}
		d.bytes(pi.OID[:], p.Oid, false)
		d.bytes(pi.Released[:], p.Released, true)
		im.Pieces = append(im.Pieces, pi)
	}
	im.Blurred = looks(m.Blurred)
	for _, w := range m.Writers {
		im.Writers = append(im.Writers, table.Writer{
			Entity: w.Entity, Component: w.Component, Seat: id.Seat(w.Seat),
		})
	}
	for _, s := range m.Seats {
		im.Seats = append(im.Seats, d.seat(s))
	}
	for _, c := range m.Clients {
		im.Clients = append(im.Clients, d.client(c))
	}
	for _, v := range m.Views {
		vi := table.ViewImage{Seat: id.Seat(v.Seat)}
		for _, r := range v.Runs {
			vi.Runs = append(vi.Runs, table.Run{
				Gen: id.Generation(r.Gen), Num: r.Num, N: r.N,
			})
		}
		im.Views = append(im.Views, vi)
	}
	if d.err != nil {
		return nil, fmt.Errorf("decode snapshot at %d: %w", im.Gen, d.err)
	}
	return im, nil
}

func clientBytes(c id.Client) []byte {
	if c == (id.Client{}) {
		return nil
	}
	return c[:]
}

func logState(s *table.State) *logpb.State {
	//nolint:gosec // never negative
	m := &logpb.State{
		Kind: s.Kind, X: s.X, Y: s.Y, Angle: uint32(s.Angle), Face: uint32(s.Face), Z: string(s.Z),
		ZGen:   uint64(s.ZGen),
		Pinned: s.Pinned, Locked: s.Locked, Gone: s.Gone, Holder: uint32(s.Holder),
		Owner: uint32(s.Owner),
		In:    uint32(s.In), Home: uint32(s.Home), Value: s.Value, Text: s.Text,
		Rolled: int64(s.Rolled), Native: s.Native, Since: s.Since,
	}
	for seat := range s.Team.Seats() {
		m.Team = append(m.Team, uint32(seat))
	}
	if !s.Set.IsZero() {
		m.Set, m.Part = s.Set[:], s.Part
	}
	if c := &s.Clock; *c != (table.Clock{}) {
		//nolint:gosec // never negative
		m.Clock = &logpb.Clock{
			Left1: uint32(c.Left[0]), Left2: uint32(c.Left[1]), Initial: uint32(c.Initial),
			Increment: uint32(c.Increment),
			Running:   uint32(c.Running), Since: int64(c.Since),
		}
	}
	return m
}

func logPiece(p *table.PieceImage) *logpb.Piece {
	return &logpb.Piece{
		Oid: p.OID[:], Name: uint32(p.Name), State: logState(&p.State),
		Gen:   uint64(p.Lineage.Gen),
		Other: uint64(p.Lineage.Other), By: clientBytes(p.Lineage.By),
		Released: clientBytes(p.Released), Views: each(p.Views, logLineage),
		Formers: each(p.Formers, logFormer),
		Shed:    uint64(p.LabelsDropped), Loose: p.Loose, Spoiled: p.Spoiled, AsSetUp: p.AsSetUp,
	}
}

func logRun(r *table.Run) *logpb.Run {
	return &logpb.Run{Gen: uint64(r.Gen), Num: r.Num, N: r.N}
}

func logFormer(f *table.FormerImage) *logpb.Former {
	return &logpb.Former{
		Name:  uint32(f.Name),
		Views: each(f.Views, func(v *id.Seat) uint32 { return uint32(*v) }),
	}
}

func seats(numbers []uint32) []id.Seat {
	return each(numbers, func(n *uint32) id.Seat { return id.Seat(*n) })
}

// each returns what f makes of each entry; nil if there is none.
func each[A, B any](all []A, f func(*A) B) []B {
	if len(all) == 0 {
		return nil
	}
	made := make([]B, len(all))
	for i := range all {
		made[i] = f(&all[i])
	}
	return made
}

func logSeat(s *table.SeatInfo) *logpb.Seat {
	return &logpb.Seat{
		Seat: uint32(s.Seat), Nick: s.Nick, Colour: s.Colour, Role: uint32(s.Role), Home: s.Home,
		Number: s.Number, Left: uint32(s.Left), Tokens: s.Tokens,
		LinkBy: uint32(s.Link.By), LinkAt: int64(s.Link.At), LinkUsed: int64(s.Link.Used),
		Fresh: s.Fresh, Side: s.Side, Played: s.Played, Erased: s.Erased,
		Proposal: s.Referee.Proposal, ProposedBy: uint32(s.Referee.ProposedBy),
		Agreed: s.Referee.Agreed, RefereeFrom: uint64(s.Referee.From), Opened: int64(s.Opened),
		PlacedBy: uint32(s.PlacedBy), EditsBy: uint32(s.EditsBy),
	}
}

func logLineage(l *table.OwnLineage) *logpb.Lineage {
	return &logpb.Lineage{
		Seat: uint32(l.View), Gen: uint64(l.Gen), Other: uint64(l.Other), By: clientBytes(l.By),
	}
}

func logClient(c *table.ClientImage) *logpb.Client {
	recorded := func(r *table.RecordedImage) *logpb.Recorded {
		return &logpb.Recorded{
			Seq: uint64(r.Seq), Digest: r.Digest, Piece: uint32(r.Piece), Made: r.Made,
			Gen: uint64(r.Gen), Server: r.Server,
		}
	}
	return &logpb.Client{
		Client: clientBytes(c.Client), Seat: uint32(c.Seat), Recorded: each(c.Recorded, recorded),
	}
}

// decoder keeps the first error.
type decoder struct{ err error }

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("impossible "+format, args...)
	}
}

// bytes fills an identifier. If the identifier is optional and missing, it stays zero.
func (d *decoder) bytes(to, from []byte, optional bool) {
	if len(from) == 0 && optional {
		return
	}
	if len(from) != len(to) {
		d.fail("identifier of %d bytes", len(from))
		return
	}
	copy(to, from)
}

func (d *decoder) state(s *logpb.State) table.State {
	if s == nil {
		d.fail("entry without state")
		return table.State{}
	}
	z, err := zlevel.Parse(s.Z)
	if err != nil {
		d.fail("level %q", s.Z)
	}
	if s.Angle >= table.FullTurn || s.Face > 1<<16 {
		d.fail("angle or face of %d, %d", s.Angle, s.Face)
	}
	team, ok := table.NewTeam(seats(s.Team))
	if !ok || len(s.Text) > table.MaxText ||
		s.Value > table.MaxValue || s.Value < -table.MaxValue {
		d.fail("team, text or value of %v, %d bytes, %d",
			s.Team, len(s.Text), s.Value)
	}
	//nolint:gosec // checked above
	state := table.State{
		Team: team, In: id.Piece(s.In), Home: id.Piece(s.Home), Value: s.Value,
		Text: s.Text, Rolled: id.Millis(s.Rolled), Native: s.Native,
		Since: hiddenSince(s.Since, s.Hidden),

		Kind: s.Kind, X: s.X, Y: s.Y, Angle: int32(s.Angle),
		Face: int32(s.Face), Z: z, ZGen: id.Generation(s.ZGen),
		Pinned: s.Pinned, Locked: s.Locked, Gone: s.Gone,
		Holder: id.Seat(s.Holder), Owner: id.Seat(s.Owner), Clock: d.clock(s.Clock),
		Part: s.Part,
	}
	d.bytes(state.Set[:], s.Set, true)
	return state
}

// hiddenSince returns the first round that could reveal something about a piece. Older entries have
// before instead, by another rule: a piece that was hidden then may be revealed by any round (F12).
func hiddenSince(round, before uint32) uint32 {
	if round == 0 && before != 0 {
		return table.HiddenEver
	}
	return round
}

// clock reads a clock. A piece that is not a clock, or an entry from before there were clocks, has
// the zero Clock.
func (d *decoder) clock(c *logpb.Clock) table.Clock {
	if c == nil {
		return table.Clock{}
	}
	most := max(c.Left1, c.Left2, c.Initial, c.Increment)
	if c.Running > 2 || most > uint32(curve.MaxValue) {
		d.fail("clock that runs on side %d with %d ms", c.Running, most)
		return table.Clock{}
	}
	//nolint:gosec // checked above
	return table.Clock{
		Left: [2]int32{int32(c.Left1), int32(c.Left2)}, Initial: int32(c.Initial),
		Increment: int32(c.Increment),
		Running:   uint8(c.Running), Since: id.Millis(c.Since),
	}
}

func (d *decoder) seat(s *logpb.Seat) table.SeatInfo {
	if s.Role < 1 || s.Role > uint32(table.RoleReferee) {
		d.fail("role %d", s.Role)
		return table.SeatInfo{}
	}
	return table.SeatInfo{
		Seat: id.Seat(s.Seat), Nick: s.Nick, Colour: s.Colour,
		Role: table.Role(s.Role), Home: s.Home,
		Number: s.Number, Left: id.Seat(s.Left), Tokens: s.Tokens,
		Link: table.SeatLink{
			By:   id.Seat(s.LinkBy),
			At:   id.Millis(s.LinkAt),
			Used: id.Millis(s.LinkUsed),
		},
		Fresh: s.Fresh, Side: s.Side, Played: s.Played, Erased: s.Erased,
		Opened: id.Millis(s.Opened), PlacedBy: id.Seat(s.PlacedBy),
		EditsBy: id.Seat(s.EditsBy),
		Referee: table.Referee{
			Proposal: s.Proposal, ProposedBy: id.Seat(s.ProposedBy), Agreed: s.Agreed,
			From: id.Generation(s.RefereeFrom),
		},
	}
}

// lineage reads a lineage. The lineage of the public view is a part of the piece.
func (d *decoder) lineage(l interface {
	GetGen() uint64
	GetOther() uint64
	GetBy() []byte
}) table.Lineage {
	li := table.Lineage{Gen: id.Generation(l.GetGen()), Other: id.Generation(l.GetOther())}
	d.bytes(li.By[:], l.GetBy(), true)
	return li
}

func (d *decoder) client(c *logpb.Client) table.ClientImage {
	ci := table.ClientImage{Seat: id.Seat(c.Seat)}
	d.bytes(ci.Client[:], c.Client, false)
	for _, r := range c.Recorded {
		ci.Recorded = append(ci.Recorded, table.RecordedImage{
			Seq: id.ClientSeq(r.Seq), Digest: r.Digest, Piece: id.Piece(r.Piece),
			Made: r.Made, Gen: id.Generation(r.Gen), Server: r.Server,
		})
	}
	return ci
}

// ErrFrame says that bytes are not a frame or message of the stream.
var ErrFrame = errors.New("not a message of holt.v1")
