package room

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	mathrand "math/rand/v2"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// waitingUpdate is an update that waits for an answer of the owner of a set (T39).
type waitingUpdate struct {
	by    table.By
	u     table.Update
	ask   *table.Ask
	tries int
	done  func(*table.Outcome)
}

// maxRetries is how often an update is judged again because what it asked for was shuffled
// meanwhile.
const maxRetries = 3

// ask asks the owner, and goes on with the update when the answer has come. If too many calls wait,
// the owner counts as unreachable.
func (r *room) ask(a *waitingUpdate) {
	if r.cfg.SetOwners == nil || a.tries >= maxRetries || !r.callFor(a) {
		r.resumeUpdate(a, &table.Answer{Refused: table.ReasonAway}, nil)
	}
}

// callFor asks an owner for what an update needs (T39). It reports false if too many calls wait.
func (r *room) callFor(a *waitingUpdate) bool {
	ask, sets := a.ask, r.cfg.SetOwners
	req := Request{Table: r.row.Table, Set: ask.Set, Client: a.by.Client, Seq: a.u.Seq}
	var (
		random [32]byte
		answer table.Answer
		said   Revealed
		guest  *checkedSet
		err    error
		ended  bool // the seat had ended before begin: then nothing is asked
	)
	return r.call(ask.Set, ownerCall{
		begin: func() bool {
			random, ended = r.randomFor("owner", &req), r.hasEnded(a.by.Seat)
			return true
		},
		ask: func(ctx context.Context) {
			switch {
			case ended:
			case ask.What == table.AskHold:
				by := Session{Table: req.Table, Seat: a.by.Seat, Role: a.by.Role}
				guest, err = r.fetchSet(ctx, by, ask.Set)
			case ask.What == table.AskReveal:
				said, err = sets.Reveal(ctx, req.Table, ask.Set, ask.Parts)
			case ask.What == table.AskShuffle:
				answer.Shuffles, err = sets.Shuffle(ctx, req, ask.Parts, random)
			case ask.What == table.AskRoll:
				answer.Face, err = sets.Roll(ctx, req, ask.Parts[0], random)
			case ask.What == table.AskCount:
				answer.Value, err = sets.Count(ctx, req, ask.Parts[0], ask.N)
			}
		},
		end: func() {
			if ended {
				r.resumeUpdate(a, &table.Answer{Refused: table.ReasonNotAllowed}, nil)
				return
			}
			if ask.What == table.AskReveal && err == nil {
				answer.Shuffles = said.Shuffles
				for i := range said.Parts {
					answer.Kinds = append(answer.Kinds, r.kindOf(said.Parts[i].Kind))
				}
			}
			r.answered(a, &answer, guest, err)
		},
	})
}

// answered goes on with an update when the owner has answered.
func (r *room) answered(a *waitingUpdate, answer *table.Answer, guest *checkedSet, err error) {
	ask := a.ask
	if err != nil {
		answer.Refused = r.failure(ask.Set, err)
	} else {
		r.markReachable(ask.Set)
	}
	// A set that comes for a seat that has ended meanwhile goes back. Everything else that the
	// owner has done is recorded.
	goesBack := r.hasEnded(a.by.Seat) && err == nil && ask.What == table.AskHold
	if goesBack {
		answer, guest = &table.Answer{Refused: table.ReasonNotAllowed}, nil
	}
	r.resumeUpdate(a, answer, guest)
	// After an error the owner may have given the set all the same.
	if ask.What == table.AskHold && (goesBack || err != nil && !isRefusal(err)) {
		r.table.GiveBack(ask.Set, a.by.Seat, r.now())
		r.record()
	}
}

func isRefusal(err error) bool {
	var refusal *Refusal
	return errors.As(err, &refusal)
}

// randomFor returns random bytes for a request, which nobody can predict without the table's key.
// The same request always gets the same bytes. The bytes of one request say nothing about those of
// another.
func (r *room) randomFor(whose string, req *Request) [32]byte {
	m := hmac.New(sha256.New, r.randomness.key[:])
	m.Write([]byte("holt.set/1 lot " + whose))
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(r.row.Epoch)))
	m.Write(req.Set[:])
	m.Write(req.Client[:])
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(req.Seq)))
	return [32]byte(m.Sum(nil))
}

// resumeUpdate lets the table go on with an update for which an answer has come.
func (r *room) resumeUpdate(a *waitingUpdate, answer *table.Answer, guest *checkedSet) {
	req := Request{Set: a.ask.Set, Client: a.by.Client, Seq: a.u.Seq}
	in := table.Inputs{
		Now: r.now(),
		//nolint:gosec // ChaCha8, seeded by what nobody can foresee
		Unproved: mathrand.New(mathrand.NewChaCha8(r.randomFor("table", &req))),
	}
	if guest != nil {
		in.OIDs = guest.oids
		answer.Shuffles = guest.shuffles
		var err error
		if answer.Parts, err = r.adoptSet(guest); err != nil {
			answer.Parts = nil // the table lets it go again
		}
	}
	r.chargeFor(a.by.Seat, func() {
		out := r.drawWith(a.by, &a.u, in, func(in table.Inputs) table.Outcome {
			return r.table.Resume(a.by, &a.u, a.ask, answer, in)
		})
		if out.Verdict == table.Deferred && out.Ask != nil {
			a.ask = out.Ask
			a.tries++
			r.ask(a)
			return
		}
		a.done(&out)
		r.record()
	})
}

// checkedSet is a set that its owner has given to the table, and that was checked.
type checkedSet struct {
	kinds    []game.Kind // which refer to each other
	art      []Blob
	parts    []Part
	shuffles uint64
	oids     []id.OID // for the pieces
}

// fetchSet asks the owner for a set and checks what it gives. It does not use a set that is not in
// order.
func (r *room) fetchSet(ctx context.Context, s Session, set id.OID) (*checkedSet, error) {
	g, err := r.cfg.SetOwners.Hold(ctx, s, set)
	if err != nil {
		return nil, err
	}
	a := &checkedSet{parts: g.Parts, shuffles: g.Shuffles}
	if a.kinds, err = game.ReadVersions(g.Kinds); err != nil || len(g.Parts) > table.MaxParts {
		r.log.Warn("set is not in order", "set", set.String(), "parts", len(g.Parts), "error", err)
		return &checkedSet{shuffles: g.Shuffles}, nil
	}
	if a.art, err = checkedArt(a.kinds, g.Art); err != nil {
		r.log.Warn("art of a set is not in order", "set", set.String(), "error", err)
		return &checkedSet{shuffles: g.Shuffles}, nil
	}
	for range g.Parts {
		oid, err := r.cfg.Minter.Mint(r.cfg.Now())
		if err != nil {
			return nil, err
		}
		a.oids = append(a.oids, oid)
	}
	return a, nil
}

// checkedArt returns the art of the faces of kinds. It returns an error if some art is missing or
// is not what it should be.
func checkedArt(kinds []game.Kind, art []Blob) ([]Blob, error) {
	given := map[Hash][]byte{}
	for i := range art {
		given[art[i].Hash] = art[i].Data
	}
	var all []Blob
	total := 0
	for _, hash := range game.Pictures(kinds) {
		data := given[hash]
		if total += len(data); sha256.Sum256(data) != hash || total > game.MaxArtTotal {
			return nil, fmt.Errorf("art %x is missing, is another one, or is too much", hash)
		}
		checked, err := game.CheckArt(data)
		if err != nil {
			return nil, fmt.Errorf("art %x: %w", hash, err)
		}
		all = append(all, Blob{Hash: hash, Type: checked.Type, Data: data})
	}
	return all, nil
}

// adoptSet adds the kinds of a set to those of the table, if the table lacks them. It returns the
// parts of the set as the table has them: it is not known what secret parts are.
func (r *room) adoptSet(a *checkedSet) ([]table.SetPart, error) {
	if len(a.parts) == 0 {
		return nil, nil
	}
	all, at, err := game.Extend(r.kinds, a.kinds)
	if err != nil {
		return nil, err
	}
	if len(all) > len(r.kinds) {
		r.setCatalog(all, a.art)
	}
	numbers := map[Hash]int{}
	for i, v := range game.Versions(a.kinds) {
		numbers[v.Hash] = at[i]
	}
	parts := make([]table.SetPart, len(a.parts))
	for i, p := range a.parts {
		kind, ok := numbers[p.Kind]
		for k := range all {
			if p.Secret && all[k].Unknown && all[k].Mask == kind {
				kind, ok = k, true
				break
			}
		}
		if !ok || all[kind].Secret != p.Secret {
			return nil, fmt.Errorf("part %d has no kind", p.Number)
		}
		parts[i] = table.SetPart{
			Part: p.Number, Kind: uint32(kind), Face: p.Face, Value: p.Value, Text: p.Text,
		}
	}
	return parts, nil
}

// setCatalog gives the table a catalogue that continues the one it has (T37). The catalogue is
// published, and becomes durable, before anything needs it.
func (r *room) setCatalog(all []game.Kind, art []Blob) {
	doc, hash := game.EncodeCatalog(all, &r.rest)
	r.table.SetKinds(kinds(all))
	r.kinds, r.versions, r.row.Catalog = all, nil, hash
	r.recorded.catalog = (*Hash)(&hash)
	unknown := []byte(game.UnknownArt)
	r.recorded.blobs = append(r.recorded.blobs,
		Blob{Hash: hash, Type: "application/json", Data: doc},
		Blob{Hash: sha256.Sum256(unknown), Type: "image/svg+xml", Data: unknown})
	r.recorded.blobs = append(r.recorded.blobs, art...)
	if err := r.randomness.catalogChanged(hash, all, r.now()); err != nil {
		r.broken = err // the catalogue could not be bound to the round
	}
	r.record()
	r.publishTable()
}

// kindOf returns the kind of the table that has a version; a number that no kind has if there is
// none.
func (r *room) kindOf(version Hash) uint32 {
	if r.versions == nil {
		r.versions = map[Hash]uint32{}
		for i, v := range game.Versions(r.kinds) {
			if _, twice := r.versions[v.Hash]; !twice && !r.kinds[i].Unknown {
				r.versions[v.Hash] = uint32(i)
			}
		}
	}
	if kind, ok := r.versions[version]; ok {
		return kind
	}
	return math.MaxUint32
}
