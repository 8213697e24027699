package object

// ReadKinds returns the versions of kinds that an object has: of an object that is here from a
// value of the space Bodies, of a frozen copy from a value of the space Copies. The error says that
// the value is malformed.
func ReadKinds(w Write) ([]Kind, error) {
	if w.Space == Copies {
		var f frozen
		err := decode(w.Value, &f)
		return f.Kinds, err
	}
	var b body
	err := decode(w.Value, &b)
	return b.Kinds, err
}
