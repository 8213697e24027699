package node_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// redrawn is gameFile with another ace.
var redrawn = strings.Replace(gameFile, `{"name":"Ace","art":"b.svg"}`,
	`{"name":"Ace","art":"e.svg"}`, 1)

// versionSpace is where a server records its kinds.
const versionSpace object.Space = 132

// changes starts a server again with another game file, once it is recorded what the one before is
// made of.
func (s *server) changes(file string) {
	s.Helper()
	if s.game != "" {
		s.recorded()
	}
	s.stop()
	s.game = file
	s.start()
}

// recorded waits until it is recorded what the game of a server is made of.
func (s *server) recorded() {
	s.Helper()
	s.await("the kinds to be recorded", func() bool {
		for _, k := range s.versions() {
			var key id.OID
			copy(key[:], k[:])
			v, err := s.db.ObjectValue(s.Context(), versionSpace, key)
			s.must(err)
			if v == nil {
				return false
			}
		}
		return true
	})
}

// versions returns the versions of the kinds of a server's game.
func (s *server) versions() (all []object.Kind) {
	for _, g := range s.shelf().Games() {
		for _, v := range game.Versions(g.Kinds) {
			all = append(all, object.Kind(v.Hash))
		}
	}
	return all
}

// taken takes the deck of a new table into the bag of a new person.
func (s *server) taken() (person, set id.OID) {
	s.Helper()
	at := s.sit()
	box := at.piece(func(*holtpb.Piece) bool { return true })
	at.does(table.Update{Op: table.OpTake, Has: table.HasPiece, Piece: id.Piece(box.GetId())})
	set, person = s.onlySet(), s.person()
	s.await("the table to be empty",
		func() bool { return at.piece(func(*holtpb.Piece) bool { return true }) == nil })
	s.must(s.world.Put(s.Context(), person, set))
	return person, set
}

// kindsOf returns the versions of the kinds of a set, as the server that has it keeps them.
func (s *server) kindsOf(set id.OID) []object.Kind {
	s.Helper()
	v, err := s.db.ObjectValue(s.Context(), object.Bodies, set)
	s.must(err)
	kinds, err := object.ReadKinds(object.Write{Space: object.Bodies, OID: set, Value: v})
	s.must(err)
	return kinds
}

// newer asks a server whether there are newer versions of a set.
func (s *server) newer(set id.OID) bool {
	s.Helper()
	is, err := s.world.Newer(s.Context(), set)
	s.must(err)
	return is
}

func TestNewerKinds(t *testing.T) {
	// Clauses: O30.8, O30.9, O30.13, O30.14, O30.17
	t.Run("O30 a set is redrawn when its owner wants it", func(t *testing.T) {
		p := newPlace(t, "Ada")
		ada := p.servers[0]
		ada.changes(gameFile)
		_, set := ada.taken()
		was := ada.kindsOf(set)
		if ada.newer(set) {
			t.Error("there are newer versions of what is on the shelf")
		}
		if err := ada.world.Adopt(t.Context(), set); !errors.Is(err, behaviour.ErrNoNewer) {
			t.Errorf("%v", err)
		}
		ada.changes(redrawn)
		if !ada.newer(set) || !slices.Equal(ada.kindsOf(set), was) {
			t.Fatal("the set has changed by itself, or nobody knows of the newer ace")
		}
		p.must(ada.world.Adopt(t.Context(), set))
		now := ada.kindsOf(set)
		ace := slices.Index(was, kindNamed(ada, was, "Ace"))
		for i := range was {
			if (now[i] != was[i]) != (i == ace) {
				t.Errorf("kind %d: %x, was %x", i, now[i], was[i])
			}
		}
		if ada.newer(set) {
			t.Error("there are newer versions of the newest ones")
		}
		at := ada.mint()
		g, err := ada.world.Hold(t.Context(), room.Session{Table: at, Seat: 1}, set)
		if err != nil || !slices.ContainsFunc(g.Art,
			func(b room.Blob) bool { return b.Hash == picture("e").Hash }) || len(g.Parts) != 4 {
			t.Errorf("%+v, %v", g.Parts, err)
		}
		ada.changes(gameFile) // an older program: the older ace is the newest again
		if ada.newer(set) {
			t.Error("a set on a table has newer versions")
		}
		var refusal *room.Refusal
		if err := ada.world.Adopt(t.Context(), set); !errors.As(err, &refusal) {
			t.Errorf("a set on a table has adopted newer versions: %v", err)
		}
		p.must(ada.world.Release(t.Context(), at, set, nil))
		p.must(ada.world.Adopt(t.Context(), set))
		if !slices.Equal(ada.kindsOf(set), was) {
			t.Error("it has not got the newest versions")
		}
	})
	// Clauses: O30.9, O30.10, O30.12, O30.14
	t.Run("O30 another server asks the one that made the set", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		ada.changes(gameFile)
		p.together(ada, ben)
		_, set := ada.taken()
		was := ada.kindsOf(set)
		bens := ben.person()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), bens, set))
		p.move(set, ada, ben)
		if ben.newer(set) {
			t.Error("there are newer versions of what is on the shelf")
		}
		ada.stop()
		p.await("the connection to end", func() bool { return !ben.reaches(ada) })
		if ben.newer(set) {
			t.Error("there are newer versions while their server is off")
		}
		if err := ben.world.Adopt(t.Context(), set); !errors.Is(err, behaviour.ErrNoNewer) {
			t.Errorf("%v", err)
		}
		ada.game = redrawn
		ada.start()
		ada.recorded()
		p.together(ada, ben)
		p.await("newer versions", func() bool { return ben.newer(set) })
		on := ben.mint()
		before, err := ben.world.Hold(t.Context(), room.Session{Table: on, Seat: 1}, set)
		p.must(err)
		if ben.newer(set) || !slices.Equal(ben.kindsOf(set), was) {
			t.Error("a set that lies on a table has newer versions")
		}
		p.must(ben.world.Release(t.Context(), on, set, nil))
		p.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		p.move(set, ada, ben)
		for range 2 { // a repeated wish changes nothing more
			if err := ben.world.Adopt(t.Context(), set); err != nil &&
				!errors.Is(err, behaviour.ErrNoNewer) {
				t.Fatal(err)
			}
		}
		if slices.Equal(ben.kindsOf(set), was) {
			t.Fatal("it has the old versions")
		}
		ada.stop() // what is adopted is usable without the server that made it
		ben.stop()
		ben.start()
		after, err := ben.world.Hold(t.Context(),
			room.Session{Table: ben.mint(), Seat: 1}, set)
		p.must(err)
		if len(after.Parts) != len(before.Parts) || !slices.ContainsFunc(after.Art,
			func(b room.Blob) bool { return b.Hash == picture("e").Hash }) {
			t.Fatalf("%d parts", len(after.Parts))
		}
		for i := range before.Parts {
			is, was := after.Parts[i], before.Parts[i]
			if is != was {
				t.Errorf("to the table part %d is %+v, was %+v", i, is, was)
			}
		}
	})
	t.Run("O30.15 kinds that do something else are refused", func(t *testing.T) {
		for name, file := range map[string]string{
			"a bag instead of a deck": strings.Replace(
				redrawn, `"draws":"top"`, `"draws":"random"`, 1),
			"another back, which the set does not have": strings.ReplaceAll(strings.ReplaceAll(
				redrawn, `"mask":"Back"`, `"mask":"Rear"`), `{"name":"Back","width"`,
				`{"name":"Rear","width":635,"height":889,"shape":"card","weight":"light",`+
					`"faces":[{"name":"Rear","art":"d.svg"}]},{"name":"Back","width"`),
		} {
			p := newPlace(t, "Ada")
			ada := p.servers[0]
			ada.changes(gameFile)
			_, set := ada.taken()
			was := ada.kindsOf(set)
			ada.changes(strings.ReplaceAll(file, `"takes":"Back"`, `"takes":"`+
				map[bool]string{true: "Rear", false: "Back"}[strings.Contains(file, "Rear")]+`"`))
			if err := ada.world.Adopt(t.Context(), set); !errors.Is(err, behaviour.ErrUnfit) {
				t.Errorf("%s: %v", name, err)
			}
			if !slices.Equal(ada.kindsOf(set), was) {
				t.Errorf("%s: the set has changed", name)
			}
		}
	})
	t.Run("O30.16 a crash leaves all of the old versions or all of the new ones",
		func(t *testing.T) {
			adopted := 0
			for batches := range 6 {
				p := newPlace(t, "Ada")
				ada := p.servers[0]
				ada.changes(gameFile)
				_, set := ada.taken()
				was := ada.kindsOf(set)
				ada.changes(redrawn)
				ada.stop()
				ada.dies = &cord{left: batches}
				ada.start()
				err := ada.world.Adopt(t.Context(), set)
				ada.stop()
				ada.dies = nil
				ada.start()
				switch now := ada.kindsOf(set); {
				case slices.Equal(now, was):
					if err == nil {
						t.Errorf("%d batches: it was adopted, and is not any more", batches)
					}
				default:
					adopted++
					g, err := ada.world.Hold(t.Context(),
						room.Session{Table: ada.mint(), Seat: 1}, set)
					if err != nil || len(g.Kinds) != len(was) {
						t.Errorf("%d batches: %v", batches, err)
					}
				}
			}
			if adopted == 0 || adopted == 6 {
				t.Errorf("%d of 6 were adopted", adopted)
			}
		})
}

// redrawnAgain is gameFile with a third ace.
var redrawnAgain = strings.Replace(gameFile, `{"name":"Ace","art":"b.svg"}`,
	`{"name":"Ace","art":"d.svg"}`, 1)

// declinedSpace is where a server remembers what was declined.
const declinedSpace object.Space = 133

// declined reports whether a server remembers that newer versions of a set were declined.
func (s *server) declined(set id.OID) bool {
	s.Helper()
	v, err := s.db.ObjectValue(s.Context(), declinedSpace, set)
	s.must(err)
	return v != nil
}

func TestNewerKindsDeclined(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	ada.changes(gameFile)
	_, set := ada.taken()
	was := ada.kindsOf(set)
	var bensFirst id.OID
	t.Run("O30.26 what was not offered cannot be declined", func(t *testing.T) {
		if err := ada.world.Decline(t.Context(), set); !errors.Is(err, behaviour.ErrNoNewer) {
			t.Errorf("there is nothing newer: %v", err)
		}
		ada.changes(redrawn)
		if err := ada.world.Decline(t.Context(), set); !errors.Is(err, behaviour.ErrNoNewer) {
			t.Errorf("nobody has looked: %v", err)
		}
		if !ada.newer(set) {
			t.Fatal("the newer ace is not offered")
		}
		ada.changes(redrawnAgain) // while a page shows the offer
		if err := ada.world.Decline(t.Context(), set); !errors.Is(err, behaviour.ErrNoNewer) {
			t.Errorf("another version was offered: %v", err)
		}
		if !ada.newer(set) || ada.declined(set) {
			t.Error("the newest ace is not offered")
		}
		ada.changes(redrawn)
	})
	t.Run("O30.24 what was declined is not offered again, also after a restart",
		func(t *testing.T) {
			if !ada.newer(set) {
				t.Fatal("the newer ace is not offered")
			}
			p.must(ada.world.Decline(t.Context(), set))
			p.must(ada.world.Decline(t.Context(), set)) // repeated
			if ada.newer(set) {
				t.Error("it is offered again")
			}
			ada.stop()
			ada.start()
			ada.recorded()
			if ada.newer(set) {
				t.Error("it is offered again after a restart")
			}
			if !slices.Equal(ada.kindsOf(set), was) {
				t.Error("the set has changed")
			}
		})
	t.Run("O30.14 a set on a table declines nothing", func(t *testing.T) {
		at := ada.mint()
		_, err := ada.world.Hold(t.Context(), room.Session{Table: at, Seat: 1}, set)
		p.must(err)
		var refusal *room.Refusal
		if err := ada.world.Decline(t.Context(), set); !errors.As(err, &refusal) {
			t.Errorf("%v", err)
		}
		p.must(ada.world.Release(t.Context(), at, set, nil))
	})
	t.Run("O30.27 the answer stays while the set is away", func(t *testing.T) {
		p.together(ada, ben)
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		bensFirst = ben.person()
		p.must(ben.world.Put(t.Context(), bensFirst, set))
		p.move(set, ada, ben)
		for range 3 { // the end of a server may cut short what the last round has begun
			p.await("a round", func() bool {
				_, err := ada.world.Collect(t.Context())
				return err == nil
			})
		}
		ada.stop()
		if ada.start(); !ada.declined(set) {
			t.Error("it is forgotten")
		}
		p.must(ada.world.Bring(t.Context(), set))
		p.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		if ada.newer(set) {
			t.Error("it is offered again")
		}
	})
	t.Run("O30.25 a still newer version is offered", func(t *testing.T) {
		ada.changes(redrawnAgain)
		if !ada.newer(set) {
			t.Error("it is not offered")
		}
	})
	t.Run("O30.27 the answer is forgotten when nothing refers to the set", func(t *testing.T) {
		p.together(ada, ben)
		bens := ben.person()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), bens, set))
		p.move(set, ada, ben)
		p.await("the other host to offer it", func() bool { return ben.newer(set) })
		p.must(ben.world.Decline(t.Context(), set))
		round := func() {
			p.together(ada, ben)
			for range 3 { // the end of a server may cut short what the last round has begun
				p.await("a round", func() bool {
					_, err := ben.world.Collect(t.Context())
					return err == nil
				})
			}
			ben.stop()
			ben.start()
		}
		if round(); !ben.declined(set) {
			t.Error("it is forgotten while the set is here")
		}
		p.together(ada, ben)
		for _, person := range []id.OID{bens, bensFirst} {
			p.must(ben.world.Take(t.Context(), person, set))
		}
		p.must(ada.world.Bring(t.Context(), set))
		p.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		p.await("the answer to be forgotten", func() bool {
			_, err := ben.world.Collect(t.Context()) // the first ones give the reference back
			return err == nil && !ben.declined(set)
		})
	})
}

// Clauses: O30.13, O30.15
func TestNewerKindsWithoutOldArt(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	ada.machine = &ear{server: ada, lost: picture("b").Hash} // of the older ace
	ada.changes(gameFile)
	_, set := ada.taken()
	ada.changes(redrawn)
	p.together(ada, ben)
	p.lend(set, ada, ben)
	was := ben.kindsOf(set)
	p.await("newer versions", func() bool { return ben.newer(set) })
	p.must(ben.world.Adopt(t.Context(), set))
	if slices.Equal(ben.kindsOf(set), was) {
		t.Error("O30.13 the set has the old versions")
	}
}

// kindNamed returns the version of that name among some that a server has.
func kindNamed(s *server, kinds []object.Kind, name string) (found object.Kind) {
	s.Helper()
	for _, k := range kinds {
		b, err := s.db.Blob(s.Context(), room.Hash(k))
		s.must(err)
		if strings.Contains(string(b.Data), `"name":"`+name+`","width"`) {
			found = k
		}
	}
	return found
}

// Clauses: O30.10, O35.5
func TestNewerKindsHostile(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	refused := func() int { return strings.Count(ada.log.String(), "newer kinds") }
	of := sha256.Sum256(nil)
	number := make([]byte, 8)
	for _, m := range []peer.Message{
		{Request: true, Bytes: append([]byte{4}, number...)},
		{Request: true, Bytes: append(append([]byte{4}, number...), of[:31]...)},
		{Request: true, Bytes: append(append([]byte{4}, number...),
			slices.Repeat(of[:], object.MaxKinds+1)...)},
		{Bytes: append([]byte{5}, number[:7]...)},
	} {
		before := refused()
		p.must(ben.links.Send(ada.self(), m))
		p.await("the message to be refused", func() bool { return refused() > before })
	}
	// What no game of Ada's has is the newest of itself.
	p.must(ben.links.Send(ada.self(), peer.Message{
		Request: true, Bytes: append(append([]byte{4}, number...), of[:]...),
	}))
	p.together(ada, ben)
}
