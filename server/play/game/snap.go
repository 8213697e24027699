package game

// Bounds of the snap points of a kind (docs/guides/games.md).
const (
	MaxSnaps           = 400
	minReach, maxReach = 10, 2_000
)

// Snaps are points on the pieces of a kind at which pages put down what is dropped nearby: the
// points of a backgammon board, the spaces of a track. They move and turn with the piece. The zero
// Snaps stand for none.
type Snaps struct {
	Reach  int32 // how far away something snaps, in table units
	Points []SnapPoint
}

// SnapPoint is a point of the unturned piece, measured from its upper left corner. Name is what
// screen readers say, or empty.
type SnapPoint struct {
	X    int32  `json:"x"`
	Y    int32  `json:"y"`
	Name string `json:"name,omitempty"`
}

// catalogSnaps is the form of snap points in game files and catalogues.
type catalogSnaps struct {
	Reach  int32       `json:"reach"`
	Points []SnapPoint `json:"points"`
}

// catalog returns the form of the snap points in a catalogue, nil if there are none.
func (s *Snaps) catalog() *catalogSnaps {
	if len(s.Points) == 0 {
		return nil
	}
	return &catalogSnaps{s.Reach, s.Points}
}

// readSnaps reads the snap points of a kind, in game files and catalogues alike.
func readSnaps(kind object, k Kind) Snaps {
	if !kind.has("snaps") {
		return Snaps{}
	}
	o := kind.r.object(kind.get("snaps"), kind.where+": snaps", "reach", "points")
	s := Snaps{Reach: o.integer("reach", minReach, maxReach)}
	named := map[string]bool{}
	for _, v := range o.list("points", 1, MaxSnaps) {
		p := o.r.object(v, o.where+": point", "x", "y", "name")
		at := SnapPoint{X: p.integer("x", 0, k.Width), Y: p.integer("y", 0, k.Height)}
		if p.has("name") {
			at.Name = p.text("name", maxCellName)
			if named[at.Name] {
				p.fail(p.get("name"), "%q stands there twice", at.Name)
			}
			named[at.Name] = true
		}
		s.Points = append(s.Points, at)
		if o.r.err != nil {
			return Snaps{}
		}
	}
	switch {
	case k.Weight != "heavy":
		kind.fail(kind.get("snaps"), "only a heavy kind has snap points")
	case k.Secret || k.Hand && !k.Rack || k.Container.Holds():
		kind.fail(kind.get("snaps"),
			"a secret kind, a hand that is no rack, or a container has no snap points")
	case k.Rack && len(s.Points) > MaxRackCells:
		kind.fail(kind.get("snaps"), "a rack has at most %d snap points", MaxRackCells)
	case kind.has("grid"):
		kind.fail(kind.get("snaps"), "a kind has a grid or snap points, not both")
	}
	return s
}
