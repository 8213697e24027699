package room_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// page reads a page of the log.
func (p *player) page(q room.LogQuery) room.LogPage {
	p.t.Helper()
	if q.Limit == 0 {
		q.Limit = room.MaxLogPage
	}
	page, err := p.rooms.Log(p.t.Context(), p.session, q)
	if err != nil {
		p.t.Fatal(err)
	}
	return page
}

// pages reads the whole log, in pages of a size.
func (p *player) pages(limit int) (all []room.LogLine, last room.LogPage) {
	p.t.Helper()
	q := room.LogQuery{Limit: limit}
	for n := 0; ; n++ {
		last = p.page(q)
		all = append(slices.Clone(last.Lines), all...)
		if !last.More {
			return all, last
		}
		if n > 10_000 {
			p.t.Fatal("the log has no end")
		}
		q.Before = last.Before
	}
}

// describe returns lines of the log, in short.
func describe(lines []room.LogLine) string {
	var all []string
	for i := range lines {
		l := &lines[i]
		text := fmt.Sprintf("%d %v", l.By, l.Op)
		switch {
		case l.Piece:
			text += fmt.Sprintf(" %d", l.After.Name)
			if l.Before == (table.Shown{}) {
				text += " comes"
			}
			if l.After.Gone {
				text += " goes"
			}
		case l.Notice:
			text += fmt.Sprintf(" notice %d", l.Name)
		case l.Who != nil:
			text += " " + l.Who.Nick
		case l.Lost:
			text += " lost"
		case l.Deleted:
			text += " deleted"
		case l.Chat != nil:
			text += " " + l.Chat.Text
		}
		all = append(all, text)
	}
	return strings.Join(all, "|")
}

// asJSON returns lines of the log as the server answers with them.
func asJSON(t *testing.T, lines []room.LogLine) string {
	t.Helper()
	var all []client.LogEntry
	for i := range lines {
		l := &lines[i]
		all = append(all, client.LogEntryOf(&l.SentEntry, client.LogEntry{
			Version: l.Version, At: l.At, By: l.By, Op: l.Op.String(),
		}))
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestLog(t *testing.T) {
	// Clauses: T65.1, T65.2, T65.9
	in(t).Run("T65 the log has what a view was sent, the newest last", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.move(tokenOne, 100, 0))
		p.readAll()
		p.bob.mustSend(p.bob.say("hello", 0), p.bob.move(tokenTwo, 0, 7))
		p.ada.mustSend(p.ada.say("psst", 2))
		p.readAll()
		const all = "1 seat Ada|1 claim 1|2 seat Bob|3 seat Eve|1 move 2|2 say hello|2 move 3"
		for who, want := range map[*player]string{
			p.ada: all + "|1 say psst", p.bob: all + "|1 say psst", p.eve: all,
		} {
			lines, last := who.pages(3)
			if got := describe(lines); got != want {
				t.Errorf("seat %d: %q, want %q", who.session.Seat, got, want)
			}
			if last.Dropped {
				t.Error("something was dropped")
			}
			for i := range lines {
				if lines[i].Version == 0 || i > 0 && lines[i].Version <= lines[i-1].Version {
					t.Errorf("line %d has the version %d", i, lines[i].Version)
				}
			}
			if v := lines[len(lines)-1].Version; v != who.version {
				t.Errorf("the last line has the version %d, the view %d", v, who.version)
			}
			last = who.page(room.LogQuery{Limit: 1})
			if got := describe(last.Lines); !strings.HasSuffix(want, got) || !last.More {
				t.Errorf("the newest line is %q", got)
			}
		}
		moved := p.eve.page(room.LogQuery{}).Lines[4]
		if moved.Before.X != 0 || moved.After.X != 100 || moved.By != 1 || moved.At == 0 {
			t.Errorf("the move is %+v", moved)
		}
	})
	in(t).Run("T65.3 a page ends with a version of the view", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.move(tokenOne, 100, 0))
		p.readAll()
		seen := p.eve.version
		p.ada.mustSend(p.ada.say("psst", 2), p.ada.say("later", 0))
		p.readAll()
		page := p.eve.page(room.LogQuery{To: seen, HasTo: true})
		if got := describe(page.Lines); !strings.HasSuffix(got, "3 seat Eve|1 move 2") {
			t.Errorf("it is %q", got)
		}
		_, err := r.rooms.Log(t.Context(), p.eve.session,
			room.LogQuery{To: p.eve.version + 1<<16, HasTo: true, Limit: 1})
		if !errors.Is(err, room.ErrLogVersion) {
			t.Errorf("of a version that nobody was given: %v", err)
		}
	})
	in(t).Run("T65.4 pages of any size have each line once, also of one millisecond",
		func(t *testing.T, r *rig) {
			p := r.talkers()
			// All of this happens in one millisecond of the virtual time.
			for i := range int32(9) {
				p.ada.mustSend(p.ada.move(tokenOne, i, 0), p.ada.say("psst", 2),
					p.ada.move(tokenTwo, i, 5))
			}
			p.readAll()
			<-time.After(time.Millisecond)
			p.bob.mustSend(p.bob.say("end", 0))
			p.readAll()
			for _, who := range p.all() {
				whole, _ := who.pages(room.MaxLogPage)
				if n := len(whole); n < 20 {
					t.Fatalf("there are %d lines", n)
				}
				for limit := 1; limit < 9; limit++ {
					if lines, _ := who.pages(limit); describe(lines) != describe(whole) ||
						asJSON(t, lines) != asJSON(t, whole) {
						t.Errorf("seat %d: pages of %d have %s", who.session.Seat, limit,
							describe(lines))
					}
				}
			}
		})
	in(t).Run("T65.5 a log ends where the history was dropped", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("before", 0))
		p.readAll()
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		p.ada.mustSend(p.ada.say("after", 0))
		p.readAll()
		if got := r.store.texts(r.host.Table); got != "after" {
			t.Errorf("the store has the texts %q", got)
		}
		for range 2 {
			page := p.bob.page(room.LogQuery{})
			if got := describe(page.Lines); got != "1 say after" || !page.Dropped || page.More {
				t.Errorf("it is %q, %+v", got, page)
			}
			// A cursor from before leads to nothing, and does no harm.
			old := p.bob.page(room.LogQuery{Before: room.LogCursor{At: 1}})
			if len(old.Lines) != 0 || !old.Dropped {
				t.Errorf("an old cursor leads to %+v", old)
			}
			r.stop()
			r.start()
		}
	})
	in(t).Run("T65.6 deleted, old and lost lines have no text", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("lost", 0), p.ada.say("gone", 0), p.ada.say("kept", 0))
		lines := saidIn(p.ada.events())
		p.ada.mustSend(p.ada.unsay(lines[1].GetLine()))
		p.readAll()
		r.store.lose(r.host.Table, 0)
		for range 2 {
			page := p.bob.page(room.LogQuery{Limit: 4})
			if got := describe(page.Lines); got !=
				"1 say lost|1 say deleted|1 say kept|1 unsay deleted" {
				t.Errorf("the log is %q", got)
			}
			for _, who := range p.all() {
				who.cut()
			}
			r.stop() // what is damaged does not keep the table from being loaded
			r.start()
			p.bob = r.open(p.bob.session)
			p.bob.events()
		}
		ada := r.open(p.ada.session)
		ada.events()
		ada.setChat(1, &componentpb.Chat{Days: 1})
		ada.events()
		<-time.After(time.Hour)
		ada.mustSend(ada.say("later", 0))
		ada.events()
		<-time.After(22 * time.Hour)
		ada.mustSend(ada.say("new", 0))
		ada.events()
		<-time.After(3 * time.Hour) // the last sweep was two hours ago, and left "later"
		if got := describe(ada.page(room.LogQuery{Limit: 4}).Lines); got !=
			"1 say deleted|1 unsay deleted|1 say deleted|1 say new" {
			t.Errorf("the log is %q", got)
		}
		if got := r.store.texts(r.host.Table); !strings.Contains(got, "later") {
			t.Errorf("the store has %q: the test shows nothing", got)
		}
	})
	// Clauses: T65.7, T65.8
	atCards(t).Run("T65 pieces, notices and faces are as the view was shown them",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			u := p.ada.blind(table.OpPeek, deck)
			u.Has, u.N = u.Has|table.HasN, 1
			p.ada.mustSend(u)
			p.readAll()
			own, others := p.ada.page(room.LogQuery{Limit: 3}), p.bob.page(room.LogQuery{Limit: 3})
			if got := describe(own.Lines); !strings.Contains(got, " comes|") {
				t.Errorf("Ada's log is %q", got)
			}
			if got := describe(others.Lines); strings.Contains(got, " comes") ||
				!strings.HasSuffix(got, fmt.Sprintf("1 draw notice %d|1 peek notice %d", deck, deck)) {
				t.Errorf("Bob's log is %q", got)
			}
			peek, seen := own.Lines[2], others.Lines[2]
			if len(peek.Faces) != 1 || seen.Faces != nil {
				t.Errorf("the faces are %v for her, %v for him", peek.Faces, seen.Faces)
			}
			if eve := p.eve.page(room.LogQuery{Limit: 3}); asJSON(t, eve.Lines) == "" ||
				describe(eve.Lines) != describe(others.Lines) {
				t.Errorf("Eve's log is %q", describe(eve.Lines))
			}
			if text := asJSON(t, others.Lines); strings.Contains(text, `"mark"`) ||
				strings.Contains(text, `"zMark"`) {
				t.Errorf("a piece of the past has a version: %s", text)
			}
		})
	in(t).Run("T65.10 who reads too much has to wait", func(t *testing.T, r *rig) {
		p := r.talkers()
		var fast room.TooFast
		for n := 0; ; n++ {
			_, err := r.rooms.Log(t.Context(), p.eve.session, room.LogQuery{Limit: 1})
			if errors.As(err, &fast) {
				break
			}
			if err != nil || n > 10_000 {
				t.Fatalf("after %d pages: %v", n, err)
			}
		}
		if _, err := r.rooms.Log(t.Context(), p.bob.session, room.LogQuery{Limit: 1}); err != nil {
			t.Errorf("somebody else has to wait, too: %v", err)
		}
	})
	in(t).Run("T65 a session that is void reads nothing", func(t *testing.T, r *rig) {
		s := r.host.Session
		s.Tokens++
		_, err := r.rooms.Log(t.Context(), s, room.LogQuery{Limit: 1})
		if !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("it gets %v", err)
		}
	})
	in(t).Run("T65.9, T71 the log says who went back to what", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.move(tokenOne, 100, 0))
		if _, err := ada.rewind(ada.save("Before the end game", "one"), "go"); err != nil {
			t.Fatal(err)
		}
		for _, s := range []room.Session{ada.session, bob.session} {
			p := r.open(s)
			p.reopenForFull()
			lines := p.page(room.LogQuery{To: p.version, HasTo: true}).Lines
			last := lines[len(lines)-1:]
			got := asJSON(t, last)
			want := `"by":1,"op":"rewind","rewound":{"kind":"named","name":"Before the end game","at":`
			if !strings.Contains(got, want) {
				t.Errorf("seat %d reads %s", s.Seat, got)
			}
		}
	})
	in(t).Run("T65.9 who comes later reads what everybody was sent", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("psst", 2), p.ada.say("early", 0))
		p.readAll()
		dan := r.open(r.seat(r.invites.Player, "Dan").Session)
		dan.events()
		want := strings.Replace(describe(p.eve.page(room.LogQuery{}).Lines), "psst|", "", 1)
		if got := describe(dan.page(room.LogQuery{}).Lines); got != want ||
			!strings.Contains(got, "early") {
			t.Errorf("it is %q, want %q", got, want)
		}
	})
}

// lose damages what is stored of a text.
func (m *memory) lose(t id.OID, i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chats[t][i].Lost = true
}
