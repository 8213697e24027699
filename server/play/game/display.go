package game

// Display is the place of writing on a piece: a rectangle of the unturned piece, measured from its
// upper left corner, in table units of 0.1 mm.
type Display struct {
	X      int32 `json:"x"`
	Y      int32 `json:"y"`
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
}

// readRectangle reads a display on a piece of kind k. Errors call it where.
func readRectangle(r *reader, v value, where string, k Kind) Display {
	o := r.object(v, where, "x", "y", "width", "height")
	d := Display{
		X: o.integer("x", 0, MaxSize), Y: o.integer("y", 0, MaxSize),
		Width: o.integer("width", MinSize, MaxSize), Height: o.integer("height", MinSize, MaxSize),
	}
	if d.X+d.Width > k.Width || d.Y+d.Height > k.Height {
		o.fail(v, "it reaches beyond the piece")
	}
	return d
}

// readDisplay reads where the value, the text or the name of a piece is written. A kind with one of
// these must have a display, and no other kind may.
func readDisplay(kind object, k Kind) Display {
	needed := k.Counter.Counts || k.Currency > 0 || k.Text.Written || k.Seat != ""
	switch {
	case needed != kind.has("display") && kind.r.err == nil:
		if needed {
			kind.fail(kind.get("display"), "display is missing")
		} else {
			kind.fail(kind.get("display"), "there is nothing to be written on a display")
		}
	case needed:
		return readRectangle(kind.r, kind.get("display"), kind.where+": display", k)
	}
	return Display{}
}

// catalog returns the form of the display in a catalogue, nil if there is none.
func (d Display) catalog() *Display {
	if d == (Display{}) {
		return nil
	}
	return &d
}

// meets reports whether the insides of two displays overlap.
func (d Display) meets(e Display) bool {
	return d.X < e.X+e.Width && e.X < d.X+d.Width && d.Y < e.Y+e.Height && e.Y < d.Y+d.Height
}
