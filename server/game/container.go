package game

// Container says that the pieces of a kind are containers (T29): decks and bags. The zero Container is of a
// kind that holds nothing.
type Container struct {
	Draws string // how pieces come out (T30): "top" or "random"; "" if it is no container
	Takes int    // the mask of the secret pieces that it takes, or AnyLight
}

// AnyLight is the Takes of a container that takes every light piece.
const AnyLight = -1

// Holds reports whether it is a container.
func (c Container) Holds() bool { return c.Draws != "" }

// The texts for how pieces come out of a container.
const (
	drawsTop    = "top"
	drawsRandom = "random"
)
