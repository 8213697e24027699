package game

import (
	"fmt"
	"slices"
)

// Bounds of zones (docs/guides/games.md).
const (
	MaxZoneKinds  = 64   // kinds that a zone names
	MaxInZone     = 1000 // pieces that it may take
	MaxZonePlaces = 400
)

// Zone says that the pieces of a kind are zones, on which other pieces lie openly and in order
// (T86). The zero Zone stands for a kind of other pieces.
type Zone struct {
	Lay string // "pile", "row", "column", "grid" or "free"; "": the pieces are not zones
	// Gap is the distance from the middle of one place to that of the next one, along a row or a
	// column and across a grid. Down is the one from row to row of a grid.
	Gap, Down int32
	Takes     []string // the names of the kinds that it takes; none: every light kind
	Most      int32    // how many pieces it takes; 0: as many as there is room for
	Turns     string   // which side of what comes in is up: "up", "down" or "keep"
	Count     bool     // it shows how many pieces lie there
}

var zones = ability{
	field: "zone", called: "a zone",
	has:  func(k *Kind) bool { return k.Zone.Lay != "" },
	read: func(o object, k *Kind) { k.Zone = readZone(o, k) },
}

// catalogZone is the form of a zone in a catalogue (docs/protocol/http.md).
type catalogZone struct {
	Lay   string   `json:"lay"`
	Gap   int32    `json:"gap,omitempty"`
	Down  int32    `json:"down,omitempty"`
	Takes []string `json:"takes,omitempty"`
	Most  int32    `json:"most,omitempty"`
	Turns string   `json:"turns"`
	Count bool     `json:"count,omitempty"`
}

func (z *Zone) catalog() *catalogZone {
	if z.Lay == "" {
		return nil
	}
	c := catalogZone(*z)
	return &c
}

func readZone(kind object, k *Kind) (z Zone) {
	if !kind.has("zone") {
		return z
	}
	o := kind.r.object(kind.get("zone"), kind.where+": zone", "lay", "gap", "down", "takes", "most",
		"turns", "count")
	z = Zone{Lay: o.choice("lay", "pile", "row", "column", "grid", "free"), Turns: "keep",
		Most: o.optional("most", 0, MaxInZone), Count: o.boolean("count")}
	inOrder := z.Lay == "row" || z.Lay == "column" || z.Lay == "grid"
	switch {
	case inOrder:
		z.Gap = o.integer("gap", MinSize, MaxSize)
	case o.has("gap"):
		o.fail(o.get("gap"), "only a row, a column or a grid has a gap")
	}
	switch {
	case z.Lay == "grid" && o.has("down"):
		z.Down = o.integer("down", MinSize, MaxSize)
	case z.Lay == "grid":
		z.Down = z.Gap
	case o.has("down"):
		o.fail(o.get("down"), "only a grid has rows, and a distance down from one to the next")
	}
	if o.has("turns") {
		z.Turns = o.choice("turns", "up", "down", "keep")
	}
	if o.has("takes") {
		for i, v := range o.list("takes", 1, MaxZoneKinds) {
			name := nameOf(o, v, i)
			if slices.Contains(z.Takes, name) {
				o.fail(v, "takes: %q stands there twice", name)
			}
			z.Takes = append(z.Takes, name)
		}
	}
	switch {
	case kind.r.err != nil:
	case k.Weight != "heavy":
		kind.fail(kind.get("weight"), "a zone is heavy")
	case o.has("most") && z.Most == 0:
		o.fail(o.get("most"), "a zone takes at least one piece")
	case z.places(k) > MaxZonePlaces:
		o.fail(o.get("gap"), "the zone has room for more than %d places", MaxZonePlaces)
	}
	return z
}

// nameOf reads the name of a kind in a list.
func nameOf(o object, v value, i int) string {
	if v.kind != aText {
		o.fail(v, "takes: entry %d: want %s, not %s", i, aText, v.kind)
		return ""
	}
	if err := CheckName(v.text, 1, MaxName); err != nil {
		o.fail(v, "takes: entry %d: %w", i, err)
	}
	return v.text
}

// places returns the most places that a zone of a kind has for pieces of any size.
func (z *Zone) places(k *Kind) int32 {
	switch z.Lay {
	case "row":
		return k.Width/z.Gap + 1
	case "column":
		return k.Height/z.Gap + 1
	case "grid":
		return (k.Width/z.Gap + 1) * (k.Height/z.Down + 1)
	default:
		return 1
	}
}

// Of returns the kinds that the zone takes, of those of a table. Of several with a name the first
// one is meant. It leaves out names that no kind of the table has, and kinds that no zone may name.
func (z *Zone) Of(kinds []Kind) (all []int) {
	for _, name := range z.Takes {
		i := named(kinds, name)
		if i >= 0 && zoneHindrance(&kinds[i]) == "" {
			all = append(all, i)
		}
	}
	return all
}

// zoneHindrance says why no zone can name a kind; "" if one can. What a zone takes never depends on
// what is hidden.
func zoneHindrance(k *Kind) string {
	switch {
	case k.Secret:
		return "is secret: a zone would tell its pieces from others; name its mask"
	case k.Weight == "heavy":
		return "is heavy: a zone takes light pieces"
	}
	return ""
}

// checkZones fails if a zone of a game names a kind that it can never take. Catalogues are not
// checked: a kind may have come to another table without those that its zone names.
func checkZones(kinds []Kind, objects []object) {
	for i := range objects {
		z := &kinds[i].Zone
		for n, name := range z.Takes {
			v := objects[i].get("zone").members["takes"].items[n]
			of := named(kinds, name)
			why := fmt.Sprintf("no kind %q", name)
			if of >= 0 {
				if why = zoneHindrance(&kinds[of]); why == "" {
					continue
				}
				why = fmt.Sprintf("%q %s", name, why)
			}
			objects[i].fail(v, "zone: takes: %s", why)
		}
	}
}
