package client

import (
	"cmp"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// The log of a table as JSON (http.md, T65).
type (
	// LogDocument is a page of the log. Before is the cursor of the page before it, empty if there
	// is none. Dropped says that the history before it was dropped.
	LogDocument struct {
		Entries []LogEntry `json:"entries"`
		Before  string     `json:"before,omitempty"`
		Dropped bool       `json:"dropped,omitempty"`
	}
	// LogEntry is an entry of the log, as a view was sent it. One of the pointers is set.
	LogEntry struct {
		Version id.Version `json:"version,omitempty"` // 0: not known any more
		At      id.Millis  `json:"at"`
		By      id.Seat    `json:"by"`
		Op      string     `json:"op"`
		Piece   *LogPiece  `json:"piece,omitempty"`
		Notice  *LogNotice `json:"notice,omitempty"`
		Seat    *logSeat   `json:"seat,omitempty"`
		Chat    *LogChat   `json:"chat,omitempty"`
		Rewound *LogRewind `json:"rewound,omitempty"`
	}
	// LogPiece is a piece that has changed. Before is nil if the view did not see it, After if the
	// view does not see it any more. Renamed is its new name, if it has one.
	LogPiece struct {
		ID      id.Piece     `json:"id"`
		Renamed id.Piece     `json:"renamed,omitempty"`
		Before  *shownBefore `json:"before,omitempty"`
		After   *shownBefore `json:"after,omitempty"`
	}
	// LogNotice is what was done that no change of a piece shows (T28). Without a piece the view
	// does not see it.
	LogNotice struct {
		Piece id.Piece `json:"piece,omitempty"`
		Kind  *uint32  `json:"kind,omitempty"`
		X     *int32   `json:"x,omitempty"`
		Y     *int32   `json:"y,omitempty"`
		Count int32    `json:"count,omitempty"` // 0: it is kept back
		To    id.Seat  `json:"to,omitempty"`
		Faces []uint32 `json:"faces,omitempty"` // kinds that the viewer alone was shown
	}
	// LogChat is a line of the chat (T64).
	LogChat struct {
		Line    id.ChatLine `json:"line"`
		By      id.Seat     `json:"by"` // who wrote it
		To      id.Seat     `json:"to,omitempty"`
		Text    string      `json:"text,omitempty"`
		Deleted bool        `json:"deleted,omitempty"`
		Lost    bool        `json:"lost,omitempty"` // what is stored of it is damaged
	}
	// LogRewind is the save point to which the table went back (T71).
	LogRewind struct {
		Kind string    `json:"kind"`
		Name string    `json:"name,omitempty"`
		At   id.Millis `json:"at"` // when the save point was made
	}
	// shownBefore is a piece without the versions that only the present state has.
	shownBefore struct {
		pieceDocument
		Mark  *id.Version `json:"mark,omitempty"`
		ZMark *id.Version `json:"zMark,omitempty"`
	}
	// logSeat is a seat without who is here, which is not in the log.
	logSeat struct {
		seatDocument
		Presence *string `json:"presence,omitempty"`
	}
)

// SaveKinds has the names of the kinds of save points.
var SaveKinds = map[table.SaveKind]string{
	table.SaveNamed: "named", table.SaveSetUp: "set-up", table.SaveAuto: "auto",
	table.SaveBefore: "before",
}

// LogEntryOf returns e with what a view was sent of it.
func LogEntryOf(of *table.SentEntry, e LogEntry) LogEntry {
	switch {
	case of.Piece:
		e.Piece = logPieceOf(of)
	case of.Notice:
		e.Notice = &LogNotice{Piece: of.Name, Count: of.Count, To: of.To, Faces: of.Faces}
		if of.Name != 0 {
			e.Notice.Kind, e.Notice.X, e.Notice.Y = &of.Before.Kind, &of.Before.X, &of.Before.Y
		}
	case of.Who != nil:
		s := SeatInfo{SeatInfo: *of.Who, Presence: holtpb.Presence_PRESENCE_GONE}
		e.Seat = &logSeat{seatDocument: seatDocumentOf(&s)}
	case of.Chat != nil:
		c := of.Chat
		e.Chat = &LogChat{Line: c.Line, By: c.By, To: c.To, Text: c.Text}
	case of.Rewound != nil:
		to := of.Rewound
		e.Rewound = &LogRewind{Kind: SaveKinds[to.Kind], Name: to.Name, At: to.Made}
	}
	return e
}

func logPieceOf(l *table.SentEntry) *LogPiece {
	p := &LogPiece{ID: l.After.Name, Renamed: l.After.Renamed}
	if l.Before != (table.Shown{}) {
		p.Before = &shownBefore{pieceDocument: pieceDocumentOf(&l.Before)}
	}
	if !l.After.Gone {
		after := l.After
		after.Name = cmp.Or(after.Renamed, after.Name)
		p.After = &shownBefore{pieceDocument: pieceDocumentOf(&after)}
	}
	return p
}
