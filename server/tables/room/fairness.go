package room

import (
	"crypto/hmac"
	"crypto/sha256"
	mathrand "math/rand/v2"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// How long a mix waits (F3, F4). Nobody waits for a mix: draws go on meanwhile.
const (
	commitFor = time.Second     // for further commitments, after the first
	revealFor = 5 * time.Second // for the shares that were committed to
	// How often the room looks for seeds that may be revealed, if something has happened.
	revealCheckEvery = time.Second
)

// secretOf derives the secret from which the seeds of a table follow (F2).
func secretOf(key []byte, t id.OID) *fairness.Secret {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("holt.fair/1 table"))
	m.Write(t[:])
	return (*fairness.Secret)(m.Sum(nil))
}

// randomness is the randomness of a table: its state, and how facts about it get into the table's
// history.
type randomness struct {
	key   *fairness.Secret
	oid   id.OID
	epoch id.Epoch
	table *table.Table
	state *fairness.State
	seed  fairness.Seed      // of the open round
	names map[id.Seat]string // the names that the round binds
}

// newRandomness returns the randomness of a table in a state, which is nil before the first round.
func newRandomness(key []byte, row *TableRow, t *table.Table, state *fairness.State) *randomness {
	c := &randomness{
		key: secretOf(key, row.Table), oid: row.Table, epoch: row.Epoch,
		table: t, state: state, names: map[id.Seat]string{},
	}
	if c.state == nil {
		c.state = fairness.NewState(row.Table)
	}
	round, epoch := c.state.Round()
	c.seed = fairness.SeedOf(c.key, c.oid, epoch, round)
	for i := range t.Seats() {
		who := &t.Seats()[i]
		c.names[who.Seat] = who.Name()
	}
	return c
}

// round returns the open round.
func (c *randomness) round() fairness.Round {
	round, _ := c.state.Round()
	return round
}

// stale reports whether nothing may be drawn before another round is opened (F2).
func (c *randomness) stale() bool {
	round, epoch := c.state.Round()
	return round == 0 || epoch != c.epoch
}

// open opens the next round, which binds the names of the seats and of the kinds of a catalogue
// (F16).
func (c *randomness) open(now id.Millis, catalog Hash, setting []game.Kind) error {
	bound := &fairness.Bound{
		Catalog: fairness.Digest(catalog),
		//nolint:gosec // catalogues are bounded
		Kinds: uint32(len(setting)), Names: namesOf(setting),
	}
	names := map[id.Seat]string{}
	for i := range c.table.Seats() {
		who := &c.table.Seats()[i]
		names[who.Seat] = who.Name()
		bound.Seats = append(bound.Seats, fairness.Seat{Seat: who.Seat, Name: who.Name()})
	}
	seed := fairness.SeedOf(c.key, c.oid, c.epoch, c.round()+1)
	if err := c.enact(c.state.Open(&seed, &c.seed, c.epoch, bound), 0, now); err != nil {
		return err
	}
	c.seed, c.names = seed, names
	return nil
}

// namesOf returns a digest of the names of kinds.
func namesOf(setting []game.Kind) fairness.Digest {
	names := make([]string, len(setting))
	for i := range setting {
		names[i] = setting[i].Name
	}
	return fairness.KindNames(names)
}

// take returns what the table has recorded since the last call, and behind that a fact for each
// seat whose name is not the one that the round binds (F16). Everybody sees names, so these facts
// reveal nothing hidden.
func (c *randomness) take() ([]table.Entry, error) {
	entries := c.table.Take()
	if !c.state.Bound() {
		return entries, nil
	}
	for i := range entries {
		who := entries[i].Who
		if who == nil {
			continue
		}
		name := who.Name()
		if known, is := c.names[who.Seat]; is && known == name {
			continue
		}
		c.names[who.Seat] = name
		if err := c.enact(
			fairness.SeatNamed{Round: c.round(), Seat: who.Seat, Name: name},
			0, entries[len(entries)-1].At); err != nil {
			return nil, err
		}
	}
	return append(entries, c.table.Take()...), nil
}

// catalogChanged records that the table has another catalogue.
func (c *randomness) catalogChanged(catalog Hash, setting []game.Kind, now id.Millis) error {
	if !c.state.Bound() {
		return nil
	}
	kinds := uint32(len(setting)) //nolint:gosec // catalogues are bounded
	return c.enact(fairness.CatalogChanged{
		Round: c.round(), Catalog: fairness.Digest(catalog), Kinds: kinds, Names: namesOf(setting),
	}, 0, now)
}

// enact applies a fact and records it, for one seat alone or, if to is 0, for everybody.
func (c *randomness) enact(f fairness.Fact, to id.Seat, now id.Millis) error {
	if err := c.state.Apply(now, f); err != nil {
		return err
	}
	var by id.Seat
	if promise, ok := f.(fairness.Committed); ok {
		by = promise.Seat
	}
	c.table.RecordFact(fairness.EncodeFact(f), by, to, now)
	return nil
}

// rand returns the random numbers of the next draw. Only the seat watcher learns of the draw, or
// everybody if that is 0.
func (c *randomness) rand(watcher id.Seat) *fairness.DrawRand {
	return c.state.Rand(&c.seed, fairness.Audience(watcher))
}

// recordDraw records the result of a draw.
func (c *randomness) recordDraw(
	r *fairness.DrawRand, by, watcher id.Seat, d table.Chance, now id.Millis,
) error {
	f, err := r.Record(now, fairness.DrawKind(d.What), by, d.Pieces, d.Inputs, d.Outputs)
	if err != nil {
		return err
	}
	return c.enact(f, watcher, now)
}

// draw lets the table judge an update with random numbers, and records what was drawn. A press of a
// button is done whole.
func (r *room) draw(by table.By, u *table.Update, in table.Inputs) table.Outcome {
	in.Unproved = &unprovedRandom{room: r}
	out := r.drawWith(by, u, in, func(in table.Inputs) table.Outcome {
		return r.table.Apply(by, u, in)
	})
	for out.Verdict == table.Recorded && r.table.Pressing() {
		r.drawWith(by, &table.Update{}, in, r.table.PressOn)
	}
	if asks := r.table.TakeSettingUp(); asks != nil {
		r.setUpAgain(asks)
	}
	return out
}

// drawWith is draw with another function that judges.
func (r *room) drawWith(
	by table.By, u *table.Update, in table.Inputs, judge func(table.Inputs) table.Outcome,
) table.Outcome {
	watcher := r.table.Audience(u, by.Seat)
	rnd := r.randomness.rand(watcher)
	in.Rand, in.Round = rnd, uint32(r.randomness.round())
	out := judge(in)
	if out.Chance.What != 0 {
		if err := r.randomness.recordDraw(rnd, by.Seat, watcher, out.Chance, in.Now); err != nil {
			r.broken = err // nobody could verify that the draw was fair
		}
	}
	if out.Chance.What == table.ChanceShuffle && watcher == 0 {
		// This may have removed the last obstacle, and the next update may hide something again.
		r.revealSeeds()
	}
	return out
}

// unprovedRandom has the random numbers of an update for what no round decides (T38, T40). Most
// updates never use them. An update that does is published to everybody. So the public view has
// another version for each such update, and what happens unseen does not change the numbers.
type unprovedRandom struct {
	room *room
	rnd  *mathrand.Rand
}

// IntN returns a number from 0 to n-1.
func (l *unprovedRandom) IntN(n int) int {
	if l.rnd == nil {
		at := Request{Seq: id.ClientSeq(l.room.table.VersionAt(0, l.room.table.Gen()))}
		//nolint:gosec // ChaCha8, seeded by what nobody can foresee
		l.rnd = mathrand.New(mathrand.NewChaCha8(l.room.randomFor("update", &at)))
	}
	return l.rnd.IntN(n)
}

// enact records a fact for everybody. It ignores a fact that does not fit: the client that sent it
// has not learned yet what has changed.
func (r *room) enact(f fairness.Fact) bool {
	if r.randomness.enact(f, 0, r.now()) != nil {
		return false
	}
	r.record()
	return true
}

// addCommitment records a commitment of a seat (F3). It ignores the commitment if the seat has had
// its part (F15): the page sees at the close that its commitment is not among the shares.
func (r *room) addCommitment(a *attached, m *holtpb.Commit) {
	if !r.plays(a) || r.space.full() || r.cannotSave() || !r.randomness.state.Admits(a.seat) {
		return
	}
	_, shares := r.randomness.state.Phase()
	first := shares == 0
	f := fairness.Committed{
		Round: fairness.Round(m.GetRound()), Mix: fairness.Mix(m.GetMix()),
		Seat: a.seat, Client: a.id, Hash: fairness.Digest(m.GetHash()),
	}
	if r.enact(f) && first {
		r.timers.mix.Reset(commitFor)
	}
}

// revealShare records the entropy to which the seat has committed (F4). It may come from another
// client: a page that was reloaded reveals what it committed to before.
func (r *room) revealShare(a *attached, m *holtpb.Reveal) {
	if !r.plays(a) || r.cannotSave() {
		return
	}
	entropy := fairness.Entropy(m.GetEntropy())
	share, ok := r.randomness.state.ShareOf(a.seat, entropy)
	if !ok {
		return
	}
	f := fairness.Revealed{
		Round: fairness.Round(m.GetRound()), Mix: fairness.Mix(m.GetMix()),
		Share: share, Entropy: entropy,
	}
	if r.enact(f) && r.randomness.state.Waiting() == 0 {
		r.mix()
	}
}

// plays reports whether a stream is still open and belongs to somebody who plays.
func (r *room) plays(a *attached) bool {
	who, ok := r.table.Seat(a.seat)
	return r.clients[a.id] == a && ok && who.Plays()
}

// mix advances the mix under way by one step: it closes it or ends it.
func (r *room) mix() {
	switch phase, shares := r.randomness.state.Phase(); {
	case phase == fairness.Revealing:
		r.enact(r.randomness.state.Mix())
	case shares > 0:
		r.enact(r.randomness.state.Close())
		r.timers.mix.Reset(revealFor)
	}
}

// mayOpenRound returns why a host may not open a round now (T45, T46).
func (r *room) mayOpenRound() error {
	if r.space.full() {
		return ErrLogFull
	}
	if wait := r.space.spent.round(r.space.quota.Rounds, time.Now()); wait > 0 {
		return &TooSoon{After: wait}
	}
	return nil
}

// openRound ends the round of randomness and opens the next one (F10).
func (r *room) openRound() (fairness.Round, error) {
	if err := r.randomness.open(r.now(), r.row.Catalog, r.kinds); err != nil {
		return 0, ErrRounds
	}
	r.record()
	r.timers.mix.Stop()
	r.revealSeeds()
	return r.randomness.round(), nil
}

// revealSeeds reveals the seeds of the rounds that cannot reveal anything that is hidden now (F11,
// F12).
func (r *room) revealSeeds() {
	// A rewind is being recorded, or can be taken back to where something is hidden (T71).
	if len(r.randomness.state.Sealed()) == 0 || r.rewinding || r.saves.hides() {
		return
	}
	hidden := fairness.Round(1<<32 - 1)
	if oldest, found := r.table.OldestHidden(); found {
		hidden = fairness.Round(oldest)
	}
	for _, s := range r.randomness.state.Due(hidden) {
		r.enact(fairness.Published{
			Round: s.Round,
			Seed:  fairness.SeedOf(r.randomness.key, r.randomness.oid, s.Epoch, s.Round),
		})
	}
}

// setReveal sets the reveal timer after something has happened. It goes off at whole seconds of the
// room's life. So the time at which a seed is revealed says nothing about when something hidden
// happened.
func (r *room) setReveal() {
	if r.revealing || len(r.randomness.state.Sealed()) == 0 {
		return
	}
	r.revealing = true
	r.timers.reveal.Reset(revealCheckEvery - time.Since(r.begun)%revealCheckEvery)
}

// fact encodes a fact about randomness.
func (p *publication) fact(e *table.Entry, seat id.Seat) *showing {
	if e.To != 0 && e.To != p.room.table.ViewOf(seat) {
		return &showing{}
	}
	f, err := fairness.DecodeFact(e.Fact)
	if err != nil {
		return &showing{err: err}
	}
	event := wire.FairEvent(f)
	if event == nil { // a name: it comes with the seats and the catalogue
		return &showing{}
	}
	return encoded(event)
}
