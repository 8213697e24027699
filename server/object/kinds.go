package object

// ReadKinds returns the versions of kinds that an object has which is here, from a value of the space Bodies.
func ReadKinds(value []byte) ([]Kind, error) {
	var b body
	err := decode(value, &b)
	return b.Kinds, err
}
