package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
)

// objectsCommand is what operators do with objects that several servers share (O11, O16, O24, O28).
// It asks the running server.
type objectsCommand struct {
	Collect bool   `help:"Collect now what nobody needs any more, not only once a day."`
	Trust   string `placeholder:"SERVER" help:"After a restore: go on without what this server knows, though it does not answer. What it has had since the backup may be there twice."`
	Thaw    string `placeholder:"OBJECT" help:"Use the frozen copy of an object again whose server was given up. What happened since is lost."`
	Restore string `placeholder:"FILE" type:"path" help:"Make an object again of a file in the folder quarantine of the data."`
	JSON    bool   `name:"json" help:"Print JSON."`
	dataFlag
}

// Run does one of them, or lists the objects.
func (c *objectsCommand) Run(ctx context.Context, std streams) error {
	asked := 0
	for _, is := range []bool{c.Collect, c.Trust != "", c.Thaw != "", c.Restore != ""} {
		if is {
			asked++
		}
	}
	switch {
	case asked > 1:
		return usageError{errors.New(
			"--collect, --trust, --thaw and --restore cannot be asked for together")}
	case c.Collect:
		r, err := askServer[roundAnswer](ctx, c.Data, "/objects/collect", struct{}{})
		if err != nil || c.JSON {
			return std.printJSON(r, err)
		}
		_, err = fmt.Fprintf(std.Out,
			"Of %d objects %d were deleted; %d stay because other servers may need them. "+
				"%d references to other servers were given up.\n"+
				"%d pictures and kinds of pieces that nobody needs were deleted, with %d bytes.\n",
			r.Objects, r.Deleted, r.Nimby, r.Released, r.Blobs, r.Bytes)
		return err
	case c.Trust != "":
		_, err := askServer[struct{}](ctx, c.Data, "/objects/trust", linkQuestion{Link: c.Trust})
		return err
	case c.Thaw != "":
		a, err := askServer[copyAnswer](ctx, c.Data, "/objects/thaw", thawQuestion{Object: c.Thaw})
		if err != nil || c.JSON {
			return std.printJSON(a, err)
		}
		_, err = fmt.Fprintf(std.Out,
			"Object %s is used again as it was at %s. What happened since is lost.\n",
			a.Object, at(a.At))
		return err
	case c.Restore != "":
		file, err := filepath.Abs(c.Restore)
		if err != nil {
			return err
		}
		a, err := askServer[restoreAnswer](ctx, c.Data, "/objects/restore",
			restoreQuestion{File: file})
		if err != nil || c.JSON {
			return std.printJSON(a, err)
		}
		_, err = fmt.Fprintf(std.Out,
			"It is object %s now, in the bag %q: holt bags --link %s opens it in a browser.\n",
			a.Object, a.Nick, a.Person)
		return err
	}
	a, err := askServer[objectsAnswer](ctx, c.Data, "/objects/list", struct{}{})
	switch {
	case err != nil:
		return err
	case c.JSON:
		err = std.printJSON(a, nil)
	default:
		err = a.print(std)
	}
	if err == nil && a.Unread > 0 {
		err = fmt.Errorf("%d of what is kept of objects cannot be read: it is not in the list",
			a.Unread)
	}
	return err
}

// print prints the lists.
func (a *objectsAnswer) print(std streams) error {
	std.printf("This server is %s. Its last round of collection was %s.\n",
		a.Server, at(a.LastRound))
	if a.WentBack != 0 {
		std.printf(
			"Its data folder went back to an older state: "+
				"%s noticed it at %s. It went on as after a restore.\n",
			a.Witness.title(), at(a.WentBack))
	}
	for _, h := range a.Waiting {
		std.printf(
			"It went back to an older state, and waits for %s (%s): "+
				"until that answers, what was made here is not used.\n"+
				"holt objects --trust %q goes on without it; "+
				"what it has had since the backup may then be there twice.\n",
			h.title(), h.Server, h.title())
	}
	if a.Copies > 0 {
		std.printf(
			"It keeps %d frozen copies of what is elsewhere, with %d bytes.\n", a.Copies,
			a.CopyBytes)
	}
	if len(a.Here)+len(a.There)+len(a.Held)+len(a.Away)+len(a.Offered) == 0 {
		_, err := fmt.Fprintln(std.Out, "It has no objects that could be on other servers.")
		return err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WHAT\tMADE BY OR AT\tNUMBER\tOBJECTS\tNOTE")
	printCounts(w, "here", a.Here)
	printCounts(w, "ours, elsewhere", a.There)
	printCounts(w, "known of others", a.Held)
	for _, x := range a.Away {
		until := "until " + at(x.Until)
		if x.Dead {
			until += ", tried once a week only"
		}
		fmt.Fprintf(w, "away\t%s\t%s\t%s\t%s: not asked for again %s\n",
			x.title(), x.Server, x.Object, x.why(), until)
	}
	for _, x := range a.Offered {
		fmt.Fprintf(w,
			"copy\t%s\t%s\t%s\ta copy from %s is here; "+
				"what happened since is lost: holt objects --thaw %s\n",
			x.title(), x.Server, x.Object, at(x.At), x.Object)
	}
	return w.Flush()
}

// why says why an object is unreachable, and which server it waits for.
func (x *awayAnswer) why() string {
	name := x.title()
	switch x.Reason {
	case object.Frozen.String():
		return "frozen, waits for " + name
	case object.OwnerUnreachable.String(), object.CreatorUnreachable.String():
		return x.Reason + ", " + name + " does not answer"
	case object.Stranger.String():
		return "stranger, not linked with " + name
	default:
		return x.Reason
	}
}

func printCounts(w *tabwriter.Writer, what string, counts []countAnswer) {
	for _, c := range counts {
		n := strconv.Itoa(c.N)
		if c.Class != "" {
			n += " " + c.Class
		}
		note := ""
		if c.Moving > 0 {
			note = fmt.Sprintf("%d of them are moving", c.Moving)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", what, c.title(), c.Server, n,
			note)
	}
}

// title returns the name of a server, or its number if it has none.
func (h *hostAnswer) title() string { return cmp.Or(h.Name, h.Server) }

func at(t id.Millis) string { return time.UnixMilli(int64(t)).UTC().Format("2006-01-02 15:04 UTC") }
