package fairness

import (
	"fmt"
	"io"

	"holt/server/id"
)

// NotesFormat is the format of notes: the first member of the file.
const NotesFormat = "holt.fair.notes/1"

// Notes are what a client has seen of the rounds while they went on. Without them an export proves
// only that it agrees with itself: its author could have invented all of it (F14).
type Notes struct {
	Table  id.OID
	Rounds []NotedRound
}

// NotedRound is what a client has seen of a round.
type NotedRound struct {
	Round      Round
	Commitment Digest
	Before     *Digest // nil: not seen
	Closings   []NotedMix
	Pools      []NotedMix
	Seals      []NotedSeal
	Shares     []NotedShare
}

// NotedMix is the closing or the pool of a mix.
type NotedMix struct {
	Mix    Mix
	Digest Digest
}

// NotedSeal is the seal of a draw.
type NotedSeal struct {
	Audience Audience
	Number   Number
	Seal     Digest
}

// NotedShare is a contribution of the client itself.
type NotedShare struct {
	Mix     Mix
	Seat    id.Seat
	Entropy Entropy
}

// ReadNotes reads a file of notes and refuses what is unknown, missing or of another type. Errors
// wrap ErrFile unless reading itself failed.
func ReadNotes(r io.Reader) (*Notes, error) {
	raw, err := readDocument(r)
	if err != nil {
		return nil, err
	}
	m, err := members(raw, []string{"format", "table", "rounds"}, nil)
	if err != nil {
		return nil, err
	}
	f := fields{members: m}
	if format := f.text("format"); f.err == nil && format != NotesFormat {
		return nil, fmt.Errorf("%w: format %q, want %q", ErrFile, format, NotesFormat)
	}
	n := &Notes{}
	f.hex("table", f.text("table"), n.Table[:])
	f.each("rounds", []string{"round", "commitment", "closings", "pools", "seals", "shares"},
		[]string{"before"}, func(f *fields) {
			r := f.notedRound()
			if last := len(n.Rounds); f.err == nil &&
				(r.Round == 0 || last > 0 && n.Rounds[last-1].Round >= r.Round) {
				f.err = fmt.Errorf("%w: rounds are not in order", ErrFile)
			}
			n.Rounds = append(n.Rounds, r)
		})
	if f.err != nil {
		return nil, f.err
	}
	return n, nil
}

func (f *fields) notedRound() NotedRound {
	r := NotedRound{Round: Round(f.u32("round")), Commitment: f.digest("commitment")}
	if f.has("before") {
		before := f.digest("before")
		r.Before = &before
	}
	f.each("closings", []string{"mix", "closing"}, nil, func(f *fields) {
		r.Closings = append(r.Closings, NotedMix{Mix(f.u32("mix")), f.digest("closing")})
	})
	f.each("pools", []string{"mix", "pool"}, nil, func(f *fields) {
		r.Pools = append(r.Pools, NotedMix{Mix(f.u32("mix")), f.digest("pool")})
	})
	f.each("seals", []string{"audience", "number", "seal"}, nil, func(f *fields) {
		r.Seals = append(r.Seals,
			NotedSeal{Audience(f.u32("audience")), Number(f.u32("number")), f.digest("seal")})
	})
	f.each("shares", []string{"mix", "seat", "entropy"}, nil, func(f *fields) {
		r.Shares = append(r.Shares,
			NotedShare{Mix(f.u32("mix")), id.Seat(f.u32("seat")), Entropy(f.digest("entropy"))})
	})
	return r
}
