package wire

import (
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/logpb"
)

// logSet returns the stored form of a set.
func logSet(s *table.SetInfo) *logpb.Set {
	m := &logpb.Set{
		Set: s.Set[:], Number: s.Number, Seat: uint32(s.Seat), Shuffles: s.Shuffles,
		Away: uint32(s.Away), Until: int64(s.Until), Stage: uint32(s.Stage),
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		//nolint:gosec // never negative
		m.Parts = append(m.Parts, &logpb.Part{
			Part: p.Part, Kind: p.Kind, Face: uint32(p.Face), Value: p.Value, Text: p.Text,
		})
	}
	return m
}

// set reads what logSet has made.
func (d *decoder) set(m *logpb.Set) table.SetInfo {
	//nolint:gosec // checked below
	s := table.SetInfo{
		Number: m.GetNumber(), Seat: id.Seat(m.GetSeat()), Shuffles: m.GetShuffles(),
		Away: table.Away(m.GetAway()), Until: id.Millis(m.GetUntil()),
		Stage: table.Stage(m.GetStage()),
	}
	d.bytes(s.Set[:], m.GetSet(), false)
	if m.GetAway() > uint32(table.AwayLost) || m.GetStage() > uint32(table.StageOver) ||
		len(m.GetParts()) > table.MaxParts {
		d.fail("set that is away for %d, at %d, with %d parts",
			m.GetAway(), m.GetStage(), len(m.GetParts()))
		return table.SetInfo{}
	}
	for _, p := range m.GetParts() {
		if p.GetFace() > 1<<16 || len(p.GetText()) > table.MaxText {
			d.fail("part with face %d and %d bytes of text", p.GetFace(), len(p.GetText()))
			return table.SetInfo{}
		}
		//nolint:gosec // checked above
		s.Parts = append(s.Parts, table.SetPart{
			Part: p.GetPart(), Kind: p.GetKind(), Face: int32(p.GetFace()), Value: p.GetValue(),
			Text: p.GetText(),
		})
	}
	return s
}
