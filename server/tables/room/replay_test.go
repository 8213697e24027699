package room_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// replayed reads the whole replay, page by page.
func (p *player) replayed(sight room.Sight) (raw [][]byte, pages []room.ReplayPage) {
	p.t.Helper()
	return p.readPages(sight, p.rooms.Replay)
}

// readPages reads all pages.
func (p *player) readPages(sight room.Sight, pageOf func(
	ctx context.Context, s room.Session, after id.Millis, sight room.Sight,
) (room.ReplayPage, error)) (raw [][]byte, pages []room.ReplayPage) {
	p.t.Helper()
	for after := id.Millis(0); ; {
		page, err := pageOf(p.t.Context(), p.session, after, sight)
		var fast room.TooFast
		if errors.As(err, &fast) {
			<-time.After(fast.After)
			continue
		}
		if err != nil {
			p.t.Fatal(err)
		}
		raw, pages = append(raw, page.Frames...), append(pages, page)
		if page.Next == 0 {
			return raw, pages
		}
		after = page.Next
	}
}

// replayFrames reads the whole replay.
func (p *player) replayFrames() (frames []*holtpb.Frame) {
	p.t.Helper()
	raw, _ := p.replayed(room.OwnSight)
	for _, b := range raw {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			p.t.Fatal(err)
		}
		frames = append(frames, f)
	}
	return frames
}

// seen is what a client has at the end of some frames.
type seen struct {
	pieces map[uint32]*holtpb.Piece
	holds  map[uint32]string
	seats  map[uint32]string
}

// see takes in frames.
func see(frames []*holtpb.Frame) *seen {
	s := &seen{}
	for _, f := range frames {
		for _, e := range f.GetEvents() {
			s.take(e)
		}
	}
	return s
}

func (s *seen) take(e *holtpb.Event) {
	switch m := e.GetEvent().(type) {
	case *holtpb.Event_Full:
		s.pieces, s.holds = map[uint32]*holtpb.Piece{}, map[uint32]string{}
		s.seats = map[uint32]string{}
		for _, p := range m.Full.GetPieces() {
			s.pieces[p.GetId()] = proto.CloneOf(p)
		}
		for _, h := range m.Full.GetHolds() {
			s.hold(h)
		}
		for _, seat := range m.Full.GetSeats() {
			s.seats[seat.GetId()] = seat.GetNick()
		}
	case *holtpb.Event_Update:
		s.update(m.Update.GetPiece())
	case *holtpb.Event_Holds:
		s.hold(m.Holds)
	case *holtpb.Event_Seat:
		s.seats[m.Seat.GetId()] = m.Seat.GetNick()
	}
}

func (s *seen) hold(h *holtpb.Holds) {
	if text := fmt.Sprint(h.GetKinds(), h.GetCounts()); len(h.GetKinds()) > 0 {
		s.holds[h.GetPiece()] = text
	} else {
		delete(s.holds, h.GetPiece())
	}
}

func (s *seen) update(p *holtpb.Piece) {
	name := p.GetId()
	if p.GetGone() {
		delete(s.pieces, name)
		delete(s.holds, name)
		return
	}
	was := s.pieces[name]
	if was == nil {
		was = &holtpb.Piece{}
	}
	is := proto.CloneOf(was)
	patch := proto.CloneOf(p)
	if patch.Team != nil {
		is.Team = nil
	}
	if patch.Clock != nil {
		is.Clock = nil
	}
	proto.Merge(is, patch)
	if to := p.GetRenamed(); to != 0 {
		delete(s.pieces, name)
		is.Id, is.Renamed = to, nil
		name = to
	}
	s.pieces[name] = is
}

// String returns everything but versions, without what is zero.
func (s *seen) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.pieces)) {
		p := proto.CloneOf(s.pieces[name])
		p.Mark, p.ZMark, p.Curves = 0, nil, nil
		if len(p.GetTeam().GetSeats()) == 0 {
			p.Team = nil
		}
		m := p.ProtoReflect()
		m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			if f.Message() == nil && v.Equal(f.Default()) {
				m.Clear(f)
			}
			return true
		})
		fmt.Fprintf(&b, "%v\n", p)
	}
	return fmt.Sprintf("%s%v\n%v", b.String(), s.holds, s.seats)
}

// wantReplay checks that a replay leads to what the viewer sees now.
func (p *player) wantReplay(what string) []*holtpb.Frame {
	p.t.Helper()
	frames := p.replayFrames()
	now := p.frames()
	now = append(now, &holtpb.Frame{Events: []*holtpb.Event{{
		Event: &holtpb.Event_Full{Full: p.reopenForFull()},
	}}})
	if got, want := see(frames).String(), see(now[len(now)-1:]).String(); got != want {
		p.t.Errorf("%s: the replay of seat %d ends with\n%s\nand the table is\n%s", what,
			p.session.Seat, got, want)
	}
	return frames
}

// inWords returns the events of frames in short.
func inWords(frames []*holtpb.Frame) string {
	var all []string
	for _, f := range frames {
		for _, e := range f.GetEvents() {
			switch m := e.GetEvent().(type) {
			case *holtpb.Event_Full:
				all = append(all, fmt.Sprintf("full %d", len(m.Full.GetSeats())))
			case *holtpb.Event_Update:
				op := strings.ToLower(strings.TrimPrefix(m.Update.GetOp().String(), "OP_"))
				all = append(all, fmt.Sprintf("%d %s", m.Update.GetBy(), op))
			case *holtpb.Event_Seat:
				all = append(all, m.Seat.GetNick())
			case *holtpb.Event_Notice:
				op := strings.ToLower(strings.TrimPrefix(m.Notice.GetOp().String(), "OP_"))
				all = append(all, fmt.Sprintf("%d notice %s", m.Notice.GetBy(), op))
			case *holtpb.Event_Holds:
			default:
				all = append(all, fmt.Sprintf("%T", m))
			}
		}
	}
	return strings.Join(all, "|")
}

func TestReplay(t *testing.T) {
	// Clauses: T73.1, T73.2, T73.3, T73.4, T73.5
	in(t).Run("T73 a replay leads from the set-up to the present table", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.move(tokenOne, 100, 0))
		p.readAll()
		<-time.After(time.Second)
		p.bob.mustSend(p.bob.say("hello", 0), p.bob.move(tokenTwo, 0, 7))
		<-time.After(time.Second)
		p.ada.mustSend(p.ada.say("psst", 2))
		p.readAll()
		const all = "full 0|Ada|1 claim|Bob|Eve|1 move|2 move"
		for _, who := range []*player{p.ada, p.bob, p.eve} {
			frames := who.wantReplay("after two moves")
			if got := inWords(frames); got != all {
				t.Errorf("seat %d is shown %q, want %q", who.session.Seat, got, all)
			}
			for i := 1; i < len(frames); i++ {
				if len(frames[i].GetEvents()) == 0 {
					t.Errorf("frame %d has no events", i)
				}
				if frames[i].GetTime() <= frames[i-1].GetTime() ||
					frames[i].GetMark() <= frames[i-1].GetMark() {
					t.Errorf("frame %d is not later than the one before it", i)
				}
			}
			page := who.page(room.LogQuery{})
			last, line := frames[len(frames)-1], page.Lines[len(page.Lines)-1]
			for i := len(page.Lines) - 1; line.Chat != nil; i-- {
				line = page.Lines[i]
			}
			if id.Millis(last.GetTime()) != line.At {
				t.Errorf("the last frame is of %d, the last line of %d", last.GetTime(), line.At)
			}
		}
	})
	atCards(t).Run("T73.1 each seat gets what its own view was shown",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(2))
			p.readAll()
			dan := r.open(r.seat(r.invites.Player, "Late").Session)
			dan.events()
			p.bob.mustSend(p.bob.blind(table.OpDeal, deck))
			p.readAll()
			dan.events()
			for _, who := range []*player{p.ada, p.bob, p.eve, dan} {
				who.wantReplay("after a deal")
			}
			own, others := inWords(p.ada.replayFrames()), inWords(p.eve.replayFrames())
			if strings.Count(own, "1 draw") <= strings.Count(others, "1 draw") {
				t.Errorf("ada is shown %q\nand eve %q", own, others)
			}
			// Before he came he was shown what spectators were shown.
			late, spectator := p.eve.replayFrames(), dan.replayFrames()
			isLate := func(f *holtpb.Frame) bool { return strings.Contains(f.String(), `"Late"`) }
			n := slices.IndexFunc(late, isLate)
			if m := slices.IndexFunc(spectator, isLate); n < 2 || m != n ||
				inWords(late[1:n]) != inWords(spectator[1:m]) {
				t.Errorf("before frame %d or %d they differ", n, m)
			}
		})
	// Clauses: T73.6
	atCards(t).Run("T73.6 what was done after a rewind follows a full state",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(2))
			p.readAll()
			save := p.ada.save("Before the end game", "one")
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			if _, err := p.ada.rewind(save, "go"); err != nil {
				t.Fatal(err)
			}
			ada, eve := r.open(p.ada.session), r.open(p.eve.session)
			ada.events()
			ada.mustSend(ada.draw(1))
			for _, who := range []*player{ada, eve} {
				who.events()
				frames := who.wantReplay("after a rewind")
				var fulls []*holtpb.Full
				for _, f := range frames {
					for _, e := range f.GetEvents() {
						if full := e.GetFull(); full != nil {
							fulls = append(fulls, full)
						}
					}
				}
				to := fulls[len(fulls)-1].GetRewound()
				if len(fulls) != 2 || to.GetTo().GetName() != "Before the end game" ||
					to.GetBy() != 1 || fulls[0].GetEpoch() == fulls[1].GetEpoch() {
					t.Errorf("there are %d full states, the last of %v", len(fulls), to)
				}
			}
		})
	// Clauses: T73.7
	atCards(t).Run("T73.7 it begins where the history was dropped, also after a restart",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(2))
			p.readAll()
			if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
				t.Fatal(err)
			}
			p.bob.mustSend(p.bob.draw(1))
			p.readAll()
			for range 2 {
				for _, s := range []room.Session{p.ada.session, p.bob.session, p.eve.session} {
					who := r.open(s)
					who.events()
					frames := who.wantReplay("of dropped history")
					_, pages := who.replayed(room.OwnSight)
					if got := inWords(frames); !pages[0].Dropped || strings.Contains(got, "1 draw") ||
						!strings.HasPrefix(got, "full 4|") || !strings.Contains(got, "notice draw") {
						t.Errorf("seat %d is shown %q", s.Seat, got)
					}
				}
				r.stop()
				r.start()
			}
			// A log whose first snapshot is not stored any more has the present state.
			r.changeStored(func(s *stored) { s.first = nil })
			eve := r.open(p.eve.session)
			eve.events()
			frames := eve.wantReplay("without a first snapshot")
			_, pages := eve.replayed(room.OwnSight)
			if got := inWords(frames); got != "full 4" || !pages[0].Dropped {
				t.Errorf("without a first snapshot it is %q", got)
			}
		})
	// Clauses: T73.8
	in(t).Run("T73.8 pages of a long replay follow each other", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		for n := range 60 {
			var all []table.Update
			for i := range 1000 {
				all = append(all, ada.move(tokenOne, int32(i+1), int32(n)))
			}
			ada.mustSend(all...)
			ada.events()
			<-time.After(time.Minute)
		}
		raw, pages := ada.replayed(room.OwnSight)
		if len(pages) < 2 {
			t.Fatalf("there are %d pages", len(pages))
		}
		wantSizes(t, raw, pages)
		frames := ada.wantReplay("of 60,000 moves")
		if got := strings.Count(inWords(frames), "1 move"); got != 60_000 {
			t.Errorf("there are %d moves", got)
		}
	})
	in(t).Run("T73.9 who asks too often has to wait", func(t *testing.T, r *rig) {
		p := r.talkers()
		var fast room.TooFast
		for n := 0; ; n++ {
			_, err := r.rooms.Replay(t.Context(), p.eve.session, 0, room.OwnSight)
			if errors.As(err, &fast) {
				break
			}
			if err != nil || n > 1000 {
				t.Fatalf("after %d pages: %v", n, err)
			}
		}
		if _, err := r.rooms.Replay(t.Context(), p.bob.session, 0, room.OwnSight); err != nil {
			t.Errorf("somebody else has to wait, too: %v", err)
		}
	})
	in(t).Run("T73.1 a session that is void gets nothing", func(t *testing.T, r *rig) {
		s := r.host.Session
		s.Tokens++
		if _, err := r.rooms.Replay(t.Context(), s, 0, room.OwnSight); !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("it gets %v", err)
		}
	})
	// Clauses: T73.4
	in(t).Run("T73.4 it has no links, no texts of the chat and no seeds", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("SECRET", 0))
		r.link(p.ada.session, p.bob.session.Seat)
		p.readAll()
		for _, who := range []*player{p.ada, p.bob, p.eve} {
			for _, f := range who.replayFrames() {
				text := f.String()
				for _, bad := range []string{"SECRET", "link_", "randomness", "fair:", "life:"} {
					if strings.Contains(text, bad) {
						t.Errorf("seat %d: %q is in %s", who.session.Seat, bad, text)
					}
				}
			}
		}
	})
}

// TestT73TwinReplays plays games twice, of which only what some viewers may not know differs. The
// replays of these viewers are equal, also with the open hands of all but who knows, and differ for
// whoever knows.
func TestT73TwinReplays(t *testing.T) {
	games := *twinGames
	switch {
	case games > 0:
	case testing.Short():
		games = 6
	default:
		games = 100
	}
	shown, moved := 0, 0 // cards in open hands, and frames of motion
	for seed := range uint64(games) {
		var pair [2]*played
		for i := range pair {
			replays := map[string][]receivedFrame{}
			pair[i] = playGame(t, seed+1, i == 1, false, func(g *twin) {
				g.wide = seed%2 == 1
				g.ada.operate(put(schema.TheTable, schema.Recording, 1, &componentpb.Recording{On: true}))
				for range 200 {
					g.step()
				}
				<-time.After(time.Second) // until the last step is published
				for _, name := range []string{"ada", "bob", "dan", "eve", "eva"} {
					p := g.open(g.who[name].session)
					raw, _ := p.replayed(room.OwnSight)
					p.wantReplay(fmt.Sprintf("of twin game %d, %v", seed, i == 1))
					for n, b := range raw {
						replays[name] = append(replays[name], receivedFrame{time.Duration(n), b})
					}
					raw, _ = p.motionPages(room.OwnSight)
					moved += len(raw)
					for n, b := range raw {
						replays["motion "+name] = append(replays["motion "+name],
							receivedFrame{time.Duration(n), b})
					}
				}
				g.open(g.bob.session).openHands(true)
				g.open(g.dan.session).openHands(true)
				raw, end := g.open(g.eve.session).watched()
				for n, b := range raw {
					replays["open"] = append(replays["open"], receivedFrame{time.Duration(n), b})
				}
				shown += len(end.kindsOf(g.bob.session.Seat))
				raw, _ = g.open(g.eve.session).motionPages(room.OpenHands)
				for n, b := range raw {
					replays["open motion"] = append(replays["open motion"],
						receivedFrame{time.Duration(n), b})
				}
			})
			pair[i].received = replays
		}
		t.Run("T73.10, T73.16, T73.19 twin games have equal replays", func(t *testing.T) {
			for _, who := range []string{"motion dan", "motion eve", "motion eva", "motion bob",
				"open motion"} {
				twinned(t, who, pair[0], pair[1], 0)
			}
			for _, who := range []string{"dan", "eve", "eva", "bob", "open"} {
				twinned(t, who, pair[0], pair[1], 50)
			}
			if slices.EqualFunc(pair[0].received["ada"], pair[1].received["ada"],
				func(a, b receivedFrame) bool { return bytes.Equal(a.frame, b.frame) }) {
				t.Error("ada is shown the same: the games do not differ")
			}
		})
	}
	if shown == 0 {
		t.Error("no open hand has a card in it")
	}
	if moved == 0 {
		t.Error("nothing has moved")
	}
}
