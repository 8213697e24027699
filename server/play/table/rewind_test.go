package table_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// saved is a save point of a test, and how the table looked then.
type saved struct {
	image   table.Image
	picture picture
	owned   possession
	held    bool // somebody held something
}

var holders = regexp.MustCompile(`Holder:\d+`)

// seen returns the picture of the table as if nobody held anything.
func (s *server) seen() picture {
	p := s.look()
	for _, list := range [][]string{p.drawn, p.boxes} {
		for i := range list {
			list[i] = holders.ReplaceAllString(list[i], "Holder:0")
		}
	}
	slices.Sort(p.boxes)
	return p
}

// savePoint returns a save point, unless a guest set lies on the table.
func (s *server) savePoint() (saved, bool) {
	im, ok := s.table.Position()
	p := s.look()
	held := slices.ContainsFunc(append(p.drawn, p.boxes...), func(of string) bool {
		return !strings.Contains(of, "Holder:0")
	})
	return saved{im, s.seen(), s.possession(), held}, ok
}

// rewind brings the table back, as a room does. It reports false if that is not possible.
func (s *server) rewind(to *saved, by id.Seat) bool {
	r := table.Rewinding{To: &to.image, By: by, Mark: table.Rewound{Save: 1, Kind: table.SaveNamed}}
	makes, ok := s.table.Rewindable(&to.image)
	if !ok {
		return false
	}
	for range makes {
		r.OIDs = append(r.OIDs, s.mint())
	}
	shuffles := s.table.Rewind(&r, s.now)
	for i := range shuffles {
		s.table.Reshuffle(&shuffles[i], by,
			table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd, Round: 1})
	}
	s.remakes = true
	s.publish(nil)
	s.remakes = false
	return true
}

// TestT71RewindRestores shows over random games that a rewind brings pieces, places, faces, hands
// and the contents of containers back, that nothing is lost or doubled, that every view has what it
// may have then, and that a replay of the log gives the same.
// Clauses: T71.1, T71.2
func TestT71RewindRestores(t *testing.T) {
	if *seedFlag != 0 {
		rewindAll(t, *seedFlag)
		return
	}
	first, rewound := firstSeed("steps"), 0
	for i := range uint64(max(budget(t)/10_000, 3)) {
		rewound += rewindAll(t, first+i)
	}
	if rewound < 10 {
		t.Errorf("the tables went back %d times: this shows little", rewound)
	}
}

func rewindAll(t *testing.T, seed uint64) (rewound int) {
	t.Helper()
	s := newWorld(t, seed)
	s.run = fmt.Sprintf("go test -run T71RewindRestores -seed %d", seed)
	for _, seat := range []id.Seat{1, 2, 3} {
		s.join(seat)
	}
	watcher := s.join(4)
	var all []saved
	for s.step = 1; s.step <= 400; s.step++ {
		s.random(watcher)
		switch s.rnd.IntN(25) {
		case 0:
			if p, ok := s.savePoint(); ok {
				all = append(all, p)
			}
		case 1:
			if len(all) == 0 {
				continue
			}
			s.settle()
			to := &all[s.rnd.IntN(len(all))]
			if !s.rewind(to, 1) {
				continue
			}
			rewound++
			if diff := to.picture.differs(s.seen(), true); !to.held && diff != "" {
				s.fatalf("T71: after the rewind (-saved +now) %s", diff)
			}
			if got := s.possession(); !maps.Equal(got, to.owned) {
				s.fatalf("T71: there is %v, and there was %v", got, to.owned)
			}
			s.settle()
			s.restart()
			s.settle()
		}
	}
	return rewound
}
