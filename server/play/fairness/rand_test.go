package fairness

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

// drawKeyOf is the lot of the nth draw of a round with a fixed seed and pool.
func drawKeyOf(n Number) drawKey {
	seed := Seed(sha256.Sum256([]byte("a fixed seed")))
	return drawKey{
		table: aTable, round: 3, seed: &seed, pool: Digest{1, 2, 3}, mix: 2, audience: 9, number: n,
		last: Digest{4},
	}
}

// TestF7Numbers shows how numbers follow from the parts of a lot (F7).
func TestF7Numbers(t *testing.T) {
	// Clauses: F1.1, F1.2, F7.1, F7.3, F7.4, F7.5
	t.Run("F7 words and numbers, step by step as documented", func(t *testing.T) {
		l := drawKeyOf(7)
		mac := func(key, message []byte) []byte {
			h := hmac.New(sha256.New, key)
			h.Write(message)
			return h.Sum(nil)
		}
		message := append([]byte("holt.fair/1 draw"), aTable[:]...)
		message = append(message, 0, 0, 0, 3)
		message = append(message, l.pool[:]...)
		message = append(message, 0, 0, 0, 9, 0, 0, 0, 7)
		key := mac(l.seed[:], message)
		var words []uint32
		for block := range byte(40) {
			for b := mac(key, []byte{0, 0, 0, block}); len(b) > 0; b = b[4:] {
				words = append(words, binary.BigEndian.Uint32(b))
			}
		}
		r := &DrawRand{key: l}
		next := 0
		for i, n := range []int{
			6, 1, 52, 2, 3, 1 << 31, 1<<30 + 1, 1<<31 - 1, 10_000, 5, 5, 5, 5, 1, 100, 64, 65, 63,
		} {
			want := 0
			if n > 1 {
				mask := 1
				for mask < n {
					mask *= 2
				}
				for want = int(words[next]) % mask; want >= n; want = int(words[next]) % mask {
					next++
				}
				next++
			}
			if got := r.IntN(n); got != want {
				t.Errorf("number %d, of %d: %d, want %d", i, n, got, want)
			}
		}
	})
	t.Run("F7.2 an impossible draw panics", func(t *testing.T) {
		for _, n := range []int{0, -1, MaxSides + 1} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("IntN(%d) returned", n)
					}
				}()
				(&DrawRand{key: drawKeyOf(1)}).IntN(n)
			}()
		}
	})
	t.Run("F7 every part of the input makes other numbers", func(t *testing.T) {
		seen := map[int]bool{(&DrawRand{key: drawKeyOf(1)}).IntN(MaxSides): true}
		for i, change := range []func(*drawKey){
			func(l *drawKey) { l.table[0]++ },
			func(l *drawKey) { l.round++ },
			func(l *drawKey) { l.seed = &Seed{1} },
			func(l *drawKey) { l.pool[31]++ },
			func(l *drawKey) { l.audience++ },
			func(l *drawKey) { l.number++ },
		} {
			l := drawKeyOf(1)
			change(&l)
			seen[(&DrawRand{key: l}).IntN(MaxSides)] = true
			if len(seen) != i+2 {
				t.Errorf("change %d makes no other numbers", i)
			}
		}
	})
}

// TestF8Outcomes shows that the draws of a table are the ones that a check expects, and which draws
// are invalid (F8).
func TestF8Outcomes(t *testing.T) {
	t.Run("F8.1 a table's draws with IntN are the verified ones", rapid.MakeCheck(func(t *rapid.T) {
		l := drawKeyOf(Number(rapid.Uint32().Draw(t, "number")))
		what := rapid.SampledFrom([]DrawKind{Shuffle, Cut, Draw, Roll, Place}).Draw(t, "what")
		var inputs []uint32
		n := 1
		switch what {
		case Shuffle, Draw:
			inputs = rapid.SliceOfN(rapid.Uint32Range(0, 9), 2, 40).Draw(t, "kinds")
			slices.Sort(inputs)
			n = rapid.IntRange(1, len(inputs)).Draw(t, "n")
		default:
			inputs = []uint32{rapid.Uint32Range(2, 10_000).Draw(t, "n")}
		}
		rand := &DrawRand{key: l}
		outputs := drawn(rand, what, inputs, n)
		fact, err := rand.Record(1, what, 1, []id.OID{aDeck}, inputs, outputs)
		if err != nil {
			t.Fatal(err)
		}
		dealt := slices.Sorted(slices.Values(outputs))
		if what == Shuffle && !slices.Equal(dealt, inputs) {
			t.Fatalf("%v is not a permutation of %v", outputs, inputs)
		}
		i := rapid.IntRange(0, len(outputs)-1).Draw(t, "at")
		outputs[i]++
		if _, err := rand.Record(
			1, what, 1, []id.OID{aDeck}, inputs, outputs,
		); !errors.Is(err, FaultOutcome) {
			t.Fatalf("%+v with another output %d: %v", fact.Record, i, err)
		}
	}))
	// Clauses: F8.1, F8.2, F8.4, F8.5, F15.6
	t.Run("F8 impossible draws", func(t *testing.T) {
		many := upTo(MaxThings+1, 1)
		for name, r := range map[string]Record{
			"nothing": {
				Kind: 0, Pieces: []id.OID{aDeck}, Inputs: []uint32{2}, Outputs: []uint32{0},
			},
			"something unknown": {
				Kind: 6, Pieces: []id.OID{aDeck}, Inputs: []uint32{2}, Outputs: []uint32{0},
			},
			"for no piece": {Kind: Roll, Inputs: []uint32{2}, Outputs: []uint32{0}},
			"for two dice": {
				Kind: Roll, Pieces: []id.OID{aDeck, aDie}, Inputs: []uint32{2},
				Outputs: []uint32{0},
			},
			"a shuffle of one": {
				Kind: Shuffle, Pieces: []id.OID{aDeck}, Inputs: []uint32{2}, Outputs: []uint32{2},
			},
			"a shuffle of too many": {
				Kind: Shuffle, Pieces: []id.OID{aDeck}, Inputs: many, Outputs: many,
			},
			"a shuffle in a chosen order": {
				Kind: Shuffle, Pieces: []id.OID{aDeck}, Inputs: []uint32{2, 1},
				Outputs: []uint32{2, 1},
			},
			"a shuffle that loses one": {
				Kind: Shuffle, Pieces: []id.OID{aDeck}, Inputs: []uint32{1, 2, 3},
				Outputs: []uint32{2, 1},
			},
			"pieces in a chosen order": {
				Kind: Shuffle, Pieces: []id.OID{aDie, aDeck}, Inputs: []uint32{1, 2},
				Outputs: []uint32{2, 1},
			},
			"a piece twice": {
				Kind: Shuffle, Pieces: []id.OID{aDie, aDie}, Inputs: []uint32{1, 2},
				Outputs: []uint32{2, 1},
			},
			"fewer pieces than kinds": {
				Kind: Shuffle, Pieces: []id.OID{aDeck, aDie}, Inputs: []uint32{1, 2, 3},
				Outputs: []uint32{2, 1, 3},
			},
			"an empty bag": {Kind: Draw, Pieces: []id.OID{aDeck}},
			"a draw of none": {
				Kind: Draw, Pieces: []id.OID{aDeck}, Inputs: []uint32{1},
			},
			"a draw of more than all": {
				Kind: Draw, Pieces: []id.OID{aDeck}, Inputs: []uint32{1}, Outputs: []uint32{1, 1},
			},
			"a bag in a chosen order": {
				Kind: Draw, Pieces: []id.OID{aDeck}, Inputs: []uint32{2, 1}, Outputs: []uint32{1},
			},
			"a cut of one": {
				Kind: Cut, Pieces: []id.OID{aDeck}, Inputs: []uint32{1}, Outputs: []uint32{1},
			},
			"two cuts": {
				Kind: Cut, Pieces: []id.OID{aDeck}, Inputs: []uint32{4, 4}, Outputs: []uint32{1, 1},
			},
			"a cut with two outcomes": {
				Kind: Cut, Pieces: []id.OID{aDeck}, Inputs: []uint32{4}, Outputs: []uint32{1, 1},
			},
			"a die without sides": {
				Kind: Roll, Pieces: []id.OID{aDeck}, Inputs: []uint32{0}, Outputs: []uint32{0},
			},
			"a die with too many sides": {
				Kind: Roll, Pieces: []id.OID{aDeck}, Inputs: []uint32{MaxSides + 1},
				Outputs: []uint32{0},
			},
			"a place among too many": {
				Kind: Place, Pieces: []id.OID{aDeck}, Inputs: []uint32{MaxThings + 1},
				Outputs: []uint32{0},
			},
		} {
			rand := &DrawRand{key: drawKeyOf(1)}
			if _, err := rand.Record(
				1, r.Kind, 1, r.Pieces, r.Inputs, r.Outputs,
			); !errors.Is(err, FaultRecord) {
				t.Errorf("%s: %v", name, err)
			}
			p := newPlay(t)
			p.open()
			r.Number = 1
			refused(t, p.state, Drawn{Round: 1, Record: r}, FaultRecord)
		}
	})
	t.Run("F8 the largest draws", func(t *testing.T) {
		all := upTo(MaxThings, 1)
		for what, inputs := range map[DrawKind][]uint32{
			Shuffle: all, Draw: all, Roll: {MaxSides}, Cut: {MaxThings}, Place: {1},
		} {
			rand := &DrawRand{key: drawKeyOf(1)}
			fact, err := rand.Record(1, what, 1, []id.OID{aDeck}, inputs,
				drawn(rand, what, inputs, MaxThings))
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if _, err := DecodeFact(EncodeFact(fact)); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
	t.Run("F8.4 a shuffle outside containers lists its pieces", func(t *testing.T) {
		rand := &DrawRand{key: drawKeyOf(1)}
		pieces := []id.OID{aDeck, aDie, aBag}
		if _, err := rand.Record(
			1, Shuffle, 1, pieces, []uint32{4, 5, 5}, drawn(rand, Shuffle, []uint32{4, 5, 5}, 0),
		); err != nil {
			t.Error(err)
		}
	})
}

// TestF9Seals shows what a seal depends on (F9).
func TestF9Seals(t *testing.T) {
	// Clauses: F1.1, F1.2, F9.1
	t.Run("F1, F9 a seal depends on the pool, the previous seal and every byte", func(t *testing.T) {
		record := Record{
			Audience: 9, Number: 1, Mix: 2, Kind: Roll, Seat: 3, Pieces: []id.OID{aDie},
			Inputs: []uint32{6}, Outputs: []uint32{4},
		}
		l := drawKeyOf(1)
		message := append([]byte("holt.fair/1 seal"), aTable[:]...)
		message = append(message, 0, 0, 0, 3)
		message = append(append(message, l.pool[:]...), l.last[:]...)
		bytes, err := hex.DecodeString("00000009" + "00000001" + "00000002" + "04" + "00000003" +
			"00000001" +
			hex.EncodeToString(aDie[:]) + "00000001" + "00000006" + "00000001" + "00000004")
		if err != nil {
			t.Fatal(err)
		}
		h := hmac.New(sha256.New, l.seed[:])
		h.Write(append(message, bytes...))
		if got, want := l.seal(&record), Digest(h.Sum(nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
	t.Run("F9.5 the first seal of each audience follows the commitment", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		for _, a := range []Audience{Everybody, 4} {
			if r := p.state.Rand(p.current(), a); r.key.last != p.state.Commitment() ||
				r.key.number != 1 {
				t.Errorf("audience %d: %+v", a, r.key)
			}
		}
	})
}
