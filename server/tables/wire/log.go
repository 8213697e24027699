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
		m.Order, m.Owed = e.Order, e.Owed
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
		Gen: id.Generation(m.GetGen()), At: id.Millis(m.GetAt()), Op: table.Op(m.GetOp()),
		Seat: id.Seat(m.GetSeat()),
		Seq:  id.ClientSeq(m.GetSeq()), Digest: m.GetDigest(), Server: m.GetServer(),
		Name: id.Piece(m.GetName()), Made: m.GetMade(),
	}
	d := decoder{}
	d.bytes(e.Client[:], m.GetClient(), true)
	if m.GetOp() > 255 {
		d.fail("operation %d", m.GetOp())
	}
	switch who := m.GetWho(); {
	case who != nil:
		s := d.seat(who)
		e.Who = &s
	case m.GetSet() != nil:
		s := d.set(m.GetSet())
		e.Set = &s
	case len(m.GetFact()) > 0:
		e.Fact, e.To = m.GetFact(), id.Seat(m.GetTo())
	case len(m.GetOps()) > 0:
		e.Ops, e.To = m.GetOps(), id.Seat(m.GetTo())
		d.bytes(e.Piece[:], m.GetPiece(), true)
	default:
		d.bytes(e.Piece[:], m.GetPiece(), false)
		e.NewName, e.Notice, e.To, e.Brought =
			id.Piece(m.GetNewName()), m.GetNotice(), id.Seat(m.GetTo()), id.Piece(m.GetBrought())
		if m.GetCount() > table.MaxPieces || len(m.GetFaces()) > table.MaxPieces {
			d.fail("notice of %d things, %d faces", m.GetCount(), len(m.GetFaces()))
		} else {
			e.Count, e.Faces = int32(m.GetCount()), m.GetFaces() //nolint:gosec // checked above
		}
		if len(m.GetOrder()) > table.MaxPieces {
			d.fail("order of %d pieces", len(m.GetOrder()))
		}
		e.Order, e.Owed = m.GetOrder(), hiddenSince(m.GetOwed(), m.GetOwedOnce())
		if e.Made && m.Brought == nil && e.Client != (id.Client{}) {
			e.Brought = e.Name
		}
		e.After = d.state(m.GetAfter())
		if !e.Made {
			e.Before = d.state(m.GetBefore())
		}
	}
	if d.err != nil {
		return table.Entry{}, fmt.Errorf("decode entry %d: %w", e.Gen, d.err)
	}
	return e, nil
}

// EncodeImage returns the stored form of a snapshot.
func EncodeImage(im *table.Image) ([]byte, error) {
	m := &logpb.Image{
		Gen: uint64(im.Gen), At: int64(im.At), LastName: uint32(im.LastName), Fair: im.Fair,
		Components: im.Components, Epoch: uint64(im.Epoch), LastSet: im.LastSet,
	}
	for i := range im.Sets {
		m.Sets = append(m.Sets, logSet(&im.Sets[i]))
	}
	for i := range im.Pieces {
		p := &im.Pieces[i]
		m.Pieces = append(m.Pieces, &logpb.Piece{
			Oid: p.OID[:], Name: uint32(p.Name), State: logState(&p.State),
			Gen:   uint64(p.Lineage.Gen),
			Other: uint64(p.Lineage.Other), By: clientBytes(p.Lineage.By),
			Released: clientBytes(p.Released), Views: logLineages(p.Views),
			Formers: logFormers(p.Formers),
			Shed:    uint64(p.LabelsDropped), Loose: p.Loose, Spoiled: p.Spoiled, AsSetUp: p.AsSetUp,
		})
	}
	for _, w := range im.Writers {
		m.Writers = append(m.Writers, &logpb.Writer{
			Entity: w.Entity, Component: w.Component, Seat: uint32(w.Seat),
		})
	}
	for i := range im.Seats {
		m.Seats = append(m.Seats, logSeat(&im.Seats[i]))
	}
	for i := range im.Clients {
		m.Clients = append(m.Clients, logClient(&im.Clients[i]))
	}
	for _, v := range im.Views {
		lv := &logpb.View{Seat: uint32(v.Seat)}
		for _, r := range v.Runs {
			lv.Runs = append(lv.Runs, &logpb.Run{Gen: uint64(r.Gen), Num: r.Num, N: r.N})
		}
		m.Views = append(m.Views, lv)
	}
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
		Gen: id.Generation(m.GetGen()), At: id.Millis(m.GetAt()),
		LastName: id.Piece(m.GetLastName()), Fair: m.GetFair(), Components: m.GetComponents(),
		Epoch: id.Epoch(m.GetEpoch()), LastSet: m.GetLastSet(),
	}
	for _, s := range m.GetSets() {
		im.Sets = append(im.Sets, d.set(s))
	}
	for _, p := range m.GetPieces() {
		pi := table.PieceImage{
			Name: id.Piece(p.GetName()), State: d.state(p.GetState()), Lineage: d.lineage(p),
			LabelsDropped: id.Generation(p.GetShed()), Loose: p.GetLoose(), Spoiled: p.GetSpoiled(),
			AsSetUp: p.GetAsSetUp(),
		}
		for _, l := range p.GetViews() {
			li := d.lineage(l)
			li.Seat = id.Seat(l.GetSeat())
			pi.Views = append(pi.Views, li)
		}
		for _, f := range p.GetFormers() {
			pi.Formers = append(pi.Formers, table.FormerImage{
				Name: id.Piece(f.GetName()), Views: seats(f.GetViews()),
			})
		}
		d.bytes(pi.OID[:], p.GetOid(), false)
		d.bytes(pi.Released[:], p.GetReleased(), true)
		im.Pieces = append(im.Pieces, pi)
	}
	for _, w := range m.GetWriters() {
		im.Writers = append(im.Writers, table.Writer{
			Entity: w.GetEntity(), Component: w.GetComponent(), Seat: id.Seat(w.GetSeat()),
		})
	}
	for _, s := range m.GetSeats() {
		im.Seats = append(im.Seats, d.seat(s))
	}
	for _, c := range m.GetClients() {
		im.Clients = append(im.Clients, d.client(c))
	}
	for _, v := range m.GetViews() {
		vi := table.ViewImage{Seat: id.Seat(v.GetSeat())}
		for _, r := range v.GetRuns() {
			vi.Runs = append(vi.Runs, table.RunImage{
				Gen: id.Generation(r.GetGen()), Num: r.GetNum(), N: r.GetN(),
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

func logFormers(all []table.FormerImage) []*logpb.Former {
	var m []*logpb.Former
	for _, f := range all {
		views := make([]uint32, len(f.Views))
		for i, v := range f.Views {
			views[i] = uint32(v)
		}
		m = append(m, &logpb.Former{Name: uint32(f.Name), Views: views})
	}
	return m
}

func seats(numbers []uint32) []id.Seat {
	all := make([]id.Seat, len(numbers))
	for i, n := range numbers {
		all[i] = id.Seat(n)
	}
	return all
}

func logSeat(s *table.SeatInfo) *logpb.Seat {
	return &logpb.Seat{
		Seat: uint32(s.Seat), Nick: s.Nick, Colour: s.Colour, Role: uint32(s.Role), Home: s.Home,
		Number: s.Number, Left: uint32(s.Left), Tokens: s.Tokens,
		LinkBy: uint32(s.Link.By), LinkAt: int64(s.Link.At), LinkUsed: int64(s.Link.Used),
		Fresh: s.Fresh,
	}
}

func logLineages(all []table.LineageImage) []*logpb.Lineage {
	var m []*logpb.Lineage
	for _, l := range all {
		m = append(m, &logpb.Lineage{
			Seat: uint32(l.Seat), Gen: uint64(l.Gen), Other: uint64(l.Other), By: clientBytes(l.By),
		})
	}
	return m
}

func logClient(c *table.ClientImage) *logpb.Client {
	m := &logpb.Client{Client: clientBytes(c.Client), Seat: uint32(c.Seat)}
	for _, r := range c.Recorded {
		m.Recorded = append(m.Recorded, &logpb.Recorded{
			Seq: uint64(r.Seq), Digest: r.Digest, Piece: uint32(r.Piece), Made: r.Made,
			Gen: uint64(r.Gen), Server: r.Server,
		})
	}
	return m
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
	z, err := zlevel.Parse(s.GetZ())
	if err != nil {
		d.fail("level %q", s.GetZ())
	}
	if s.GetAngle() >= table.FullTurn || s.GetFace() > 1<<16 {
		d.fail("angle or face of %d, %d", s.GetAngle(), s.GetFace())
	}
	team, ok := table.NewTeam(seats(s.GetTeam()))
	if !ok || len(s.GetText()) > table.MaxText ||
		s.GetValue() > table.MaxValue || s.GetValue() < -table.MaxValue {
		d.fail("team, text or value of %v, %d bytes, %d",
			s.GetTeam(), len(s.GetText()), s.GetValue())
	}
	//nolint:gosec // checked above
	state := table.State{
		Team: team, In: id.Piece(s.GetIn()), Home: id.Piece(s.GetHome()), Value: s.GetValue(),
		Text: s.GetText(), Rolled: id.Millis(s.GetRolled()), Native: s.GetNative(),
		Since: hiddenSince(s.GetSince(), s.GetHidden()),

		Kind: s.GetKind(), X: s.GetX(), Y: s.GetY(), Angle: int32(s.GetAngle()),
		Face: int32(s.GetFace()), Z: z, ZGen: id.Generation(s.GetZGen()),
		Pinned: s.GetPinned(), Locked: s.GetLocked(), Gone: s.GetGone(),
		Holder: id.Seat(s.GetHolder()), Owner: id.Seat(s.GetOwner()), Clock: d.clock(s.GetClock()),
		Part: s.GetPart(),
	}
	d.bytes(state.Set[:], s.GetSet(), true)
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
	most := max(c.GetLeft1(), c.GetLeft2(), c.GetInitial(), c.GetIncrement())
	if c.GetRunning() > 2 || most > uint32(curve.MaxValue) {
		d.fail("clock that runs on side %d with %d ms", c.GetRunning(), most)
		return table.Clock{}
	}
	//nolint:gosec // checked above
	return table.Clock{
		Left: [2]int32{int32(c.GetLeft1()), int32(c.GetLeft2())}, Initial: int32(c.GetInitial()),
		Increment: int32(c.GetIncrement()),
		Running:   uint8(c.GetRunning()), Since: id.Millis(c.GetSince()),
	}
}

func (d *decoder) seat(s *logpb.Seat) table.SeatInfo {
	if s.GetRole() < 1 || s.GetRole() > uint32(table.RoleSpectator) {
		d.fail("role %d", s.GetRole())
		return table.SeatInfo{}
	}
	//nolint:gosec // checked above
	return table.SeatInfo{
		Seat: id.Seat(s.GetSeat()), Nick: s.GetNick(), Colour: s.GetColour(),
		Role: table.Role(s.GetRole()), Home: s.GetHome(),
		Number: s.GetNumber(), Left: id.Seat(s.GetLeft()), Tokens: s.GetTokens(),
		Link: table.SeatLink{
			By:   id.Seat(s.GetLinkBy()),
			At:   id.Millis(s.GetLinkAt()),
			Used: id.Millis(s.GetLinkUsed()),
		},
		Fresh: s.GetFresh(),
	}
}

// lineage reads a lineage. The lineage of the public view is a part of the piece.
func (d *decoder) lineage(l interface {
	GetGen() uint64
	GetOther() uint64
	GetBy() []byte
}) table.LineageImage {
	li := table.LineageImage{Gen: id.Generation(l.GetGen()), Other: id.Generation(l.GetOther())}
	d.bytes(li.By[:], l.GetBy(), true)
	return li
}

func (d *decoder) client(c *logpb.Client) table.ClientImage {
	ci := table.ClientImage{Seat: id.Seat(c.GetSeat())}
	d.bytes(ci.Client[:], c.GetClient(), false)
	for _, r := range c.GetRecorded() {
		ci.Recorded = append(ci.Recorded, table.RecordedImage{
			Seq: id.ClientSeq(r.GetSeq()), Digest: r.GetDigest(), Piece: id.Piece(r.GetPiece()),
			Made: r.GetMade(), Gen: id.Generation(r.GetGen()), Server: r.GetServer(),
		})
	}
	return ci
}

// ErrFrame says that bytes are not a frame or message of the stream.
var ErrFrame = errors.New("not a message of holt.v1")
