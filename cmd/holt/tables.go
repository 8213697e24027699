package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"text/tabwriter"

	"holt/server/id"
	"holt/server/room"
	"holt/storage"
)

// tablesCommand lists the tables of a server that is running, or throws one away (T42).
type tablesCommand struct {
	Discard string `placeholder:"TABLE" help:"Throw this table away, by its 32 digits: everybody at it is told, and nothing of it is left. Guests' sets go home."`
	JSON    bool   `name:"json" help:"Print JSON."`
	dataFlag
}

// Run does one of them.
func (c *tablesCommand) Run(ctx context.Context, std streams) error {
	if c.Discard != "" {
		if _, err := id.ParseOID(c.Discard); err != nil {
			return usageError{fmt.Errorf("--discard: %q is no table: it has 32 hexadecimal digits, as in the address of its page", c.Discard)}
		}
		a, err := askServer[tableQuestion, tableAnswer](ctx, c.Data, "/tables/discard", tableQuestion{Table: c.Discard})
		if err != nil || c.JSON {
			return c.print(std, a, err)
		}
		_, err = fmt.Fprintf(std.Out, "The table %q was thrown away.\n", a.Title)
		return err
	}
	all, err := askServer[struct{}, []tableAnswer](ctx, c.Data, "/tables/list", struct{}{})
	if err != nil || c.JSON {
		return c.print(std, all, err)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(std.Out, "There are no tables.")
		return err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TABLE\tMADE\tSEATS\tLOG\tSTATE\tGAME\tTITLE")
	for _, t := range all {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", t.Table, at(int64(t.Created)), t.Seats, size(t.Log).String(), size(t.State).String(), t.Game, t.Title)
	}
	return w.Flush()
}

func (c *tablesCommand) print(std streams, answer any, err error) error {
	if err != nil {
		return err
	}
	e := json.NewEncoder(std.Out)
	e.SetIndent("", "  ")
	return e.Encode(answer)
}

type (
	// tableQuestion names a table.
	tableQuestion struct {
		Table string `json:"table"`
	}
	// tableAnswer is a table as operators see it.
	tableAnswer struct {
		Table   string    `json:"table"`
		Title   string    `json:"title"`
		Game    string    `json:"game"`
		Created id.Millis `json:"created"` // milliseconds since 1970
		Seats   int       `json:"seats"`
		Log     int64     `json:"log"`   // bytes of what was played, but for the latest few entries
		State   int64     `json:"state"` // bytes of how it lies
	}
)

// tableOperator asks for tables what operators ask for.
type tableOperator struct {
	rooms *room.Rooms
	list  func(ctx context.Context) ([]storage.TableSummary, error)
}

// routes adds what is asked about tables.
func (o tableOperator) routes(m *http.ServeMux) {
	m.Handle("POST /tables/list", answering(o.tables))
	m.Handle("POST /tables/discard", answering(o.discard))
}

func (o tableOperator) tables(ctx context.Context, _ struct{}) ([]tableAnswer, error) {
	all, err := o.list(ctx)
	answers := []tableAnswer{}
	for _, t := range all {
		answers = append(answers, tableAnswer{Table: t.Table.String(), Title: t.Title, Game: t.Game, Created: t.Created, Seats: t.Seats, Log: t.Log, State: t.State})
	}
	return answers, err
}

func (o tableOperator) discard(ctx context.Context, q tableQuestion) (tableAnswer, error) {
	oid, err := id.ParseOID(q.Table)
	if err != nil {
		return tableAnswer{}, err
	}
	row, err := o.rooms.About(ctx, oid)
	if err == nil {
		err = o.rooms.DiscardTable(ctx, oid)
	}
	return tableAnswer{Table: q.Table, Title: row.Title, Game: row.Game, Created: row.Created}, err
}
