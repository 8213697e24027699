package table

import (
	"math"
	"slices"

	"holt/server/play/zlevel"
)

// Zones: heavy pieces on which light ones lie openly and in order (T86).

// ZoneKind describes the zones of a kind. The zero value stands for a kind of other pieces.
type ZoneKind struct {
	Lay ZoneLay
	// Gap is the distance from one place to the next one: along a row or a column, and across a
	// grid. Down is that of the rows of a grid.
	Gap, Down int32
	Chooses   bool     // it takes only pieces that look like one of Takes
	Takes     []uint32 // kinds that are not secret
	Most      int      // it takes no more pieces; 0: as many as there is room for
	Turns     ZoneTurn
}

// ZoneLay says how pieces lie in a zone.
type ZoneLay uint8

// How pieces lie.
const (
	LayNone   ZoneLay = iota // it is no zone
	LayPile                  // in the middle
	LayRow                   // side by side
	LayColumn                // one below the other
	LayGrid                  // in rows and columns
	LayFree                  // where they are put down
)

// ZoneTurn says which side of a piece is up that comes into a zone.
type ZoneTurn uint8

// Which side is up.
const (
	TurnKeep ZoneTurn = iota // the one that was up before
	TurnUp
	TurnDown
)

// MaxZonePlaces is the most places of a zone.
const MaxZonePlaces = 400

// places returns how many places a zone has for pieces of some width and height, along and across.
func (k *Kind) places(width, height int32) (columns, rows int32) {
	z := &k.Zone
	fit := func(room, step int32) int32 { return max(room, 0)/step + 1 }
	switch z.Lay {
	case LayRow:
		return fit(k.Width-width, z.Gap), 1
	case LayColumn:
		return 1, fit(k.Height-height, z.Gap)
	case LayGrid:
		return fit(k.Width-width, z.Gap), fit(k.Height-height, z.Down)
	default:
		return 1, 1
	}
}

// isZone reports whether the pieces of the kind are zones.
func (k *Kind) isZone() bool { return k.Zone.Lay != LayNone }

// span returns the side of a square in which a zone lies at any angle.
func (k *Kind) span() int32 {
	return int32(math.Ceil(math.Hypot(float64(k.Width), float64(k.Height)))) + 1
}

// direction returns the cosine and the sine of an angle. Those of quarter turns are exact.
func direction(angle int32) (cos, sin float64) {
	if angle%(FullTurn/4) == 0 {
		x, y := turn(1, 0, angle/(FullTurn/4))
		return float64(x), float64(y)
	}
	sin, cos = math.Sincos(float64(angle) * 2 * math.Pi / FullTurn)
	return cos, sin
}

// inZone returns where a place is, measured from the middle of a zone and along its sides. It
// reports false if the zone does not cover it.
func (t *Table) inZone(z *piece, x, y int32) (along, across float64, ok bool) {
	k, s := t.kind(z), &z.state
	cos, sin := direction(s.Angle)
	dx, dy := float64(x-s.X), float64(y-s.Y)
	along, across = dx*cos+dy*sin, dy*cos-dx*sin
	return along, across,
		2*math.Abs(along) <= float64(k.Width) && 2*math.Abs(across) <= float64(k.Height)
}

// suits reports whether a zone takes pieces such as one in state s, if there is room. It depends
// on what everybody sees of a piece that lies face down.
func (t *Table) suits(z *piece, s *State) bool {
	of := &t.kind(z).Zone
	if z.state.Holder != 0 || z.state.In != 0 {
		return false
	}
	if !of.Chooses {
		return true
	}
	return slices.Contains(of.Takes, t.seenAs(s.Kind))
}

// lay lays a piece in order that is put down in state s, in the uppermost zone under it that takes
// it and has room (T86). p is the piece, nil if it is new; was is its state before. With again, a
// piece that lay in that zone before is laid in order, too. It reports whether the piece comes to
// lie elsewhere than s said, at another angle, or at another level.
func (t *Table) lay(s, was *State, p *piece, again bool) (elsewhere bool) {
	if len(t.zones.all) == 0 || s.In != 0 || t.isOnRack(s) || s.Holder != 0 || s.Pinned || s.Locked ||
		!s.Set.IsZero() || t.kinds[s.Kind].Heavy {
		return false
	}
	var top *piece
	var x, y int32
	zones := t.zones.at(s.X, s.Y)
	t.looks += uint64(len(zones))
	for _, z := range zones {
		if _, _, ok := t.inZone(z, s.X, s.Y); !ok || !t.suits(z, s) || top != nil && !above(z, top) {
			continue
		}
		if toX, toY, ok := t.placeIn(z, s, p); ok {
			top, x, y = z, toX, toY
		}
	}
	if top == nil {
		return false
	}
	stays := false
	if p != nil && was.In == 0 {
		_, _, stays = t.inZone(top, was.X, was.Y)
	}
	if stays && !again {
		return false
	}
	of := &t.kind(top).Zone
	if of.Lay != LayFree {
		elsewhere = x != s.X || y != s.Y || top.state.Angle != s.Angle
		s.X, s.Y, s.Angle = x, y, top.state.Angle
	}
	if !stays {
		t.turnIn(of.Turns, s)
	}
	if highest := t.light.highest(p); highest != "" && s.Z <= highest {
		// On an error it keeps its level, and a respread follows.
		if z, err := zlevel.Above(highest); err == nil {
			s.Z, s.ZGen, elsewhere = z, zGenSelf, true
		}
	}
	return elsewhere
}

// placeIn returns the place in a zone at which a piece in state s comes to lie: the nearest one at
// which nothing lies. It reports false if the zone is full, or if a hand lies over that place.
func (t *Table) placeIn(z *piece, s *State, p *piece) (x, y int32, ok bool) {
	k := t.kind(z)
	of, it := &k.Zone, &t.kinds[s.Kind]
	columns, rows := k.places(it.Width, it.Height)
	stepX, stepY := float64(of.Gap), float64(of.Gap)
	if of.Lay == LayGrid {
		stepY = float64(of.Down)
	}
	firstX, firstY := -float64(columns-1)/2*stepX, -float64(rows-1)/2*stepY
	inOrder := of.Lay != LayPile && of.Lay != LayFree
	taken := map[[2]int32]bool{}
	n := 0
	t.eachIn(z, p, func(along, across float64) {
		n++
		if !inOrder {
			return
		}
		var at [2]int32
		if of.Lay != LayColumn {
			at[0] = int32(math.Round((along - firstX) / stepX))
		}
		if of.Lay != LayRow {
			at[1] = int32(math.Round((across - firstY) / stepY))
		}
		taken[at] = true
	})
	switch {
	case of.Most > 0 && n >= of.Most:
		return 0, 0, false
	case of.Lay == LayFree:
		return s.X, s.Y, true
	}
	t.looks += uint64(columns * rows) //nolint:gosec // at most MaxZonePlaces
	along, across, _ := t.inZone(z, s.X, s.Y)
	cos, sin := direction(z.state.Angle)
	nearest := math.Inf(1)
	for row := range rows {
		for column := range columns {
			dx, dy := firstX+float64(column)*stepX, firstY+float64(row)*stepY
			if taken[[2]int32{column, row}] {
				continue
			}
			far := math.Hypot(dx-along, dy-across)
			toX := z.state.X + int32(math.Round(dx*cos-dy*sin))
			toY := z.state.Y + int32(math.Round(dx*sin+dy*cos))
			if far < nearest && t.onTable(toX, toY) {
				x, y, nearest, ok = toX, toY, far, true
			}
		}
	}
	if ok && t.private(s.Kind) {
		there := *s
		there.X, there.Y = x, y
		ok = t.handAt(&there) == nil
	}
	return x, y, ok
}

// eachIn calls each for all light pieces but p that lie openly in a zone, and that nobody holds,
// with where they lie there. Everybody sees them.
func (t *Table) eachIn(z, but *piece, each func(along, across float64)) {
	half := t.kind(z).span() / 2
	t.near(z.state.X, z.state.Y, half, half, func(g *bunch) {
		t.looks += uint64(len(g.pieces))
		for _, p := range g.pieces {
			if p == but || p.state.Holder != 0 || t.kind(p).Heavy {
				continue
			}
			if along, across, ok := t.inZone(z, p.state.X, p.state.Y); ok {
				each(along, across)
			}
		}
	})
}

// zone counts the looks when n pieces are put down at a place where they may come into a zone.
func (w *weighing) zone(n int, x, y int32) {
	over := w.t.zones.at(x, y)
	if len(over)+w.zones == 0 {
		return
	}
	w.records(n) // for the places
	w.sets(n)
	w.Looks += n * (len(over) + w.zones)
	for _, z := range over {
		half := w.t.kind(z).span() / 2
		w.Looks += n * (w.t.about(z.state.X, z.state.Y, half, half) + w.moved + w.made + n +
			MaxZonePlaces + len(w.t.hands.all) + w.hands)
	}
	// A zone that the batch moves or makes may come to lie anywhere.
	w.Looks += n * w.zones * (len(w.t.pieces) + w.made + n + MaxZonePlaces +
		len(w.t.hands.all) + w.hands)
}

// besideIn returns how many pieces may lie within reach of a place in a zone, if a piece is put
// down at x and y.
func (w *weighing) besideIn(x, y, reach int32) (most int) {
	if w.zones > 0 {
		return len(w.t.pieces)
	}
	for _, z := range w.t.zones.at(x, y) {
		half := w.t.kind(z).span()/2 + reach
		most = max(most, w.t.about(z.state.X, z.state.Y, half, half))
	}
	return most
}

// zones is the ability of zones.
type zones struct{ plain }

// No zone is part of a set.
func (zones) fits(*Kind, *SetPart) bool { return false }
