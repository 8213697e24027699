package sim

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// chatter is what a client has written and been sent (T64).
type chatter struct {
	asked    map[id.ClientSeq]string // not answered yet
	recorded []string
	to       map[string]id.Seat // whispers
	heard    map[uint64]bool    // numbers of lines
}

// say writes a line that nobody else writes; each third one is a whisper to the host.
func (g *simClient) say() {
	if g.pieces == nil || len(g.pending) > 20 {
		return
	}
	g.seq++
	c := &g.chat
	if c.asked == nil {
		c.asked, c.to = map[id.ClientSeq]string{}, map[string]id.Seat{}
	}
	u := table.Update{
		Seq: g.seq, Op: table.OpSay, Has: table.HasText,
		Text: fmt.Sprintf("line %d of client %d", g.seq, g.id[15]),
	}
	if g.seq%3 == 0 && g.session.Seat != 1 {
		u.Seat, u.Has = 1, u.Has|table.HasSeat
		c.to[u.Text] = u.Seat
	}
	c.asked[g.seq] = u.Text
	g.pending = append(g.pending, pendingUpdate{Update: u})
}

// onChat notes a line, and answers to own ones.
func (g *simClient) onChat(e *holtpb.Event) {
	c := &g.chat
	if a := e.GetAck(); a != nil {
		if text, asked := c.asked[id.ClientSeq(a.GetSeq())]; asked {
			c.recorded = append(c.recorded, text)
			delete(c.asked, id.ClientSeq(a.GetSeq()))
		}
	}
	if r := e.GetReject(); r != nil {
		delete(c.asked, id.ClientSeq(r.GetSeq()))
	}
	if s := e.GetSaid(); s != nil {
		if c.heard[s.GetLine()] && !g.byDatagrams {
			g.t.Errorf("T64 seat %v is sent line %d twice", g.session.Seat, s.GetLine())
		}
		if c.heard == nil {
			c.heard = map[uint64]bool{}
		}
		c.heard[s.GetLine()] = true
	}
}

// compareChats checks that the log of a client has each line that was recorded for it once, and no
// other one.
func compareChats(t *testing.T, h *host, g *simClient, all []*simClient) (lines int) {
	t.Helper()
	listed := map[string]int{}
	for q := (room.LogQuery{Limit: room.MaxLogPage}); ; {
		page, err := h.rooms.Log(t.Context(), g.session, q)
		var soon room.TooFast
		if errors.As(err, &soon) {
			<-time.After(soon.After)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Lines {
			if l := &page.Lines[i]; l.Op == table.OpSay {
				listed[l.Chat.Text]++
			}
		}
		if !page.More {
			break
		}
		q.Before = page.Before
	}
	for _, other := range all {
		for _, text := range other.chat.recorded {
			to := other.chat.to[text]
			if to != 0 && to != g.session.Seat && other.session.Seat != g.session.Seat {
				continue
			}
			if listed[text] != 1 {
				t.Errorf("T64.1 the log of seat %v has %q %d times", g.session.Seat, text, listed[text])
			}
			delete(listed, text)
			lines++
		}
	}
	if len(listed) > 0 {
		t.Errorf("T64 the log of seat %v also has %v", g.session.Seat, listed)
	}
	return lines
}
