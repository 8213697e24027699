package table

import (
	"cmp"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// contain judges an operation on a container (T30, T31).
func (j *judging) contain() Outcome {
	k := &j.t.kinds[j.p.state.Kind]
	if !k.Container.Holds || k.Container.Random && j.u.orders() {
		return j.reject(ReasonNotAllowed, 0)
	}
	within := j.t.contents(j.p)
	switch j.u.Op {
	case OpDraw:
		return j.draw(within)
	case OpDeal:
		return j.deal(within)
	case OpRecall:
		return j.recall()
	case OpCut:
		return j.cut(within)
	case OpShuffle:
		return j.shuffleAll(within)
	default:
		return j.reject(ReasonNotAllowed, 0)
	}
}

// everything returns all that lies in a container, the undermost first.
func (j *judging) everything(within *order) []*piece {
	j.t.looks += uint64(within.n) //nolint:gosec // not negative
	return within.all()
}

// count returns the argument n of the update, 1 without it.
func (j *judging) count() int {
	if j.u.Has&HasN == 0 {
		return 1
	}
	return int(j.u.N)
}

// notice records that something was done with n pieces (T28). This ends the update: the entry
// acknowledges it, with the piece brought, or 0 for none.
func (j *judging) notice(n int, brought id.Piece) Outcome {
	return j.noticed(Entry{Count: int32(n), Brought: brought}) //nolint:gosec // at most MaxPieces
}

func (j *judging) noticed(e Entry) Outcome {
	e.Notice, e.Server, e.Before, e.After = true, true, j.p.state, j.p.state
	j.t.record(j.entry(e))
	return Outcome{Verdict: Recorded}
}

// most returns n. If the container is not counted, it returns the number of pieces in it if that is
// less, because a reject would reveal the number (T30).
func (j *judging) most(n int, within *order) int {
	if j.t.kinds[j.p.state.Kind].Uncounted {
		return min(n, within.n)
	}
	return n
}

// draw takes pieces out of a container (T30).
func (j *judging) draw(within *order) Outcome {
	t, u := j.t, j.u
	if u.Has&HasKind != 0 && j.told == nil && !j.p.state.Set.IsZero() {
		if all := j.everything(within); t.anyUnknown(all) {
			return j.look(all)
		}
	}
	chosen, reason := j.choose(within)
	if reason != reasonNone {
		return j.reject(reason, 0)
	}
	hand := t.firstHand(j.by.Seat)
	var last *piece
	for _, p := range chosen {
		last = p
		switch {
		case u.Has&HasXY != 0:
			j.out(p, u.X, u.Y)
		case hand != nil && u.Has&HasHold == 0 && t.private(p.state.Kind):
			j.toHand(p, hand)
		default:
			x, y := t.beside(j.p)
			j.out(p, x, y)
		}
	}
	brought := last.name
	if !t.sees(&last.state, t.ViewOf(j.by.Seat)) {
		brought = 0
	}
	return j.notice(len(chosen), brought)
}

// aimed reports whether a draw names a piece other than the uppermost or the undermost. Only those
// who may peek can do that (T30).
func (u *Update) aimed() bool {
	return u.Op == OpDraw && (u.Has&HasKind != 0 || u.Has&HasAt != 0 && u.At != 1 && u.At != -1)
}

// orders reports whether an update depends on the order in a container. A bag has no order (T30,
// T31).
func (u *Update) orders() bool {
	return u.Op == OpShuffle || u.Op == OpCut || u.Op == OpDraw && u.Has&HasAt != 0
}

// choose returns the pieces that a draw takes, or the reason why it takes none (T30). It draws
// random pieces last, when nothing is in the way.
func (j *judging) choose(within *order) ([]*piece, Reason) {
	u, n := j.u, j.count()
	if u.Has&HasHold != 0 && n != 1 {
		return nil, ReasonNotAllowed
	}
	if n = j.most(n, within); n > within.n || within.n == 0 {
		return nil, ReasonEmpty
	}
	byLot := j.t.kinds[j.p.state.Kind].Container.Random && u.Has&HasKind == 0
	var chosen []*piece
	if !byLot {
		if chosen = j.inOrder(within, n); len(chosen) < n {
			return nil, ReasonEmpty
		}
	}
	if u.Has&HasXY != 0 && !j.t.onTable(u.X, u.Y) {
		return nil, ReasonOffTable
	}
	if of := chosen; j.t.isAway(j.p.state.Set, j.in.Now) && j.seen() {
		if byLot {
			of = j.everything(within)
		}
		if j.t.anyUnknown(of) {
			return nil, ReasonAway
		}
	}
	if byLot {
		chosen = j.byLot(within, n)
	}
	return chosen, reasonNone
}

// seen reports whether somebody will see at once what a draw brings.
func (j *judging) seen() bool {
	u := j.u
	return u.Has&HasFace != 0 && u.Face == 0 ||
		u.Has&(HasXY|HasHold) == 0 && j.t.firstHand(j.by.Seat) != nil
}

// inOrder returns n pieces of a container from the place, or of the kind, that the update names. It
// returns fewer if there are fewer.
func (j *judging) inOrder(within *order, n int) (chosen []*piece) {
	u, next := j.u, within.downwards
	var from *piece // the walk begins after this piece
	switch {
	case u.Has&HasKind != 0 || u.Has&HasAt == 0:
	case u.At < 0:
		next, from = within.upwards, within.at(-int(u.At)-2)
		if int(-u.At) > within.n {
			return nil
		}
	default:
		from = within.at(within.n - int(u.At) + 1)
		if int(u.At) > within.n {
			return nil
		}
	}
	t, told := j.t, j.told // not j, which would then escape to the heap for every update
	for p := range next(from) {
		if t.looks++; len(chosen) == n {
			break
		}
		if u.Has&HasKind == 0 || t.kindOf(p, told) == u.Kind {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// out lays a piece that was in a container on the table, or into the hand or container at that
// place.
func (j *judging) out(p *piece, x, y int32) {
	t, u := j.t, j.u
	was, s := p.state, p.state
	s.In, s.X, s.Y = 0, x, y
	if t.kinds[s.Kind].Secret {
		s.Face = 1
	}
	if u.Has&HasFace != 0 && u.Face < t.kinds[s.Kind].Faces {
		s.Face = u.Face
	}
	if u.Has&HasZ != 0 {
		s.Z = u.Z
	}
	if u.Has&HasHold != 0 {
		s.Holder = j.by.Seat
	}
	if s.Holder == 0 {
		t.settleIn(&s)
	}
	t.relevel(&s, &was, u.Has&HasZ != 0)
	t.serve(p, OpDraw, j.by.Seat, j.in.Now, s)
	t.follow(p, &was, j.by.Seat, j.in.Now, u)
}

// firstHand returns the oldest hand of a seat, nil if it has none.
func (t *Table) firstHand(seat id.Seat) *piece {
	for _, h := range t.hands.all {
		if t.looks++; h.state.Owner == seat {
			return h
		}
	}
	return nil
}

// beside returns a place on the table beside a piece.
func (t *Table) beside(p *piece) (x, y int32) {
	w := t.kinds[p.state.Kind].Width
	if x = p.state.X + w + w/8; 2*x > t.width {
		x = p.state.X - w - w/8
	}
	return t.Within(x, p.state.Y)
}

// toHand puts a piece into a hand, on the first free place from the left (T30).
func (j *judging) toHand(p *piece, hand *piece) {
	t := j.t
	was, s := p.state, p.state
	s.Owner, s.Team, s.In = hand.state.Owner, hand.state.Team, hand.name
	s.X, s.Y = t.slot(hand, &t.kinds[s.Kind])
	s.Angle = upright(hand)
	if t.kinds[s.Kind].Secret {
		s.Face = 0
	}
	t.relevel(&s, &was, false)
	t.serve(p, j.u.Op, j.by.Seat, j.in.Now, s)
	t.shorten(p, j.in.Now)
}

// slot returns the first place from the left of a hand, and on the table, at which no piece lies.
// Pieces lie side by side while there is room, and then overlap. Only pieces of the hand's own
// group count: the others are not seen by all who see the group (T21).
func (t *Table) slot(hand *piece, k *Kind) (x, y int32) {
	of := &t.kinds[hand.state.Kind]
	gap := k.Width / 10
	room := max(of.Width-k.Width-2*gap, 0)
	turns := quarters(hand.state.Angle)
	first, last := t.reach(hand, room, turns)
	var taken []int32 // the distance of each from the left, ascending
	for p := range t.holds[hand.name].order(groupOf(&hand.state)).upwards(nil) {
		along, _ := turn(p.state.X-hand.state.X, p.state.Y-hand.state.Y, 4-turns)
		taken = append(taken, along+room/2)
	}
	t.looks += sorting(len(taken))
	slices.Sort(taken)
	for step := k.Width + gap; step >= k.Width/64+1; step /= 2 {
		if at := free(taken, first, step); at <= last {
			dx, dy := turn(at-room/2, 0, turns)
			return t.Within(hand.state.X+dx, hand.state.Y+dy)
		}
	}
	return hand.state.X, hand.state.Y
}

// reach returns the part of the room in a hand, measured from the left, that is on the table.
func (t *Table) reach(hand *piece, room, turns int32) (first, last int32) {
	dx, dy := turn(1, 0, turns)
	along := hand.state.X*dx + hand.state.Y*dy
	half := t.width / 2
	if dx == 0 {
		half = t.height / 2
	}
	return max(0, room/2-half-along), min(room, room/2+half-along)
}

// free returns the first place from at on, in steps of step, that is at least half a step away from
// all places of taken. taken ascends.
func free(taken []int32, at, step int32) int32 {
	for _, o := range taken {
		for o > at-step/2 && o < at+step/2 {
			at += step
		}
	}
	return at
}

// quarters returns the number of quarter turns that is nearest to an angle, 0 to 3. Hands and
// containers stand at quarter turns.
func quarters(angle int32) int32 { return (angle + FullTurn/8) / (FullTurn / 4) % 4 }

// turn turns a vector clockwise by quarter turns.
func turn(x, y, turns int32) (int32, int32) {
	for range turns % 4 {
		x, y = -y, x
	}
	return x, y
}

// deal gives pieces to every hand in turn (T30).
func (j *judging) deal(within *order) Outcome {
	t := j.t
	hands := slices.DeleteFunc(t.firstHands(), func(h *piece) bool {
		return !t.plays(h.state.Owner)
	})
	after := func(h *piece) int {
		return (int(h.state.Owner) - int(j.by.Seat) - 1 + 2*MaxSeats) % (2 * MaxSeats)
	}
	slices.SortFunc(hands, func(a, b *piece) int { return cmp.Compare(after(a), after(b)) })
	each := j.count()
	n := j.most(each*len(hands), within)
	switch {
	case len(hands) == 0:
		return j.reject(ReasonNotAllowed, 0)
	case within.n > 0 && t.holds[j.p.name].plain > 0:
		// Everybody would see such a piece in a hand.
		return j.reject(ReasonNotAllowed, 0)
	case n > within.n || within.n == 0:
		return j.reject(ReasonEmpty, 0)
	case t.isAway(j.p.state.Set, j.in.Now) && t.anyUnknown(j.everything(within)):
		return j.reject(ReasonAway, 0)
	}
	dealt := make([]*piece, 0, n)
	if t.kinds[j.p.state.Kind].Container.Random {
		dealt = j.byLot(within, n)
	} else {
		for p := range within.downwards(nil) {
			if len(dealt) == n {
				break
			}
			dealt = append(dealt, p)
		}
	}
	t.looks += uint64(n) //nolint:gosec // not negative
	for i, p := range dealt {
		j.toHand(p, hands[i%len(hands)])
	}
	return j.notice(each, 0)
}

// firstHands returns the oldest hand of each owner.
func (t *Table) firstHands() (first []*piece) {
	var seen [MaxSeats + 1]bool
	for _, h := range t.hands.all {
		if t.looks++; !seen[h.state.Owner] {
			seen[h.state.Owner] = true
			first = append(first, h)
		}
	}
	return first
}

// recall brings the pieces whose home is the container back into it (T30).
func (j *judging) recall() Outcome {
	t := j.t
	var home []*piece
	for _, p := range t.homes[j.p.name].all() {
		t.looks++
		s := &p.state
		if s.In != j.p.name && (s.Holder == 0 || s.Holder == j.by.Seat) && !s.Pinned && !s.Locked &&
			t.takes(j.p, s) {
			home = append(home, p)
		}
	}
	slices.SortFunc(home, t.byPlace)
	t.looks += sorting(len(home))
	t.pending = slices.Grow(t.pending, len(home)+1)
	for _, p := range home {
		was, s := p.state, p.state
		t.stow(&s, j.p)
		t.relevel(&s, &was, false)
		t.serve(p, OpRecall, j.by.Seat, j.in.Now, s)
		t.shorten(p, j.in.Now)
	}
	return j.notice(len(home), 0)
}

// byPlace orders pieces by what everybody may know of where they lie. Pieces on the table come
// first, as they are drawn. Then follow those in each hand and container, by sort, and within a
// sort by owner and team, as they are drawn. So a viewer who sees some of these pieces does not
// learn what lies below them. What is hidden there does not influence the order in which entries
// are published (T21).
func (t *Table) byPlace(a, b *piece) int {
	hidden := 0
	if a.state.In != 0 {
		hidden = cmp.Compare(t.sort(a.state.Kind), t.sort(b.state.Kind))
	}
	return cmp.Or(t.byHolder(a, b), hidden, t.byDrawing(a, b))
}

// byHolder orders pieces by the age of the hand or container in which they lie. Those that lie in
// none come first.
func (t *Table) byHolder(a, b *piece) int {
	if a.state.In == b.state.In {
		return 0
	}
	age := func(p *piece) (oid id.OID) {
		// Otherwise the piece is held, and its hand is gone.
		if h := t.names[p.state.In]; h != nil {
			oid = h.oid
		}
		return oid
	}
	one, two := age(a), age(b)
	return cmp.Or(slices.Compare(one[:], two[:]), cmp.Compare(a.state.In, b.state.In))
}

// byDrawing orders pieces as they are drawn: hand by hand, and in each hand group by group.
func (t *Table) byDrawing(a, b *piece) int {
	drawn := 1
	if above(b, a) {
		drawn = -1
	}
	of, on := &a.state, &b.state
	if of.In == 0 && on.In == 0 {
		return drawn
	}
	return cmp.Or(t.byHolder(a, b), cmp.Compare(of.Owner, on.Owner), cmp.Compare(of.Team, on.Team),
		drawn)
}

// cut brings the uppermost pieces below all others (T31).
func (j *judging) cut(within *order) Outcome {
	n := int(j.u.N)
	switch few := within.n < 2 || n >= within.n; {
	// A reject would reveal how many there are.
	case few && j.t.kinds[j.p.state.Kind].Uncounted:
		return j.notice(within.n, 0)
	case few:
		return j.reject(ReasonEmpty, 0)
	case j.u.Has&HasN == 0:
		n = j.cutAt(within)
	}
	all, at := j.numbered(within), within.n-n
	return j.reordered(slices.Concat(all[at:], all[:at]), j.owedToCut(all))
}

// shuffleAll shuffles what lies in a container (T31).
func (j *judging) shuffleAll(within *order) Outcome {
	if within.n < MinShuffle {
		return j.notice(within.n, 0)
	}
	all := j.numbered(within)
	if secret := j.secretOf(all); len(secret) > 0 {
		return j.mix(secret)
	}
	j.shuffled(all)
	j.t.looks += 2 * sorting(len(all))
	kinds := kindsOf(all)
	j.chance(ChanceShuffle, slices.Sorted(slices.Values(kinds)), kinds)
	owed := HiddenEver
	if j.t.whole(j.p) {
		owed = j.in.Round
	}
	return j.reordered(all, owed)
}

// cutAt returns a random number of pieces to bring below the others.
func (j *judging) cutAt(within *order) int {
	if j.t.ofOthers(within.all()) {
		return 1 + j.in.Mix.IntN(within.n-1)
	}
	n := 1 + j.in.Rand.IntN(within.n-1)
	j.chance(ChanceCut,
		[]uint32{uint32(within.n)}, []uint32{uint32(n)}) //nolint:gosec // at most MaxPieces
	return n
}

// owedToCut returns the round on which the places of pieces depend after a cut; 0 if it is the same
// as before (F12).
func (j *judging) owedToCut(all []*piece) uint32 {
	asSetUp := 0
	for _, p := range all {
		if p.state.Since == 0 {
			asSetUp++
		}
	}
	switch {
	case j.lot.What == 0 || asSetUp == 0:
		return 0
	case asSetUp == len(all):
		return j.in.Round
	default:
		return HiddenEver
	}
}

// byLot returns n random pieces of a container.
func (j *judging) byLot(within *order, n int) []*piece {
	left := j.everything(within)
	slices.SortStableFunc(left, func(a, b *piece) int {
		return cmp.Compare(a.state.Kind, b.state.Kind)
	})
	j.t.looks += sorting(len(left))
	inputs := kindsOf(left)
	lot := j.in.Rand
	others := j.t.ofOthers(left)
	if others {
		lot = j.in.Mix
	}
	var chosen []*piece
	for range n {
		i := lot.IntN(len(left))
		chosen = append(chosen, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if !others {
		j.chance(ChanceDraw, inputs, kindsOf(chosen))
	}
	return chosen
}

// stowed puts a piece into a container (T30).
func (j *judging) stowed(s *State) Reason {
	t, u := j.t, j.u
	c := t.find(u.Into, t.ViewOf(j.by.Seat))
	switch {
	case c == nil:
		return ReasonGone
	case !t.takes(c, s):
		return ReasonNotAllowed
	}
	was := *s
	t.stow(s, c)
	t.relevel(s, &was, false)
	if u.Has&HasAt == 0 || u.At == 1 || t.kinds[c.state.Kind].Container.Random {
		return reasonNone
	}
	at := 0
	if n := t.contents(c).n; u.At == 0 && n > 0 {
		at = j.placeAt(c, s, n+1)
	}
	// Without a level between them it stays on top, and a respread follows.
	if z, err := zlevel.Between(t.stack(s).gap(at)); err == nil {
		s.Z = z
	}
	return reasonNone
}

// placeAt returns a random one of so many places in a container, for a piece in state s.
func (j *judging) placeAt(c *piece, s *State, places int) int {
	if j.t.secretly(s) {
		return j.in.Mix.IntN(places)
	}
	at := j.in.Rand.IntN(places)
	j.chance(ChancePlace,
		[]uint32{uint32(places)}, []uint32{uint32(at)}) //nolint:gosec // at most MaxPieces
	j.lot.Pieces = []id.OID{c.oid}
	return at
}

// peek shows the sender what nobody sees (T31).
func (j *judging) peek() Outcome {
	t, s := j.t, &j.p.state
	k := &t.kinds[s.Kind]
	n, most := j.count(), t.contents(j.p).n
	if k.Uncounted {
		n = min(n, most)
	}
	e := Entry{Count: int32(n), To: j.by.Seat} //nolint:gosec // at most MaxShuffle
	switch {
	case !k.Container.Holds && (!t.concealed(s, j.by.Seat) || n != 1):
		return j.reject(ReasonNotAllowed, 0)
	case !k.Container.Holds:
		if k.Unknown {
			return j.reveal([]*piece{j.p}, e)
		}
		e.Faces = []uint32{s.Kind}
	case n > most || most == 0:
		return j.reject(ReasonEmpty, 0)
	default:
		var looked []*piece
		for p := range t.contents(j.p).downwards(nil) {
			if t.looks++; len(looked) == n {
				break
			}
			looked = append(looked, p)
		}
		if t.anyUnknown(looked) {
			return j.reveal(looked, e)
		}
		e.Faces = kindsOf(looked)
	}
	return j.noticed(e)
}

// show shows one seat a piece that the sender sees (T31).
func (j *judging) show() Outcome {
	s := &j.p.state
	to, _ := j.t.Seat(j.u.Seat) // Check has checked that the seat exists.
	if j.t.concealed(s, j.by.Seat) || j.u.Seat == j.by.Seat || !to.Plays() {
		return j.reject(ReasonNotAllowed, 0)
	}
	e := Entry{Count: 1, Faces: []uint32{s.Kind}, To: j.u.Seat}
	if j.t.kinds[s.Kind].Unknown {
		return j.reveal([]*piece{j.p}, e)
	}
	return j.noticed(e)
}
