package query

import (
	"math"

	"holt/server/game"
	"holt/server/table"
)

// cornerRadius is that of the corners of a card, in parts of its shorter side (docs/protocol/http.md).
const cornerRadius = 0.055

// covers reports whether a piece of a kind lies over a place. Its edge belongs to it.
func covers(s table.Sight, k *game.Kind, x, y int32) bool {
	// Of the vector from the centre to the place, doubled, so that half of an odd width is a whole number. It has less than 24
	// bits, and is exact as long as the piece is turned by quarters.
	u, v := turnedBack(2*float64(int64(x)-int64(s.X)), 2*float64(int64(y)-int64(s.Y)), s.Angle)
	w, h := float64(k.Width), float64(k.Height)
	u, v = math.Abs(u), math.Abs(v)
	switch k.Shape {
	case "round":
		return u*u+v*v <= w*w
	case "card":
		r := 2 * cornerRadius * min(w, h)
		if cu, cv := u-(w-r), v-(h-r); cu > 0 && cv > 0 {
			return cu*cu+cv*cv <= r*r
		}
	}
	return u <= w && v <= h
}

// turnedBack turns a vector against the clock as seen on a screen, by hundredths of a degree.
func turnedBack(x, y float64, angle int32) (u, v float64) {
	const quarter = table.FullTurn / 4
	sin, cos := math.Sincos(float64(angle%quarter) * (math.Pi / (2 * quarter)))
	u, v = x*cos+y*sin, y*cos-x*sin
	for range angle / quarter {
		u, v = v, -u
	}
	return u, v
}

// Distance returns how far apart two places are, in table units, rounded to the nearest one. It is exact.
func Distance(ax, ay, bx, by int32) uint32 {
	dx, dy := int64(ax)-int64(bx), int64(ay)-int64(by)
	square := dx*dx + dy*dy
	n := int64(math.Sqrt(float64(square)))
	for n*n > square {
		n--
	}
	for (n+1)*(n+1) <= square {
		n++
	}
	if square-n*n > n { // beyond (n + 1/2)², which is no whole number
		n++
	}
	return uint32(n) //nolint:gosec // of places on the table; 2^32 is the most of all
}
