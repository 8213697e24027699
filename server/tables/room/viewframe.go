package room

import (
	"slices"

	"holt/server/id"
	"holt/server/tables/wire"
)

// viewFrame is the frame of the views that one viewing names.
type viewFrame struct {
	frame []byte
	head  int   // where the events begin
	ends  []int // where those of each item end
	body  int   // where those of all items end, and motion begins
	// The versions of the updates in the frame; nil if it was made from a like frame, or if it is
	// not kept.
	versions []versionAt
	// What the views get of each item; nil as marks.
	shows []*showing
	err   error // why the frame cannot be sent
}

// versionAt says where a frame has the version of an entry.
type versionAt struct {
	item int
	gen  id.Generation
	at   wire.VersionAt
}

// start returns where the events of an item begin.
func (t *viewFrame) start(item int) int {
	if item == 0 {
		return t.head
	}
	return t.ends[item-1]
}

// frameFor makes the frame of a view. If the frame has nothing but motion it has no version: a
// version would show that the tick has something for others.
func (p *publication) frameFor(seat id.Seat, of viewing) *viewFrame {
	different := p.different[seat]
	shows, err := p.showings(seat, different)
	if err != nil {
		return &viewFrame{err: err}
	}
	like := p.frameLike(shows, different)
	t := p.copyFrame(seat, of, like)
	switch {
	case t != nil:
	case like != nil && like.body > like.head:
		t = p.copyFrameByItem(seat, of, like)
	default:
		t = p.buildFrame(seat, of, shows, p.keepsFrame(different))
		p.keepFrame(t, different)
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
func (p *publication) showings(seat id.Seat, different bool) ([]*showing, error) {
	if !different && p.usual != nil {
		return p.usual.shows, nil
	}
	shows := p.shows
	switch {
	case p.keepsFrame(different):
		shows = make([]*showing, len(p.work.items))
	case shows == nil:
		shows = make([]*showing, len(p.work.items))
		p.shows = shows
	}
	for i := range shows {
		if shows[i] = p.showing(i, seat, different); shows[i].err != nil {
			return nil, shows[i].err
		}
	}
	return shows, nil
}

// frameLike returns the frame of another view to which all items look the same; nil if there is
// none yet.
func (p *publication) frameLike(shows []*showing, different bool) *viewFrame {
	if !different {
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

// keepsFrame reports whether the next frame that is like no other is kept, for views to which all
// items look the same.
func (p *publication) keepsFrame(different bool) bool {
	if different {
		return len(p.others) < maxOthers
	}
	return p.usual == nil
}

// keepFrame keeps a frame, if there is room.
func (p *publication) keepFrame(t *viewFrame, different bool) {
	switch {
	case !p.keepsFrame(different):
	case different:
		p.others = append(p.others, t)
	default:
		p.usual = t
	}
}

// buildFrame makes the frame of a view, without motion. kept says that other views may get the same
// frame, with versions of their own.
func (p *publication) buildFrame(seat id.Seat, of viewing, shows []*showing, kept bool) *viewFrame {
	const usual = 40 // bytes of an event
	t := &viewFrame{ends: make([]int, len(shows))}
	if kept {
		t.versions, t.shows = make([]versionAt, 0, len(shows)), shows
	}
	t.frame = wire.AppendHead(make([]byte, 0, usual*(1+len(shows))), of.now, of.version)
	t.head = len(t.frame)
	versions := p.room.table.Versions(seat)
	for i, s := range shows {
		if !s.hasUpdate {
			t.frame = s.append(t.frame, 0)
		} else {
			gen := p.work.entries[p.work.items[i].entry].Gen
			t.frame = s.append(t.frame, versions.At(gen))
			if kept {
				t.versions = append(t.versions, versionAt{i, gen, s.update.VersionAt(len(t.frame))})
			}
		}
		t.ends[i] = len(t.frame)
	}
	t.frame = append(t.frame, p.counts...)
	t.body = len(t.frame)
	return t
}

// copyFrame is together for a view to which all items look as they do to another one. It copies
// that view's frame and replaces the versions, which is many times as fast. It returns nil if there
// is no such frame, or if some of the versions have other lengths.
func (p *publication) copyFrame(seat id.Seat, of viewing, like *viewFrame) *viewFrame {
	if like == nil || like.body == like.head {
		return nil
	}
	var head [32]byte
	begin := wire.AppendHead(head[:0], of.now, of.version)
	if len(begin) != like.head {
		return nil
	}
	t := &viewFrame{head: like.head, ends: like.ends, body: like.body}
	t.frame = append(t.frame, begin...)
	t.frame = append(t.frame, like.frame[like.head:like.body]...)
	versions := p.room.table.Versions(seat)
	for _, m := range like.versions {
		if !m.at.Renumber(t.frame, versions.At(m.gen)) {
			return nil
		}
	}
	return t
}

// copyFrameByItem is again where some of the versions have other lengths: it goes item by item.
func (p *publication) copyFrameByItem(seat id.Seat, of viewing, like *viewFrame) *viewFrame {
	t := &viewFrame{ends: make([]int, len(like.ends))}
	t.frame = wire.AppendHead(make([]byte, 0, like.body+like.body/16), of.now, of.version)
	t.head = len(t.frame)
	versions, next := p.room.table.Versions(seat), like.versions
	for i := range like.ends {
		begin, from := len(t.frame), like.start(i)
		t.frame = append(t.frame, like.frame[from:like.ends[i]]...)
		if len(next) > 0 && next[0].item == i {
			version := versions.At(next[0].gen)
			if !next[0].at.Moved(begin-from).Renumber(t.frame, version) {
				t.frame = like.shows[i].append(t.frame[:begin], version)
			}
			next = next[1:]
		}
		t.ends[i] = len(t.frame)
	}
	t.frame = append(t.frame, p.counts...)
	t.body = len(t.frame)
	return t
}
