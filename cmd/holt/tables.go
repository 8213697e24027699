package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"text/tabwriter"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/storage"
	"holt/web"
)

// tablesCommand lists the tables of a running server, creates one, deletes one (T42), or makes a
// link for a host who has lost their device (T54).
type tablesCommand struct {
	Create     string `placeholder:"GAME" help:"Set up a table of this game and print its host's link, whoever else may set up tables. Keep the link for the host: who has it is the host."`
	Title      string `placeholder:"TEXT" help:"What the new table is called."`
	Nick       string `placeholder:"NAME" default:"Host" help:"What its host is called (${default})."`
	CreateLink bool   `help:"Print the link that lets a browser set up tables, for a server that asks for it (--who-may-create link)."`
	Renew      bool   `help:"With --create-link: make a new link; who has the one of before may not set up tables any more."`
	Discard    string `placeholder:"TABLE" help:"Throw this table away, by its 32 digits: everybody at it sees that, and nothing of it is left. Guests' sets go home. A damaged table can be thrown away, too."`
	HostLink   string `placeholder:"TABLE" help:"Print a link to the host's seat of this table, for a host who lost their only device. It works once, for 15 minutes, and everybody at the table sees that."`
	JSON       bool   `name:"json" help:"Print JSON."`
	dataFlag
}

// Run does one of them.
func (c *tablesCommand) Run(ctx context.Context, std streams) error {
	switch {
	case c.Create != "":
		return c.create(ctx, std)
	case c.CreateLink:
		a, err := askServer[createLinkAnswer](ctx, c.Data, "/tables/link",
			createLinkQuestion{Renew: c.Renew})
		if err != nil || c.JSON {
			return std.printJSON(a, err)
		}
		_, err = fmt.Fprintln(std.Out, a.Link)
		return err
	case c.Renew:
		return usageError{errors.New("--renew belongs to --create-link")}
	case c.Discard != "":
		return c.deleteTable(ctx, std)
	case c.HostLink != "":
		return c.hostLink(ctx, std)
	default:
		return c.list(ctx, std)
	}
}

// list prints the tables.
func (c *tablesCommand) list(ctx context.Context, std streams) error {
	all, err := askServer[[]tableAnswer](ctx, c.Data, "/tables/list", struct{}{})
	if err != nil || c.JSON {
		return std.printJSON(all, err)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(std.Out, "There are no tables.")
		return err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tMADE\tSEATS\tLOG\tSTATE\tGAME\tTITLE")
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", t.Table, at(t.Created),
			t.Seats, size(t.Log).String(), size(t.State).String(), t.Game, t.Title)
	}
	return w.Flush()
}

// deleteTable deletes a table.
func (c *tablesCommand) deleteTable(ctx context.Context, std streams) error {
	if err := checkTable("--discard", c.Discard); err != nil {
		return err
	}
	a, err := askServer[tableAnswer](ctx, c.Data, "/tables/discard",
		tableQuestion{Table: c.Discard})
	if err != nil || c.JSON {
		return std.printJSON(a, err)
	}
	return a.sayDeleted(std)
}

// checkTable checks that the value of a flag has the form of a table's identifier.
func checkTable(flag, value string) error {
	if _, err := id.ParseOID(value); err != nil {
		return usageError{fmt.Errorf(
			"%s: %q is not a table: it has 32 hexadecimal digits, as in the address of its page", flag,
			value)}
	}
	return nil
}

// hostLink prints the link for a host.
func (c *tablesCommand) hostLink(ctx context.Context, std streams) error {
	if err := checkTable("--host-link", c.HostLink); err != nil {
		return err
	}
	a, err := askServer[hostLinkAnswer](ctx, c.Data, "/tables/host-link",
		tableQuestion{Table: c.HostLink})
	if err != nil || c.JSON {
		return std.printJSON(a, err)
	}
	_, err = fmt.Fprintf(std.Out, "For %s at the table %q, once, until %s: %s\n", a.Name, a.Title,
		at(a.Until), a.Link)
	return err
}

// sayDeleted says in one sentence that a table was deleted.
func (a *tableAnswer) sayDeleted(std streams) error {
	if a.Damaged {
		_, err := fmt.Fprintf(std.Out,
			"The damaged table %s was thrown away, "+
				"and guests' sets that lay there go home as they were before they came.\n",
			a.Table)
		return err
	}
	_, err := fmt.Fprintf(std.Out, "The table %q was thrown away.\n", a.Title)
	return err
}

// create creates a table with the further ones of its game (G16), and prints the links.
func (c *tablesCommand) create(ctx context.Context, std streams) error {
	q := createQuestion{Game: c.Create, Title: c.Title, Nick: c.Nick}
	a, err := askServer[createAnswer](ctx, c.Data, "/tables/create", q)
	if err != nil || c.JSON {
		return std.printJSON(a, err)
	}
	if err := a.write(std); err != nil {
		return err
	}
	for i := range a.Further {
		if _, err := fmt.Fprintf(std.Out, "\nThe table %q, to which a door leads\n",
			a.Further[i].Title); err != nil {
			return err
		}
		if err := a.Further[i].write(std); err != nil {
			return err
		}
	}
	return nil
}

// write prints the links of a table.
func (t *createdTable) write(std streams) error {
	_, err := fmt.Fprintf(std.Out, "For the host alone: %s\nFor players: %s\nFor spectators: %s\n",
		t.Host, t.Player, t.Spectator)
	return err
}

type (
	// tableQuestion names a table.
	tableQuestion struct {
		Table string `json:"table"`
	}
	// createQuestion asks for a table.
	createQuestion struct {
		Game  string `json:"game"`
		Title string `json:"title"`
		Nick  string `json:"nick"`
	}
	// createAnswer has the links of a new table, and of the further tables of its game.
	createAnswer struct {
		createdTable
		Further []furtherAnswer `json:"further,omitempty"`
	}
	createdTable struct {
		Table     string `json:"table"`
		Host      string `json:"host"`
		Player    string `json:"player"`
		Spectator string `json:"spectator"`
	}
	furtherAnswer struct {
		Title string `json:"title"`
		createdTable
	}
	// createLinkQuestion asks for the creation link.
	createLinkQuestion struct {
		Renew bool `json:"renew"`
	}
	// createLinkAnswer is the creation link.
	createLinkAnswer struct {
		Link string `json:"link"`
	}
	// hostLinkAnswer is a link for a host who has lost their device.
	hostLinkAnswer struct {
		Link  string    `json:"link"`
		Title string    `json:"title"` // of the table
		Name  string    `json:"name"`  // of the host
		Until id.Millis `json:"until"` // milliseconds since 1970
	}
	// tableAnswer is a table as operators see it.
	tableAnswer struct {
		Table   string    `json:"table"`
		Title   string    `json:"title"`
		Game    string    `json:"game"`
		Created id.Millis `json:"created"` // milliseconds since 1970
		Seats   int       `json:"seats"`
		// bytes of its log, without the latest few entries
		Log     int64 `json:"log"`
		State   int64 `json:"state"`             // bytes of its snapshot
		Damaged bool  `json:"damaged,omitempty"` // with --discard: it could not be opened
	}
)

// tableOperator answers the operator's questions about tables.
type tableOperator struct {
	rooms *room.Rooms
	setUp func(ctx context.Context, q room.NewTableRequest) ([]web.Made, error)
	list  func(ctx context.Context) ([]storage.TableSummary, error)
	link  *createLink
	// address is where browsers find the server; it ends with a slash.
	address string
}

// routes adds the routes for tables.
func (o tableOperator) routes(m *http.ServeMux) {
	handle(m, "/tables/list", o.tables)
	handle(m, "/tables/discard", o.deleteTable)
	handle(m, "/tables/host-link", o.hostLink)
	handle(m, "/tables/create", o.create)
	handle(m, "/tables/link", o.createLink)
}

func (o tableOperator) create(ctx context.Context, q createQuestion) (createAnswer, error) {
	host := room.Person{Nick: q.Nick, Colour: hostColour}
	all, err := o.setUp(ctx, room.NewTableRequest{Game: q.Game, Title: q.Title, Host: host})
	if err != nil {
		return createAnswer{}, err
	}
	a := createAnswer{createdTable: o.created(&all[0])}
	for i := range all[1:] {
		a.Further = append(a.Further, furtherAnswer{all[i+1].Title, o.created(&all[i+1])})
	}
	return a, nil
}

// created returns the links of a new table.
func (o tableOperator) created(m *web.Made) createdTable {
	return createdTable{
		Table:     m.Table.String(),
		Host:      o.address + "t/" + m.Table.String() + "?token=" + m.Token,
		Player:    o.address + "join/" + m.Player,
		Spectator: o.address + "join/" + m.Spectator,
	}
}

// hostColour is the colour of a host who did not choose one.
const hostColour = 0x2f72c4

func (o tableOperator) createLink(
	ctx context.Context, q createLinkQuestion,
) (createLinkAnswer, error) {
	if q.Renew {
		if err := o.link.read(ctx, true); err != nil {
			return createLinkAnswer{}, err
		}
	}
	return createLinkAnswer{Link: o.address + "create/" + o.link.now()}, nil
}

func (o tableOperator) tables(ctx context.Context, _ struct{}) ([]tableAnswer, error) {
	all, err := o.list(ctx)
	answers := []tableAnswer{}
	for _, t := range all {
		answers = append(answers, tableAnswer{
			Table: t.Table.String(), Title: t.Title, Game: t.Game, Created: t.Created,
			Seats: t.Seats, Log: t.Log, State: t.State,
		})
	}
	return answers, err
}

func (o tableOperator) hostLink(ctx context.Context, q tableQuestion) (hostLinkAnswer, error) {
	oid, err := id.ParseOID(q.Table)
	if err != nil {
		return hostLinkAnswer{}, err
	}
	made, err := o.rooms.MakeHostLink(ctx, oid)
	if err != nil {
		return hostLinkAnswer{}, err
	}
	return hostLinkAnswer{
		Link: o.address + "seat/" + made.Link, Title: made.Title, Name: made.Name,
		Until: made.Until,
	}, nil
}

func (o tableOperator) deleteTable(ctx context.Context, q tableQuestion) (tableAnswer, error) {
	oid, err := id.ParseOID(q.Table)
	if err != nil {
		return tableAnswer{}, err
	}
	row, err := o.rooms.About(ctx, oid)
	damaged := false
	if err == nil || errors.Is(err, room.ErrDamaged) {
		damaged, err = o.rooms.DeleteTable(ctx, oid)
	}
	return tableAnswer{
		Table: q.Table, Title: row.Title, Game: row.Game, Created: row.Created, Damaged: damaged,
	}, err
}
