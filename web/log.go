package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"holt/server/client"
	"holt/server/id"
	"holt/server/tables/room"
)

const (
	usualLogPage = 50
	// logCost is how many updates a page of the log counts as.
	logCost = 10
	// maxSkip bounds the second number of a cursor.
	maxSkip = 1 << 20
)

// apiLog answers with a page of the log, as the view of the seat was sent it (T65).
func (s *Server) apiLog(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.limits.updates.take(keyOf(session), logCost); err != nil {
		return err
	}
	q, err := logQueryOf(r.URL.Query())
	if err != nil {
		return err
	}
	page, err := s.rooms.Log(r.Context(), session, q)
	if err != nil {
		return err
	}
	d := client.LogDocument{Entries: make([]client.LogEntry, len(page.Lines)), Dropped: page.Dropped}
	for i := range page.Lines {
		d.Entries[i] = logEntry(&page.Lines[i])
	}
	if page.More {
		d.Before = cursorText(page.Before)
	}
	return writeJSON(w, http.StatusOK, d)
}

// logEntry returns a line of a page as JSON.
func logEntry(l *room.LogLine) client.LogEntry {
	e := client.LogEntryOf(&l.SentEntry, client.LogEntry{
		Version: l.Version, At: l.At, By: l.By, Op: l.Op.String(),
	})
	if e.Chat != nil {
		e.Chat.Deleted, e.Chat.Lost = l.Deleted, l.Lost
	}
	return e
}

// logQueryOf reads the query of a page.
func logQueryOf(q url.Values) (of room.LogQuery, err error) {
	of.Limit = usualLogPage
	if q.Has("limit") {
		n, err := numberOf(q, "limit")
		if err != nil {
			return of, err
		}
		if n > room.MaxLogPage {
			return of, impossible("limit is not from 1 to " + strconv.Itoa(room.MaxLogPage))
		}
		of.Limit = int(n)
	}
	if q.Has("to") {
		to, err := numberOf(q, "to")
		if err != nil {
			return of, err
		}
		of.To, of.HasTo = id.Version(to), true
	}
	if q.Has("before") {
		if of.Before, err = cursorOf(q.Get("before")); err != nil {
			return of, err
		}
	}
	return of, nil
}

// cursorText returns a cursor as text.
func cursorText(c room.LogCursor) string {
	return strconv.FormatInt(int64(c.At), 10) + "." + strconv.Itoa(c.Skip)
}

// cursorOf reads what cursorText has returned.
func cursorOf(text string) (room.LogCursor, error) {
	at, skip, found := strings.Cut(text, ".")
	ms, err := strconv.ParseUint(at, 10, 53)
	n, failed := strconv.ParseUint(skip, 10, 32)
	if !found || err != nil || failed != nil || ms == 0 || n > maxSkip {
		return room.LogCursor{}, malformed("before is not a cursor of a page")
	}
	return room.LogCursor{At: id.Millis(ms), Skip: int(n)}, nil
}
