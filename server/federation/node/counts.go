package node

import (
	"cmp"
	"slices"

	"holt/server/federation/object"
	"holt/server/id"
)

// counts is how many objects there are of each sort.
type counts map[sort]*Count

type sort struct {
	host  id.HostID
	class object.Class
}

func (c counts) add(host id.HostID, class object.Class, moving bool) {
	n := c[sort{host, class}]
	if n == nil {
		n = &Count{Host: host, Class: class}
		c[sort{host, class}] = n
	}
	n.N++
	if moving {
		n.Moving++
	}
}

// sorted returns the counts by host and class.
func (c counts) sorted() []Count {
	all := make([]Count, 0, len(c))
	for _, n := range c {
		all = append(all, *n)
	}
	slices.SortFunc(all, func(a, b Count) int {
		return cmp.Or(slices.Compare(a.Host[:], b.Host[:]), cmp.Compare(a.Class, b.Class))
	})
	return all
}
