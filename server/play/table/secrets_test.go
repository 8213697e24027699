package table_test

import (
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
)

// viewer has the view of a seat and writes down all that it is ever shown. A checker who knows the
// truth compares that (T21, T22, T23, T29).
type viewer struct {
	server *server
	seat   id.Seat // 0: spectators
	pieces map[id.Piece]table.Shown
	past   map[id.Piece]bool // all names that it has ever been given
	holds  map[counting]int
}

// truth is what the checker knows of pieces: the state of each, and how many lie where.
type truth struct {
	states map[id.OID]table.State
	counts map[counting]int
}

// secretly reports whether pieces of a kind are concealed in hands (T23).
func secretly(kind uint32) bool { return kinds[kind].Secret || kinds[kind].Private }

// maySee reports whether the view of a seat may have a piece in that state at all (T23, T29).
func maySee(s *table.State, seat id.Seat) bool {
	switch {
	case s.Gone:
		return false
	case s.In == 0:
		return true
	default:
		return secretly(s.Kind) && s.Owner != 0 && (s.Owner == seat || s.Team.Has(seat))
	}
}

// mayKnow reports whether a seat that sees a piece in this state may see its front (T22, T23).
func mayKnow(s *table.State, seat id.Seat) bool {
	if liesOnRack(s) { // T96
		return s.Owner == seat || s.Team.Has(seat)
	}
	return !liesOnFront(s) || s.In != 0 && maySee(s, seat)
}

// liesOnRack reports whether a secret piece in that state lies on a rack that somebody has (T96).
func liesOnRack(s *table.State) bool { return kinds[s.Kind].Secret && s.In == 0 && s.Owner != 0 }

// liesOnFront reports whether a secret piece in that state shows one of its backs (T94).
func liesOnFront(s *table.State) bool {
	k := &kinds[s.Kind]
	return k.Secret && s.Face != 0 && s.Face <= kinds[k.Mask].Faces
}

// knowable returns all that a seat may know of a piece in a state that it sees, except its name and
// its versions.
func knowable(s *table.State, seat id.Seat) table.Shown {
	k := table.Shown{
		Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face, Z: s.Z, Pinned: s.Pinned,
		Locked: s.Locked, Holder: s.Holder, Owner: s.Owner, Team: s.Team, Value: s.Value,
		Text: s.Text,
	}
	if !s.Set.IsZero() {
		k.Set = setNumber(s.Set)
	}
	if !mayKnow(s, seat) {
		k.Kind, k.Face = kinds[s.Kind].Mask, max(s.Face-1, 0)
		if !liesOnFront(s) {
			k.Face = 0
		}
	}
	if kinds[s.Kind].Clock.Sides != 0 || kinds[s.Kind].Hourglass.Duration != 0 {
		k.IsClock, k.Clock = true, s.Clock
	}
	if k.Clock.Running == 0 {
		k.Clock.Since = 0
	}
	k.Curves = changing(&k, s.Rolled)
	return k
}

// changing returns what changes by itself of a piece of which all else is known (K16).
func changing(k *table.Shown, rolled id.Millis) (c table.Curves) {
	var list []table.Curve
	side := func(n int, rate int8, most int32) {
		left := k.Clock.Left[n-1]
		if rate == 0 {
			most = left
		}
		list = append(list, table.Curve{
			Property: table.PropertySide1 + table.Property(n-1), Start: left, Rate: rate, Max: most,
		})
	}
	down := func(n int) int8 {
		if int(k.Clock.Running) == n {
			return -1
		}
		return 0
	}
	from := k.Clock.Since
	switch kind := &kinds[k.Kind]; {
	case kind.Hourglass.Duration != 0:
		for n := 1; n <= 2; n++ {
			rate, most := down(n), k.Clock.Left[n-1]
			if rate == 0 && k.Clock.Running != 0 {
				rate, most = 1, kind.Hourglass.Duration
			}
			side(n, rate, most)
		}
	case kind.Clock.Sides != 0:
		for n := 1; n <= int(kind.Clock.Sides); n++ {
			if rate := down(n); kind.Clock.Up {
				side(n, -rate, curve.MaxValue)
			} else {
				side(n, rate, k.Clock.Left[n-1])
			}
		}
		if kind.Clock.Sides == 2 {
			list = append(list, table.Curve{
				Property: table.PropertyTurn, Start: int32(k.Clock.Running),
			})
		}
	case max(kind.Die.Cooldown, kind.Button.Cooldown) != 0 && rolled != 0:
		length := int32(max(kind.Die.Cooldown, kind.Button.Cooldown))
		from = rolled
		list = []table.Curve{
			{Property: table.PropertyCooldown, Start: length, Rate: -1, Max: length},
		}
	}
	c.From = from
	copy(c.List[:], list)
	return c
}

// watch shows all viewers what is recorded, and checks what each is shown.
func (s *server) watch(entries []table.Entry) {
	s.t.Helper()
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Who != nil:
			s.watchSeat(e.Who)
			continue
		case e.Fact != nil, e.Set != nil:
			continue
		}
		s.checkPlace(e)
		s.checkGuest(e)
		s.checkNewName(e)
		for _, v := range s.viewers {
			v.watch(e)
		}
		s.checkTallies(e)
	}
}

// watchSeat gives a new seat a viewer, who begins with the public view. Spectators share the public
// one.
func (s *server) watchSeat(who *table.SeatInfo) {
	switch gone := s.left[who.Seat]; {
	case int(who.Seat) > s.seats:
		s.seats++
	case who.Left != 0:
		s.left[who.Seat] = true
		return
	case !gone:
		return
	default: // somebody else takes the seat
		delete(s.left, who.Seat)
		s.viewers = slices.DeleteFunc(s.viewers, func(v *viewer) bool { return v.seat == who.Seat })
	}
	if who.Role == table.RoleSpectator {
		return
	}
	public := s.viewers[0]
	s.viewers = append(s.viewers, &viewer{
		server: s, seat: who.Seat, pieces: maps.Clone(public.pieces), past: maps.Clone(public.past),
		holds: maps.Clone(public.holds),
	})
}

// checkPlace checks that a piece is where a piece may be: in a hand, in a container, or where all
// see it.
func (s *server) checkPlace(e *table.Entry) {
	s.t.Helper()
	is := &e.After
	if is.Face < 0 || is.Face >= kinds[is.Kind].Faces {
		s.fatalf("T24: piece %d of kind %d shows the face %d", e.Name, is.Kind, is.Face)
	}
	if is.In == 0 {
		if secretly(is.Kind) && !kinds[is.Kind].Secret && (is.Owner != 0 || is.Team != "") {
			s.fatalf("T23: piece %d lies in no hand and is of seat %d: %+v", e.Name, is.Owner, is)
		}
		return
	}
	in := kinds[s.truth.states[s.bearers[is.In]].Kind]
	switch {
	case is.Gone: // perhaps out of a hand that a rewind makes again later in the same batch
	case in.Hand:
		if !secretly(is.Kind) || is.Owner == 0 {
			s.fatalf("T23: piece %d lies in the hand %d: %+v", e.Name, is.In, is)
		}
	case in.Container.Holds:
		down := !kinds[is.Kind].Secret || is.Face == 1
		if kinds[is.Kind].Heavy || is.Owner != 0 || is.Team != "" || is.Holder != 0 || is.Pinned ||
			is.Locked || is.X != 0 || is.Y != 0 || is.Angle != 0 || !down {
			s.fatalf("T29: piece %d lies in the container %d: %+v", e.Name, is.In, is)
		}
	default:
		s.fatalf("piece %d lies in %d, which is neither a hand nor a container", e.Name, is.In)
	}
}

// checkNewName checks that a piece has a new name if, and only if, it has gone out of the sight of
// a view (T21).
func (s *server) checkNewName(e *table.Entry) {
	s.t.Helper()
	hidden := false
	for _, v := range s.viewers {
		hidden = hidden || !e.Made && maySee(&e.Before, v.seat) && !maySee(&e.After, v.seat)
	}
	if want := hidden && !e.After.Gone; want != (e.NewName != 0) {
		s.fatalf("T21: piece %d has the new identifier %d: %+v", e.Name, e.NewName, e)
	}
	if e.NewName != 0 && (e.NewName < table.MinRandomName || e.NewName > table.MaxRandomName) {
		s.fatalf("T21: %d is not a random identifier", e.NewName)
	}
	if e.NewName != 0 && !s.table.DropsLabels(e) {
		s.fatalf("C15.4: piece %d keeps its labels under its new identifier %d", e.Name, e.NewName)
	}
}

// watch shows an entry to a viewer and checks what the viewer sees.
func (v *viewer) watch(e *table.Entry) {
	s := v.server
	s.t.Helper()
	v.watchAside(e)
	before, after, shown := s.table.Shows(e, v.seat)
	saw, sees := !e.Made && maySee(&e.Before, v.seat), maySee(&e.After, v.seat)
	changed := sees && (e.NewName != 0 || e.Before.ZGen != e.After.ZGen ||
		knowable(&e.Before, v.seat) != knowable(&e.After, v.seat))
	// A roll is shown even if the same side comes up again (T32).
	changed = changed || sees && e.Before.Rolled != e.After.Rolled
	renewed := e.Op == table.OpRenew && v.seat == e.Seat
	if want := saw != sees || changed || renewed; shown != want {
		s.fatalf(
			"T21: the entry of generation %d is shown to the view of seat %d: %v, want %v: %+v",
			e.Gen, v.seat, shown, want, e,
		)
	}
	if !shown {
		return
	}
	v.checkBefore(e, before, saw)
	switch {
	case !sees:
		want := before
		want.Gone = true
		if after != want {
			s.fatalf("T21: the view of seat %d no longer sees\n%+v and gets\n%+v",
				v.seat, before, after)
		}
		delete(v.pieces, before.Name)
		maps.DeleteFunc(v.holds, func(of counting, _ int) bool { return of.in == before.Name })
	default:
		v.checkAfter(e, &after, saw)
	}
}

// checkBefore checks that an update begins with what the viewer was shown last, or with nothing.
func (v *viewer) checkBefore(e *table.Entry, before table.Shown, saw bool) {
	v.server.t.Helper()
	last, has := v.pieces[before.Name]
	if has != saw {
		v.server.fatalf("T21: the view of seat %d has piece %d: %v, want %v",
			v.seat, before.Name, has, saw)
	}
	before.Version, before.ZVersion, last.Version, last.ZVersion = 0, 0, 0, 0
	if before != last {
		v.server.fatalf("T3: the view of seat %d was shown\n%+v, and an update changes\n%+v: %+v",
			v.seat, last, before, e)
	}
}

// checkAfter checks that a viewer is shown exactly what it may know, under a name that says
// nothing.
func (v *viewer) checkAfter(e *table.Entry, after *table.Shown, saw bool) {
	s := v.server
	s.t.Helper()
	want := knowable(&e.After, v.seat)
	want.Name, want.Renamed = e.Name, e.NewName
	if !saw { // the piece is new to the view
		want.Name, want.Renamed = max(e.NewName, 0), 0
		if e.NewName == 0 {
			want.Name = e.Name
		}
	}
	want.Version, want.ZVersion = s.table.VersionAt(v.seat, e.Gen),
		s.table.VersionAt(v.seat, e.After.ZGen)
	if *after != want {
		s.fatalf("T22: the view of seat %d is shown\n%+v, and may be shown\n%+v of %+v",
			v.seat, after, want, e)
	}
	name := want.Name
	if want.Renamed != 0 {
		delete(v.pieces, name)
		name = want.Renamed
	}
	switch _, known := v.pieces[name]; {
	case known != (saw && want.Renamed == 0):
		s.fatalf("T21: the view of seat %d has a piece %d: %v", v.seat, name, known)
	case !known && v.past[name] && !namedAgain(e):
		s.fatalf("T21: the view of seat %d knows the identifier %d from before", v.seat, name)
	case !saw && (after.ZVersion != after.Version || e.After.ZGen != e.Gen):
		s.fatalf("T21: the view of seat %d gets a piece with the Z generation %d: %+v",
			v.seat, e.After.ZGen, e)
	}
	want.Name, want.Renamed = name, 0
	v.pieces[name], v.past[name] = want, true
}

// watchAside checks what a viewer receives beside the piece: counts, and notices (T28, T29, T31).
func (v *viewer) watchAside(e *table.Entry) {
	s := v.server
	s.t.Helper()
	for _, t := range []table.Tally{e.Left, e.Entered} {
		if t.Piece == 0 {
			continue
		}
		if _, known := v.pieces[t.Piece]; !known {
			s.fatalf("T29: the view of seat %d gets the count of %d, which it does not see",
				v.seat, t.Piece)
		}
		if v.holds[counting{t.Piece, t.Sort}] = t.Count; t.Count == 0 {
			delete(v.holds, counting{t.Piece, t.Sort})
		}
	}
	if !e.Notice {
		if e.Faces != nil || e.To != 0 {
			s.fatalf("T31: something is shown without a notice: %+v", e)
		}
		return
	}
	piece, count, faces := s.table.Notice(e, v.seat)
	wantPiece, wantCount := id.Piece(0), e.Count
	if maySee(&e.Before, v.seat) {
		wantPiece = e.Name
	}
	if kinds[e.Before.Kind].Uncounted {
		wantCount = 0
	}
	if piece != wantPiece || count != wantCount || faces != (e.To != 0 && e.To == v.seat) {
		s.fatalf("T28: the view of seat %d gets %d, %d times, faces: %v, by %+v",
			v.seat, piece, count, faces, e)
	}
}

// checkTallies counts an entry and checks what is published of how many lie where (T29).
func (s *server) checkTallies(e *table.Entry) {
	s.t.Helper()
	count := func(is *table.State, by int) table.Tally {
		if is.In == 0 || is.Gone {
			return table.Tally{}
		}
		of := counting{in: is.In}
		if kinds[is.Kind].Secret {
			of.sort = kinds[is.Kind].Mask + 1
		}
		if s.truth.counts[of] += by; s.truth.counts[of] == 0 {
			delete(s.truth.counts, of)
		}
		// A hand that was deleted may be made again later in the same batch.
		in, there := s.truth.states[s.bearers[is.In]]
		if !there || in.Gone || kinds[in.Kind].Uncounted {
			return table.Tally{}
		}
		return table.Tally{Piece: is.In, Sort: of.sort, Count: s.truth.counts[of]}
	}
	var left, entered table.Tally
	if moved := e.Made || e.After.Gone || e.Before.In != e.After.In; moved {
		if !e.Made {
			left = count(&e.Before, -1)
		}
		entered = count(&e.After, +1)
	}
	if e.Left != left || e.Entered != entered {
		s.fatalf("T29: published is %+v and %+v, true %+v and %+v: %+v",
			e.Left, e.Entered, left, entered, e)
	}
	s.truth.states[e.Piece] = e.After
}

// checkViewers checks, when all entries of an update are recorded, that each viewer knows exactly
// what a full state says.
func (s *server) checkViewers() {
	s.t.Helper()
	holds := counted(s.table.Counts())
	for _, v := range s.viewers {
		all := s.table.All(v.seat, id.Client{})
		if len(all) != len(v.pieces) {
			s.fatalf("T21: the view of seat %d has %d pieces, a full state %d",
				v.seat, len(v.pieces), len(all))
		}
		for _, want := range all {
			got := v.pieces[want.Name]
			got.Version, got.ZVersion = want.Version, want.ZVersion
			if got != want {
				s.fatalf("T3: the view of seat %d has\n%+v, a full state\n%+v", v.seat, got, want)
			}
		}
		if !maps.Equal(v.holds, holds) {
			s.fatalf("T29: the view of seat %d counts %v, a full state %v", v.seat, v.holds, holds)
		}
	}
}

// checkHands checks where private pieces are when all entries of an update are recorded: a piece
// that nobody holds lies in an owned hand if, and only if, its centre does (T23).
func (s *server) checkHands() {
	s.t.Helper()
	var hands []id.OID
	for oid, h := range s.truth.states {
		if kinds[h.Kind].Hand && h.Owner != 0 && !h.Gone {
			hands = append(hands, oid)
		}
	}
	for oid, p := range s.truth.states {
		if p.Gone || p.Holder != 0 || !secretly(p.Kind) || p.In != 0 && p.Owner == 0 {
			continue
		}
		if p.In == 0 {
			over := slices.DeleteFunc(slices.Clone(hands), func(h id.OID) bool {
				return !covers(s.truth.states[h], p)
			})
			onRack := slices.ContainsFunc(over, func(h id.OID) bool {
				rack := s.truth.states[h]
				return kinds[rack.Kind].Rack && (!kinds[p.Kind].Secret ||
					p.Owner == rack.Owner && p.Team == rack.Team)
			})
			switch {
			case onRack:
			case p.Owner != 0:
				s.fatalf("T96: piece %d lies on no rack of seat %d: %+v", s.names[oid], p.Owner, p)
			case len(over) > 0:
				s.fatalf("T23: piece %d lies in the hand %d and is not hidden: %+v",
					s.names[oid], s.names[over[0]], p)
			}
			continue
		}
		if h := s.truth.states[s.bearers[p.In]]; h.Gone || h.Owner != p.Owner || h.Team != p.Team ||
			!covers(h, p) {
			s.fatalf("T23: piece %d is %+v, and its hand %+v", s.names[oid], p, h)
		}
	}
}

// covers reports whether the centre of a piece lies in a hand or over a container.
func covers(h, p table.State) bool {
	w, d := kinds[h.Kind].Width, kinds[h.Kind].Height
	if h.Angle >= 4500 && h.Angle < 13_500 || h.Angle >= 22_500 && h.Angle < 31_500 {
		w, d = d, w
	}
	dx, dy := 2*(p.X-h.X), 2*(p.Y-h.Y)
	return max(dx, -dx) <= w && max(dy, -dy) <= d
}

// namedAgain reports whether a piece comes back with its old name: a hand or a container (T63.12),
// or one with an attachment (T97.7).
func namedAgain(e *table.Entry) bool {
	k := &kinds[e.After.Kind]
	isAttached := slices.ContainsFunc(worldAttached, func(a table.Attachment) bool {
		return a.Piece == e.Name || a.To == e.Name
	})
	return (e.Op == table.OpUndo || e.Op == table.OpRewind) && e.Made &&
		(k.Hand || k.Container.Holds || isAttached)
}
