package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/storage"
)

// checkCommand finds what is damaged in a data directory or a backup.
type checkCommand struct {
	File string `arg:"" optional:"" help:"A backup to be checked in place of the data."`
	Data string `default:"${data}" placeholder:"DIR" help:"Where the tables are kept (${default})."`
	JSON bool   `name:"json" help:"Print JSON."`

	AcceptLosses bool `help:"Take the data as whole from now on, although something was lost, and remove objects that are damaged. The server must be stopped."`
}

// checkError says that a check was not possible: the exit status is exitUsage.
type checkError struct{ error }

func (e checkError) Unwrap() error { return e.error }

// Run checks, prints what is damaged, and fails if anything is.
func (c *checkCommand) Run(ctx context.Context, std streams) error {
	if c.AcceptLosses {
		if err := c.accept(ctx); err != nil {
			return checkError{err}
		}
	}
	what, check := c.Data, storage.Check
	if c.File != "" {
		what, check = c.File, storage.CheckFile
	}
	r, err := check(ctx, what, room.Verify)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkError{fmt.Errorf("there is nothing of holt in %s", what)}
	case errors.Is(err, storage.ErrForeign):
		return checkError{fmt.Errorf("%s is not a database of holt, or its beginning is damaged",
			what)}
	case err != nil:
		return checkError{fmt.Errorf("%s cannot be checked: %w", what, err)}
	case c.JSON:
		if err := c.print(std, &r); err != nil {
			return err
		}
	default:
		c.say(std, what, &r)
	}
	return damageIn(what, &r)
}

// accept deletes the list of losses.
func (c *checkCommand) accept(ctx context.Context) error {
	if c.File != "" {
		return errors.New("--accept-losses is for the data, and not for a backup")
	}
	switch err := storage.AcceptLosses(ctx, c.Data); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is nothing of holt in %s", c.Data)
	case err != nil:
		return explainData(c.Data, err)
	}
	return nil
}

// say prints the result in sentences.
func (c *checkCommand) say(std streams, what string, r *storage.Report) {
	sayDamage(std, r)
	if r.Old {
		std.printf(
			"%s was written by an older holt: only the form of its file was checked. "+
				"This holt brings it up to date when it serves it.\n", what)
		return
	}
	std.printf(
		"Checked: tables %d, entries %d, snapshots %d, "+
			"records of objects %d, pictures and catalogues %d.\n",
		r.Tables, r.Entries, r.Snapshots, r.Objects, r.Blobs)
	if r.Unverified > 0 {
		std.printf(
			"%d of them are older than checksums: nobody can say whether they have changed, "+
				"but tables can be rebuilt from them.\n",
			r.Unverified)
	}
	if len(r.Damage) == 0 {
		fmt.Fprintln(std.Out, "Nothing is damaged.")
	}
}

// sayDamage prints what is damaged, one thing a line.
func sayDamage(std streams, r *storage.Report) {
	for _, d := range r.Damage {
		if d.Table == (id.OID{}) {
			std.printf("DAMAGED %s\n", d.What)
		} else {
			std.printf("DAMAGED table %s: %s\n", d.Table, d.What)
		}
	}
}

// damageIn returns an error that says how many tables cannot be opened, or nil if nothing is
// damaged.
func damageIn(what string, r *storage.Report) error {
	if len(r.Damage) == 0 {
		return nil
	}
	lost := 0
	for _, d := range r.Damage {
		if d.Lost {
			lost++
		}
	}
	switch lost {
	case 0:
		return fmt.Errorf("%s is damaged, but every table can be opened", what)
	case 1:
		return fmt.Errorf("%s is damaged, and one table cannot be opened", what)
	default:
		return fmt.Errorf("%s is damaged, and %d tables cannot be opened", what, lost)
	}
}

// print prints a report as JSON.
func (c *checkCommand) print(std streams, r *storage.Report) error {
	type damage struct {
		Table string `json:"table,omitempty"`
		What  string `json:"what"`
		Lost  bool   `json:"lost"`
	}
	all := []damage{}
	for _, d := range r.Damage {
		one := damage{What: d.What, Lost: d.Lost}
		if d.Table != (id.OID{}) {
			one.Table = d.Table.String()
		}
		all = append(all, one)
	}
	return std.printJSON(map[string]any{
		"tables": r.Tables, "entries": r.Entries, "snapshots": r.Snapshots, "objects": r.Objects,
		"blobs":      r.Blobs,
		"unverified": r.Unverified, "losses": r.Losses, "old": r.Old, "damage": all,
	}, nil)
}
