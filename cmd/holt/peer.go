package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"holt/server/federation/peer"
)

// peerCommand has the commands for links to other servers (O32 to O36). Each asks the running
// server.
type peerCommand struct {
	Invite  peerInvite  `cmd:"" help:"Print an invitation to send to the operator of another server. It is good once, for 24 hours."`
	Accept  peerAccept  `cmd:"" help:"Accept an invitation: say whose it is, and link the servers."`
	List    peerList    `cmd:"" help:"List the linked servers."`
	Confirm peerConfirm `cmd:"" help:"Confirm a link that was invited to with --confirm."`
	Rights  peerRights  `cmd:"" help:"Say what a linked server may do here."`
	Limit   peerLimit   `cmd:"" help:"Say what a linked server may cost."`
	Pause   peerPause   `cmd:"" help:"Answer a linked server nothing until the link is resumed."`
	Resume  peerResume  `cmd:"" help:"Go on with a link that is paused."`
	Remove  peerRemove  `cmd:"" help:"End a link for good."`
	Page    peerPage    `cmd:"" help:"Print the address of the page on which all this can be done, too. It is for who runs the server."`
}

// dataFlag says which server to ask.
type dataFlag struct {
	Data string `default:"${data}" placeholder:"DIR" help:"The data of the server that is asked (${default})."`
}

const rightsHelp = "separated by commas: visit (its people may sit down here), " +
	"bring (their sets may lie on tables here), " +
	"keep (objects may move here), linkup (it may tell of other servers); or none."

type peerInvite struct {
	Rights  string `placeholder:"RIGHTS" help:"What the other server may do here, ${rights}"`
	Confirm bool   `help:"Let the link wait, when it was accepted, until it is confirmed here with holt peer confirm."`
	dataFlag
}

// Run prints an invitation.
func (c *peerInvite) Run(ctx context.Context, std streams) error {
	if _, err := peer.ParseRights(c.Rights); err != nil {
		return usageError{err}
	}
	a, err := askServer[inviteAnswer](ctx, c.Data, "/peer/invite", inviteQuestion{
		Rights: c.Rights, Confirm: c.Confirm,
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, a.Text)
	std.errorf(
		"Send this line to the operator of the other server, who runs: holt peer accept %s...\n"+
			"It is good once, for 24 hours, for whoever has it. This server is %s, at %s.\n",
		a.Text[:min(12, len(a.Text))], a.Server, strings.Join(a.Addresses, " and "))
	if a.Local {
		fmt.Fprintln(std.Err,
			"Only servers on this machine can reach these addresses: "+
				"say with --peer-address where others find it.")
	}
	return nil
}

type peerAccept struct {
	Text   []string `arg:"" help:"The invitation, as it was sent."`
	Rights string   `placeholder:"RIGHTS" help:"What the other server may do here, ${rights}"`
	Yes    bool     `help:"Do not ask."`
	dataFlag
}

// Run shows whose invitation it is, asks for confirmation, and accepts it.
func (c *peerAccept) Run(ctx context.Context, std streams) error {
	rights, err := peer.ParseRights(c.Rights)
	if err != nil {
		return usageError{err}
	}
	q := acceptQuestion{Text: strings.Join(c.Text, ""), Rights: rights.String()}
	if _, err := peer.ParseOffer(q.Text); err != nil {
		return usageError{err}
	}
	t, err := askServer[termsAnswer](ctx, c.Data, "/peer/look", q)
	if err != nil {
		return err
	}
	std.printf(
		"The invitation is from %q.\n"+
			"  Number:   %s (compare it with what its operator sees)\n  Address:  %s\n"+
			"  May here: %s\n  We may there: %s\n", t.Name, t.Server, t.Address, rights, t.Given)
	if err := c.confirmed(std); err != nil {
		return err
	}
	if t, err = askServer[termsAnswer](ctx, c.Data, "/peer/accept", q); err != nil {
		return err
	}
	if t.Confirm {
		std.printf("Linked with %q as soon as its operator confirms it.\n", t.Name)
		return nil
	}
	std.printf("Linked with %q.\n", t.Name)
	return nil
}

func (c *peerAccept) confirmed(std streams) error {
	return askYes(std, c.Yes, "Link the servers?")
}

// askYes asks the operator for confirmation, unless yes is true.
func askYes(std streams, yes bool, question string) error {
	if yes {
		return nil
	}
	std.printf("%s Type yes: ", question)
	line, _ := bufio.NewReader(std.In).ReadString('\n') // the end of the input is not an answer
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "yes" && answer != "y" {
		return errors.New("nothing was changed")
	}
	return nil
}

type peerList struct {
	JSON bool `name:"json" help:"Print JSON."`
	dataFlag
}

// Run lists the links.
func (c *peerList) Run(ctx context.Context, std streams) error {
	a, err := askServer[listAnswer](ctx, c.Data, "/peer/list", struct{}{})
	if err != nil {
		return err
	}
	if c.JSON {
		return std.printJSON(a, nil)
	}
	std.printf("This server is %q, %s.\n", a.Name, a.Server)
	if len(a.Links) == 0 {
		fmt.Fprintln(std.Out,
			"It is linked with no other server: holt peer invite makes an invitation.")
		return nil
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tNUMBER\tLINK\tREACHED BY\tMAY HERE\tWE MAY THERE\tREFUSED\tNOTE")
	for i := range a.Links {
		l := &a.Links[i]
		network, note := l.Network, l.Why
		if network == "" {
			network = "-"
		}
		if note == "" {
			note = l.Fault
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", l.Name, l.Server, l.State,
			network, l.Gives, l.Given, l.Refused, note)
	}
	return w.Flush()
}

// linkArg names a link.
type linkArg struct {
	Server string `arg:"" help:"The linked server: its name, or the beginning of its number."`
	dataFlag
}

// ask asks for a change of the link, and prints the result.
func (c *linkArg) ask(ctx context.Context, std streams, path string, q linkQuestion) error {
	q.Link = c.Server
	l, err := askServer[linkAnswer](ctx, c.Data, path, q)
	if err != nil {
		return err
	}
	std.printf("The link to %q (%s) is %s; it may do here: %s.\n", l.Name,
		l.Server, l.State, l.Gives)
	return nil
}

type peerConfirm struct{ linkArg }

// Run confirms a link.
func (c *peerConfirm) Run(ctx context.Context, std streams) error {
	return c.ask(ctx, std, "/peer/confirm", linkQuestion{})
}

type peerPause struct{ linkArg }

// Run pauses a link.
func (c *peerPause) Run(ctx context.Context, std streams) error {
	return c.ask(ctx, std, "/peer/pause", linkQuestion{})
}

type peerResume struct{ linkArg }

// Run resumes a link.
func (c *peerResume) Run(ctx context.Context, std streams) error {
	return c.ask(ctx, std, "/peer/resume", linkQuestion{})
}

type peerRights struct {
	linkArg
	Rights string `arg:"" help:"What it may do here, ${rights}"`
}

// Run changes the rights of a link.
func (c *peerRights) Run(ctx context.Context, std streams) error {
	if _, err := peer.ParseRights(c.Rights); err != nil {
		return usageError{err}
	}
	return c.ask(ctx, std, "/peer/rights", linkQuestion{Rights: c.Rights})
}

type peerLimit struct {
	linkArg
	AtOnce    int   `default:"64" placeholder:"N" help:"Requests at the same time (${default})."`
	PerSecond int   `default:"200" placeholder:"N" help:"Requests a second, on average (${default})."`
	Objects   int   `default:"100000" placeholder:"N" help:"Objects that it may keep here (${default})."`
	Bytes     int64 `default:"1073741824" placeholder:"N" help:"Bytes that these may have (${default})."`
}

// Run changes the limits of a link.
func (c *peerLimit) Run(ctx context.Context, std streams) error {
	limits := peer.Limits{
		AtOnce: c.AtOnce, PerSecond: c.PerSecond, Objects: c.Objects, Bytes: c.Bytes,
	}
	if err := limits.Check(); err != nil {
		return usageError{err}
	}
	return c.ask(ctx, std, "/peer/limits", linkQuestion{Limits: &limits})
}

type peerRemove struct {
	linkArg
	Yes bool `help:"Do not ask."`
}

// Run shows a link, asks for confirmation, and removes the link.
func (c *peerRemove) Run(ctx context.Context, std streams) error {
	l, err := askServer[linkAnswer](ctx, c.Data, "/peer/show",
		linkQuestion{Link: c.Server})
	if err != nil {
		return err
	}
	std.printf("%q (%s) may do here: %s. We may do there: %s.\n"+
		"%d of its objects are here and %d of ours are there: nobody can reach them any more.\n"+
		"What is here and only it needs goes into the folder quarantine of the data.\n", l.Name,
		l.Server, l.Gives, l.Given, l.Here, l.There)
	if err := askYes(std, c.Yes, "Remove the link for good?"); err != nil {
		return err
	}
	number := strings.ReplaceAll(l.Server, " ", "")
	if l, err = askServer[linkAnswer](ctx, c.Data, "/peer/remove",
		linkQuestion{Link: number}); err != nil {
		return err
	}
	std.printf(
		"The link to %q (%s) is removed. Its operator sees that it is gone.\n", l.Name, l.Server)
	return nil
}

type peerPage struct{ dataFlag }

// pageAnswer has the address of the operator's page.
type pageAnswer struct {
	URL string `json:"url"`
}

// Run prints the address.
func (c *peerPage) Run(ctx context.Context, std streams) error {
	a, err := askServer[pageAnswer](ctx, c.Data, "/peer/page", struct{}{})
	if err == nil {
		fmt.Fprintln(std.Out, a.URL)
	}
	return err
}
