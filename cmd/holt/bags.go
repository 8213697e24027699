package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"

	"holt/server/federation/node"
	"holt/server/federation/people"
	"holt/server/id"
)

// bagsCommand lists the people of a server, and opens the bag of a person who has lost it in all
// browsers (O37). It asks the running server.
type bagsCommand struct {
	Link string `placeholder:"PERSON" help:"Print a link that gives this one's bag to the browser in which it is opened: a name that only one has, or the number. It is good once, for ten minutes."`
	JSON bool   `name:"json" help:"Print JSON."`
	dataFlag
}

type (
	// bagQuestion names a person.
	bagQuestion struct {
		Person string `json:"person"`
	}
	// bagKeyAnswer has a link to a bag.
	bagKeyAnswer struct {
		URL   string    `json:"url"`
		Nick  string    `json:"nick"`
		Until id.Millis `json:"until"`
	}
	// bagAnswer is a person and the number of sets in their bag.
	bagAnswer struct {
		Person string `json:"person"`
		Nick   string `json:"nick"`
		Sets   int    `json:"sets"`
		Fault  string `json:"fault,omitempty"` // why the bag cannot be read
	}
	// bagsAnswer has all persons.
	bagsAnswer struct {
		Persons []bagAnswer `json:"persons"`
	}
)

// Run prints the list, or a link.
func (c *bagsCommand) Run(ctx context.Context, std streams) error {
	if c.Link != "" {
		a, err := askServer[bagKeyAnswer](ctx, c.Data, "/bags/key",
			bagQuestion{Person: c.Link})
		if err != nil {
			return err
		}
		if c.JSON {
			return json.NewEncoder(std.Out).Encode(a)
		}
		fmt.Fprintln(std.Out, a.URL)
		std.errorf("Who opens it has the bag of %s. It is good once, before %s.\n",
			a.Nick, at(a.Until))
		return nil
	}
	a, err := askServer[bagsAnswer](ctx, c.Data, "/bags/list", struct{}{})
	if err != nil {
		return err
	}
	if c.JSON {
		return errors.Join(json.NewEncoder(std.Out).Encode(a), a.fault())
	}
	if len(a.Persons) == 0 {
		_, err := fmt.Fprintln(std.Out, "Nobody has opened a bag on this server yet.")
		return err
	}
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSETS\tNUMBER\t")
	for _, p := range a.Persons {
		sets := strconv.Itoa(p.Sets)
		if p.Fault != "" {
			sets = "?"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Nick, sets, p.Person, p.Fault)
	}
	return errors.Join(w.Flush(), a.fault())
}

// fault returns an error if there are bags that cannot be read.
func (a *bagsAnswer) fault() error {
	n := 0
	for _, p := range a.Persons {
		if p.Fault != "" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d bags cannot be looked into", n, len(a.Persons))
}

// bagOperator answers the operator's questions about the people of the server.
type bagOperator struct {
	visits  *people.Visits
	objects *node.Objects
	address string
}

func (o bagOperator) routes(m *http.ServeMux) {
	handle(m, "/bags/list", o.list)
	handle(m, "/bags/key", o.key)
}

func (o bagOperator) list(ctx context.Context, _ struct{}) (bagsAnswer, error) {
	all, err := o.visits.Persons(ctx)
	a := bagsAnswer{Persons: make([]bagAnswer, 0, len(all))}
	for _, p := range all {
		sets, err := o.objects.List(ctx, p.OID)
		var boxes []id.OID
		if err == nil {
			boxes, err = o.objects.Boxes(ctx, sets)
		}
		b := bagAnswer{Person: p.OID.String(), Nick: p.Nick, Sets: len(sets) - len(boxes)}
		if err != nil {
			b.Fault = err.Error()
		}
		a.Persons = append(a.Persons, b)
	}
	return a, err
}

func (o bagOperator) key(ctx context.Context, q bagQuestion) (bagKeyAnswer, error) {
	p, err := o.find(ctx, q.Person)
	if err != nil {
		return bagKeyAnswer{}, err
	}
	key, until, err := o.visits.Key(ctx, p.OID)
	return bagKeyAnswer{
		URL: o.address + "bag/" + url.PathEscape(key), Nick: p.Nick, Until: until,
	}, err
}

// find returns the person with that name or number.
func (o bagOperator) find(ctx context.Context, text string) (found people.Person, err error) {
	all, err := o.visits.Persons(ctx)
	if err != nil {
		return found, err
	}
	n := 0
	for _, p := range all {
		if p.OID.String() == text {
			return p, nil
		}
		if strings.EqualFold(p.Nick, text) {
			found, n = p, n+1
		}
	}
	switch n {
	case 0:
		return found, errors.New("nobody on this server is called like that")
	case 1:
		return found, nil
	default:
		return found, fmt.Errorf("%d people are called %s: give the number that holt bags shows", n,
			found.Nick)
	}
}
