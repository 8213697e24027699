package room

import (
	"slices"

	"holt/server/id"
	"holt/server/tables/wire"
)

// telling is the frame of the views that one viewing names.
type telling struct {
	frame []byte
	head  int   // where the events begin
	ends  []int // where those of each item end
	body  int   // where those of all items end, and motion begins
	// The versions of the updates in the frame; nil if it was made from a like frame, or if it is
	// not kept.
	marks []marked
	// What the views get of each item; nil as marks.
	shows []*showing
	err   error // why the frame cannot be sent
}

// marked says where a frame has the version of an entry.
type marked struct {
	item int
	gen  id.Generation
	at   wire.Marked
}

// start returns where the events of an item begin.
func (t *telling) start(item int) int {
	if item == 0 {
		return t.head
	}
	return t.ends[item-1]
}

// tell makes the frame of a view. If the frame has nothing but motion it has no version: a version
// would show that the tick has something for others.
func (p *publication) tell(seat id.Seat, of viewing) *telling {
	apart := p.apart[seat]
	shows, err := p.showings(seat, apart)
	if err != nil {
		return &telling{err: err}
	}
	like := p.alike(shows, apart)
	t := p.again(seat, of, like)
	switch {
	case t != nil:
	case like != nil && like.body > like.head:
		t = p.adapted(seat, of, like)
	default:
		t = p.together(seat, of, shows, p.remembers(apart))
		p.remember(t, apart)
	}
	if t.body == t.head {
		t.frame = wire.AppendHead(t.frame[:0], of.now, 0)
		t.head, t.body = len(t.frame), len(t.frame)
		for i := range t.ends {
			t.ends[i] = t.head
		}
	}
	t.frame = append(t.frame, p.motionAt(of.now)...)
	return t
}

// showings returns what the view of a seat gets of each item.
func (p *publication) showings(seat id.Seat, apart bool) ([]*showing, error) {
	if !apart && p.usual != nil {
		return p.usual.shows, nil
	}
	shows := p.shows
	switch {
	case p.remembers(apart):
		shows = make([]*showing, len(p.work.items))
	case shows == nil:
		shows = make([]*showing, len(p.work.items))
		p.shows = shows
	}
	for i := range shows {
		if shows[i] = p.showing(i, seat, apart); shows[i].err != nil {
			return nil, shows[i].err
		}
	}
	return shows, nil
}

// alike returns the frame of another view to which all items look the same; nil if there is none
// yet.
func (p *publication) alike(shows []*showing, apart bool) *telling {
	if !apart {
		return p.usual
	}
	for _, t := range p.others {
		if slices.Equal(t.shows, shows) {
			return t
		}
	}
	return nil
}

// maxOthers is how many frames of views that are apart are compared with the next one. The views of
// a team are alike. Where each seat has something of its own, the comparison with all others costs
// more than it saves.
const maxOthers = 8

// remembers reports whether the next frame that is like no other is kept, for views to which all
// items look the same.
func (p *publication) remembers(apart bool) bool {
	if apart {
		return len(p.others) < maxOthers
	}
	return p.usual == nil
}

// remember keeps a frame, if there is room.
func (p *publication) remember(t *telling, apart bool) {
	switch {
	case !p.remembers(apart):
	case apart:
		p.others = append(p.others, t)
	default:
		p.usual = t
	}
}

// together makes the frame of a view, without motion. kept says that other views may get the same
// frame, with versions of their own.
func (p *publication) together(seat id.Seat, of viewing, shows []*showing, kept bool) *telling {
	const usual = 40 // bytes of an event
	t := &telling{ends: make([]int, len(shows))}
	if kept {
		t.marks, t.shows = make([]marked, 0, len(shows)), shows
	}
	t.frame = wire.AppendHead(make([]byte, 0, usual*(1+len(shows))), of.now, of.mark)
	t.head = len(t.frame)
	marks := p.room.table.Marks(seat)
	for i, s := range shows {
		if !s.told {
			t.frame = s.append(t.frame, 0)
		} else {
			gen := p.work.entries[p.work.items[i].entry].Gen
			t.frame = s.append(t.frame, marks.At(gen))
			if kept {
				t.marks = append(t.marks, marked{i, gen, s.update.Marked(len(t.frame))})
			}
		}
		t.ends[i] = len(t.frame)
	}
	t.frame = append(t.frame, p.holds...)
	t.body = len(t.frame)
	return t
}

// again is together for a view to which all items look as they do to another one. It copies that
// view's frame and replaces the versions, which is many times as fast. It returns nil if there is
// no such frame, or if some of the versions have other lengths.
func (p *publication) again(seat id.Seat, of viewing, like *telling) *telling {
	if like == nil || like.body == like.head {
		return nil
	}
	var head [32]byte
	begin := wire.AppendHead(head[:0], of.now, of.mark)
	if len(begin) != like.head {
		return nil
	}
	t := &telling{head: like.head, ends: like.ends, body: like.body}
	t.frame = append(t.frame, begin...)
	t.frame = append(t.frame, like.frame[like.head:like.body]...)
	marks := p.room.table.Marks(seat)
	for _, m := range like.marks {
		if !m.at.Renumber(t.frame, marks.At(m.gen)) {
			return nil
		}
	}
	return t
}

// adapted is again where some of the versions have other lengths: it goes item by item.
func (p *publication) adapted(seat id.Seat, of viewing, like *telling) *telling {
	t := &telling{ends: make([]int, len(like.ends))}
	t.frame = wire.AppendHead(make([]byte, 0, like.body+like.body/16), of.now, of.mark)
	t.head = len(t.frame)
	marks, next := p.room.table.Marks(seat), like.marks
	for i := range like.ends {
		begin, from := len(t.frame), like.start(i)
		t.frame = append(t.frame, like.frame[from:like.ends[i]]...)
		if len(next) > 0 && next[0].item == i {
			mark := marks.At(next[0].gen)
			if !next[0].at.Moved(begin-from).Renumber(t.frame, mark) {
				t.frame = like.shows[i].append(t.frame[:begin], mark)
			}
			next = next[1:]
		}
		t.ends[i] = len(t.frame)
	}
	t.frame = append(t.frame, p.holds...)
	t.body = len(t.frame)
	return t
}
