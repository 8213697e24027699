package fairness

import (
	"cmp"
	"slices"
)

// head is the last draw of an audience in a round.
type head struct {
	audience Audience
	number   Number
	seal     Digest
}

// heads are the last draws of the audiences that have draws in a round, ascending by audience.
// State and verifier share this code.
type heads []head

// of returns the last draw of an audience. For one without draws it has number 0, and as its seal
// the commitment of the round (F9).
func (h heads) of(a Audience, commitment Digest) head {
	if i, ok := h.search(a); ok {
		return h[i]
	}
	return head{audience: a, seal: commitment}
}

func (h heads) search(a Audience) (i int, ok bool) {
	return slices.BinarySearchFunc(h, a, func(h head, a Audience) int {
		return cmp.Compare(h.audience, a)
	})
}

// follow adds the next draw of an audience. mixed is the mix whose pool it must use.
func (h *heads) follow(r *Record, seal, commitment Digest, mixed Mix) error {
	if last := h.of(r.Audience, commitment); r.Number != last.number+1 {
		return numbers(FaultNumber, last.number+1, r.Number)
	}
	if r.Mix != mixed {
		return numbers(FaultMix, mixed, r.Mix)
	}
	next := head{audience: r.Audience, number: r.Number, seal: seal}
	i, known := h.search(r.Audience)
	switch {
	case known:
		(*h)[i] = next
	case len(*h) == MaxAudiences:
		return numbers(FaultFull, MaxAudiences, len(*h)+1)
	default:
		*h = slices.Insert(*h, i, next)
	}
	return nil
}
