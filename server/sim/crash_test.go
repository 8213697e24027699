package sim

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

var (
	kills     = flag.Int("kills", 10, "how often TestCrash kills the program")
	crashSeed = flag.Uint64("crashseed", 0, "seed of TestCrash")
)

// TestCrash kills the real program with SIGKILL at random moments, under load, and starts it again
// on the same folder. After each kill, before anybody sends anything, it compares what the server
// shows with what was acknowledged to each client and with what a spectator had seen. In the end
// everybody sends again what is unanswered, and the table must be exactly what was asked for.
func TestCrash(t *testing.T) {
	seed := *crashSeed
	if seed == 0 {
		seed = firstSeed("kills")
	}
	t.Logf("seed %d (-args -crashseed %d)", seed, seed)
	random := rand.New(rand.NewPCG(seed, 0))

	p := newProgram(t)
	p.start()
	table := p.createTable("chess")
	players := table.seatPlayers(t, random, 4)
	witness := table.seatWitness()

	for kill := range *kills {
		playUntilKill(t, p, random, players, witness)
		p.start()
		for _, c := range players {
			c.checkAfterCrash(t, p.read(table.id, c.token))
		}
		witness.checkAfterCrash(t, p.read(table.id, witness.token))
		if t.Failed() {
			t.Fatalf("after kill %d", kill+1)
		}
	}

	// Clauses: T10.16, T10.18, T19.1, T19.3
	t.Run("T10, T19 a retried update is recorded exactly once", func(t *testing.T) {
		finish(t, p, players)
		for _, c := range players {
			c.checkAtRest(t, p.read(table.id, c.token))
		}
	})
	t.Run("SIGTERM ends it in order", func(t *testing.T) {
		if err := p.terminate(); err != nil {
			t.Errorf("exit: %v\n%s", err, p.log())
		}
	})
	acked := 0
	for _, c := range players {
		acked += int(c.acked)
	}
	t.Logf("%d kills, %d updates acknowledged", *kills, acked)
}

// patience is how long a step of the test may take, however busy the machine is.
const patience = 5 * time.Minute

// playUntilKill makes everybody play until a number of updates was acknowledged, and a random
// moment longer. Then it kills the program.
func playUntilKill(
	t *testing.T, p *program, random *rand.Rand, players []*player, witness *witness,
) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	enough, acks := random.IntN(300), make(chan struct{}, 1024)
	var all sync.WaitGroup
	for _, c := range players {
		all.Go(func() { c.play(ctx, t, p, acks) })
	}
	all.Go(func() { witness.follow(ctx, t, p) })
	for range enough {
		select {
		case <-acks:
		case <-ctx.Done():
			t.Errorf("only a part of %d updates was acknowledged in %v\n%s", enough, patience,
				p.log())
			enough = 0
		}
		if enough == 0 {
			break
		}
	}
	moment := time.NewTimer(time.Duration(random.IntN(5000)) * time.Microsecond)
	<-moment.C
	p.kill()
	cancel()
	all.Wait()
}

// finish makes everybody send what is unanswered, and nothing new, until all of it is answered.
func finish(t *testing.T, p *program, players []*player) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var all sync.WaitGroup
	for _, c := range players {
		all.Go(func() { c.settle(ctx, t, p) })
	}
	all.Wait()
}

// tableJSON is the part of the answer to GET /api/v1/tables/{table} that these tests use (http.md).
type tableJSON struct {
	Epoch  uint64      `json:"epoch"`
	You    uint32      `json:"you"`
	Info   infoJSON    `json:"info"`
	Pieces []pieceJSON `json:"pieces"`
}

type infoJSON struct {
	Width  int32 `json:"width"`
	Height int32 `json:"height"`
}

type pieceJSON struct {
	ID     uint32 `json:"id"`
	Mark   uint64 `json:"mark"`
	Kind   uint32 `json:"kind"`
	X      int32  `json:"x"`
	Y      int32  `json:"y"`
	Pinned bool   `json:"pinned"`
	Locked bool   `json:"locked"`
}

// place is where a piece lies, in table units.
type place struct{ x, y int32 }

func (p pieceJSON) place() place { return place{p.X, p.Y} }

// numbered returns the n-th of two million places. They all differ, and no game puts a piece there.
// So the place of a piece says which of its moves was recorded last. They span 400 by 400 mm.
func numbered(n int) place {
	return place{x: int32(n%1000)*4 - 1999, y: int32(n/1000)*2 - 1999}
}

// number is the inverse of numbered; -1 for all other places.
func number(p place) int {
	x, y := p.x+1999, p.y+1999
	if x < 0 || x >= 4000 || x%4 != 0 || y < 0 || y >= 4000 || y%2 != 0 {
		return -1
	}
	return int(y/2)*1000 + int(x/4)
}

func decode[T any](data []byte) (T, error) {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("decode %q: %w", data, err)
	}
	return v, nil
}
