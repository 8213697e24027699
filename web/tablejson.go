package web

import (
	"encoding/hex"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// The table as JSON (http.md). Versions and epochs are at most 2^53-1, so that every JSON reader
// gets them exactly.
type (
	tableView struct {
		Table  string      `json:"table"`
		Epoch  uint64      `json:"epoch"`
		Mark   uint64      `json:"mark"`
		Life   string      `json:"life,omitempty"`
		You    uint32      `json:"you"`
		Info   infoView    `json:"info"`
		Seats  []seatView  `json:"seats"`
		Pieces []pieceView `json:"pieces"`
		Holds  []holdsView `json:"holds,omitempty"`
		Sets   []setView   `json:"sets,omitempty"`
		Space  string      `json:"space,omitempty"`
	}
	infoView struct {
		Title   string `json:"title"`
		Width   uint32 `json:"width"`
		Height  uint32 `json:"height"`
		Surface string `json:"surface"`
		Catalog string `json:"catalog"`
	}
	seatView struct {
		ID       uint32 `json:"id"`
		Nick     string `json:"nick"`
		Colour   string `json:"colour"`
		Role     string `json:"role"`
		Presence string `json:"presence"`
		Home     string `json:"home,omitempty"`
		Number   uint32 `json:"number,omitempty"`
		Left     uint32 `json:"left,omitempty"`
		LinkBy   uint32 `json:"linkBy,omitempty"`
		LinkAt   uint64 `json:"linkAt,omitempty"`
		LinkUsed uint64 `json:"linkUsed,omitempty"`
	}
	pieceView struct {
		ID     uint32 `json:"id"`
		Mark   uint64 `json:"mark"`
		Kind   uint32 `json:"kind"`
		X      int32  `json:"x"`
		Y      int32  `json:"y"`
		Angle  uint32 `json:"angle"`
		Face   uint32 `json:"face"`
		Z      string `json:"z"`
		ZMark  uint64 `json:"zMark"`
		Pinned bool   `json:"pinned"`
		Locked bool   `json:"locked"`
		Holder uint32 `json:"holder"`
		Owner  uint32 `json:"owner"`

		Value int32      `json:"value,omitempty"`
		Text  string     `json:"text,omitempty"`
		Team  []uint32   `json:"team,omitempty"`
		Clock *clockView `json:"clock,omitempty"`
		Set   uint32     `json:"set,omitempty"`
	}
	setView struct {
		ID    uint32 `json:"id"`
		By    uint32 `json:"by"`
		Away  string `json:"away,omitempty"`
		Until uint64 `json:"until,omitempty"`
	}
	holdsView struct {
		Piece  uint32   `json:"piece"`
		Kinds  []uint32 `json:"kinds"`
		Counts []uint32 `json:"counts"`
	}
	clockView struct {
		Running   uint32 `json:"running"`
		Since     uint64 `json:"since"`
		Left1     uint32 `json:"left1"`
		Left2     uint32 `json:"left2"`
		Initial   uint32 `json:"initial"`
		Increment uint32 `json:"increment"`
	}
)

// The texts of presences, roles and levels of space.
var presenceNames = map[holtpb.Presence]string{
	holtpb.Presence_PRESENCE_GONE: "gone", holtpb.Presence_PRESENCE_HERE: "here",
	holtpb.Presence_PRESENCE_AWAY: "away", holtpb.Presence_PRESENCE_LOST: "lost",
}

var roleNames = map[holtpb.Role]string{
	holtpb.Role_ROLE_HOST: "host", holtpb.Role_ROLE_PLAYER: "player",
	holtpb.Role_ROLE_SPECTATOR: "spectator",
}

var spaceNames = map[holtpb.SpaceLevel]string{
	holtpb.SpaceLevel_SPACE_LEVEL_LOW: "low", holtpb.SpaceLevel_SPACE_LEVEL_FULL: "full",
	holtpb.SpaceLevel_SPACE_LEVEL_SPENT: "spent",
}

// tableJSON returns the full state in a frame as http.md defines it.
func tableJSON(of id.OID, f *holtpb.Frame) tableView {
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
	info := full.GetTable()
	v := tableView{
		Table: of.String(), Epoch: full.GetEpoch(), Mark: f.GetMark(),
		Life: hex.EncodeToString(full.GetLife()), You: full.GetYou(),
		Info: infoView{
			Title: info.GetTitle(), Width: info.GetWidth(), Height: info.GetHeight(),
			Surface: info.GetSurface(), Catalog: hex.EncodeToString(info.GetCatalog()),
		},
		Space:  space,
		Seats:  make([]seatView, 0, len(full.GetSeats())),
		Pieces: make([]pieceView, 0, len(full.GetPieces())),
	}
	for _, s := range full.GetSeats() {
		v.Seats = append(v.Seats, seatView{
			s.GetId(), s.GetNick(), formatColour(s.GetColour()), roleNames[s.GetRole()],
			presenceNames[s.GetPresence()],
			s.GetHome(), s.GetNumber(), s.GetLeft(), s.GetLinkBy(), s.GetLinkAt(), s.GetLinkUsed(),
		})
	}
	for _, p := range full.GetPieces() {
		v.Pieces = append(v.Pieces, pieceView{
			p.GetId(), p.GetMark(), p.GetKind(), p.GetX(), p.GetY(), p.GetAngle(), p.GetFace(),
			p.GetZ(), p.GetZMark(),
			p.GetPinned(), p.GetLocked(), p.GetHolder(), p.GetOwner(), p.GetValue(), p.GetText(),
			p.GetTeam().GetSeats(), clockJSON(p.GetClock()), p.GetSet(),
		})
	}
	for _, h := range full.GetHolds() {
		v.Holds = append(v.Holds, holdsView{h.GetPiece(), h.GetKinds(), h.GetCounts()})
	}
	for _, s := range full.GetSets() {
		//nolint:gosec // one of a few
		v.Sets = append(v.Sets, setView{
			s.GetId(), s.GetBy(), table.Away(s.GetAway()).String(), s.GetUntil(),
		})
	}
	return v
}

// clockJSON returns a clock as http.md defines it, or nil if there is none.
func clockJSON(c *holtpb.Clock) *clockView {
	if c == nil {
		return nil
	}
	return &clockView{
		c.GetRunning(), c.GetSince(), c.GetLeft1(), c.GetLeft2(), c.GetInitial(), c.GetIncrement(),
	}
}
