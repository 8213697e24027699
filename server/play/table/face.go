package table

// The faces of secret pieces (T22, T94). Face 0 is a front. Then come the backs: as many as the
// mask has faces, in the same order, so all kinds of a mask have the same ones. Then come further
// fronts, if the kind has any. A piece that shows a back has no front that is chosen.

// backs returns how many backs a secret kind has, and 0 for another kind.
func (t *Table) backs(kind uint32) int32 {
	k := &t.kinds[kind]
	if !k.Secret {
		return 0
	}
	return t.kinds[k.Mask].Faces
}

// isBack reports whether a piece in that state is secret and shows a back.
func (t *Table) isBack(s *State) bool { return s.Face >= 1 && s.Face <= t.backs(s.Kind) }

// backOf returns the face of the mask that stands for a piece in that state. Of a piece that lies
// front up, in a hand say, nothing shows.
func (t *Table) backOf(s *State) int32 {
	if t.isBack(s) {
		return s.Face - 1
	}
	return 0
}

// faceDown turns a secret piece to a back, unless it shows one.
func (t *Table) faceDown(s *State) {
	if !t.isBack(s) {
		s.Face = 1
	}
}

// facesInside returns how many faces a piece has that lies where nobody sees it. Of a secret one
// these are the first front and the backs, whatever kind it is (T94).
func (t *Table) facesInside(kind uint32) int32 {
	if t.kinds[kind].Secret {
		return 1 + t.backs(kind)
	}
	return t.kinds[kind].Faces
}

// mostFaces returns the most faces that a piece has which looks like one of that kind when it lies
// front down.
func (t *Table) mostFaces(kind uint32) int32 {
	k := &t.kinds[kind]
	mask := kind // it may be the mask of others itself: then it looks like one of them
	if k.Secret {
		mask = k.Mask
	}
	most := k.Faces
	for i := range t.kinds {
		if o := &t.kinds[i]; o.Secret && o.Mask == mask {
			most = max(most, o.Faces)
		}
	}
	return most
}

// turnIn turns a piece that comes into a zone, if it has two sides (T86).
func (t *Table) turnIn(to ZoneTurn, s *State) {
	secret := t.kinds[s.Kind].Secret
	switch {
	case to == TurnKeep || !secret && t.kinds[s.Kind].Faces != 2:
	case !secret:
		s.Face = int32(to - TurnUp)
	case to == TurnDown:
		t.faceDown(s)
	case t.isBack(s):
		s.Face = 0
	}
}
