package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"holt/server/federation/node"
	"holt/server/federation/object"
	peers "holt/server/federation/peer"
	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/table"
	"holt/templates"
)

// Operator is what the server's operator can do with links (*peer.Links).
type Operator interface {
	Self() id.GWID
	List() []peers.Info
	Find(text string) (peers.Info, error)
	Invite(
		ctx context.Context, gives peers.Rights, limits peers.Limits, confirm bool,
	) (peers.Offer, error)
	Look(ctx context.Context, o peers.Offer) (peers.Terms, error)
	Accept(
		ctx context.Context, o peers.Offer, gives peers.Rights, limits peers.Limits,
	) (peers.Terms, error)
	Confirm(ctx context.Context, host id.GWID) error
	Pause(ctx context.Context, host id.GWID) error
	Resume(ctx context.Context, host id.GWID) error
	Remove(ctx context.Context, host id.GWID) error
}

// Servers is the page for the server's operator.
type Servers struct {
	Links Operator
	// Overview lists which objects are where (*node.World).
	Overview func(ctx context.Context) (node.Overview, error)
	// Trust goes on after a restore without a server that does not answer (*node.World).
	Trust func(ctx context.Context, host id.GWID) error
	// Doors let the operator in.
	Doors *Doors
}

// getServers shows the page. A link with a token lets the operator in.
func (s *Server) getServers(w http.ResponseWriter, r *http.Request) error {
	if s.servers == nil {
		return notFound()
	}
	if token := r.URL.Query().Get("token"); token != "" {
		return s.letIn(w, r, token)
	}
	if !s.operates(r) {
		return &problem{Code: "operator", Detail: "this page is for who runs the server"}
	}
	return s.showServers(w, r, http.StatusOK, templates.ServersView{})
}

func (s *Server) showServers(
	w http.ResponseWriter, r *http.Request, status int, v templates.ServersView,
) error {
	self := s.servers.Links.Self()
	v.Name, v.Number = s.hostName(self), peers.Fingerprint(self)
	o, err := s.servers.Overview(r.Context())
	if err != nil {
		return err
	}
	for _, i := range s.servers.Links.List() {
		l := serverLink(&i)
		if slices.Contains(o.Waiting, i.Host) {
			l.Waiting = true
			l.Doors = append([]templates.ServerDoor{{Do: "trust", Text: "Go on without it"}},
				l.Doors...)
		}
		v.Links = append(v.Links, l)
	}
	for _, c := range o.Copies.Offered[:min(len(o.Copies.Offered), maxAwayShown)] {
		v.Copies = append(v.Copies, templates.ServerAway{
			Name: "An object that was on " + s.hostName(c.Host), Until: timeView(c.At),
		})
	}
	for _, c := range o.There {
		v.Objects = append(v.Objects,
			fmt.Sprintf("%s of this server, on %s", howMany(c), s.hostName(c.Host)))
	}
	for _, c := range o.Here {
		text := howMany(c) + " here, of this server"
		if c.Host != self {
			text = howMany(c) + " here, made on " + s.hostName(c.Host)
		}
		if c.Moving > 0 {
			text += fmt.Sprintf(", of which %d on the way", c.Moving)
		}
		v.Objects = append(v.Objects, text)
	}
	for _, a := range o.Away[:min(len(o.Away), maxAwayShown)] {
		v.Away = append(v.Away, templates.ServerAway{
			Name: "An object of " + s.hostName(a.OID.Creator()), Why: s.why(a.Reason, a.Host),
			Until: timeView(a.Until),
		})
	}
	w.Header().Set("Cache-Control", "no-store")
	s.formPage(w, r, status, templates.Servers(s.head("Linked servers"), v))
	return nil
}

// maxInvitation is how many bytes of an invalid invitation are shown again.
const maxInvitation = 2000

// howMany says how many objects of a class there are.
func howMany(c node.Count) string {
	what, many := "object", "objects"
	switch c.Class {
	case object.Table:
		what, many = "table", "tables"
	case object.Person:
		what, many = "person", "persons"
	case object.Set:
		what, many = "set of pieces", "sets of pieces"
	case object.Bag:
		what, many = "bag", "bags"
	}
	if c.N != 1 {
		what = many
	}
	return fmt.Sprintf("%d %s", c.N, what)
}

// maxAwayShown is how many unreachable objects the page lists, and how many frozen copies.
const maxAwayShown = 100

// why says why an object is unreachable, and which server it waits for.
func (s *Server) why(a object.Reason, host id.GWID) string {
	if s.visits == nil {
		return a.String()
	}
	return s.visits.Why(table.Away(a), host)
}

func (s *Server) hostName(host id.GWID) string {
	if s.visits != nil {
		return s.visits.Name(host)
	}
	return peers.Fingerprint(host)
}

// serverLink describes the state of a link, and what can be done with it.
func serverLink(i *peers.Info) templates.ServerLink {
	l := templates.ServerLink{
		Host: i.Host.String(), Name: i.Name, Number: peers.Fingerprint(i.Host),
		Since: timeView(i.Since),
		Gives: rightsText(i.Gives), Given: rightsText(i.Given), Here: i.Here, There: i.There,
		Refused: i.Refused,
	}
	if l.Name == "" {
		l.Name = l.Number
	}
	switch {
	case i.State == peers.Pending:
		l.State = "waits until you confirm it"
		l.Doors = []templates.ServerDoor{{Do: "confirm", Text: "Confirm"}}
	case i.State == peers.Paused:
		l.State = "paused"
		if i.Why != "" {
			l.State += ": " + i.Why
		}
		l.Doors = []templates.ServerDoor{{Do: "resume", Text: "Resume"}}
	case i.Network != "":
		l.State = "connected by " + i.Network
		l.Doors = []templates.ServerDoor{{Do: "pause", Text: "Pause"}}
	default:
		l.State = "not connected; it is called again and again"
		if i.Fault != "" {
			l.State += ": " + i.Fault
		}
		l.Doors = []templates.ServerDoor{{Do: "pause", Text: "Pause"}}
	}
	l.Doors = append(l.Doors, templates.ServerDoor{Do: "remove", Text: "Remove"})
	return l
}

// rightsText puts rights into words.
func rightsText(r peers.Rights) string {
	var words []string
	for _, right := range []struct {
		peers.Rights
		text string
	}{
		{peers.Visit, "sit down at tables"}, {peers.Bring, "bring pieces"},
		{peers.Keep, "keep pieces that are used a lot"},
		{peers.Linkup, "tell of other servers"},
	} {
		if r.Has(right.Rights) {
			words = append(words, right.text)
		}
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// postServers does what a form of the page asks for.
func (s *Server) postServers(w http.ResponseWriter, r *http.Request) error {
	if s.servers == nil {
		return notFound()
	}
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if !s.operates(r) {
		return &problem{Code: "operator", Detail: "this page is for who runs the server"}
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	var v templates.ServersView
	err := s.operate(r, &v)
	var p *problem
	if errors.As(err, &p) {
		return err
	}
	if err != nil {
		v = templates.ServersView{
			Error: people.Sentence(err.Error()),
			Text:  strings.ToValidUTF8(clip(r.PostForm.Get("text"), maxInvitation), ""),
		}
		return s.showServers(w, r, http.StatusUnprocessableEntity, v)
	}
	return s.showServers(w, r, http.StatusOK, v)
}

// operate does what a form asks for, and puts the result into the view.
func (s *Server) operate(r *http.Request, v *templates.ServersView) error {
	ctx, links, do := r.Context(), s.servers.Links, r.PostForm.Get("do")
	switch do {
	case "invite":
		rights, err := peers.ParseRights(strings.Join(r.PostForm["right"], ","))
		if err != nil {
			return err
		}
		o, err := links.Invite(ctx, rights, peers.DefaultLimits, r.PostForm.Get("confirm") == "yes")
		v.Invitation = o.String()
		return err
	case "look", "accept":
		o, err := peers.ParseOffer(r.PostForm.Get("text"))
		if err != nil {
			return err
		}
		if do == "look" {
			t, err := links.Look(ctx, o)
			v.Terms = &templates.ServerTerms{
				Name: t.Name, Number: peers.Fingerprint(t.Host), Address: string(t.Address),
				Given: rightsText(t.Given), Text: o.String(),
			}
			return err
		}
		rights, err := peers.ParseRights(strings.Join(r.PostForm["right"], ","))
		if err != nil {
			return err
		}
		t, err := links.Accept(ctx, o, rights, peers.DefaultLimits)
		v.Said = "Linked with " + t.Name + "."
		if t.Confirm {
			v.Said = "Linked with " + t.Name + " as soon as its operator confirms it."
		}
		return err
	}
	changes := map[string]func(context.Context, id.GWID) error{
		"confirm": links.Confirm, "pause": links.Pause, "resume": links.Resume,
		"remove": links.Remove, "trust": s.servers.Trust,
	}
	change := changes[do]
	if change == nil {
		return malformed("the form does not say what is to be done")
	}
	i, err := links.Find(r.PostForm.Get("host"))
	if err != nil {
		return err
	}
	if do == "remove" && r.PostForm.Get("sure") != "yes" {
		l := serverLink(&i)
		v.Removing = &l
		return nil
	}
	v.Said = map[string]string{
		"confirm": "The link to " + i.Name + " is confirmed.",
		"pause":   "The link to " + i.Name + " is paused.",
		"resume":  "The link to " + i.Name + " goes on.",
		"remove":  "The link to " + i.Name + " is removed.",
		"trust":   "This server goes on without " + i.Name + ".",
	}[do]
	return change(ctx, i.Host)
}
