package stream

// String returns the name of a state, for what tests print.
func (s State) String() string {
	switch s {
	case New:
		return "NEW"
	case Desynced:
		return "DESYNCED"
	case OK:
		return "OK"
	case Teardown:
		return "TEARDOWN"
	default:
		return "unknown"
	}
}
