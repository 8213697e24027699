package client

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"holt/server/id"
	"holt/server/table"
	"holt/server/wire/holtpb"
	"holt/server/zlevel"
)

// View is what a seat is shown of a table at one moment.
type View struct {
	Epoch id.Epoch
	// Mark says up to where the view is complete (S4).
	Mark   id.Mark
	You    id.Seat
	Info   Info
	Seats  []SeatInfo    // in the order of their numbers
	Pieces []table.Shown // in the order of their names
	Holds  []table.Tally // in the order of their pieces and sorts (T29)
}

// Info is what a table tells about itself.
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

// viewDocument is a view as JSON (http.md).
type viewDocument struct {
	Epoch id.Epoch `json:"epoch"`
	Mark  id.Mark  `json:"mark"`
	You   id.Seat  `json:"you"`
	Info  struct {
		Title   string `json:"title"`
		Width   int32  `json:"width"`
		Height  int32  `json:"height"`
		Surface string `json:"surface"`
		Catalog string `json:"catalog"`
	} `json:"info"`
	Seats []struct {
		ID       id.Seat `json:"id"`
		Nick     string  `json:"nick"`
		Colour   string  `json:"colour"`
		Role     string  `json:"role"`
		Presence string  `json:"presence"`
	} `json:"seats"`
	Pieces []struct {
		ID     id.Piece  `json:"id"`
		Mark   id.Mark   `json:"mark"`
		Kind   uint32    `json:"kind"`
		X      int32     `json:"x"`
		Y      int32     `json:"y"`
		Angle  int32     `json:"angle"`
		Face   int32     `json:"face"`
		Z      string    `json:"z"`
		ZMark  id.Mark   `json:"zMark"`
		Pinned bool      `json:"pinned"`
		Locked bool      `json:"locked"`
		Holder id.Seat   `json:"holder"`
		Owner  id.Seat   `json:"owner"`
		Value  int32     `json:"value"`
		Text   string    `json:"text"`
		Team   []id.Seat `json:"team"`
		Clock  *struct {
			Running   uint8     `json:"running"`
			Since     id.Millis `json:"since"`
			Left1     int32     `json:"left1"`
			Left2     int32     `json:"left2"`
			Initial   int32     `json:"initial"`
			Increment int32     `json:"increment"`
		} `json:"clock"`
	} `json:"pieces"`
	Holds []struct {
		Piece  id.Piece `json:"piece"`
		Kinds  []uint32 `json:"kinds"`
		Counts []int    `json:"counts"`
	} `json:"holds"`
}

var presences = map[string]holtpb.Presence{
	"gone": holtpb.Presence_PRESENCE_GONE, "here": holtpb.Presence_PRESENCE_HERE,
	"away": holtpb.Presence_PRESENCE_AWAY, "lost": holtpb.Presence_PRESENCE_LOST,
}

var roles = map[string]table.Role{
	table.RoleHost.String():      table.RoleHost,
	table.RolePlayer.String():    table.RolePlayer,
	table.RoleSpectator.String(): table.RoleSpectator,
}

func (d *viewDocument) view() (View, error) {
	v := View{Epoch: d.Epoch, Mark: d.Mark, You: d.You, Info: Info(d.Info)}
	for _, s := range d.Seats {
		colour, err := strconv.ParseUint(trimHash(s.Colour), 16, 24)
		if err != nil {
			return View{}, fmt.Errorf("colour of seat %d: %w", s.ID, err)
		}
		v.Seats = append(v.Seats, SeatInfo{
			SeatInfo: table.SeatInfo{Seat: s.ID, Nick: s.Nick, Colour: uint32(colour), Role: roles[s.Role]}, Presence: presences[s.Presence],
		})
	}
	for _, p := range d.Pieces {
		s := table.Shown{
			Name: p.ID, Mark: p.Mark, Kind: p.Kind, X: p.X, Y: p.Y, Angle: p.Angle, Face: p.Face, Z: zlevel.Level(p.Z),
			ZMark: p.ZMark, Pinned: p.Pinned, Locked: p.Locked, Holder: p.Holder, Owner: p.Owner, Value: p.Value, Text: p.Text,
		}
		s.Team, _ = table.NewTeam(p.Team)
		if c := p.Clock; c != nil {
			s.IsClock = true
			s.Clock = table.Clock{
				Left: [2]int32{c.Left1, c.Left2}, Initial: c.Initial, Increment: c.Increment, Running: c.Running, Since: c.Since,
			}
		}
		v.Pieces = append(v.Pieces, s)
	}
	for _, h := range d.Holds {
		if len(h.Kinds) != len(h.Counts) {
			return View{}, fmt.Errorf("piece %d holds %d counts of %d kinds", h.Piece, len(h.Counts), len(h.Kinds))
		}
		for i, sort := range h.Kinds {
			v.Holds = append(v.Holds, table.Tally{Piece: h.Piece, Sort: sort, Count: h.Counts[i]})
		}
	}
	v.sort()
	return v, nil
}

func trimHash(colour string) string {
	if len(colour) > 0 && colour[0] == '#' {
		return colour[1:]
	}
	return colour
}

func (v *View) sort() {
	slices.SortFunc(v.Seats, func(a, b SeatInfo) int { return cmp.Compare(a.Seat, b.Seat) })
	slices.SortFunc(v.Pieces, func(a, b table.Shown) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(v.Holds, func(a, b table.Tally) int { return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Sort, b.Sort)) })
}

// overlay puts the fields that m has over p, mark and name apart.
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
		p.ZMark = id.Mark(*m.ZMark)
	}
	if m.Holder != nil {
		p.Holder = id.Seat(*m.Holder)
	}
	if m.Owner != nil {
		p.Owner = id.Seat(*m.Owner)
	}
	set(&p.Value, m.Value)
	set(&p.Text, m.Text)
	if m.Team != nil {
		seats := make([]id.Seat, len(m.GetTeam().GetSeats()))
		for i, s := range m.GetTeam().GetSeats() {
			seats[i] = id.Seat(s)
		}
		p.Team, _ = table.NewTeam(seats) // of one that is impossible nothing is shown
	}
	if c := m.Clock; c != nil {
		p.IsClock = true
		p.Clock = table.Clock{
			Left: [2]int32{int32(c.GetLeft1()), int32(c.GetLeft2())}, Initial: int32(c.GetInitial()), Increment: int32(c.GetIncrement()),
			Running: uint8(c.GetRunning()), Since: id.Millis(c.GetSince()),
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
		Title: m.GetTitle(), Width: int32(m.GetWidth()), Height: int32(m.GetHeight()), //nolint:gosec // of a table
		Surface: m.GetSurface(), Catalog: hex.EncodeToString(m.GetCatalog()),
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
		SeatInfo: table.SeatInfo{Seat: id.Seat(m.GetId()), Nick: m.GetNick(), Colour: m.GetColour(), Role: table.Role(m.GetRole())}, //nolint:gosec // one of three
		Presence: m.GetPresence(),
	}
}
