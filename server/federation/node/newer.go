package node

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Newer versions of kinds (O30). The host that made a set knows from which kinds of which game
// files its versions are, and which versions these files have now. Other hosts ask it.

// Bounds of newer versions.
const (
	// newerTimeout is how long a bag that is looked into waits for the creator of a set.
	newerTimeout = 2 * time.Second
	// The answer of a creator is used for a day, no answer for an hour, and neither after a
	// connection to the creator has begun.
	newerFor  id.Millis = 24 * 60 * 60_000
	silentFor id.Millis = 60 * 60_000
	// maxNewer is for how many sets answers are remembered.
	maxNewer  = 4096
	newerHead = 8
	// maxAhead is about how many sets creators are asked at a time before somebody looks.
	maxAhead   = 64
	maxOrigins = 16 // of one version
)

// origin is a kind of a game file. Its versions follow each other.
type origin struct {
	Game string `json:"game"`
	Kind string `json:"kind"`
}

// newerKinds knows which versions follow each other, and what creators of sets have answered. It is
// safe for concurrent use.
type newerKinds struct {
	// Set at construction.
	current map[origin]object.Kind // the versions of the games of this host
	docs    map[object.Kind][]byte
	shelf   *game.Shelf

	ready     chan struct{} // closed once the earlier versions are read, or cannot be
	isRead    bool          // they are; written before ready is closed
	questions peer.Questions
	ahead     chan struct{} // a semaphore of askAhead; full: the bag asks

	mu sync.Mutex
	// Guarded by mu.
	origins map[object.Kind][]origin // of all versions that the games of this host ever had
	answers map[id.OID]newest
	asking  map[id.OID]chan struct{} // closed when the question about a set has ended
	offered map[id.OID][]object.Kind // the versions that bags offered last
	// The creators that were asked since the connection to them began.
	creators map[id.HostID]*creator
	forgets  map[id.HostID]int // how often the answers of a creator were forgotten
}

// creator is a creator of sets. Older programs do not answer questions for newer kinds. So it is
// asked about one set first.
type creator struct {
	known chan struct{} // closed when the first question has ended
	until id.Millis     // guarded by mu: it has not answered, and is not asked before; 0: it may be
}

// newest is what a creator has answered about the kinds of a set, or that it has not answered.
type newest struct {
	kinds, is []object.Kind // without an answer, is has nothing
	until     id.Millis
}

func newNewerKinds(shelf *game.Shelf) *newerKinds {
	n := &newerKinds{
		current: map[origin]object.Kind{}, docs: map[object.Kind][]byte{}, shelf: shelf,
		origins: map[object.Kind][]origin{}, answers: map[id.OID]newest{},
		ready: make(chan struct{}), ahead: make(chan struct{}, maxAhead),
		asking: map[id.OID]chan struct{}{}, offered: map[id.OID][]object.Kind{},
		creators: map[id.HostID]*creator{}, forgets: map[id.HostID]int{},
	}
	if shelf == nil {
		return n
	}
	for _, g := range shelf.Games() {
		for i, v := range game.Versions(g.Kinds) {
			o := origin{g.ID, g.Kinds[i].Name}
			n.current[o], n.docs[v.Hash] = v.Hash, v.Doc
			n.origins[v.Hash] = append(n.origins[v.Hash], o)
		}
	}
	return n
}

// blob returns a version or a picture of the games of this host.
func (n *newerKinds) blob(hash room.Hash) (room.Blob, bool) {
	if doc, ok := n.docs[object.Kind(hash)]; ok {
		return room.Blob{Hash: hash, Type: "application/json", Data: doc}, true
	}
	if n.shelf == nil {
		return room.Blob{}, false
	}
	if part, ok := n.shelf.Part(hash); ok {
		return room.Blob{Hash: hash, Type: game.TypeOf(part), Data: part}, true
	}
	art, ok := n.shelf.Art(hash)
	return room.Blob{Hash: hash, Type: art.Type, Data: art.Data}, ok
}

// add adds origins of a version, and returns all of them.
func (n *newerKinds) add(k object.Kind, more []origin) []origin {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.origins[k]
	for _, o := range more {
		if !slices.Contains(all, o) && len(all) < maxOrigins {
			all = append(slices.Clip(all), o)
		}
	}
	n.origins[k] = all
	return all
}

// isReady waits until the earlier versions are read, or ctx ends. It returns false, too, if they
// cannot be read: then n does not know which versions follow each other.
func (n *newerKinds) isReady(ctx context.Context) bool {
	select {
	case <-n.ready:
		return n.isRead
	case <-ctx.Done():
		return false
	}
}

// of returns the newest version of each of some kinds, which are those of one set: the versions
// that one game file has now. It is the game from which most of the kinds are. A kind that is not
// from there stays.
func (n *newerKinds) of(kinds []object.Kind) []object.Kind {
	n.mu.Lock()
	defer n.mu.Unlock()
	from := map[string]int{}
	for _, k := range kinds {
		games := map[string]bool{}
		for _, o := range n.origins[k] {
			games[o.Game] = true
		}
		for g := range games {
			from[g]++
		}
	}
	best := ""
	for g, count := range from {
		if count > from[best] || count == from[best] && g < best {
			best = g
		}
	}
	is := slices.Clone(kinds)
	for i, k := range kinds {
		for _, o := range n.origins[k] { // a game has one kind of a name, so one of them is of best
			if now, ok := n.current[o]; ok && o.Game == best {
				is[i] = now
			}
		}
	}
	return is
}

// answered returns what is known of a set whose kinds are as given. If nothing is known, the caller
// may ask, and gives forgets to remember.
func (n *newerKinds) answered(
	set id.OID, kinds []object.Kind, now id.Millis,
) (is []object.Kind, known bool, forgets int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a, ok := n.answers[set]
	if !ok || now >= a.until || now < a.until-newerFor || !slices.Equal(a.kinds, kinds) {
		return nil, false, n.forgets[set.Creator()]
	}
	return a.is, true, 0
}

// remember remembers an answer, unless those of its creator were forgotten since the question.
func (n *newerKinds) remember(set id.OID, a newest, forgets int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.forgets[set.Creator()] != forgets {
		return
	}
	if len(n.answers) >= maxNewer {
		clear(n.answers)
	}
	n.answers[set] = a
}

// offer remembers which versions a bag offers for a set.
func (n *newerKinds) offer(set id.OID, is []object.Kind) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.offered) >= maxNewer {
		clear(n.offered)
	}
	n.offered[set] = is
}

// offeredFor returns the versions that a bag offered last for a set, or nil.
func (n *newerKinds) offeredFor(set id.OID) []object.Kind {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.offered[set]
}

// alone waits until nobody else asks about a set. Then nobody else does until end. It returns false
// if ctx ends before.
func (n *newerKinds) alone(ctx context.Context, set id.OID) (end func(), ok bool) {
	for {
		n.mu.Lock()
		other := n.asking[set]
		if other == nil {
			mine := make(chan struct{})
			n.asking[set] = mine
			n.mu.Unlock()
			return func() {
				n.mu.Lock()
				defer n.mu.Unlock()
				delete(n.asking, set)
				close(mine)
			}, true
		}
		n.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// forget has a creator asked again: it may have been started with other game files.
func (n *newerKinds) forget(creator id.HostID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for set := range n.answers {
		if set.Creator() == creator {
			delete(n.answers, set)
		}
	}
	delete(n.creators, creator)
	n.forgets[creator]++
}

// begin reports whether a creator may be asked. Until it is known whether it answers, the first
// question goes on alone, and all others wait for it. end says how the question has ended.
func (n *newerKinds) begin(
	ctx context.Context, host id.HostID, now id.Millis,
) (end func(silent bool, now id.Millis), ok bool) {
	n.mu.Lock()
	c := n.creators[host]
	first := c == nil || c.until != 0 && (now >= c.until || now < c.until-silentFor)
	if first {
		c = &creator{known: make(chan struct{})}
		n.creators[host] = c
	}
	n.mu.Unlock()
	if !first {
		select {
		case <-c.known:
		case <-ctx.Done():
			return nil, false
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return func(silent bool, now id.Millis) {
		n.mu.Lock()
		defer n.mu.Unlock()
		if silent {
			c.until = now + silentFor
		}
		if first {
			close(c.known)
		}
	}, c.until == 0
}

// keyOfKind returns the key of a version in versionSpace.
func keyOfKind(k object.Kind) (key id.OID) {
	copy(key[:], k[:])
	return key
}

// recordKinds reads from which kinds all earlier versions were, and stores that of those which the
// games of this host have now. So a later program knows which version follows which.
func (w *Objects) recordKinds(ctx context.Context) error {
	stored := map[object.Kind]int{}
	err := w.each(ctx, versionSpace, func(_ id.OID, value []byte) error {
		var all []origin
		if len(value) < len(object.Kind{}) {
			return errors.New("too short")
		}
		k := object.Kind(value)
		if err := json.Unmarshal(value[len(k):], &all); err != nil {
			return err
		}
		stored[k] = len(all)
		w.newer.add(k, all)
		return nil
	})
	if err != nil {
		return err
	}
	w.newer.isRead = true
	return w.do(ctx, func() error {
		for k := range w.newer.docs {
			all := w.newer.add(k, nil)
			if len(all) == stored[k] {
				continue
			}
			text, err := json.Marshal(all)
			if err != nil {
				return err
			}
			w.write(object.Write{
				Space: versionSpace, OID: keyOfKind(k), Value: append(slices.Clone(k[:]), text...),
			})
		}
		return nil
	})
}

// serveNewer answers the question of a host for the newest versions of the kinds of a set. It says
// nothing of the set: it does not know for which one the host asks.
func (w *Objects) serveNewer(host id.HostID, b []byte) {
	n := (len(b) - newerHead) / len(object.Kind{})
	if len(b) != newerHead+n*len(object.Kind{}) || n < 1 || n > object.MaxKinds {
		w.cfg.Links.Refused(host, id.OID{}, "a question for newer kinds that cannot be read")
		return
	}
	end, err := w.cfg.Links.Begin(host)
	if err != nil {
		return // it asks again
	}
	kinds := make([]object.Kind, n)
	for i := range kinds {
		kinds[i] = object.Kind(b[newerHead+i*len(object.Kind{}):])
	}
	answer := append([]byte{kindNewest}, b[:newerHead]...)
	w.errand(func(ctx context.Context) {
		defer end()
		if !w.newer.isReady(ctx) {
			return // "nothing newer" would be believed for a day; without an answer it asks again
		}
		for _, k := range w.newer.of(kinds) {
			answer = append(answer, k[:]...)
		}
		_ = w.cfg.Links.Send(host, peer.Message{Bytes: answer}) // it asks again
	})
}

// newestFrom processes an answer. It ignores one for which nobody waits.
func (w *Objects) newestFrom(host id.HostID, b []byte) {
	if len(b) < newerHead || len(b) > newerHead+object.MaxKinds*len(object.Kind{}) {
		w.cfg.Links.Refused(host, id.OID{}, "newer kinds that cannot be read")
		return
	}
	w.newer.questions.Answer(host, b)
}

// newestOf returns the newest versions of the kinds of a set, from its creator: each in the place
// of the version before it. It returns the kinds themselves while the creator does not answer.
func (w *Objects) newestOf(ctx context.Context, set id.OID, kinds []object.Kind) []object.Kind {
	if set.Creator() == w.self {
		if !w.newer.isReady(ctx) {
			return kinds
		}
		return w.newer.of(kinds)
	}
	end, ok := w.newer.alone(ctx, set)
	if !ok {
		return kinds
	}
	defer end()
	is, known, forgets := w.newer.answered(set, kinds, w.cfg.Now())
	if !known {
		var asked bool
		if is, asked = w.askNewest(ctx, set.Creator(), kinds); !asked {
			return kinds
		}
		until := w.cfg.Now() + newerFor
		if is == nil {
			until = w.cfg.Now() + silentFor
		}
		w.newer.remember(set, newest{kinds, is, until}, forgets)
	}
	if is == nil {
		return kinds
	}
	return is
}

// askNewest asks a creator, unless that cannot be reached or has not answered about another set. It
// returns nil if there is no answer, or one that cannot be. Who was not asked may be asked again at
// once: the machine is not told of a connection that breaks and is back a moment later (O18), so
// nothing would end the time without questions.
func (w *Objects) askNewest(
	ctx context.Context, creator id.HostID, kinds []object.Kind,
) (is []object.Kind, asked bool) {
	if !w.cfg.Links.Reached(creator) {
		return nil, false
	}
	ended, ok := w.newer.begin(ctx, creator, w.cfg.Now())
	if !ok {
		return nil, false
	}
	is, err := w.askKinds(ctx, creator, kinds)
	ended(errors.Is(err, errSilent), w.cfg.Now())
	return is, !errors.Is(err, errUnasked)
}

// Errors of askKinds.
var (
	errUnasked = errors.New("the question did not go off, or nobody waited for its answer")
	errSilent  = errors.New("the creator did not answer in time")
	errUnlike  = errors.New("the answer names another number of kinds")
)

// askKinds asks a creator. Besides the errors above there are none.
func (w *Objects) askKinds(
	ctx context.Context, creator id.HostID, kinds []object.Kind,
) ([]object.Kind, error) {
	n, answer, end, ok := w.newer.questions.Ask(creator, maxFetches)
	if !ok {
		return nil, errUnasked
	}
	defer end()
	b := binary.BigEndian.AppendUint64([]byte{kindNewer}, n)
	for i := range kinds {
		b = append(b, kinds[i][:]...)
	}
	if w.cfg.Links.Send(creator, peer.Message{Request: true, Bytes: b}) != nil {
		return nil, errUnasked
	}
	wait := time.NewTimer(newerTimeout)
	defer wait.Stop()
	select {
	case b = <-answer:
	case <-wait.C:
		return nil, errSilent
	case <-ctx.Done():
		return nil, errUnasked
	case <-w.halt:
		return nil, errUnasked
	}
	if len(b) != len(kinds)*len(object.Kind{}) {
		w.cfg.Links.Refused(creator, id.OID{}, "newer kinds of another number")
		return nil, errUnlike
	}
	is := make([]object.Kind, len(kinds))
	for i := range is {
		is[i] = object.Kind(b[i*len(object.Kind{}):])
	}
	return is, nil
}

// askAhead asks the creator of a set that is here for newer versions in the background, so that the
// bag need not wait for the answer. It asks no more often than the bag does.
func (w *Objects) askAhead(set id.OID) {
	if set.Creator() == w.self {
		return
	}
	select {
	case w.newer.ahead <- struct{}{}:
	default:
		return
	}
	w.errand(func(ctx context.Context) {
		defer func() { <-w.newer.ahead }()
		if _, kinds, _, err := w.look(ctx, set); err == nil {
			w.newestOf(ctx, set, kinds)
		}
	})
}

// Newer reports whether there are newer versions of the kinds of a set that is here and lies on no
// table, other than those that were declined. It waits for the creator for a moment at most, at
// most once a day and once for each connection to it.
func (w *Objects) Newer(ctx context.Context, set id.OID) (bool, error) {
	on, kinds, _, err := w.look(ctx, set)
	if err != nil || !on.IsZero() {
		return false, err
	}
	is := w.newestOf(ctx, set, kinds)
	if slices.Equal(is, kinds) {
		return false, nil
	}
	declined, err := w.cfg.Store.ObjectValue(ctx, declinedSpace, set)
	if err != nil || bytes.Equal(declined, digestOf(is)) {
		return false, err
	}
	w.newer.offer(set, is)
	return true, nil
}

// digestOf returns what stands in declinedSpace for versions that were declined.
func digestOf(kinds []object.Kind) []byte {
	h := sha256.New()
	for i := range kinds {
		h.Write(kinds[i][:])
	}
	return h.Sum(nil)
}

// Decline remembers that a set that is here and lies on no table keeps its kinds: the versions that
// Newer has found last are not offered again. The error is behaviour.ErrNoNewer if nothing was
// offered since this host has started, or there is nothing to decline any more, and a *room.Refusal
// if the set lies on a table.
func (w *Objects) Decline(ctx context.Context, set id.OID) error {
	on, kinds, _, err := w.look(ctx, set)
	if err != nil {
		return err
	}
	if !on.IsZero() {
		return &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	// Versions that came since then were not offered to anybody.
	is := w.newer.offeredFor(set)
	if is == nil || slices.Equal(is, kinds) {
		return behaviour.ErrNoNewer
	}
	return w.do(ctx, func() error {
		w.write(object.Write{Space: declinedSpace, OID: set, Value: digestOf(is)})
		return nil
	})
}

// forgetDeclined deletes what was declined for sets that are not here, and to which nothing here
// refers.
func (w *Objects) forgetDeclined(ctx context.Context) error {
	var all []id.OID
	err := w.each(ctx, declinedSpace, func(set id.OID, _ []byte) error {
		all = append(all, set)
		return nil
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, firstPage) {
		if err := w.do(ctx, func() error { return w.forgetUnneeded(some) }); err != nil {
			return err
		}
	}
	return nil
}

// forgetUnneeded is forgetDeclined for some sets.
func (w *Objects) forgetUnneeded(sets []id.OID) error {
	for _, set := range sets {
		head, err := w.store.Get(object.Heads, set)
		held, err2 := w.store.Get(object.Helds, set)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if head == nil && held == nil {
			w.write(object.Write{Space: declinedSpace, OID: set})
		}
	}
	return nil
}

// Adopt gives a set that is here and lies on no table the newest versions of its kinds. The kinds,
// their art, and that the set has them become durable together. The error is behaviour.ErrNoNewer
// or behaviour.ErrUnfit if there is nothing to adopt, a *room.Refusal if the set lies on a table,
// and a *room.Unreachable if the kinds cannot be fetched.
func (w *Objects) Adopt(ctx context.Context, set id.OID) error {
	on, was, _, err := w.look(ctx, set)
	if err != nil {
		return err
	}
	if !on.IsZero() {
		return &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	is := w.newestOf(ctx, set, was)
	if slices.Equal(is, was) {
		return behaviour.ErrNoNewer
	}
	from := w.sources(set, set.Creator())
	blobs, err := w.newerBlobs(ctx, was, is, from)
	if err != nil {
		return err
	}
	var all []behaviour.Newer
	for i := range is {
		if is[i] != was[i] {
			all = append(all, behaviour.Newer{Was: was[i], Is: is[i]})
		}
	}
	_, err = w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		if v, err := w.store.Get(object.Heads, set); v == nil {
			return object.Step{}, errors.Join(errElsewhere, err)
		}
		step, err := w.host.Call(m, t, set, behaviour.Adopt, behaviour.AppendNewer(nil, all), nil)
		if err == nil {
			w.next.blobs = append(w.next.blobs, blobs...)
		}
		return step, err
	})
	if err == nil {
		w.cfg.Log.Info("a set has newer versions of its kinds", "set", set, "kinds", len(all))
	}
	return err
}

// newerBlobs returns the documents and the art of newer versions, if a set of the older ones can
// have them.
func (w *Objects) newerBlobs(
	ctx context.Context, was, is []object.Kind, from []id.HostID,
) (blobs []room.Blob, err error) {
	var older []game.Kind
	oldDocs, _, err := w.documents(ctx, was, from) // without their art, which nobody will see
	if err == nil {
		older, err = game.ReadVersions(oldDocs)
	}
	if err != nil {
		w.cfg.Log.Debug("the kinds of a set cannot be fetched", "error", err)
		return nil, &room.Unreachable{Reason: table.AwayOwner}
	}
	docs, art, err := w.versions(ctx, is, from)
	switch {
	case errors.Is(err, errUnreadable):
		return nil, fmt.Errorf("%w: %w", behaviour.ErrUnfit, err)
	case err != nil:
		w.cfg.Log.Debug("newer kinds of a set cannot be fetched", "error", err)
		return nil, &room.Unreachable{Reason: table.AwayOwner}
	}
	newer, err := game.ReadVersions(docs)
	if err == nil {
		err = game.CheckNewer(older, newer)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", behaviour.ErrUnfit, err)
	}
	for i := range is {
		blobs = append(blobs, room.Blob{
			Hash: room.Hash(is[i]), Type: "application/json", Data: docs[i],
		})
	}
	return append(blobs, art...), nil
}
