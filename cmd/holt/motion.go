package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/storage"
)

// motionCommand prints the recorded motion of a table (K17). It reads the data directory, so
// whoever may run it may read everything. The flag says whose view it prints.
type motionCommand struct {
	Table string `arg:"" help:"The table, by its 32 digits."`
	Seat  uint32 `default:"0" placeholder:"NUMBER" help:"Print what this seat was sent, with its hand. Without it: what spectators were sent."`
	Data  string `default:"${data}" placeholder:"DIR" help:"Where the tables are kept (${default})."`
}

// motionLine is a segment, or the end of the motion of a piece, or of all if it names none. Places
// are in units of 0.1 mm, and times in milliseconds.
type motionLine struct {
	Piece uint32    `json:"piece,omitempty"`
	Tick  id.Millis `json:"tick"` // of the version: the time of the frame
	Ended bool      `json:"ended,omitempty"`
	From  id.Millis `json:"from,omitempty"`
	To    id.Millis `json:"to,omitempty"`
	Start *[2]int32 `json:"start,omitempty"`
	End   *[2]int32 `json:"end,omitempty"`
}

// Run prints a line of JSON for each segment, in the order in which they were published.
func (c *motionCommand) Run(ctx context.Context, std streams) error {
	if err := checkTable("TABLE", c.Table); err != nil {
		return err
	}
	of, err := id.ParseOID(c.Table)
	if err != nil {
		return err
	}
	out := json.NewEncoder(std.Out)
	err = storage.Motion(ctx, c.Data, of, func(chunk []byte) error {
		frames, err := wire.DecodeRecording(chunk)
		for i := range frames {
			if err == nil && room.Sees(&frames[i], id.Seat(c.Seat)) {
				err = printMotion(out, &frames[i])
			}
		}
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is nothing of holt in %s", c.Data)
	case errors.Is(err, room.ErrNoTable):
		return fmt.Errorf("there is no table %s in %s", c.Table, c.Data)
	default:
		return err
	}
}

func printMotion(out *json.Encoder, f *wire.Recorded) error {
	if f.AllEnded {
		if err := out.Encode(motionLine{Tick: f.At, Ended: true}); err != nil {
			return err
		}
	}
	for _, p := range f.Ended {
		if err := out.Encode(motionLine{Piece: uint32(p), Tick: f.At, Ended: true}); err != nil {
			return err
		}
	}
	for _, s := range f.Segments {
		if err := out.Encode(motionLine{
			Piece: s.ID, Tick: f.At, From: s.From, To: s.From + s.Span,
			Start: &[2]int32{s.X0, s.Y0}, End: &[2]int32{s.X1, s.Y1},
		}); err != nil {
			return err
		}
	}
	return nil
}
