package fairness

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"holt/server/id"
)

// TestF13Encodings shows that facts and states have the documented bytes, and that all other bytes
// are refused (F13).
func TestF13Encodings(t *testing.T) {
	t.Run("F9.1, F13.4 the bytes are those of the documentation", func(t *testing.T) {
		draw := Drawn{Round: 0x01020304, Record: Record{
			Audience: 2, Number: 3, Mix: 4, Kind: Draw, Seat: 5, Pieces: []id.OID{{0xaa}},
			Inputs: []uint32{7, 7, 9}, Outputs: []uint32{9},
		}, Seal: Digest{0xbb}}
		want := "01" + "06" + "01020304" + "00000002" + "00000003" + "00000004" + "03" +
			"00000005" +
			"00000001" + "aa000000000000000000000000000000" + "00000003" +
			"000000070000000700000009" + "00000001" + "00000009" +
			"bb00000000000000000000000000000000000000000000000000000000000000"
		if got := hex.EncodeToString(EncodeFact(draw)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		mixed := Mixed{Round: 1, Mix: 2, Withheld: []Share{3, 4}, Pool: Digest{0xcc}}
		want = "0105" + "00000001" + "00000002" + "00000002" + "0000000300000004" + "cc" +
			hex.EncodeToString(make([]byte, 31))
		if got := hex.EncodeToString(EncodeFact(mixed)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
	p := evening(t)
	state := p.state.Encode()
	t.Run("F13.4, F13.6 nothing else is a fact", func(t *testing.T) {
		for _, f := range p.facts {
			spoiled(t, EncodeFact(f), func(b []byte) error { _, err := DecodeFact(b); return err })
		}
		for _, b := range [][]byte{nil, {1}, {1, 0, 0, 0, 0, 0}, {1, 8, 0, 0, 0, 0}} {
			if f, err := DecodeFact(b); !errors.Is(err, ErrEncoding) {
				t.Errorf("%x: %v, %v", b, f, err)
			}
		}
	})
	t.Run("F13.5, F13.6 nothing else is a state", func(t *testing.T) {
		spoiled(t, state, func(b []byte) error { _, err := DecodeState(b); return err })
	})
	t.Run("F13.6 states that no facts lead to", func(t *testing.T) {
		share := func(revealed bool) share {
			e := entropyOf(1, 1)
			s := share{
				seat: 1, client: clientOf(1), hash: e.Commitment(aTable, 3, 2, 1),
				revealed: revealed,
			}
			if revealed {
				s.entropy = e
			}
			return s
		}
		for name, spoil := range map[string]func(*State){
			"a phase without shares": func(s *State) { s.mixing.phase = Revealing },
			"no phase":               func(s *State) { s.mixing.phase = 0 },
			"revealed too early":     func(s *State) { s.mixing.shares = []fairShare{share(true)} },
			"a client twice": func(s *State) {
				s.mixing.shares = []fairShare{share(false), share(false)}
			},
			"told, and not revealed": func(s *State) {
				s.mixing.phase, s.mixing.shares = Revealing, []fairShare{share(true)}
				s.mixing.shares[0].revealed = false
			},
			"a different share": func(s *State) {
				s.mixing.phase, s.mixing.shares = Revealing, []fairShare{share(true)}
				s.mixing.shares[0].entropy[0]++
			},
			"heads out of order":    func(s *State) { slices.Reverse(s.heads) },
			"a head without a draw": func(s *State) { s.heads[0].number = 0 },
			"sealed in the future":  func(s *State) { s.sealed = []Sealed{{Round: 3}} },
			"sealed with a gap":     func(s *State) { s.sealed = []Sealed{{Round: 1}} },
			"sealed without an end": func(s *State) { s.sealed = []Sealed{{Round: 2}} },
			"an end that is not keyed": func(s *State) {
				s.sealed = []Sealed{{Round: 2, End: Digest{1}}}
			},
			"another pool": func(s *State) {
				s.mixing.mixed, s.mixing.pool = 0, Digest{}
			},
			"something before a round": func(s *State) { s.mixing.round = 0 },
		} {
			s, err := DecodeState(state)
			if err != nil {
				t.Fatal(err)
			}
			spoil(s)
			if _, err := DecodeState(s.Encode()); !errors.Is(err, ErrEncoding) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("F13 lists longer than their contents cost nothing", func(t *testing.T) {
		b := bytes.Clone(EncodeFact(Mixed{Round: 1, Mix: 1, Withheld: []Share{}}))
		b[10], b[11], b[12], b[13] = 0xff, 0xff, 0xff, 0xff
		if _, err := DecodeFact(b); !errors.Is(err, ErrEncoding) {
			t.Error(err)
		}
	})
}

type fairShare = share

// spoiled expects that an encoding is refused when it is cut off anywhere, when something follows
// it, and when its version is another one.
func spoiled(t *testing.T, b []byte, decode func([]byte) error) {
	t.Helper()
	for n := range b {
		if err := decode(b[:n]); !errors.Is(err, ErrEncoding) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	other := bytes.Clone(b)
	other[0]++
	for _, b := range [][]byte{append(bytes.Clone(b), 0), other} {
		if err := decode(b); !errors.Is(err, ErrEncoding) {
			t.Errorf("%x: %v", b, err)
		}
	}
}

// FuzzF13Facts shows that bytes are refused, or are the only encoding of a fact. A state applies
// the fact, or refuses it and does not change.
// Clauses: F13.4
func FuzzF13Facts(f *testing.F) {
	p := evening(f)
	for _, fact := range p.facts {
		f.Add(EncodeFact(fact))
	}
	state := p.state.Encode()
	f.Fuzz(func(t *testing.T, b []byte) {
		fact, err := DecodeFact(b)
		if err != nil {
			if !errors.Is(err, ErrEncoding) {
				t.Fatal(err)
			}
			return
		}
		if again := EncodeFact(fact); !bytes.Equal(again, b) {
			t.Fatalf("%x is read as %x", b, again)
		}
		s, err := DecodeState(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(1, fact); (err == nil) == bytes.Equal(s.Encode(), state) {
			t.Fatalf("%s: %v", fact.Kind(), err)
		}
	})
}

// FuzzF13States shows that bytes are refused, or are the only encoding of a state, which can open
// the next round.
// Clauses: F13.5
func FuzzF13States(f *testing.F) {
	for _, p := range []*play{evening(f), firstEvening(f), upgradedEvening(f)} {
		s := NewState(aTable)
		for i, fact := range p.facts {
			f.Add(s.Encode())
			if err := s.Apply(p.times[i], fact); err != nil {
				f.Fatal(err)
			}
		}
	}
	seed := Seed{1}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeState(b)
		if err != nil {
			if !errors.Is(err, ErrEncoding) {
				t.Fatal(err)
			}
			return
		}
		if again := s.Encode(); !bytes.Equal(again, b) {
			t.Fatalf("%x is read as %x", b, again)
		}
		full := len(s.Sealed()) == MaxSealed
		if err := s.Apply(1, s.Open(&seed, &seed, 1, &Bound{})); err != nil && !full {
			r, _ := s.Round()
			if r != 1<<32-1 {
				t.Fatal(err)
			}
		}
	})
}
