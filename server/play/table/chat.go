package table

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"holt/server/id"
)

// Chat (T64). The table knows no text: its history has who wrote a line to whom, and when. What was
// written is beside the history, where it can be deleted.

// The operations of chat.
const (
	OpSay   Op = 61
	OpUnsay Op = 64
)

// Bounds of chat (T64).
const (
	MaxChat = 500 // characters of a line
	// The numbers of lines.
	MinLine = 1 << 49
	MaxLine = 1<<53 - 1
)

func init() {
	define(rows{
		OpSay: {Name: "say", Traits: ShownLater, Forms: []Form{{
			Required:  HasText,
			Optional:  HasSeat,
			Condition: "a line of text (T64)",
			Ack:       "none",
			Rejects:   []Reason{ReasonNotAllowed, ReasonCooling},
		}}, check: (*Update).checkChat, run: (*judging).say},
		OpUnsay: {Name: "unsay", Traits: ShownLater, Forms: []Form{{
			Required:  HasLine,
			Condition: "one's own line, or for a host any that the host sees",
			Ack:       "none",
			Rejects:   []Reason{ReasonGone, ReasonNotAllowed},
		}}, run: (*judging).unsay},
	})
}

// Chat says what an entry is about that belongs to the chat: a line that was written, or one that
// was deleted.
type Chat struct {
	Line id.ChatLine
	By   id.Seat // who wrote the line
	// To is the only seat for which the line is, beside its author; 0: it is for everybody.
	To      id.Seat
	Deleted bool // the line was deleted, by the seat of the entry
	// Text is what was written. It is empty in an entry that was read from the log, and when the
	// line was deleted or its text is lost.
	Text string
}

// isFor reports whether a view is sent the line. A view is named by its seat.
func (c *Chat) isFor(view id.Seat) bool { return c.To == 0 || c.To == view || c.By == view }

// ChatRules are what the hosts of a table have decided about its chat (T64).
type ChatRules struct {
	SpectatorsRead bool // and do not write
}

// SetChat sets the rules of the chat. The history does not contain them.
func (t *Table) SetChat(rules ChatRules) { t.chatRules = rules }

// checkChat refuses a text that cannot be a line of the chat.
func (u *Update) checkChat() (code, detail string) {
	switch n := utf8.RuneCountInString(u.Text); {
	case n < 1 || n > MaxChat:
		return CodeImpossible, fmt.Sprintf("a line of chat has 1 to %d characters", MaxChat)
	case !utf8.ValidString(u.Text) || strings.ContainsFunc(u.Text, breaksLine):
		return CodeImpossible, "a line of chat is UTF-8 without control characters"
	case strings.TrimSpace(u.Text) != u.Text:
		return CodeImpossible, "a line of chat has no spaces around it"
	}
	return "", ""
}

// breaksLine reports whether a character is a control character, or ends a line or a paragraph.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// say records a line. Its author gets it as everybody does: a line gets its number from the server.
func (j *judging) say() Outcome {
	t, to := j.t, id.Seat(0)
	if j.by.Role == RoleSpectator && t.chatRules.SpectatorsRead {
		return j.reject(ReasonNotAllowed, 0)
	}
	if j.u.Has&HasSeat != 0 {
		// Spectators share a view, so nobody can whisper to one of them (T64), nor to a referee.
		to = j.u.Seat
		who, ok := t.Seat(to)
		if !ok || !who.Plays() || to == j.by.Seat || !j.by.Role.Plays() {
			return j.reject(ReasonNotAllowed, 0)
		}
	}
	t.record(j.entry(Entry{Server: true, Chat: &Chat{
		Line: t.randomLine(), By: j.by.Seat, To: to, Text: j.u.Text,
	}}))
	return Outcome{Verdict: Recorded}
}

// randomLine returns the number of a new line. It says nothing about other lines. All have the same
// length on the wire.
func (t *Table) randomLine() id.ChatLine {
	const low = 30
	high := MinLine>>low + t.lots.IntN((MaxLine+1-MinLine)>>low)
	return id.ChatLine(high)<<low | id.ChatLine(t.lots.IntN(1<<low)) //nolint:gosec // 23 and 30 bits
}

// unsay records that a line was deleted.
func (j *judging) unsay() Outcome {
	c := j.in.Said
	switch {
	case c == nil || c.Line != j.u.Line || !c.isFor(j.t.ViewOf(j.by.Seat)):
		return j.reject(ReasonGone, 0)
	case c.By != j.by.Seat && !j.by.Role.Hosts():
		return j.reject(ReasonNotAllowed, 0)
	}
	j.t.record(j.entry(Entry{Server: true, Chat: &Chat{
		Line: c.Line, By: c.By, To: c.To, Deleted: true,
	}}))
	return Outcome{Verdict: Recorded}
}
