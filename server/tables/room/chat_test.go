package room_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// say returns an update that writes a line, to everybody or to one seat.
func (p *player) say(text string, to id.Seat) table.Update {
	p.seq++
	u := table.Update{Seq: p.seq, Op: table.OpSay, Has: table.HasText, Text: text}
	if to != 0 {
		u.Seat, u.Has = to, u.Has|table.HasSeat
	}
	return u
}

// unsay returns an update that deletes a line.
func (p *player) unsay(line uint64) table.Update {
	p.seq++
	return table.Update{
		Seq: p.seq, Op: table.OpUnsay, Has: table.HasLine, Line: id.ChatLine(line),
	}
}

// saidIn returns the lines that events bring.
func saidIn(events []*holtpb.Event) (all []*holtpb.Said) {
	for _, e := range events {
		if s := e.GetSaid(); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// unsaidIn returns the lines that events delete.
func unsaidIn(events []*holtpb.Event) (all []uint64) {
	for _, e := range events {
		if u := e.GetUnsaid(); u != nil {
			all = append(all, u.GetLine())
		}
	}
	return all
}

// texts returns the texts of lines, with their authors and recipients.
func texts(lines []*holtpb.Said) string {
	var all []string
	for _, s := range lines {
		all = append(all, fmt.Sprintf("%d>%d %s", s.GetBy(), s.GetTo(), s.GetText()))
	}
	return strings.Join(all, "|")
}

// wantTexts checks which lines a player gets.
func (p *player) wantTexts(want string) []*holtpb.Said {
	p.t.Helper()
	got := saidIn(p.events())
	if texts(got) != want {
		p.t.Errorf("seat %d gets %q, want %q", p.session.Seat, texts(got), want)
	}
	return got
}

// chatRules returns an operation that sets the rules of the chat.
func (p *player) setChat(timestamp uint32, rules *componentpb.Chat) {
	p.t.Helper()
	p.operate(put(schema.TheTable, schema.Chat, timestamp, rules))
}

func TestChat(t *testing.T) {
	// Clauses: T64.1, T64.4, T64.5
	in(t).Run("T64 a line goes to everybody, and is there once", func(t *testing.T, r *rig) {
		p := r.talkers()
		u := p.ada.say("hello", 0)
		p.ada.mustSend(u)
		p.ada.mustSend(u) // again, as after a lost answer
		own := p.ada.events()
		if got := texts(saidIn(own)); got != "1>0 hello" || fmt.Sprint(acks(own)) != "[1 1]" {
			t.Errorf("Ada gets %q and the acks %v", got, acks(own))
		}
		line := p.bob.wantTexts("1>0 hello")[0]
		if line.GetLine() < table.MinLine || line.GetLine() > table.MaxLine || line.GetAt() == 0 {
			t.Errorf("the line is %v", line)
		}
		p.eve.wantTexts("1>0 hello")
	})
	// Clauses: T64.6, T64.7
	in(t).Run("T64 a whisper is for two, and nobody else can see it", func(t *testing.T, r *rig) {
		p := r.talkers()
		dan := r.open(r.seat(r.invites.Player, "Dan").Session)
		dan.events()
		p.readAll()
		before, watching := dan.version, p.eve.version
		for range 5 {
			p.ada.mustSend(p.ada.say("psst", p.bob.session.Seat))
		}
		if got := dan.events(); len(got) != 0 || dan.version != before {
			t.Errorf("Dan gets %v, and has the version %d after %d", got, dan.version, before)
		}
		if got := p.eve.events(); len(got) != 0 || p.eve.version != watching {
			t.Errorf("Eve gets %v", got)
		}
		want := strings.TrimSuffix(strings.Repeat("1>2 psst|", 5), "|")
		lines := p.bob.wantTexts(want)
		p.ada.wantTexts(want)
		// Nobody else can delete it, or learn by trying that it exists.
		if got := dan.reason(dan.unsay(lines[0].GetLine())); got != holtpb.Reason_REASON_GONE {
			t.Errorf("Dan's deletion is rejected with %v", got)
		}
		dan.events()
		p.bob.mustSend(p.bob.say("yes?", 1))
		p.ada.wantTexts("2>1 yes?")
		p.ada.mustSend(p.ada.move(tokenOne, 5, 5))
		if got := dan.events(); len(got) != 1 || dan.version != before+1<<16 {
			t.Errorf("after a move Dan gets %v, version %d after %d", got, dan.version, before)
		}
	})
	in(t).Run("T64.8 nobody can whisper to oneself, to spectators or as one",
		func(t *testing.T, r *rig) {
			p := r.talkers()
			for who, u := range map[*player]table.Update{
				p.ada: p.ada.say("me", 1), p.bob: p.bob.say("you", p.eve.session.Seat),
				p.eve: p.eve.say("you", 1),
			} {
				if got := who.reason(u); got != holtpb.Reason_REASON_NOT_ALLOWED {
					t.Errorf("seat %d: %v", who.session.Seat, got)
				}
			}
		})
	in(t).Run("T64.2 a line has 1 to 500 characters", func(t *testing.T, r *rig) {
		p := r.talkers()
		for name, text := range map[string]string{
			"empty": "", "too long": strings.Repeat("ü", 501), "two lines": "a\nb", "a tab": "a\tb",
			"a separator": "a\u2028b", "outer spaces": " a", "not UTF-8": "\xff",
		} {
			err := p.ada.send(p.ada.say(text, 0))
			p.ada.seq--
			if want := (*table.Invalid)(nil); !errors.As(err, &want) ||
				want.Code != table.CodeImpossible {
				t.Errorf("%s: %v", name, err)
			}
		}
		longest := strings.Repeat("\U0001f9a6", 500)
		p.ada.mustSend(p.ada.say(longest, 0))
		p.bob.wantTexts("1>0 " + longest)
	})
	in(t).Run("T64.3 twenty lines at once, and then one a second", func(t *testing.T, r *rig) {
		p := r.talkers()
		said := func(n int) (ok int) {
			for range n {
				if err := p.ada.send(p.ada.say("x", 0)); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range p.ada.events() {
				if e.GetSaid() != nil {
					ok++
				} else if why := e.GetReject(); why != nil &&
					why.GetReason() != holtpb.Reason_REASON_COOLING {
					t.Errorf("rejected with %v", why)
				}
			}
			return ok
		}
		if got := said(30); got != 20 {
			t.Errorf("%d of 30 lines are written, want 20", got)
		}
		<-time.After(3 * time.Second)
		if got := said(10); got != 3 {
			t.Errorf("after three seconds %d of 10 are written, want 3", got)
		}
		p.bob.events()
		p.bob.mustSend(p.bob.say("I may", 0))
		p.bob.wantTexts("2>0 I may")
	})
	// Clauses: T64.9, T64.10
	in(t).Run("T64 authors delete their lines, and hosts those that they see",
		func(t *testing.T, r *rig) {
			p := r.talkers()
			p.bob.mustSend(p.bob.say("oops", 0), p.bob.say("fine", 0))
			p.ada.mustSend(p.ada.say("mine", 0))
			lines := saidIn(p.bob.events())
			p.readAll()
			if got := p.bob.reason(p.bob.unsay(lines[2].GetLine())); got !=
				holtpb.Reason_REASON_NOT_ALLOWED {
				t.Errorf("Bob deletes Ada's line: %v", got)
			}
			p.bob.mustSend(p.bob.unsay(lines[0].GetLine()))
			p.ada.mustSend(p.ada.unsay(lines[1].GetLine()))
			want := []uint64{lines[0].GetLine(), lines[1].GetLine()}
			for _, who := range p.all() {
				if got := unsaidIn(who.events()); !slices.Equal(got, want) {
					t.Errorf("seat %d gets %v, want %v", who.session.Seat, got, want)
				}
			}
			if got := p.bob.reason(p.bob.unsay(lines[0].GetLine())); got !=
				holtpb.Reason_REASON_GONE {
				t.Errorf("once more: %v", got)
			}
			if left := r.store.texts(r.host.Table); left != "mine" {
				t.Errorf("the store still has %q", left)
			}
		})
	// Clauses: T64.11, T64.12
	in(t).Run("T64 spectators write, unless a host forbids it", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.eve.mustSend(p.eve.say("nice", 0))
		p.ada.wantTexts("3>0 nice")
		p.eve.events()
		err := p.eve.send(p.eve.say("and", 0), p.eve.move(tokenOne, 1, 1))
		if !errors.Is(err, room.ErrRole) {
			t.Errorf("a spectator's move: %v", err)
		}
		p.ada.setChat(1, &componentpb.Chat{Silent: true})
		p.eve.events()
		if got := p.eve.reason(p.eve.say("no", 0)); got != holtpb.Reason_REASON_NOT_ALLOWED {
			t.Errorf("it is rejected with %v", got)
		}
		r.stop()
		r.start()
		eve := r.open(p.eve.session)
		eve.events()
		if got := eve.reason(eve.say("no", 0)); got != holtpb.Reason_REASON_NOT_ALLOWED {
			t.Errorf("after a restart it is rejected with %v", got)
		}
	})
	// Clauses: T64.13
	in(t).Run("T64, S5 who comes back gets the lines that were missed", func(t *testing.T, r *rig) {
		p := r.talkers()
		for _, restarts := range []bool{false, true} {
			p.bob.mustSend(p.bob.move(tokenOne, 1, 1))
			p.readAll()
			seen := p.bob.version
			p.bob.cut()
			p.ada.mustSend(p.ada.say("one", 0), p.ada.say("psst", 2), p.ada.say("two", 0))
			lines := saidIn(p.ada.events())
			p.ada.mustSend(p.ada.unsay(lines[2].GetLine()))
			p.readAll()
			if restarts {
				r.store.failSave = errDisk // without a snapshot the log has what was missed
				r.stop()
				r.start()
				p.ada, p.eve = r.open(p.ada.session), r.open(p.eve.session)
				p.readAll()
			}
			p.bob.come(room.Hello{Client: p.bob.id, Epoch: p.bob.epoch, Version: seen})
			got := p.bob.events()
			if got[0].GetResumed() == nil || texts(saidIn(got)) != "1>0 one|1>2 psst|1>0 " ||
				!slices.Equal(unsaidIn(got), []uint64{lines[2].GetLine()}) {
				t.Errorf("restarts %v: Bob gets %v", restarts, got)
			}
			p.bob.cut()
			p.bob.reopen(0)
			if got := saidIn(p.bob.events()); len(got) != 0 {
				t.Errorf("a full state brings %v", got)
			}
		}
	})
	in(t).Run("T64.14 a text is kept as long as the host says", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("old", 0))
		<-time.After(25 * time.Hour)
		p.ada.mustSend(p.ada.say("new", 0))
		p.readAll()
		p.ada.setChat(1, &componentpb.Chat{Days: 1})
		p.readAll()
		if got := r.store.texts(r.host.Table); got != "new" {
			t.Errorf("the store has %q", got)
		}
		<-time.After(26 * time.Hour)
		p.readAll()
		if got := r.store.texts(r.host.Table); got != "" {
			t.Errorf("a day later the store has %q", got)
		}
		p.ada.mustSend(p.ada.say("last", 0))
		p.readAll()
		for _, who := range p.all() {
			who.cut()
		}
		r.stop()
		<-time.After(25 * time.Hour)
		r.start()
		r.open(r.host.Session).events()
		if got := r.store.texts(r.host.Table); got != "" {
			t.Errorf("when the table is loaded the store has %q", got)
		}
	})
	in(t).Run("T64.15 the log of the server and the entries have no text", func(t *testing.T, r *rig) {
		p := r.talkers()
		p.ada.mustSend(p.ada.say("topsecret", 0), p.ada.say("topsecret", 2))
		p.readAll()
		if r.log.count("topsecret") != 0 {
			t.Error("the server has logged a text")
		}
		for _, body := range r.store.log(r.host.Table) {
			if strings.Contains(string(body), "topsecret") {
				t.Error("an entry of the log has the text")
			}
		}
		p.ada.mustSend(p.ada.say("one", 0))
		first := entryOf(t, r)
		p.ada.mustSend(p.ada.say("another", 0))
		if second := entryOf(t, r); first.Digest != second.Digest {
			t.Error("the digest of the update reveals the text")
		}
	})
	in(t).Run("T64.16 a full log takes no line, but a line can be deleted",
		func(t *testing.T, r *rig) {
			p := r.talkers()
			p.ada.mustSend(p.ada.say("early", 0))
			line := saidIn(p.ada.events())[0].GetLine()
			r.refill(room.Quota{Table: 1})
			ada := r.open(r.host.Session)
			ada.events()
			if got := ada.reason(ada.say("late", 0)); got != holtpb.Reason_REASON_LOG_FULL {
				t.Errorf("a line is rejected with %v", got)
			}
			ada.mustSend(ada.unsay(line))
			if got := unsaidIn(ada.events()); len(got) != 1 {
				t.Errorf("the deletion is answered by %v", got)
			}
		})
}

// refill starts the rooms again with another quota.
func (r *rig) refill(q room.Quota) {
	r.t.Helper()
	r.stop()
	r.quota = q
	r.start()
}

// entryOf returns the latest entry of the log.
func entryOf(t *testing.T, r *rig) table.Entry {
	t.Helper()
	log := r.store.log(r.host.Table)
	e, err := wire.DecodeEntry(log[len(log)-1])
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// log returns the entries of a table.
func (m *memory) log(t id.OID) [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.tables[t].log)
}

// texts returns the stored texts of the chat of a table.
func (m *memory) texts(t id.OID) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []string
	for _, c := range m.chats[t] {
		all = append(all, c.Text)
	}
	return strings.Join(all, "|")
}

// talkers are Ada, who is the host, Bob, who plays, and Eve, who watches.
type talkers struct {
	*rig
	ada, bob, eve *player
}

func (p *talkers) all() []*player { return []*player{p.ada, p.bob, p.eve} }

// readAll makes everybody read what has come.
func (p *talkers) readAll() {
	p.t.Helper()
	for _, who := range p.all() {
		who.frames()
	}
}

// talkers seats them.
func (r *rig) talkers() *talkers {
	r.t.Helper()
	p := &talkers{rig: r, ada: r.open(r.host.Session),
		bob: r.open(r.seat(r.invites.Player, "Bob").Session),
		eve: r.open(r.seat(r.invites.Spectator, "Eve").Session),
	}
	p.readAll()
	return p
}
