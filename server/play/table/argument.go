package table

import (
	"holt/server/id"
	"holt/server/play/curve"
)

// Fields is the set of arguments that an update has.
type Fields uint32

// The arguments of updates (T24).
const (
	HasPiece Fields = 1 << iota
	HasTag
	HasXY
	HasAngle
	HasFace
	HasZ
	HasKind
	HasPieces
	HasLoose
	HasSide
	HasMs
	HasIncrement
	HasN
	HasAt
	HasHold
	HasInto
	HasSeat
	HasText
	HasSet
)

// ArgumentForm says how an argument is written in JSON.
type ArgumentForm uint8

// The forms of arguments.
const (
	FormNumber ArgumentForm = iota // an integer from Low to High
	FormFlag                       // true or false; false is as if it were absent
	FormText                       // a string
	FormLevel                      // a string that zlevel.Parse accepts
	FormSet                        // a string of 32 hexadecimal digits
	FormPieces                     // an array of piece names
)

// Argument describes a member of an update in JSON (http.md). The members x and y are one argument.
type Argument struct {
	Name      string
	Field     Fields
	Form      ArgumentForm
	Low, High int64 // of a number

	get func(u *Update) int64
	set func(u *Update, v int64)
}

// Get returns the value of a number. It panics for other forms.
func (a *Argument) Get(u *Update) int64 { return a.get(u) }

// Set sets a number to v, which must lie between Low and High. It panics for other forms.
func (a *Argument) Set(u *Update, v int64) { a.set(u, v) }

// The greatest values of arguments that have no closer bound.
const (
	maxPieceName = 1<<31 - 1 // T21
	maxFace      = 1<<31 - 1
	maxKind      = 1<<32 - 1
	maxSeat      = 1<<31 - 1
)

// Arguments are the members of an update, in the order in which they are written.
var Arguments = [...]Argument{
	{"piece", HasPiece, FormNumber, 1, maxPieceName, func(u *Update) int64 {
		return int64(u.Piece)
	}, func(u *Update, v int64) { u.Piece = id.Piece(v) }},
	{"tag", HasTag, FormNumber, 0, int64(id.VersionMax), func(u *Update) int64 {
		return int64(u.Tag)
	}, func(u *Update, v int64) { u.Tag = id.Version(v) }},
	{"x", HasXY, FormNumber, -MaxCoordinate, MaxCoordinate, func(u *Update) int64 {
		return int64(u.X)
	}, func(u *Update, v int64) { u.X = int32(v) }},
	{"y", HasXY, FormNumber, -MaxCoordinate, MaxCoordinate, func(u *Update) int64 {
		return int64(u.Y)
	}, func(u *Update, v int64) { u.Y = int32(v) }},
	{"angle", HasAngle, FormNumber, 0, FullTurn - 1, func(u *Update) int64 {
		return int64(u.Angle)
	}, func(u *Update, v int64) { u.Angle = int32(v) }},
	{"face", HasFace, FormNumber, 0, maxFace, func(u *Update) int64 {
		return int64(u.Face)
	}, func(u *Update, v int64) { u.Face = int32(v) }},
	{"kind", HasKind, FormNumber, 0, maxKind, func(u *Update) int64 {
		return int64(u.Kind)
	}, func(u *Update, v int64) { u.Kind = uint32(v) }},
	{"side", HasSide, FormNumber, 1, 2, func(u *Update) int64 {
		return int64(u.Side)
	}, func(u *Update, v int64) { u.Side = uint8(v) }},
	{"ms", HasMs, FormNumber, 0, int64(curve.MaxValue), func(u *Update) int64 {
		return int64(u.Ms)
	}, func(u *Update, v int64) { u.Ms = int32(v) }},
	{"increment", HasIncrement, FormNumber, 0, int64(curve.MaxValue), func(u *Update) int64 {
		return int64(u.Increment)
	}, func(u *Update, v int64) { u.Increment = int32(v) }},
	{"n", HasN, FormNumber, -MaxValue, MaxValue, func(u *Update) int64 {
		return int64(u.N)
	}, func(u *Update, v int64) { u.N = int32(v) }},
	{"at", HasAt, FormNumber, -MaxPieces, MaxPieces, func(u *Update) int64 {
		return int64(u.At)
	}, func(u *Update, v int64) { u.At = int32(v) }},
	{"into", HasInto, FormNumber, 1, maxPieceName, func(u *Update) int64 {
		return int64(u.Into)
	}, func(u *Update, v int64) { u.Into = id.Piece(v) }},
	{"seat", HasSeat, FormNumber, 0, maxSeat, func(u *Update) int64 {
		return int64(u.Seat)
	}, func(u *Update, v int64) { u.Seat = id.Seat(v) }},
	{"text", HasText, FormText, 0, 0, nil, nil},
	{"set", HasSet, FormSet, 0, 0, nil, nil},
	{"z", HasZ, FormLevel, 0, 0, nil, nil},
	{"pieces", HasPieces, FormPieces, 0, 0, nil, nil},
	{"loose", HasLoose, FormFlag, 0, 0, nil, nil},
	{"hold", HasHold, FormFlag, 0, 0, nil, nil},
}

// FindArgument returns the index of an argument in Arguments, or -1. It does not allocate.
func FindArgument(name []byte) int {
	for i := range Arguments {
		if Arguments[i].Name == string(name) {
			return i
		}
	}
	return -1
}

// String returns the names of the arguments in f, separated by commas and spaces.
func (f Fields) String() string {
	text := ""
	for i := range Arguments {
		if a := &Arguments[i]; f&a.Field != 0 {
			if text != "" {
				text += ", "
			}
			text += a.Name
		}
	}
	return text
}
