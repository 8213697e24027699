package main

import (
	"context"
	"errors"
	"net/http"

	"holt/server/federation/node"
	"holt/server/federation/peer"
	"holt/server/federation/people"
	"holt/server/id"
)

// The operator's questions about objects, and their answers. They go through the server's port for
// commands.

type (
	// objectsAnswer lists what is here, where our objects are, and what is unreachable.
	objectsAnswer struct {
		Server    string        `json:"server"`
		Here      []countAnswer `json:"here"`  // by their makers
		There     []countAnswer `json:"there"` // made here, by the servers that have them
		Held      []countAnswer `json:"held"`  // references to objects that others have
		Away      []awayAnswer  `json:"away"`
		LastRound id.Millis     `json:"lastRound"`
		// Copies is the number of frozen copies of objects that are elsewhere. Offered are those
		// that can be used again.
		Copies    int          `json:"copies"`
		CopyBytes int64        `json:"copyBytes"`
		Offered   []copyAnswer `json:"offered"`
		// Waiting are the servers for which this one waits since a restore.
		Waiting []hostAnswer `json:"waiting"`
		// WentBack is when it was last noticed that the data folder went back. Witness is the
		// server that noticed it.
		WentBack id.Millis   `json:"wentBack,omitempty"`
		Witness  *hostAnswer `json:"witness,omitempty"`
		// Unread is the number of objects that cannot be read, and are in none of the lists.
		Unread int `json:"unread,omitempty"`
	}
	// copyAnswer is a frozen copy that can be used again.
	copyAnswer struct {
		Object     string    `json:"object"`
		hostAnswer           // that has had the object since
		At         id.Millis `json:"at"` // the time of the copy
	}
	// hostAnswer names a server.
	hostAnswer struct {
		Server string `json:"server"`
		Name   string `json:"name,omitempty"`
	}
	// thawQuestion names an object whose copy is to be used again.
	thawQuestion struct {
		Object string `json:"object"`
	}
	// countAnswer is how many objects of one class there are.
	countAnswer struct {
		hostAnswer
		Class  string `json:"class,omitempty"`
		N      int    `json:"n"`
		Moving int    `json:"moving,omitempty"`
	}
	// awayAnswer is an unreachable object.
	awayAnswer struct {
		Object string `json:"object"`
		hostAnswer
		Reason string    `json:"reason"`
		Until  id.Millis `json:"until"`
		Dead   bool      `json:"dead,omitempty"`
	}
	// roundAnswer is the result of a round of the collection.
	roundAnswer struct {
		Objects  int   `json:"objects"`
		Deleted  int   `json:"deleted"`
		Nimby    int   `json:"nimby"`
		Released int   `json:"released"`
		Blobs    int   `json:"blobs"` // kinds, pictures and catalogues that were deleted after it
		Bytes    int64 `json:"bytes"`
	}
	// restoreQuestion names a file in quarantine, by its path on the server's machine.
	restoreQuestion struct {
		File string `json:"file"`
	}
	// restoreAnswer says what became of the file.
	restoreAnswer struct {
		Object string `json:"object"`
		Person string `json:"person"` // who has it in their bag
		Nick   string `json:"nick"`
	}
)

// objectOperator answers the operator's questions about objects.
type objectOperator struct {
	links   *peer.Links
	objects *node.Objects
	visits  *people.Visits
	minter  *id.Minter
	now     func() id.Millis
}

// routes adds the routes for objects.
func (o objectOperator) routes(m *http.ServeMux) {
	handle(m, "/objects/list", o.list)
	handle(m, "/objects/collect", o.collect)
	handle(m, "/objects/trust", o.trust)
	handle(m, "/objects/thaw", o.thaw)
	handle(m, "/objects/restore", o.restore)
}

func (o objectOperator) host(host id.HostID) hostAnswer {
	c, _ := o.links.Card(host) // otherwise it has no name
	return hostAnswer{Server: peer.Fingerprint(host), Name: c.Name}
}

func (o objectOperator) counted(counts []node.Count) []countAnswer {
	all := []countAnswer{}
	for _, c := range counts {
		a := countAnswer{
			hostAnswer: o.host(c.Host), N: c.N, Moving: c.Moving,
		}
		if c.Class != 0 {
			a.Class = c.Class.String()
		}
		all = append(all, a)
	}
	return all
}

// errDamagedObjects is the answer to questions about objects that cannot be read.
var errDamagedObjects = errors.New(
	"the objects of this server are damaged, and nothing moves between servers: " +
		"holt check names what is damaged")

func (o objectOperator) list(ctx context.Context, _ struct{}) (objectsAnswer, error) {
	if o.objects.Damaged() {
		return objectsAnswer{}, errDamagedObjects
	}
	v, err := o.objects.Overview(ctx)
	a := objectsAnswer{
		Server: peer.Fingerprint(o.links.Self()), Here: o.counted(v.Here),
		There: o.counted(v.There), Held: o.counted(v.Held), Away: []awayAnswer{},
		LastRound: v.LastRound, Copies: v.Copies.N, CopyBytes: v.Copies.Bytes,
		Offered: []copyAnswer{}, Waiting: []hostAnswer{}, Unread: v.Unread,
	}
	for _, c := range v.Copies.Offered {
		a.Offered = append(a.Offered, copyAnswer{
			Object: c.OID.String(), hostAnswer: o.host(c.Host), At: c.At,
		})
	}
	for _, host := range v.Waiting {
		a.Waiting = append(a.Waiting, o.host(host))
	}
	if v.WentBack != 0 {
		witness := o.host(v.Witness)
		a.WentBack, a.Witness = v.WentBack, &witness
	}
	for _, x := range v.Away {
		a.Away = append(a.Away, awayAnswer{
			Object: x.OID.String(), hostAnswer: o.host(x.Host), Reason: x.Reason.String(),
			Until: x.Until, Dead: x.Dead,
		})
	}
	return a, err
}

func (o objectOperator) collect(ctx context.Context, _ struct{}) (roundAnswer, error) {
	r, err := o.objects.Collect(ctx)
	if err != nil {
		return roundAnswer{}, err
	}
	swept, err := o.objects.SweepBlobs(ctx)
	return roundAnswer{
		Objects: r.Objects, Deleted: r.Deleted, Nimby: r.Nimby, Released: r.Released,
		Blobs: swept.Blobs, Bytes: swept.Bytes,
	}, err
}

func (o objectOperator) trust(ctx context.Context, q linkQuestion) (struct{}, error) {
	i, err := o.links.Find(q.Link)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, o.objects.Trust(ctx, i.Host)
}

// thaw uses a frozen copy again. The object stays in the same bag.
func (o objectOperator) thaw(ctx context.Context, q thawQuestion) (copyAnswer, error) {
	oid, err := id.ParseOID(q.Object)
	if err != nil {
		return copyAnswer{},
			errors.New("that is not the number of an object: holt objects shows them")
	}
	at, err := o.objects.Copy(ctx, oid)
	if err != nil {
		return copyAnswer{}, err
	}
	return copyAnswer{Object: oid.String(), At: at}, o.objects.Thaw(ctx, oid)
}

func (o objectOperator) restore(ctx context.Context, q restoreQuestion) (restoreAnswer, error) {
	if q.File == "" {
		return restoreAnswer{}, errors.New("no file was named")
	}
	oid, person, err := o.objects.Restore(ctx, q.File, func() (id.OID, error) {
		return o.minter.Mint(o.now())
	})
	if err != nil {
		return restoreAnswer{}, err
	}
	found := people.Person{OID: person, Nick: "Lost and found", Colour: 0x5d6770}
	return restoreAnswer{
		Object: oid.String(), Person: person.String(), Nick: found.Nick,
	}, o.visits.EnsurePerson(ctx, found)
}
