package node

import (
	"context"
	"encoding/binary"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
)

// forever is the context of what ends with the world.
var forever = context.Background()

// goneAfter is after how many milliseconds without a sign of it a host has left for good (O28). A
// host whose link was removed has left at once.
const goneAfter id.Millis = 90 * 24 * 60 * 60_000

// quota is how much of a host's making is here.
type quota struct {
	objects int
	bytes   int64
	// Of the values that were written last, at most maxSizes. The sizes of others are read.
	sizes map[place]int
}

const maxSizes = 4096

// none is the size of a value that does not exist.
const none = -1

func sizeOf(value []byte) int {
	if value == nil {
		return none
	}
	return len(value)
}

// hostKey returns the key under which a host is stored.
func hostKey(host id.HostID) (o id.OID) {
	copy(o[:], host[:])
	return o
}

// loadHosts reads when hosts were last heard of, and when others were first met.
func (w *Objects) loadHosts(ctx context.Context) error {
	for space, at := range map[object.Space]map[id.HostID]id.Millis{
		heardSpace: w.heard, metSpace: w.met,
	} {
		page, err := w.cfg.Store.ObjectValues(ctx, space, id.OID{}, maxHosts)
		if err != nil {
			return err
		}
		for _, x := range page {
			if len(x.Value) == 8 {
				at[x.OID.Creator()] = id.Millis( //nolint:gosec // as it was written
					binary.BigEndian.Uint64(x.Value))
			}
		}
	}
	return nil
}

// maxHosts is of how many hosts Objects knows when they were heard of.
const maxHosts = 65_536

// heardFrom records that a host was heard of now.
func (w *Objects) heardFrom(host id.HostID) {
	now := w.cfg.Now()
	w.heard[host] = now
	w.writeTime(heardSpace, hostKey(host), now)
}

func (w *Objects) writeTime(s object.Space, key id.OID, at id.Millis) {
	w.write(object.Write{
		Space: s, OID: key,
		Value: binary.BigEndian.AppendUint64(nil, uint64(at)), //nolint:gosec // after 1970
	})
}

// left reports whether a host has left the directory for good (O28).
func (w *Objects) left(host id.HostID, linked bool) bool {
	if heard, known := w.heard[host]; known {
		// If the host was linked and is not any more, an operator has removed the link.
		return !linked || !w.up[host] && heard+goneAfter < w.cfg.Now()
	}
	met, known := w.met[host]
	return known && !linked && met+goneAfter < w.cfg.Now()
}

// meet records hosts that were never linked and on which something here depends. Their 90 days
// begin now (O28).
func (w *Objects) meet(strangers []id.HostID) {
	now := w.cfg.Now()
	for _, host := range strangers {
		_, heard := w.heard[host]
		if _, met := w.met[host]; heard || met || len(w.met) >= maxHosts {
			continue
		}
		w.met[host] = now
		w.writeTime(metSpace, hostKey(host), now)
	}
}

// link returns what a host may do here at the moment (O34, O36). The machine calls it.
func (w *Objects) link(host id.HostID) object.Link {
	if host == w.self {
		return object.Link{Open: true}
	}
	k, linked := w.cfg.Links.Link(host)
	l := object.Link{Open: linked && k.State == peer.Active, Gone: w.left(host, linked)}
	// The quota counts what the host has made, whichever host sent it.
	if l.Open {
		q := w.quota(host)
		l.Keep, l.Objects, l.Bytes = k.Gives.Has(peer.Keep),
			k.Limits.Objects-q.objects, k.Limits.Bytes-q.bytes
	}
	return l
}

// quota returns how much of a host's making is here.
func (w *Objects) quota(host id.HostID) *quota {
	q := w.made[host]
	if q != nil {
		return q
	}
	q = &quota{sizes: map[place]int{}}
	for _, s := range []object.Space{object.Heads, object.Bodies} {
		n, bytes, err := w.cfg.Store.ObjectsMade(forever, s, host)
		if err != nil {
			w.cfg.Log.Error(
				"objects of a linked server cannot be counted", "host", host, "error", err,
			)
			return &quota{objects: 1 << 30, bytes: 1 << 50} // nothing more is accepted
		}
		if q.bytes += bytes; s == object.Heads {
			q.objects = n
		}
	}
	for p, v := range w.store.fresh { // what is not durable yet
		if p.oid.Creator() == host {
			old, err := w.cfg.Store.ObjectValue(forever, p.space, p.oid)
			if err == nil {
				q.change(p.space, sizeOf(old), sizeOf(v))
			}
		}
	}
	w.made[host] = q
	return q
}

// change counts that the size of a value has changed from old to now.
func (q *quota) change(s object.Space, old, now int) {
	if s != object.Heads && s != object.Bodies {
		return
	}
	q.bytes += int64(max(now, 0)) - int64(max(old, 0))
	if s == object.Heads {
		if old != none {
			q.objects--
		}
		if now != none {
			q.objects++
		}
	}
}

// weigh counts how a write changes the quota of a host. It must be called before the write.
func (w *Objects) weigh(x object.Write) {
	q := w.made[x.OID.Creator()]
	if q == nil || x.Space != object.Heads && x.Space != object.Bodies {
		return
	}
	p := place{x.Space, x.OID}
	old, known := q.sizes[p]
	if !known {
		v, err := w.store.Get(x.Space, x.OID)
		if err != nil {
			return // the machine will not be able to read it either
		}
		if old = sizeOf(v); len(q.sizes) >= maxSizes {
			clear(q.sizes)
		}
	}
	q.sizes[p] = sizeOf(x.Value)
	q.change(x.Space, old, sizeOf(x.Value))
}

// wants reports whether the content of an object from another host has the form of its class (O12).
// The machine calls it.
func (w *Objects) wants(from id.HostID, e *object.Envelope) bool {
	if err := behaviour.Check(e.Class, e.Content()); err != nil {
		w.cfg.Log.Warn(
			"an object from a linked server is not in order", "host", from,
			"object", e.OID, "error", err,
		)
		return false
	}
	return true
}

// Kept returns how many objects of a host's making are here, and how many of this host's making are
// there (O32). If here cannot be read, both are 0.
func (w *Objects) Kept(host id.HostID) (here, there int) {
	here, _, err := w.cfg.Store.ObjectsMade(forever, object.Heads, host)
	if err != nil {
		return 0, 0
	}
	// After an error, there counts the objects before it.
	_ = w.each(forever, object.Forwards, func(_ id.OID, value []byte) error {
		owner, err := object.ReadForward(value)
		if err == nil && owner == host {
			there++
		}
		return err
	})
	return here, there
}
