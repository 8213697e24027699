package client

import (
	"cmp"
	"encoding/hex"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// View is what one seat may see of a table at one moment.
type View struct {
	Epoch id.Epoch
	// Version is the version up to which the view is complete (S4).
	Version id.Version
	You     id.Seat
	Info    Info
	Seats   []SeatInfo    // by number
	Pieces  []table.Shown // by name
	Holds   []table.Tally // by piece and sort (T29)
	Sets    []Set         // by number (T37)
}

// Set is a guest set on the table.
type Set struct {
	Number uint32
	By     id.Seat    // the seat that brought it
	Away   table.Away // why its owner is unreachable (T39)
	Until  id.Millis  // the server asks the owner again at this time; 0: unknown
}

// Info describes a table.
type Info struct {
	Title         string
	Width, Height int32 // table units of 0.1 mm; x goes from -Width/2 to Width/2
	Surface       string
	Catalog       string // hash of the catalogue, in hexadecimal
}

// SeatInfo is a seat as others see it.
type SeatInfo struct {
	table.SeatInfo
	Presence holtpb.Presence
}

func (v *View) sort() {
	slices.SortFunc(v.Seats, func(a, b SeatInfo) int { return cmp.Compare(a.Seat, b.Seat) })
	slices.SortFunc(v.Pieces, func(a, b table.Shown) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(v.Sets, func(a, b Set) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(v.Holds, func(a, b table.Tally) int {
		return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Sort, b.Sort))
	})
}

// pieceOf returns a piece of a full state.
func pieceOf(m *holtpb.Piece) table.Shown {
	p := table.Shown{Name: id.Piece(m.GetId()), Version: id.Version(m.GetMark())}
	overlay(&p, m)
	return p
}

// overlay copies the fields that m has to p, except mark and name.
//
//nolint:gosec // an angle, a face and a clock fit: table bounds them
func overlay(p *table.Shown, m *holtpb.Piece) {
	set(&p.Kind, m.Kind)
	set(&p.X, m.X)
	set(&p.Y, m.Y)
	set(&p.Pinned, m.Pinned)
	set(&p.Locked, m.Locked)
	set(&p.Gone, m.Gone)
	if m.Angle != nil {
		p.Angle = int32(*m.Angle)
	}
	if m.Face != nil {
		p.Face = int32(*m.Face)
	}
	if m.Z != nil {
		p.Z = zlevel.Level(*m.Z)
	}
	if m.ZMark != nil {
		p.ZVersion = id.Version(*m.ZMark)
	}
	if m.Holder != nil {
		p.Holder = id.Seat(*m.Holder)
	}
	if m.Owner != nil {
		p.Owner = id.Seat(*m.Owner)
	}
	set(&p.Value, m.Value)
	set(&p.Text, m.Text)
	set(&p.Set, m.Set)
	if m.Team != nil {
		seats := make([]id.Seat, len(m.GetTeam().GetSeats()))
		for i, s := range m.GetTeam().GetSeats() {
			seats[i] = id.Seat(s)
		}
		p.Team, _ = table.NewTeam(seats) // an invalid team is shown as empty
	}
	if c := m.Clock; c != nil {
		p.IsClock = true
		p.Clock = table.Clock{
			Left:    [2]int32{int32(c.GetLeft1()), int32(c.GetLeft2())},
			Initial: int32(c.GetInitial()), Increment: int32(c.GetIncrement()),
			Running: uint8(c.GetRunning()), Since: id.Millis(c.GetSince()),
		}
	}
	if m.Curves != nil {
		if c, ok := wire.CurvesOf(m.GetCurves()); ok {
			p.Curves = c
		}
	}
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func infoOf(m *holtpb.TableInfo) Info {
	return Info{
		Title:   m.GetTitle(),
		Width:   int32(m.GetWidth()),  //nolint:gosec // of a table
		Height:  int32(m.GetHeight()), //nolint:gosec // of a table
		Surface: m.GetSurface(), Catalog: hex.EncodeToString(m.GetCatalog()),
	}
}

func setsOf(list []*holtpb.GuestSet) map[uint32]Set {
	sets := make(map[uint32]Set, len(list))
	for _, m := range list {
		sets[m.GetId()] = setOf(m)
	}
	return sets
}

func setOf(m *holtpb.GuestSet) Set {
	return Set{
		Number: m.GetId(), By: id.Seat(m.GetBy()),
		Away:  table.Away(m.GetAway()), //nolint:gosec // one of a few
		Until: id.Millis(m.GetUntil()), //nolint:gosec // after 1970
	}
}

func seatsOf(list []*holtpb.Seat) map[id.Seat]SeatInfo {
	seats := make(map[id.Seat]SeatInfo, len(list))
	for _, m := range list {
		s := seatOf(m)
		seats[s.Seat] = s
	}
	return seats
}

func seatOf(m *holtpb.Seat) SeatInfo {
	return SeatInfo{
		SeatInfo: table.SeatInfo{
			Seat: id.Seat(m.GetId()), Nick: m.GetNick(), Colour: m.GetColour(),
			Role: table.Role(m.GetRole()), //nolint:gosec // one of a few
			Home: m.GetHome(), Number: m.GetNumber(), Left: id.Seat(m.GetLeft()),
			Side: m.GetSide(), Played: m.GetPlayed(), Erased: m.GetErased(),
			Opened:   id.Millis(m.GetOpened()), //nolint:gosec // a time
			PlacedBy: id.Seat(m.GetPlacedBy()), EditsBy: id.Seat(m.GetEditsBy()),
			Referee: table.Referee{
				Proposal: m.GetProposal(), ProposedBy: id.Seat(m.GetProposedBy()),
				Agreed: m.GetAgreed(),
			},
			Link: table.SeatLink{
				By: id.Seat(m.GetLinkBy()),
				At: id.Millis(m.GetLinkAt()), Used: id.Millis(m.GetLinkUsed()), //nolint:gosec // times
			},
		},
		Presence: m.GetPresence(),
	}
}
