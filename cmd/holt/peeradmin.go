package main

import (
	"context"
	"errors"
	"net/http"

	"holt/server/federation/peer"
	"holt/server/id"
)

// The operator's questions about links, and their answers. They go through the server's port for
// commands.

type (
	// inviteQuestion asks for an invitation.
	inviteQuestion struct {
		Rights  string `json:"rights"`
		Confirm bool   `json:"confirm"`
	}
	// acceptQuestion asks what an invitation would bring, or accepts it.
	acceptQuestion struct {
		Text   string `json:"text"`
		Rights string `json:"rights"`
	}
	// linkQuestion is about one link.
	linkQuestion struct {
		Link   string       `json:"link"` // name, or the beginning of the number
		Rights string       `json:"rights,omitempty"`
		Limits *peer.Limits `json:"limits,omitempty"`
	}
	// inviteAnswer has an invitation.
	inviteAnswer struct {
		Text      string   `json:"text"`
		Server    string   `json:"server"`
		Addresses []string `json:"addresses"`
		Local     bool     `json:"local"` // only this machine finds the server
	}
	// termsAnswer says what an invitation brings.
	termsAnswer struct {
		Server  string `json:"server"`
		Name    string `json:"name"`
		Address string `json:"address"`
		Given   string `json:"given"`
		Confirm bool   `json:"confirm"`
	}
	// listAnswer has all links.
	listAnswer struct {
		Server string       `json:"server"`
		Name   string       `json:"name"`
		Links  []linkAnswer `json:"links"`
	}
	// linkAnswer is a link.
	linkAnswer struct {
		Server    string      `json:"server"`
		Name      string      `json:"name"`
		State     string      `json:"state"`
		Why       string      `json:"why,omitempty"`
		Gives     string      `json:"gives"`
		Given     string      `json:"given"`
		Network   string      `json:"network"` // "" when the server is not connected
		Fault     string      `json:"fault,omitempty"`
		Refused   int64       `json:"refused"`
		Since     id.Millis   `json:"since"`
		Limits    peer.Limits `json:"limits"`
		Addresses []string    `json:"addresses"`
		Here      int         `json:"here"`  // objects that it has made and that are here
		There     int         `json:"there"` // our objects that are there
	}
)

// peerRoutes answer questions about links.
func peerRoutes(l *peer.Links) *http.ServeMux {
	o := operator{l}
	m := http.NewServeMux()
	handle(m, "/peer/invite", o.invite)
	handle(m, "/peer/look", o.look)
	handle(m, "/peer/accept", o.accept)
	handle(m, "/peer/list", o.list)
	handle(m, "/peer/show", o.show)
	handle(m, "/peer/confirm", o.changing(l.Confirm))
	handle(m, "/peer/pause", o.changing(l.Pause))
	handle(m, "/peer/resume", o.changing(l.Resume))
	handle(m, "/peer/rights", o.rights)
	handle(m, "/peer/limits", o.limits)
	handle(m, "/peer/remove", o.remove)
	return m
}

// operator answers the operator's questions about links.
type operator struct{ links *peer.Links }

func (o operator) invite(ctx context.Context, q inviteQuestion) (inviteAnswer, error) {
	rights, err := peer.ParseRights(q.Rights)
	if err != nil {
		return inviteAnswer{}, err
	}
	offer, err := o.links.Invite(ctx, rights, peer.DefaultLimits, q.Confirm)
	if err != nil {
		return inviteAnswer{}, err
	}
	a := inviteAnswer{
		Text: offer.String(), Server: peer.Fingerprint(offer.Host()),
		Addresses: texts(offer.Addresses), Local: true,
	}
	for _, at := range offer.Addresses {
		a.Local = a.Local && at.Local()
	}
	return a, nil
}

func texts(addresses []peer.Address) []string {
	all := make([]string, 0, len(addresses))
	for _, a := range addresses {
		all = append(all, string(a))
	}
	return all
}

func (o operator) look(ctx context.Context, q acceptQuestion) (termsAnswer, error) {
	offer, err := peer.ParseOffer(q.Text)
	if err != nil {
		return termsAnswer{}, err
	}
	t, err := o.links.Look(ctx, offer)
	return termsOf(t), err
}

func (o operator) accept(ctx context.Context, q acceptQuestion) (termsAnswer, error) {
	offer, err := peer.ParseOffer(q.Text)
	if err != nil {
		return termsAnswer{}, err
	}
	rights, err := peer.ParseRights(q.Rights)
	if err != nil {
		return termsAnswer{}, err
	}
	t, err := o.links.Accept(ctx, offer, rights, peer.DefaultLimits)
	return termsOf(t), err
}

func termsOf(t peer.Terms) termsAnswer {
	return termsAnswer{
		Server: peer.Fingerprint(t.Host), Name: t.Name, Address: string(t.Address),
		Given: t.Given.String(), Confirm: t.Confirm,
	}
}

func (o operator) list(context.Context, struct{}) (listAnswer, error) {
	a := listAnswer{Server: peer.Fingerprint(o.links.Self()), Links: []linkAnswer{}}
	if c, ok := o.links.Card(o.links.Self()); ok {
		a.Name = c.Name
	}
	for _, i := range o.links.List() {
		a.Links = append(a.Links, linkOf(&i))
	}
	return a, nil
}

func linkOf(i *peer.Info) linkAnswer {
	return linkAnswer{
		Server: peer.Fingerprint(i.Host), Name: i.Name, State: i.State.String(), Why: i.Why,
		Gives: i.Gives.String(), Given: i.Given.String(),
		Network: i.Network, Fault: i.Fault, Refused: i.Refused, Since: i.Since, Limits: i.Limits,
		Addresses: texts(i.Addresses), Here: i.Here, There: i.There,
	}
}

// show returns the link that has a name or the beginning of a number.
func (o operator) show(_ context.Context, q linkQuestion) (linkAnswer, error) {
	i, err := o.links.Find(q.Link)
	return linkOf(&i), err
}

// changing makes an answer of a function that changes one link.
func (o operator) changing(
	change func(ctx context.Context, host id.HostID) error,
) func(context.Context, linkQuestion) (linkAnswer, error) {
	return func(ctx context.Context, q linkQuestion) (linkAnswer, error) {
		i, err := o.links.Find(q.Link)
		if err != nil {
			return linkAnswer{}, err
		}
		if err := change(ctx, i.Host); err != nil {
			return linkAnswer{}, err
		}
		i, err = o.links.Find(i.Host.String())
		return linkOf(&i), err
	}
}

func (o operator) rights(ctx context.Context, q linkQuestion) (linkAnswer, error) {
	rights, err := peer.ParseRights(q.Rights)
	if err != nil {
		return linkAnswer{}, err
	}
	return o.changing(func(ctx context.Context, host id.HostID) error {
		return o.links.SetRights(ctx, host, rights)
	})(ctx, q)
}

func (o operator) limits(ctx context.Context, q linkQuestion) (linkAnswer, error) {
	if q.Limits == nil {
		return linkAnswer{}, errors.New("no limits were said")
	}
	return o.changing(func(ctx context.Context, host id.HostID) error {
		return o.links.SetLimits(ctx, host, *q.Limits)
	})(ctx, q)
}

// remove returns the link as it was before.
func (o operator) remove(ctx context.Context, q linkQuestion) (linkAnswer, error) {
	i, err := o.links.Find(q.Link)
	if err != nil {
		return linkAnswer{}, err
	}
	return linkOf(&i), o.links.Remove(ctx, i.Host)
}
