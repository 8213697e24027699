package curve

import "holt/server/id"

// join appends to out, which must be empty, the pieces of a and b, with the higher segment at each
// instant (K6). a and b must be in normal form. The number of steps is at most that of the ends of
// a and b.
func join(out, a, b []Stretch) []Stretch {
	var x, y Stretch // the rest of the first piece of each
	for {
		if x.Start == x.End && len(a) > 0 {
			x, a = a[0], a[1:]
		}
		if y.Start == y.End && len(b) > 0 {
			y, b = b[0], b[1:]
		}
		switch {
		case x.Start == x.End && y.Start == y.End:
			return out
		case y.Start == y.End || x.Start < x.End && x.End <= y.Start: // all of x, then y
			out = show(out, &x, x.End)
		case x.Start == x.End || y.End <= x.Start:
			out = show(out, &y, y.End)
		case x.Start < y.Start:
			out = show(out, &x, y.Start)
		case y.Start < x.Start:
			out = show(out, &y, x.Start)
		case x.Segment.compare(&y.Segment) < 0:
			end := min(x.End, y.End)
			out = show(out, &y, end)
			x.Start = end
		default:
			end := min(x.End, y.End)
			out = show(out, &x, end)
			y.Start = end
		}
	}
}

// show moves the instants before end from p to out. It extends the last piece of out if that has
// the same segment and adjoins.
func show(out []Stretch, p *Stretch, end id.Millis) []Stretch {
	start := p.Start
	p.Start = end
	if n := len(out); n > 0 && out[n-1].End == start && out[n-1].Segment == p.Segment {
		out[n-1].End = end
		return out
	}
	return append(out, Stretch{Start: start, End: end, Segment: p.Segment})
}
