package node

import (
	"context"
	"slices"

	"holt/server/federation/object"
	"holt/server/id"
)

// The spaces of a store for what the machine does not know.
const (
	guestSpace object.Space = 128 + iota // the tables on which sets lie, by set
	heardSpace                           // when hosts were last heard of, by host
	roundSpace                           // when the last round of the collection was
	metSpace                             // when never linked hosts were first met, by host
	// Of which kinds of game files a version is, by the beginning of its hash.
	versionSpace
	// The SHA-256 of the newest versions of the kinds of a set, if they were declined, by set.
	declinedSpace
)

// place is the key of a value in a store.
type place struct {
	space object.Space
	oid   id.OID
}

// overlay shows a store as it will be when all writes are durable: those that are not durable yet
// hide the older values. It is owned by run.
type overlay struct {
	store Store
	fresh map[place][]byte // not durable yet; nil: deleted
}

const (
	firstPage = 64
	lastPage  = 1024
)

// Get returns a value, or nil.
func (o *overlay) Get(s object.Space, oid id.OID) ([]byte, error) {
	if v, ok := o.fresh[place{s, oid}]; ok {
		return v, nil
	}
	return o.store.ObjectValue(context.Background(), s, oid)
}

// Scan calls each with the values behind an object in order, until each returns false.
func (o *overlay) Scan(
	s object.Space, behind id.OID, each func(oid id.OID, value []byte) bool,
) error {
	over := o.behind(s, behind)
	for size := firstPage; ; size = min(2*size, lastPage) {
		page, err := o.store.ObjectValues(context.Background(), s, behind, size)
		if err != nil {
			return err
		}
		for i := range page {
			for len(over) > 0 && compare(over[0], page[i].OID) < 0 {
				if !o.each(s, over[0], each) {
					return nil
				}
				over = over[1:]
			}
			if len(over) > 0 && over[0] == page[i].OID {
				over = over[1:]
				if !o.each(s, page[i].OID, each) {
					return nil
				}
			} else if !each(page[i].OID, page[i].Value) {
				return nil
			}
		}
		if len(page) < size {
			break
		}
		behind = page[len(page)-1].OID
	}
	for _, oid := range over {
		if !o.each(s, oid, each) {
			return nil
		}
	}
	return nil
}

// each passes on a value that is not durable yet, unless it is a deletion.
func (o *overlay) each(s object.Space, oid id.OID, each func(id.OID, []byte) bool) bool {
	v := o.fresh[place{s, oid}]
	return v == nil || each(oid, v)
}

// behind returns the objects of a space behind an object that have values that are not durable yet,
// in order.
func (o *overlay) behind(s object.Space, behind id.OID) (over []id.OID) {
	for p := range o.fresh {
		if p.space == s && compare(p.oid, behind) > 0 {
			over = append(over, p.oid)
		}
	}
	slices.SortFunc(over, compare)
	return over
}

func compare(a, b id.OID) int { return slices.Compare(a[:], b[:]) }
