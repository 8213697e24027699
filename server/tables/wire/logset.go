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
		Number: m.Number, Seat: id.Seat(m.Seat), Shuffles: m.Shuffles,
		Away: table.Away(m.Away), Until: id.Millis(m.Until),
		Stage: table.Stage(m.Stage),
	}
	d.bytes(s.Set[:], m.Set, false)
	if m.Away > uint32(table.AwayLost) || m.Stage > uint32(table.StageOver) ||
		len(m.Parts) > table.MaxParts {
		d.fail("set that is away for %d, at %d, with %d parts",
			m.Away, m.Stage, len(m.Parts))
		return table.SetInfo{}
	}
	for _, p := range m.Parts {
		if p.Face > 1<<16 || len(p.Text) > table.MaxText {
			d.fail("part with face %d and %d bytes of text", p.Face, len(p.Text))
			return table.SetInfo{}
		}
		s.Parts = append(s.Parts, table.SetPart{
			Part: p.Part, Kind: p.Kind, Face: int32(p.Face), Value: p.Value,
			Text: p.Text,
		})
	}
	return s
}
