package room_test

import (
	"flag"
	"slices"
	"testing"

	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

var growSeed = flag.Uint64("growseed", 0, "seed of TestStatesOnlyGrow; 0: 11 and 12")

// entity is what a grown state has of an identifier: the highest version, and whether it has gone.
type entity struct {
	version uint64
	gone    bool
}

// grown is the state that a client merges from all that it reads, over all its streams (S23). It
// forgets nothing but when another epoch begins.
type grown struct {
	t        *testing.T
	who      string
	epoch    uint64
	mark     uint64
	entities map[uint32]entity
	met      map[string]int
}

// read merges a frame, and checks that nothing goes back by it.
func (g *grown) read(f *holtpb.Frame) {
	g.t.Helper()
	for _, e := range f.GetEvents() {
		switch {
		case e.GetFull() != nil:
			g.full(e.GetFull())
		case e.GetResumed() != nil:
			g.met["resumed"]++
		case e.GetUpdate() != nil:
			g.update(e.GetUpdate().GetPiece())
		case e.GetAck().GetPiece() != nil:
			p := e.GetAck().GetPiece()
			g.raise(p.GetId(), p.GetMark())
			g.rename(p)
		case e.GetReject().GetPiece().GetId() != 0:
			g.reject(e.GetReject().GetPiece())
		}
	}
	switch mark := f.GetMark(); {
	case mark == 0:
	case mark < g.mark:
		g.t.Errorf("S23.3 %s was complete up to %d, and is now up to %d", g.who, g.mark, mark)
	default:
		g.mark = mark
	}
}

// full replaces what has not gone.
func (g *grown) full(f *holtpb.Full) {
	g.met["full"]++
	if f.GetEpoch() != g.epoch {
		g.epoch, g.mark = f.GetEpoch(), 0
		clear(g.entities)
	}
	here := map[uint32]bool{}
	for _, p := range f.GetPieces() {
		here[p.GetId()] = true
		g.alive(p)
		g.raise(p.GetId(), p.GetMark())
	}
	for name, e := range g.entities {
		if !here[name] {
			e.gone = true
			g.entities[name] = e
		}
	}
}

func (g *grown) update(p *holtpb.Piece) {
	name, before := p.GetId(), g.entities[p.GetId()]
	if p.GetMark() <= before.version {
		g.t.Errorf("S23.2 %s has piece %d with version %d, and gets an update with %v", g.who, name,
			before.version, p)
	}
	if p.GetGone() {
		g.met["gone"]++
		g.entities[name] = entity{p.GetMark(), true}
		return
	}
	if _, known := g.entities[name]; before.gone || !known {
		if p.Kind == nil {
			g.t.Errorf("S23.1 %s gets a part of piece %d, which has gone: %v", g.who, name, p)
		}
		g.met["new"]++
	}
	g.alive(p)
	g.raise(name, p.GetMark())
	g.rename(p)
}

// reject merges a piece of a reject, which is complete.
func (g *grown) reject(p *holtpb.Piece) {
	e, known := g.entities[p.GetId()]
	switch {
	case p.GetMark() <= e.version: // it is known
	case !p.GetGone():
		g.alive(p)
		g.raise(p.GetId(), p.GetMark())
	case known:
		g.entities[p.GetId()] = entity{p.GetMark(), true}
	}
}

// alive checks that a piece does not come back to life as it was: its identifier may be drawn again
// (T21.12), and then it is another piece, with a higher version.
func (g *grown) alive(p *holtpb.Piece) {
	if e := g.entities[p.GetId()]; e.gone && p.GetMark() <= e.version {
		g.t.Errorf("S23.1 %s gets piece %d with version %d, which has gone with version %d", g.who,
			p.GetId(), p.GetMark(), e.version)
	}
	e := g.entities[p.GetId()]
	e.gone = false
	g.entities[p.GetId()] = e
}

// raise raises the version of a piece that is known. An ack that is repeated may have a name of
// before (S5.6).
func (g *grown) raise(name uint32, version uint64) {
	if e, known := g.entities[name]; known {
		e.version = max(e.version, version)
		g.entities[name] = e
	}
}

// rename lets another identifier stand for a piece. The one before leaves a tombstone.
func (g *grown) rename(p *holtpb.Piece) {
	if to := p.GetRenamed(); to != 0 {
		g.met["renamed"]++
		if _, known := g.entities[p.GetId()]; !known {
			return // an ack that is repeated
		}
		g.entities[p.GetId()] = entity{p.GetMark(), true}
		g.entities[to] = entity{version: p.GetMark()}
	}
}

// live returns the identifiers of the pieces that have not gone.
func (g *grown) live() (all []uint32) {
	for name, e := range g.entities {
		if !e.gone {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// TestStatesOnlyGrow lets clients merge all that real streams of a room send them in random games
// with cuts, resumptions, full states and restarts: nothing ever goes back, and at the end all have
// what the table has.
func TestStatesOnlyGrow(t *testing.T) {
	seeds := []uint64{*growSeed}
	if *growSeed == 0 {
		seeds = []uint64{11, 12}
	}
	met := map[string]int{}
	for _, seed := range seeds {
		atCards(t).seeded(seed).Run(
			"S23.1, S23.2, S23.3, S23.4, S23.5 within an epoch the state of a client only grows",
			func(t *testing.T, r *rig) {
				t.Logf("-run TestStatesOnlyGrow -growseed %d", seed)
				states := map[*player]*grown{}
				r.reads = func(p *player, f *holtpb.Frame) {
					g := states[p]
					if g == nil {
						g = &grown{t: t, who: "client " + string(rune('A'+len(states))),
							entities: map[uint32]entity{}, met: met}
						states[p] = g
					}
					g.read(f)
				}
				m := newMayhem(r, seed)
				for i := range 500 {
					if i%5 == 0 {
						m.miss()
					}
					m.act()
					m.check() // the truth, too
					if t.Failed() {
						t.FailNow()
					}
				}
				for _, p := range m.players {
					p.frames()
					full, err := r.rooms.Read(t.Context(), p.session)
					if err != nil {
						t.Fatal(err)
					}
					state := full.GetEvents()[0].GetFull()
					m.checker.wantTruth("S23.5 a full state", p.session.Seat, state)
					var want []uint32
					for _, piece := range state.GetPieces() {
						want = append(want, piece.GetId())
					}
					slices.Sort(want)
					if got := states[p].live(); !slices.Equal(got, want) {
						t.Errorf("S23.4 %s has merged the pieces %v, and sees %v", states[p].who, got, want)
					}
				}
			})
	}
	t.Log(met)
	for _, what := range []string{"full", "resumed", "gone", "new", "renamed"} {
		if met[what] < 10 && len(seeds) > 1 {
			t.Errorf("the games have %d of %s: too few", met[what], what)
		}
	}
}

// miss cuts a client off while the others go on, and lets it resume.
func (g *mayhem) miss() {
	g.check()
	i := g.rnd.IntN(len(g.players))
	p := g.players[i]
	p.cut()
	g.players = slices.Delete(g.players, i, i+1)
	for range 1 + g.rnd.IntN(6) {
		g.act()
		g.check()
	}
	g.players = append(g.players, p)
	p.come(room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version})
}
