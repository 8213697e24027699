package wire

import (
	"errors"

	"holt/server/play/fairness"
	"holt/server/proto/holtpb"
)

// FairEvent returns the event for a fact about randomness, with what may be known while its round
// is sealed. It returns nil for names, which have events of their own, and for anything that is not
// a fact.
func FairEvent(f fairness.Fact) *holtpb.Event {
	m := &holtpb.Fair{}
	switch f := f.(type) {
	case fairness.Opened:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Opened{Opened: &holtpb.FairOpened{
			Commitment: f.Commitment[:], Before: f.Before[:],
		}}
	case fairness.Committed:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Committed{Committed: &holtpb.FairCommitted{
			Mix: uint32(f.Mix), Seat: uint32(f.Seat), Hash: f.Hash[:],
		}}
	case fairness.Closed:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Closed{Closed: &holtpb.FairClosed{
			Mix: uint32(f.Mix), Closing: f.Closing[:],
		}}
	case fairness.Revealed:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Revealed{Revealed: &holtpb.FairRevealed{
			Mix: uint32(f.Mix), Share: uint32(f.Share), Entropy: f.Entropy[:],
		}}
	case fairness.Mixed:
		m.Round = uint32(f.Round)
		mixed := &holtpb.FairMixed{Mix: uint32(f.Mix), Pool: f.Pool[:]}
		for _, s := range f.Withheld {
			mixed.Withheld = append(mixed.Withheld, uint32(s))
		}
		m.Fact = &holtpb.Fair_Mixed{Mixed: mixed}
	case fairness.Drawn:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Drawn{Drawn: &holtpb.FairDrawn{
			Audience: uint32(f.Record.Audience), Number: uint32(f.Record.Number),
			Mix: uint32(f.Record.Mix), Seal: f.Seal[:],
		}}
	case fairness.Published:
		m.Round = uint32(f.Round)
		m.Fact = &holtpb.Fair_Told{Told: &holtpb.FairTold{Seed: f.Seed[:]}}
	default:
		return nil
	}
	return &holtpb.Event{Event: &holtpb.Event_Fair{Fair: m}}
}

// Randomness returns the state of the randomness of a table.
func Randomness(s *fairness.State) *holtpb.Randomness {
	round, _ := s.Round()
	commitment := s.Commitment()
	mixed, pool := s.Pool()
	phase, _ := s.Phase()
	m := &holtpb.Randomness{
		Round: uint32(round), Commitment: commitment[:], Mix: uint32(mixed) + 1,
		Revealing: phase == fairness.Revealing, Pool: pool[:],
	}
	for _, c := range s.Shares() {
		share := &holtpb.FairShare{Seat: uint32(c.Seat), Hash: c.Hash[:]}
		if c.Revealed {
			share.Entropy = c.Entropy[:]
		}
		m.Shares = append(m.Shares, share)
	}
	if m.Revealing {
		closing := s.Close().Closing
		m.Closing = closing[:]
	}
	return m
}

// digestSize is the length of a digest, and of entropy, in bytes.
const digestSize = 32

// errDigest refuses a digest of another length.
var errDigest = errors.New("32 bytes are a digest, or entropy")

func checkDigest(b []byte) error {
	if len(b) != digestSize {
		return errDigest
	}
	return nil
}
