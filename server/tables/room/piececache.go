package room

import (
	"iter"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// pieceCache keeps how pieces looked in the last full state, and how that is encoded. Mostly they
// look the same the next time, and the same to all viewers. What is kept is compared with what a
// view sees, in everything but the versions. So nobody gets what was encoded for somebody who sees
// more.
type pieceCache struct {
	all  []look // in the order of their names
	used bool   // since forget was called
}

// look is a piece without its versions, and its encoding.
type look struct {
	shown   table.Shown
	encoded []byte
}

// append appends pieces, which come in the order of their names, to those of a full state.
func (l *pieceCache) append(b []byte, pieces iter.Seq[*table.Shown]) ([]byte, error) {
	var added []look
	i := 0
	for s := range pieces {
		version, level := s.Version, s.ZVersion
		s.Version, s.ZVersion = 0, 0
		for i < len(l.all) && l.all[i].shown.Name < s.Name {
			i++
		}
		var of *look
		switch known := i < len(l.all) && l.all[i].shown.Name == s.Name; {
		case known:
			of = &l.all[i]
		default:
			added = append(added, look{})
			of = &added[len(added)-1]
		}
		if of.encoded == nil || of.shown != *s {
			encoded, err := wire.EncodeFullPiece(s)
			if err != nil {
				return b, err
			}
			*of = look{shown: *s, encoded: encoded}
		}
		b = wire.AppendFullPiece(b, of.encoded, version, level)
	}
	l.used = true
	if len(added) > 0 {
		l.all = append(l.all, added...)
		slices.SortFunc(l.all, func(a, b look) int { return int(a.shown.Name) - int(b.shown.Name) })
	}
	return b, nil
}

// forget forgets everything if nobody has used it since the last call.
func (l *pieceCache) forget() {
	if !l.used {
		l.all = nil
	}
	l.used = false
}

// bound forgets everything if most of it is about pieces that are gone. n is how many pieces there
// are.
func (l *pieceCache) bound(n int) {
	if len(l.all) > 2*n+64 {
		l.all = nil
	}
}

// full returns a frame with the full state as it is now, durable or not. The caller sends it only
// when it is durable.
//
// It has foreign components if foreign is set (C21).
func (r *room) full(
	seat id.Seat, c id.Client, acks []table.Ack, foreign bool,
) ([]byte, error) {
	r.pieceCache.bound(r.table.Pieces())
	const usual = 40 // bytes of a piece
	pieces, err := r.pieceCache.append(make([]byte, 0, usual*r.table.Pieces()), r.table.Each(seat, c))
	if err != nil {
		return nil, err
	}
	frame := wire.AppendHead(make([]byte, 0, len(pieces)+r.components.replica.Bytes()+1024),
		r.nowFor(seat), r.table.VersionAt(seat, r.table.Gen()))
	frame, err = wire.AppendFull(frame, &holtpb.Full{
		Epoch: uint64(r.row.Epoch), Life: r.serverLife.bytes(), You: uint32(seat),
		Table: r.info(), Seats: r.everySeat(),
		Components: r.components.encode(r.table, seat, foreign), Sets: wire.GuestSets(r.table.Sets()),
		Holds: allCounts(r.table), Randomness: wire.Randomness(r.randomness.state),
		Rewound: r.saves.rewound(),
	}, pieces)
	if err != nil {
		return nil, err
	}
	var events []*holtpb.Event
	if r.space.level > 0 {
		events = append(events, wire.SpaceEvent(r.space.level))
	}
	if r.undo.question != nil {
		events = append(events, r.questionEvent(seat))
	}
	if r.round != nil {
		events = append(events, r.roundEvent(seat))
	}
	if r.succession.open {
		events = append(events, r.successionEvent())
	}
	for _, a := range acks {
		events = append(events, wire.RepeatEvent(a))
	}
	for _, e := range r.appendSaving(events) {
		if frame, err = wire.AppendEvent(frame, e); err != nil {
			return nil, err
		}
	}
	return frame, nil
}
