package query

import (
	"math"

	"holt/server/play/game"
	"holt/server/play/table"
)

// cornerRadius is the radius of the corners of a card, as a part of its shorter side
// (docs/protocol/http.md).
const cornerRadius = 0.055

// covers reports whether a piece of a kind covers a place. Its edge belongs to it.
func covers(s table.Sight, k *game.Kind, x, y int32) bool {
	// The vector from the centre to the place, doubled, so that half of an odd width is a whole
	// number. It has less than 24 bits, and is exact if the piece is turned by quarters.
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

// turnedBack turns a vector counterclockwise as seen on a screen, by hundredths of a degree.
func turnedBack(x, y float64, angle int32) (u, v float64) {
	const quarter = table.FullTurn / 4
	sin, cos := math.Sincos(float64(angle%quarter) * (math.Pi / (2 * quarter)))
	u, v = x*cos+y*sin, y*cos-x*sin
	for range angle / quarter {
		u, v = v, -u
	}
	return u, v
}

// Distance returns the distance of two places within table.MaxCoordinate, in table units, rounded
// to the nearest one. It is exact: the square has at most 43 bits. A root that is not whole
// is so far from every half that rounding errors cannot change the result.
func Distance(ax, ay, bx, by int32) uint32 {
	dx, dy := int64(ax)-int64(bx), int64(ay)-int64(by)
	return uint32(math.Round(math.Sqrt(float64(dx*dx + dy*dy))))
}
