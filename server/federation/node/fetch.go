package node

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
)

// Kinds and pictures are fetched by hash (O30). A host that knows a hash was given it, with an
// object that it holds. So this host sends the content of a hash to every linked host that asks. It
// checks fetched content against the hash and against the rules of game files before it stores it.

// Bounds of fetching.
const (
	fetchPart    = 512 << 10        // bytes of one answer
	fetchTimeout = 10 * time.Second // for one part
	// At the same time. Beyond this it is as if no host had the content.
	maxFetches = 256
	fetchHead  = 8 + sha256.Size + 8
)

// errNowhere says that no host that can be reached has the content.
var errNowhere = errors.New("nobody who can be reached has it")

// errUnreadable says that kinds are not those of a set.
var errUnreadable = errors.New("read kinds of a set")

// fetching is what is being fetched. It is safe for concurrent use.
type fetching struct {
	questions peer.Questions

	mu sync.Mutex
	// Guarded by mu.
	// Kinds that are here with all their art, unless something was swept since.
	complete map[object.Kind]bool
	fetched  map[id.HostID]*fetchedFrom // what was fetched from hosts

	providing chan struct{} // a semaphore of provide
}

// fetchedFrom is how much was fetched from a host since a time. Within a day that must not be more
// than the host may keep here (O36). The content is deleted when nothing needs it any more.
type fetchedFrom struct {
	since id.Millis
	bytes int64
}

const (
	broughtFor id.Millis = 24 * 60 * 60_000
	// For how many objects that have come here kinds are fetched at once. The kinds are in memory
	// until they are stored.
	maxProviding = 4
)

// withinAllowance adds n bytes that were fetched from a host, and reports whether the sum is within
// most.
func (f *fetching) withinAllowance(host id.HostID, n, most int64, now id.Millis) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.fetched[host]
	if b == nil || now < b.since || now >= b.since+broughtFor {
		b = &fetchedFrom{since: now}
		f.fetched[host] = b
	}
	b.bytes += n
	return b.bytes <= most
}

// allowance returns how many bytes of kinds and pictures a host may send in a day.
func (w *Objects) allowance(host id.HostID) int64 {
	k, _ := w.cfg.Links.Link(host)
	return k.Limits.Bytes
}

// newFetching returns a fetching that fetches nothing yet.
func newFetching() *fetching {
	return &fetching{
		complete:  map[object.Kind]bool{},
		fetched:   map[id.HostID]*fetchedFrom{},
		providing: make(chan struct{}, maxProviding), // full: provide waits
	}
}

// maxComplete is of how many kinds Objects remembers that they are here.
const maxComplete = 65_536

// lacks reports whether one of some kinds may not be here.
func (f *fetching) lacks(kinds []object.Kind) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(kinds, func(k object.Kind) bool { return !f.complete[k] })
}

// has records that kinds are here.
func (f *fetching) has(kinds []object.Kind) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.complete)+len(kinds) > maxComplete {
		clear(f.complete)
	}
	for _, k := range kinds {
		f.complete[k] = true
	}
}

// forget records that kinds may not be here any more.
func (f *fetching) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.complete)
}

// part is the answer to a request.
type part struct {
	size  uint64 // of all; 0: the host does not have it
	bytes []byte
}

// serveFetch answers the request of a host for a part.
func (w *Objects) serveFetch(host id.HostID, b []byte) {
	if len(b) != fetchHead {
		w.cfg.Links.Refused(host, id.OID{}, "a question for a kind or picture that cannot be read")
		return
	}
	end, err := w.cfg.Links.Begin(host)
	if err != nil {
		return // it asks again
	}
	defer end()
	hash, offset := room.Hash(b[8:8+sha256.Size]), binary.BigEndian.Uint64(b[8+sha256.Size:])
	answer := append([]byte{kindFetched}, b[:8]...)
	blob, err := w.cfg.Store.Blob(context.Background(), hash)
	if b, ok := w.newer.blob(hash); ok && errors.Is(err, room.ErrNoBlob) {
		blob, err = b, nil
	}
	if err != nil || len(blob.Data) > game.MaxDocument || offset > uint64(len(blob.Data)) {
		answer = binary.BigEndian.AppendUint64(answer, 0)
	} else {
		answer = binary.BigEndian.AppendUint64(answer, uint64(len(blob.Data)))
		answer = append(answer, blob.Data[offset:min(uint64(len(blob.Data)), offset+fetchPart)]...)
	}
	_ = w.cfg.Links.Send(host, peer.Message{Bytes: answer}) // it asks again
}

// fetched processes an answer. It ignores one for which nobody waits: the answer came late.
func (w *Objects) fetched(host id.HostID, b []byte) {
	if len(b) < 16 || len(b) > 16+fetchPart {
		w.cfg.Links.Refused(host, id.OID{}, "a kind or picture that cannot be read")
		return
	}
	w.fetching.questions.Answer(host, b)
}

// question asks a host for a part.
func (w *Objects) question(
	ctx context.Context, host id.HostID, hash room.Hash, offset int,
) (part, error) {
	n, answer, end, ok := w.fetching.questions.Ask(host, maxFetches)
	if !ok {
		return part{}, peer.ErrBusy
	}
	defer end()
	b := binary.BigEndian.AppendUint64([]byte{kindFetch}, n)
	b = append(b, hash[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(offset)) //nolint:gosec // not below 0
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	if err := w.cfg.Links.Send(host, peer.Message{Request: true, Bytes: b}); err != nil {
		return part{}, err
	}
	select {
	case b := <-answer:
		return part{binary.BigEndian.Uint64(b), b[8:]}, nil
	case <-ctx.Done():
		return part{}, ctx.Err()
	case <-w.halt:
		return part{}, ErrClosed
	}
}

// fetchFrom fetches content from a host, and checks its size and hash.
func (w *Objects) fetchFrom(ctx context.Context, host id.HostID, hash room.Hash) ([]byte, error) {
	var all []byte
	for {
		p, err := w.question(ctx, host, hash, len(all))
		switch {
		case err != nil:
			return nil, err
		case p.size == 0:
			return nil, errNowhere
		case p.size > game.MaxDocument || len(p.bytes) == 0 || uint64(len(all)+len(p.bytes)) > p.size:
			return nil, fmt.Errorf("host %s answers what cannot be", host)
		}
		if !w.fetching.withinAllowance(host, int64(len(p.bytes)), w.allowance(host), w.cfg.Now()) {
			return nil, fmt.Errorf("host %s has sent as much today as it may", host)
		}
		if all = append(all, p.bytes...); uint64(len(all)) < p.size {
			continue
		}
		if sha256.Sum256(all) != hash {
			w.cfg.Links.Refused(host, id.OID{}, "a kind or picture with another hash")
			return nil, fmt.Errorf("host %s has something else under that hash", host)
		}
		return all, nil
	}
}

// content returns the content of a hash, from here or from one of the hosts. here says that it was
// here.
func (w *Objects) content(
	ctx context.Context, hash room.Hash, from []id.HostID,
) (data []byte, here bool, err error) {
	b, err := w.cfg.Store.Blob(ctx, hash)
	if err == nil {
		return b.Data, true, nil
	}
	if !errors.Is(err, room.ErrNoBlob) {
		return nil, false, err
	}
	if b, ok := w.newer.blob(hash); ok {
		return b.Data, false, nil
	}
	err = errNowhere
	for _, host := range from {
		if data, err = w.fetchFrom(ctx, host, hash); err == nil {
			return data, false, nil
		}
	}
	return nil, false, fmt.Errorf("fetch %x: %w", hash, err)
}

// documents returns the documents of kinds, from here or from one of the hosts, and those of them
// that came from another host. It does not check or store them.
func (w *Objects) documents(
	ctx context.Context, hashes []object.Kind, from []id.HostID,
) (docs [][]byte, fresh []room.Blob, err error) {
	for _, h := range hashes {
		doc, here, err := w.content(ctx, room.Hash(h), from)
		if err != nil {
			return nil, nil, err
		}
		if !here {
			fresh = append(fresh, room.Blob{
				Hash: room.Hash(h), Type: "application/json", Data: doc,
			})
		}
		docs = append(docs, doc)
	}
	return docs, fresh, nil
}

// versions returns the documents of kinds and the art of their faces, from here or from one of the
// hosts. It checks and stores what came from another host.
func (w *Objects) versions(
	ctx context.Context, hashes []object.Kind, from []id.HostID,
) (docs [][]byte, art []room.Blob, err error) {
	docs, fresh, err := w.documents(ctx, hashes, from)
	if err != nil {
		return nil, nil, err
	}
	kinds, err := game.ReadVersions(docs)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	total := 0
	for _, picture := range game.Pictures(kinds) {
		data, here, err := w.content(ctx, picture, from)
		if err != nil {
			return nil, nil, err
		}
		a, err := game.CheckArt(data)
		if total += len(data); err == nil && total > game.MaxArtTotal {
			err = errors.New("it is too much")
		}
		if err != nil {
			return nil, nil, fmt.Errorf("art %x: %w", picture, err)
		}
		art = append(art, room.Blob{Hash: picture, Type: a.Type, Data: data})
		if !here {
			fresh = append(fresh, art[len(art)-1])
		}
	}
	if len(fresh) > 0 {
		err = w.cfg.Store.KeepObjects(ctx, nil, fresh)
	}
	if err == nil {
		w.fetching.has(hashes)
	}
	return docs, art, err
}

// provide fetches the kinds and art of a set that has come here, so that it can be used while its
// creator is unreachable.
func (w *Objects) provide(ctx context.Context, set id.OID, from id.HostID) {
	select {
	case w.fetching.providing <- struct{}{}:
		defer func() { <-w.fetching.providing }()
	case <-ctx.Done():
		return
	}
	_, kinds, _, err := w.look(ctx, set)
	if err == nil && w.fetching.lacks(kinds) {
		_, _, err = w.versions(ctx, kinds, w.sources(set, from))
	}
	if err != nil {
		w.cfg.Log.Debug(
			"the kinds of an object are not here yet", "object", set, "error", err,
		)
	}
}

// sources returns the hosts that may have the kinds of an object: the host that sent it, then its
// creator (O30).
func (w *Objects) sources(set id.OID, from id.HostID) []id.HostID {
	all := []id.HostID{from, set.Creator()}
	return slices.DeleteFunc(
		slices.Compact(all), func(h id.HostID) bool { return h == w.self || h == id.HostID{} },
	)
}
