package web

import (
	"context"
	"errors"
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

// Servers is the page for the server's operator.
type Servers struct {
	Links   *peers.Links
	Objects *node.Objects
	// OperatorLinks let the operator in.
	OperatorLinks *OperatorLinks
}

// getServers shows the page. A link with a token lets the operator in.
func (s *Server) getServers(w http.ResponseWriter, r *http.Request) error {
	if token := r.URL.Query().Get("token"); token != "" {
		return s.signIn(w, r, token)
	}
	if !s.operates(r) {
		return newProblem("operator", "this page is for who runs the server")
	}
	return s.showServers(w, r, http.StatusOK, templates.ServersView{})
}

func (s *Server) showServers(
	w http.ResponseWriter, r *http.Request, status int, v templates.ServersView,
) error {
	self := s.servers.Links.Self()
	v.Name, v.Number = s.hostName(self), peers.Fingerprint(self)
	o, err := s.servers.Objects.Overview(r.Context())
	if err != nil {
		return err
	}
	for _, i := range s.servers.Links.List() {
		l := serverLink(&i)
		if slices.Contains(o.Waiting, i.Host) {
			l.Waiting = true
			l.Actions = append([]templates.ServerAction{door("trust")}, l.Actions...)
		}
		v.Links = append(v.Links, l)
	}
	for _, c := range o.Copies.Offered[:min(len(o.Copies.Offered), maxAwayShown)] {
		v.Copies = append(v.Copies, templates.UnreachableObject{
			Name:  templates.Msg("servers.copies.name", "server", s.hostName(c.Host)),
			Until: timeView(c.At),
		})
	}
	for _, c := range o.There {
		v.Objects = append(v.Objects, templates.Msg("servers.there",
			"objects", howMany(c), "server", s.hostName(c.Host)))
	}
	for _, c := range o.Here {
		text := templates.Msg("servers.here", "objects", howMany(c))
		if c.Host != self {
			text = templates.Msg("servers.hereFrom",
				"objects", howMany(c), "server", s.hostName(c.Host))
		}
		if c.Moving > 0 {
			text = templates.Msg("servers.moving", "text", text, "n", c.Moving)
		}
		v.Objects = append(v.Objects, text)
	}
	for _, a := range o.Away[:min(len(o.Away), maxAwayShown)] {
		v.Unreachable = append(v.Unreachable, templates.UnreachableObject{
			Name:  templates.Msg("servers.away.name", "server", s.hostName(a.OID.Creator())),
			Why:   s.why(a.Reason, a.Host),
			Until: timeView(a.Until),
		})
	}
	noStore(w)
	s.formPage(w, r, status, templates.Servers(s.head(templates.Msg("servers.title")), v))
	return nil
}

// maxInvitation is how many bytes of an invalid invitation are shown again.
const maxInvitation = 2000

// howMany says how many objects of a class there are.
func howMany(c node.Count) string {
	if c.Class < object.Table || c.Class > object.Bag {
		return templates.Msg("servers.count.object", "n", c.N)
	}
	return templates.Msg("servers.count."+c.Class.String(), "n", c.N)
}

// maxAwayShown is how many unreachable objects the page lists, and how many frozen copies.
const maxAwayShown = 100

// why says why an object is unreachable, and which server it waits for.
func (s *Server) why(a object.Reason, host id.HostID) string {
	if s.visits == nil {
		return a.String()
	}
	return s.visits.Why(table.Away(a), host)
}

func (s *Server) hostName(host id.HostID) string {
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
		l.State = templates.Msg("servers.state.waits")
		l.Actions = []templates.ServerAction{door("confirm")}
	case i.State == peers.Paused:
		l.State = templates.Msg("servers.state.paused")
		if i.Why != "" {
			l.State = templates.Msg("servers.state.pausedBy", "why", i.Why)
		}
		l.Actions = []templates.ServerAction{door("resume")}
	case i.Network != "":
		l.State = templates.Msg("servers.state.connected", "network", i.Network)
		l.Actions = []templates.ServerAction{door("pause")}
	default:
		l.State = templates.Msg("servers.state.unconnected")
		if i.Fault != "" {
			l.State = templates.Msg("servers.state.fault", "fault", i.Fault)
		}
		l.Actions = []templates.ServerAction{door("pause")}
	}
	l.Actions = append(l.Actions, door("remove"))
	return l
}

// door returns the button for an action on a link.
func door(do string) templates.ServerAction {
	return templates.ServerAction{Do: do, Text: templates.Msg("servers.do." + do)}
}

// rightsText puts rights into words.
func rightsText(r peers.Rights) string {
	var words []string
	for _, right := range []struct {
		peers.Rights
		name string
	}{
		{peers.Visit, "visit"}, {peers.Bring, "bring"}, {peers.Keep, "keep"},
		{peers.Linkup, "linkup"},
	} {
		if r.Has(right.Rights) {
			words = append(words, templates.Msg("servers.may."+right.name))
		}
	}
	if len(words) == 0 {
		return templates.Msg("servers.may.none")
	}
	return strings.Join(words, ", ")
}

// postServers does what a form of the page asks for.
func (s *Server) postServers(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if !s.operates(r) {
		return newProblem("operator", "this page is for who runs the server")
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
		v.Result = templates.Msg("servers.done.linked", "name", t.Name)
		if t.Confirm {
			v.Result = templates.Msg("servers.done.linkedSoon", "name", t.Name)
		}
		return err
	}
	changes := map[string]func(context.Context, id.HostID) error{
		"confirm": links.Confirm, "pause": links.Pause, "resume": links.Resume,
		"remove": links.Remove, "trust": s.servers.Objects.Trust,
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
	v.Result = templates.Msg("servers.done."+do, "name", i.Name)
	return change(ctx, i.Host)
}
