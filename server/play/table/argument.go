package table

import (
	"math/bits"

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
	HasLine
	HasAnswers
)

// ArgumentForm says how an argument is written in JSON.
type ArgumentForm uint8

// The forms of arguments.
const (
	FormNumber  ArgumentForm = iota // an integer from Low to High
	FormFlag                        // true or false; false is as if it were absent
	FormText                        // a string
	FormLevel                       // a string that zlevel.Parse accepts
	FormSet                         // a string of 32 hexadecimal digits
	FormPieces                      // an array of piece names
	FormAnswers                     // an array of integers from Low to High
)

// Argument describes a member of an update in JSON (http.md). The members x and y are one argument.
type Argument struct {
	Name      string
	Field     Fields
	Form      ArgumentForm
	Low, High int64 // of a number, or of each answer

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
	maxAnswer    = maxPieceName
)

// number returns an argument that is a number, in the field to which of leads.
func number[N ~uint8 | ~int32 | ~uint32 | ~uint64](
	name string, field Fields, low, high int64, of func(u *Update) *N,
) Argument {
	return Argument{
		name, field, FormNumber, low, high,
		func(u *Update) int64 { return int64(*of(u)) },
		func(u *Update, v int64) { *of(u) = N(v) },
	}
}

// Arguments are the members of an update, in the order in which they are written.
var Arguments = [...]Argument{
	number("piece", HasPiece, 1, maxPieceName, func(u *Update) *id.Piece { return &u.Piece }),
	number("tag", HasTag, 0, int64(id.VersionMax), func(u *Update) *id.Version { return &u.Tag }),
	number("x", HasXY, -MaxCoordinate, MaxCoordinate, func(u *Update) *int32 { return &u.X }),
	number("y", HasXY, -MaxCoordinate, MaxCoordinate, func(u *Update) *int32 { return &u.Y }),
	number("angle", HasAngle, 0, FullTurn-1, func(u *Update) *int32 { return &u.Angle }),
	number("face", HasFace, 0, maxFace, func(u *Update) *int32 { return &u.Face }),
	number("kind", HasKind, 0, maxKind, func(u *Update) *uint32 { return &u.Kind }),
	number("side", HasSide, 1, 2, func(u *Update) *uint8 { return &u.Side }),
	number("ms", HasMs, 0, int64(curve.MaxValue), func(u *Update) *int32 { return &u.Ms }),
	number("increment", HasIncrement, 0, int64(curve.MaxValue),
		func(u *Update) *int32 { return &u.Increment }),
	number("n", HasN, -MaxValue, MaxValue, func(u *Update) *int32 { return &u.N }),
	number("at", HasAt, -MaxPieces, MaxPieces, func(u *Update) *int32 { return &u.At }),
	number("into", HasInto, 1, maxPieceName, func(u *Update) *id.Piece { return &u.Into }),
	number("seat", HasSeat, 0, maxSeat, func(u *Update) *id.Seat { return &u.Seat }),
	number("line", HasLine, MinLine, MaxLine, func(u *Update) *id.ChatLine { return &u.Line }),
	{"text", HasText, FormText, 0, 0, nil, nil},
	{"set", HasSet, FormSet, 0, 0, nil, nil},
	{"z", HasZ, FormLevel, 0, 0, nil, nil},
	{"pieces", HasPieces, FormPieces, 0, 0, nil, nil},
	{"answers", HasAnswers, FormAnswers, -MaxValue, maxAnswer, nil, nil},
	{"loose", HasLoose, FormFlag, 0, 0, nil, nil},
	{"hold", HasHold, FormFlag, 0, 0, nil, nil},
}

// numbers has those of Arguments that are numbers, by the bit of their field: an update has few
// arguments, so a check that follows its bits is faster than one that looks at each argument.
var numbers = func() (byBit [32][]*Argument) {
	for i := range Arguments {
		if a := &Arguments[i]; a.Form == FormNumber {
			bit := bits.TrailingZeros32(uint32(a.Field))
			byBit[bit] = append(byBit[bit], a)
		}
	}
	return byBit
}()

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
