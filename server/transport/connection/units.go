package connection

// unit is a guaranteed message in a packet, or the part of one in the bytes [from, to).
type unit struct {
	number   uint64
	from, to uint32
}

// Before reports whether the unit is of an earlier message or part than v.
func (u unit) Before(v unit) bool {
	return u.number < v.number || u.number == v.number && u.from < v.from
}
