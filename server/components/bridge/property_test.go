package bridge

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"holt/server/play/table"
)

var (
	seed   = flag.Uint64("seed", 0, "seed of the only world of TestEnginesAgree; 0 plays many")
	worlds = flag.Int("worlds", 0,
		"random worlds of TestEnginesAgree; 0 plays 10,000 fixed ones")
)

// TestEnginesAgree shows that an engine ends with what its view shows, by merging alone (C19). The
// engine writes what it may write and what it may not, others write, pieces appear, disappear and
// change their names, and every message is late.
func TestEnginesAgree(t *testing.T) {
	first, n := *seed, 1
	if first == 0 {
		if first, n = rand.Uint64(), *worlds; n == 0 {
			if first, n = 1, 10_000; testing.Short() {
				n = 1000
			}
		}
	}
	t.Run("C19 an engine with only a link ends with what the view shows", func(t *testing.T) {
		t.Logf("%d worlds; of the first: -run TestEnginesAgree -seed %d", n, first)
		var passed, refusals, shifted, renewed, digests int
		for i := range uint64(n) {
			for _, form := range []Form{Flat, Protobuf} {
				role := table.RolePlayer
				if i%8 == 7 {
					role = table.RoleSpectator
				}
				w := newWorld(t, first+i, form, role)
				w.name = fmt.Sprintf("-run TestEnginesAgree -seed %d, form %d", first+i, form)
				for range 60 {
					w.step()
				}
				w.quiet()
				w.check()
				if form == Protobuf && len(w.extra) == 0 && role != table.RoleSpectator {
					digests++
					w.checkDigest()
				}
				passed, refusals, shifted, renewed = passed+w.passed, refusals+w.refusals,
					shifted+w.link.refusals,
					renewed+len(w.link.numbers.versions)+len(w.link.numbers.lives)
			}
		}
		counts := fmt.Sprintf(
			"%d operations passed, %d were refused, %d keys shifted, %d numbers ended, %d digests agreed",
			passed, refusals, shifted, renewed, digests,
		)
		t.Log(counts)
		if n >= 100 &&
			(passed < 10*n || refusals < 3*n || shifted < n || renewed < n || digests < n/20) {
			t.Errorf("it covers little: %s", counts)
		}
	})
}
