package people

import (
	"context"
	"net/url"
	"strings"

	"holt/server/id"
	"holt/server/tables/room"
)

// Destination is a table on a linked host, to which an invite link leads.
type Destination struct {
	Host id.HostID
	Name string
	// Origin is where browsers find the host, as the link says.
	Origin string
	// Invite is the secret of the invite.
	Invite string
}

// maxLink bounds an invite link, in bytes.
const maxLink = 1000

// Find returns where an invite link leads. The error is a Refused if that is not a linked host that
// people of this one may visit.
func (v *Visits) Find(link string) (Destination, error) {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil || len(link) > maxLink ||
		u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return Destination{}, Refused(
			"That is not a link to a table. It looks like https://name-of-a-server/join/…",
		)
	}
	secret, ok := strings.CutPrefix(u.Path, "/join/")
	if !ok || secret == "" || strings.Contains(secret, "/") {
		return Destination{}, Refused(
			"That link does not invite to a table. " +
				"An invite link has /join/ in it: ask for it at the table.",
		)
	}
	d := Destination{Origin: strings.ToLower(u.Scheme + "://" + u.Host), Invite: secret}
	for _, host := range v.cfg.Links.Linked() {
		if v.isAt(host, d.Origin) {
			d.Host, d.Name = host, v.Name(host)
			return d, v.mayGo(host)
		}
	}
	return d, Refused("This server is not linked with " + u.Host +
		". You can open the link as it is, and take a seat there without your bag.")
}

// isAt reports whether the card of a host names an origin.
func (v *Visits) isAt(host id.HostID, origin string) bool {
	c, ok := v.cfg.Links.Card(host)
	if !ok {
		return false
	}
	for _, a := range c.Addresses {
		if strings.EqualFold(strings.TrimSuffix(string(a), "/"), origin) {
			return true
		}
	}
	return false
}

// MayVisit returns the names of the linked hosts that people of this one may visit, and of those
// whose people may come here.
func (v *Visits) MayVisit() (there, here []string) {
	for _, host := range v.cfg.Links.Linked() {
		if v.mayGo(host) == nil {
			there = append(there, v.Name(host))
		}
		if v.mayCome(host) {
			here = append(here, v.Name(host))
		}
	}
	return there, here
}

// Arrive stores that a person with a voucher has sat down at a seat.
func (v *Visits) Arrive(ctx context.Context, s room.Session, is Voucher) error {
	return v.cfg.Store.PutSeatedPerson(ctx, SeatedPerson{
		Table: s.Table, Seat: s.Seat, Person: is.Person.OID, Home: is.Home,
	})
}

// Sentence makes a sentence for people of the text of an error.
func Sentence(text string) string {
	text = plain(text)
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
