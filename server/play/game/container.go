package game

import "slices"

// Container says that the pieces of a kind are containers (T29): decks and bags. The zero Container
// stands for a kind that holds nothing.
type Container struct {
	Draws string // how pieces come out (T30): "top" or "random"; "" if it is not a container
	Takes int    // the mask of the secret pieces that it takes, or AnyLight
}

// AnyLight is the Takes of a container that takes every light piece.
const AnyLight = -1

// The names of the ways in which pieces come out of a container.
const (
	drawsTop    = "top"
	drawsRandom = "random"
)

// Holds reports whether it is a container.
func (c Container) Holds() bool { return c.Draws != "" }

// takes reports whether pieces of the kind go into it.
func (c Container) takes(k *Kind) bool {
	return c.Holds() && k.Weight == "light" &&
		(c.Takes == AnyLight || k.Secret && k.Mask == c.Takes)
}

// catalogContainer is the form of a container in a catalogue (docs/protocol/http.md).
type catalogContainer struct {
	Draws string `json:"draws"`
	Takes *int   `json:"takes,omitempty"`
}

// catalog returns the form of the container in a catalogue, nil if it is not a container.
func (c *Container) catalog() *catalogContainer {
	if !c.Holds() {
		return nil
	}
	written := &catalogContainer{Draws: c.Draws}
	if c.Takes != AnyLight {
		written.Takes = &c.Takes
	}
	return written
}

// readContainer reads the container of a kind, except what it takes: that needs all kinds.
func readContainer(kind object, k Kind) Container {
	if !kind.has("container") {
		return Container{}
	}
	o := containerOf(kind)
	if k.Weight != "heavy" {
		kind.fail(kind.get("weight"), "a container is heavy")
	}
	return Container{Draws: o.choice("draws", drawsTop, drawsRandom), Takes: AnyLight}
}

func containerOf(kind object) object {
	return kind.r.object(kind.get("container"), kind.where+": container", "draws", "takes")
}

// checkTakes fails unless all[mask] stands for secret pieces that a container can hold.
func checkTakes(o object, all []Kind, mask int) {
	switch {
	case !slices.ContainsFunc(all, func(k Kind) bool { return k.Secret && k.Mask == mask }):
		o.fail(o.get("takes"), "takes: %q is the mask of no kind", all[mask].Name)
	case all[mask].Weight != "light":
		o.fail(o.get("takes"), "takes: %q is not light", all[mask].Name)
	}
}

// readPeek reads who may peek at pieces of the kind, or into them (T31).
func readPeek(kind object, k Kind) string {
	switch {
	case !kind.has("peek"):
		return ""
	case !k.Secret && !k.Container.Holds():
		kind.fail(kind.get("peek"), "only at a secret kind and into a container somebody may peek")
	}
	return kind.choice("peek", "players", "host")
}

// readUncounted reads whether the numbers of pieces in pieces of the kind are kept back (T29).
func readUncounted(kind object, k Kind) bool {
	if !kind.has("counted") {
		return false
	}
	if !k.Hand && !k.Container.Holds() {
		kind.fail(kind.get("counted"), "only what lies in a hand or a container is counted")
	}
	return !kind.boolean("counted")
}
