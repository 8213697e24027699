package client

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
)

// The table as JSON (http.md): in answers of the server, and in the lines of Tell.
type (
	// Document is a view. The server says which table it is of, in which server life, and how
	// much of its space it has used.
	Document struct {
		Table  string          `json:"table,omitempty"`
		Epoch  id.Epoch        `json:"epoch"`
		Mark   id.Version      `json:"mark"`
		Life   string          `json:"life,omitempty"`
		You    id.Seat         `json:"you"`
		Info   infoDocument    `json:"info"`
		Seats  []seatDocument  `json:"seats"`
		Pieces []pieceDocument `json:"pieces"`
		Holds  []holdsDocument `json:"holds,omitempty"`
		Sets   []setDocument   `json:"sets,omitempty"`
		Space  string          `json:"space,omitempty"`
	}
	setDocument struct {
		ID    uint32    `json:"id"`
		By    id.Seat   `json:"by"`
		Away  string    `json:"away,omitempty"`
		Until id.Millis `json:"until,omitempty"`
	}
	infoDocument struct {
		Title   string `json:"title"`
		Width   int32  `json:"width"`
		Height  int32  `json:"height"`
		Surface string `json:"surface"`
		Catalog string `json:"catalog"`
	}
	seatDocument struct {
		ID       id.Seat `json:"id"`
		Nick     string  `json:"nick"`
		Colour   string  `json:"colour"`
		Role     string  `json:"role"`
		Presence string  `json:"presence"`
		Home     string  `json:"home,omitempty"`
		Number   uint32  `json:"number,omitempty"`
		Left     id.Seat `json:"left,omitempty"`

		LinkBy     id.Seat   `json:"linkBy,omitempty"`
		LinkAt     id.Millis `json:"linkAt,omitempty"`
		LinkUsed   id.Millis `json:"linkUsed,omitempty"`
		Side       uint32    `json:"side,omitempty"`
		PlacedBy   id.Seat   `json:"placedBy,omitempty"`
		EditsBy    id.Seat   `json:"editsBy,omitempty"`
		Played     bool      `json:"played,omitempty"`
		Proposal   uint32    `json:"proposal,omitempty"`
		ProposedBy id.Seat   `json:"proposedBy,omitempty"`
		Agreed     uint32    `json:"agreed,omitempty"`
		Erased     bool      `json:"erased,omitempty"`
		Opened     id.Millis `json:"opened,omitempty"`
	}
	pieceDocument struct {
		ID     id.Piece        `json:"id"`
		Mark   id.Version      `json:"mark"`
		Kind   uint32          `json:"kind"`
		X      int32           `json:"x"`
		Y      int32           `json:"y"`
		Angle  int32           `json:"angle"`
		Face   int32           `json:"face"`
		Z      string          `json:"z"`
		ZMark  id.Version      `json:"zMark"`
		Pinned bool            `json:"pinned"`
		Locked bool            `json:"locked"`
		Holder id.Seat         `json:"holder"`
		Owner  id.Seat         `json:"owner"`
		Value  int32           `json:"value,omitempty"`
		Text   string          `json:"text,omitempty"`
		Team   []id.Seat       `json:"team,omitempty"`
		Clock  *clockDocument  `json:"clock,omitempty"`
		Set    uint32          `json:"set,omitempty"`
		Curves *curvesDocument `json:"curves,omitempty"`
	}
	curvesDocument struct {
		From   id.Millis       `json:"from"`
		Curves []curveDocument `json:"curves"`
	}
	curveDocument struct {
		Property table.Property `json:"property"`
		Start    int32          `json:"start"`
		Rate     int8           `json:"rate"`
		Max      int32          `json:"max"`
	}
	clockDocument struct {
		Running   uint8     `json:"running"`
		Since     id.Millis `json:"since"`
		Left1     int32     `json:"left1"`
		Left2     int32     `json:"left2"`
		Initial   int32     `json:"initial"`
		Increment int32     `json:"increment"`
	}
	holdsDocument struct {
		Piece  id.Piece `json:"piece"`
		Kinds  []uint32 `json:"kinds"`
		Counts []int    `json:"counts"`
	}
)

var presences = map[string]holtpb.Presence{
	"gone": holtpb.Presence_PRESENCE_GONE, "here": holtpb.Presence_PRESENCE_HERE,
	"away": holtpb.Presence_PRESENCE_AWAY, "lost": holtpb.Presence_PRESENCE_LOST,
}

var roles = map[string]table.Role{
	table.RoleHost.String():      table.RoleHost,
	table.RolePlayer.String():    table.RolePlayer,
	table.RoleSpectator.String(): table.RoleSpectator,
	table.RoleCohost.String():    table.RoleCohost,
	table.RoleReferee.String():   table.RoleReferee,
}

// aways maps texts to the reasons why a guest set is away.
var aways = func() map[string]table.Away {
	all := map[string]table.Away{}
	for a := table.AwayNone; a <= table.AwayLost; a++ {
		all[a.String()] = a
	}
	return all
}()

// presenceNames maps presences to their texts.
var presenceNames = func() map[holtpb.Presence]string {
	names := map[holtpb.Presence]string{}
	for name, p := range maps.All(presences) {
		names[p] = name
	}
	return names
}()

var spaceNames = map[holtpb.SpaceLevel]string{
	holtpb.SpaceLevel_SPACE_LEVEL_LOW: "low", holtpb.SpaceLevel_SPACE_LEVEL_FULL: "full",
	holtpb.SpaceLevel_SPACE_LEVEL_SPENT: "spent",
}

// DocumentOf returns the full state in a frame, as the server answers it (http.md).
func DocumentOf(of id.OID, f *holtpb.Frame) (*Document, error) {
	var full *holtpb.Full
	space := ""
	for _, e := range f.GetEvents() {
		if s := e.GetSpace(); s != nil {
			space = spaceNames[s.GetLevel()]
		}
		if e.GetFull() != nil {
			full = e.GetFull()
		}
	}
	v := View{
		Epoch: id.Epoch(full.GetEpoch()), Version: id.Version(f.GetMark()),
		You: id.Seat(full.GetYou()), Info: infoOf(full.GetTable()),
		Seats:  make([]SeatInfo, 0, len(full.GetSeats())),
		Pieces: make([]table.Shown, 0, len(full.GetPieces())),
	}
	for _, s := range full.GetSeats() {
		v.Seats = append(v.Seats, seatOf(s))
	}
	for _, p := range full.GetPieces() {
		v.Pieces = append(v.Pieces, pieceOf(p))
	}
	for _, h := range full.GetHolds() {
		tallies, err := talliesOf(h)
		if err != nil {
			return nil, err
		}
		v.Holds = append(v.Holds, tallies...)
	}
	for _, s := range full.GetSets() {
		v.Sets = append(v.Sets, setOf(s))
	}
	d := documentOf(&v)
	d.Table, d.Life, d.Space = of.String(), hex.EncodeToString(full.GetLife()), space
	return d, nil
}

// view converts a document to a view. It fails if the document is malformed.
func (d *Document) view() (View, error) {
	v := View{Epoch: d.Epoch, Version: d.Mark, You: d.You, Info: Info(d.Info)}
	for _, s := range d.Seats {
		colour, err := strconv.ParseUint(strings.TrimPrefix(s.Colour, "#"), 16, 24)
		if err != nil {
			return View{}, fmt.Errorf("colour of seat %d: %w", s.ID, err)
		}
		v.Seats = append(v.Seats, SeatInfo{SeatInfo: table.SeatInfo{
			Seat: s.ID, Nick: s.Nick, Colour: uint32(colour), Role: roles[s.Role], Home: s.Home,
			Number: s.Number, Left: s.Left, Side: s.Side, Played: s.Played,
			Erased: s.Erased, Opened: s.Opened, PlacedBy: s.PlacedBy, EditsBy: s.EditsBy,
			Referee: table.Referee{
				Proposal: s.Proposal, ProposedBy: s.ProposedBy, Agreed: s.Agreed,
			},
			Link: table.SeatLink{By: s.LinkBy, At: s.LinkAt, Used: s.LinkUsed},
		}, Presence: presences[s.Presence]})
	}
	for i := range d.Pieces {
		v.Pieces = append(v.Pieces, d.Pieces[i].piece())
	}
	for _, h := range d.Holds {
		if len(h.Kinds) != len(h.Counts) {
			return View{}, fmt.Errorf(
				"piece %d holds %d counts of %d kinds", h.Piece, len(h.Counts), len(h.Kinds),
			)
		}
		for i, sort := range h.Kinds {
			v.Holds = append(v.Holds, table.Tally{Piece: h.Piece, Sort: sort, Count: h.Counts[i]})
		}
	}
	for _, s := range d.Sets {
		v.Sets = append(v.Sets, Set{Number: s.ID, By: s.By, Away: aways[s.Away], Until: s.Until})
	}
	v.sort()
	return v, nil
}

// piece converts a document to a piece.
func (p *pieceDocument) piece() table.Shown {
	s := table.Shown{
		Name: p.ID, Version: p.Mark, Kind: p.Kind, X: p.X, Y: p.Y, Angle: p.Angle, Face: p.Face,
		Z:        zlevel.Level(p.Z),
		ZVersion: p.ZMark, Pinned: p.Pinned, Locked: p.Locked, Holder: p.Holder, Owner: p.Owner,
		Value: p.Value, Text: p.Text, Set: p.Set,
	}
	s.Team, _ = table.NewTeam(p.Team)
	if c := p.Clock; c != nil {
		s.IsClock = true
		s.Clock = table.Clock{
			Left: [2]int32{c.Left1, c.Left2}, Initial: c.Initial, Increment: c.Increment,
			Running: c.Running, Since: c.Since,
		}
	}
	if c := p.Curves; c != nil {
		list := make([]table.Curve, len(c.Curves))
		for i, of := range c.Curves {
			list[i] = table.Curve(of)
		}
		s.Curves, _ = table.NewCurves(c.From, list) // invalid curves are ignored (K4)
	}
	return s
}

// documentOf converts a view to a document.
func documentOf(v *View) *Document {
	d := &Document{
		Epoch: v.Epoch, Mark: v.Version, You: v.You, Info: infoDocument(v.Info),
		Seats: make([]seatDocument, len(v.Seats)), Pieces: make([]pieceDocument, len(v.Pieces)),
	}
	for i := range v.Seats {
		d.Seats[i] = seatDocumentOf(&v.Seats[i])
	}
	for i := range v.Pieces {
		d.Pieces[i] = pieceDocumentOf(&v.Pieces[i])
	}
	for from := 0; from < len(v.Holds); {
		piece, to := v.Holds[from].Piece, from
		for to < len(v.Holds) && v.Holds[to].Piece == piece {
			to++
		}
		d.Holds = append(d.Holds, holdsDocumentOf(piece, v.Holds[from:to]))
		from = to
	}
	for i := range v.Sets {
		d.Sets = append(d.Sets, setDocumentOf(&v.Sets[i]))
	}
	return d
}

func setDocumentOf(s *Set) setDocument {
	return setDocument{ID: s.Number, By: s.By, Away: s.Away.String(), Until: s.Until}
}

// SeatDocument returns a seat as JSON has it.
func SeatDocument(m *holtpb.Seat) any {
	s := seatOf(m)
	return seatDocumentOf(&s)
}

func seatDocumentOf(s *SeatInfo) seatDocument {
	return seatDocument{
		ID: s.Seat, Nick: s.Nick, Colour: fmt.Sprintf("#%06x", s.Colour), Role: s.Role.String(),
		Presence: presenceNames[s.Presence], Home: s.Home,
		Number: s.Number, Left: s.Left, LinkBy: s.Link.By, LinkAt: s.Link.At, LinkUsed: s.Link.Used,
		Side: s.Side, PlacedBy: s.PlacedBy, EditsBy: s.EditsBy,
		Played: s.Played, Erased: s.Erased, Opened: s.Opened,
		Proposal: s.Referee.Proposal, ProposedBy: s.Referee.ProposedBy, Agreed: s.Referee.Agreed,
	}
}

func pieceDocumentOf(s *table.Shown) pieceDocument {
	p := pieceDocument{
		ID: s.Name, Mark: s.Version, Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face,
		Z: string(s.Z), ZMark: s.ZVersion,
		Pinned: s.Pinned, Locked: s.Locked, Holder: s.Holder, Owner: s.Owner, Value: s.Value,
		Text: s.Text, Team: slices.Collect(s.Team.Seats()), Set: s.Set,
	}
	if s.IsClock {
		c := &s.Clock
		p.Clock = &clockDocument{
			Running: c.Running, Since: c.Since, Left1: c.Left[0], Left2: c.Left[1],
			Initial: c.Initial, Increment: c.Increment,
		}
	}
	if s.Curves != (table.Curves{}) {
		p.Curves = &curvesDocument{From: s.Curves.From}
		for of := range s.Curves.All() {
			p.Curves.Curves = append(p.Curves.Curves, curveDocument(of))
		}
	}
	return p
}

// holdsDocumentOf converts the counts of one hand or container to a document.
func holdsDocumentOf(piece id.Piece, tallies []table.Tally) holdsDocument {
	h := holdsDocument{
		Piece: piece, Kinds: make([]uint32, len(tallies)), Counts: make([]int, len(tallies)),
	}
	for i, t := range tallies {
		h.Kinds[i], h.Counts[i] = t.Sort, t.Count
	}
	return h
}
