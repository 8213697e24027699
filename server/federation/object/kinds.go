package object

// ReadKinds returns the versions of kinds that an object has which is here, from what the space Bodies keeps of it, or that its frozen copy
// has, from what the space Copies keeps.
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
