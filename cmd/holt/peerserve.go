package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"holt/server/federation/node"
	"holt/server/federation/peer"
	"holt/server/federation/people"
	"holt/server/play/game"
	"holt/server/transport/endpoint"
	"holt/storage"
)

// peerFlags say how other servers know this one.
type peerFlags struct {
	Name        string   `placeholder:"NAME" help:"How this server is called by the operators of linked ones. Without it the name in --public-url, or that of the machine."`
	PeerPrivate bool     `help:"Call linked servers at addresses of this machine and of private networks, and by plain http, though this server is found elsewhere."`
	PeerAddress []string `placeholder:"ADDR" help:"Where linked servers find this one, separated by commas: host:port for UDP, or a URL for the WebSocket. Without it where it listens, and --public-url."`
}

// check reports what is wrong with the flags.
func (f *peerFlags) check() error {
	if f.Name != "" {
		if err := peer.CheckName(f.Name); err != nil {
			return fmt.Errorf("--name: %w", err)
		}
	}
	if len(f.PeerAddress) > peer.MaxAddresses {
		return fmt.Errorf("--peer-address has more than %d addresses", peer.MaxAddresses)
	}
	_, err := f.givenAddresses()
	return err
}

// givenAddresses returns the addresses in the flag, each once.
func (f *peerFlags) givenAddresses() ([]peer.Address, error) {
	var all []peer.Address
	for _, text := range f.PeerAddress {
		a, err := peer.ParseAddress(strings.TrimSuffix(text, "/"))
		if err != nil {
			return nil, fmt.Errorf("--peer-address: %w", err)
		}
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all, nil
}

// name returns the name of the server.
func (f *peerFlags) name(public *url.URL) string {
	machine, _ := os.Hostname() // otherwise it has none
	candidates := []string{f.Name}
	if public != nil {
		candidates = append(candidates, public.Hostname())
	}
	for _, c := range append(candidates, machine) {
		if peer.CheckName(c) == nil {
			return c
		}
	}
	return "Holt"
}

// addresses returns where linked servers find this one: the addresses in the flag, or where it
// listens.
func (f *peerFlags) addresses(
	public *url.URL, http net.Addr, datagrams *endpoint.Listener, secure bool,
) ([]peer.Address, error) {
	if len(f.PeerAddress) > 0 {
		return f.givenAddresses()
	}
	scheme := "http"
	if secure {
		scheme = "https"
	}
	var quic, web []string
	for _, host := range hostsOf(http, public) {
		if datagrams != nil {
			if at, _ := datagrams.Addresses(host); at != "" {
				quic = append(quic, "quic://"+at)
			}
		}
		if a, ok := http.(*net.TCPAddr); ok && public == nil {
			web = append(web, scheme+"://"+net.JoinHostPort(host, strconv.Itoa(a.Port)))
		}
	}
	if public != nil {
		web = append(web, public.String())
	}
	var all []peer.Address
	for _, text := range append(quic, web...) {
		a, err := peer.ParseAddress(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, a) && len(all) < peer.MaxAddresses {
			all = append(all, a)
		}
	}
	return all, nil
}

// maxInterfaces is how many addresses of the machine are named when the server listens at all of
// them.
const maxInterfaces = 3

// hostsOf returns the hosts by which others may know the server: that of its public address, the
// one at which it listens, or those of the machine if it listens at all of them.
func hostsOf(at net.Addr, public *url.URL) []string {
	if public != nil {
		return []string{public.Hostname()}
	}
	a, ok := at.(*net.TCPAddr)
	if !ok {
		return nil
	}
	if !a.IP.IsUnspecified() {
		return []string{a.IP.String()}
	}
	interfaces, _ := net.InterfaceAddrs() // otherwise only this machine finds it
	var found []netip.Addr
	for _, i := range interfaces {
		if p, err := netip.ParsePrefix(i.String()); err == nil && p.Addr().IsGlobalUnicast() {
			found = append(found, p.Addr())
		}
	}
	// IPv4 first
	slices.SortStableFunc(found, func(a, b netip.Addr) int {
		return cmp.Compare(a.BitLen(), b.BitLen())
	})
	var hosts []string
	for _, a := range found[:min(len(found), maxInterfaces)] {
		hosts = append(hosts, a.String())
	}
	if len(hosts) == 0 {
		return []string{"127.0.0.1"}
	}
	return hosts
}

// openPeers returns the links of the server. They do nothing before they are started.
func (c *serveCommand) openPeers(
	ctx context.Context, db *storage.DB, log *slog.Logger, public *url.URL, http net.Addr,
	datagrams *endpoint.Listener,
) (*peer.Links, error) {
	key, err := db.HostKey(ctx)
	if err != nil {
		return nil, explainData(c.Data, err)
	}
	addresses, err := c.addresses(public, http, datagrams, c.TLSCert != "")
	if err != nil {
		return nil, err
	}
	cfg := peer.Config{
		Key: key, Name: c.peerFlags.name(public), Addresses: addresses, Store: db, Log: log,
		Private: c.PeerPrivate,
	}
	if c.Datagrams != off {
		cfg.Dialer = &endpoint.Dialer{}
	}
	return peer.New(ctx, cfg)
}

// openObjects returns the objects of the server. They do nothing before they are started.
func (c *serveCommand) openObjects(
	ctx context.Context, db *storage.DB, log *slog.Logger, links *peer.Links,
	shelf *game.Shelf,
) (*node.Objects, error) {
	w, err := node.New(ctx, node.Config{
		Store: db, Links: links, Now: tableTime(machineTime()), Random: rand.Reader, Log: log,
		Quarantine: filepath.Join(c.Data, quarantineFolder),
		Person:     people.PersonLookup(db), Shelf: shelf,
	})
	if err != nil {
		return nil, explainData(c.Data, err)
	}
	return w, nil
}

// quarantineFolder is the folder in the data directory for objects that nobody gets any more (O28).
const quarantineFolder = "quarantine"

// operatorServices is what operators can control: the server's links, its objects, its visitors,
// and the port for commands.
type operatorServices struct {
	visits  *people.Visits
	links   *peer.Links
	objects *node.Objects
	admin   *admin
}

// startPeers starts the links and the objects, and answers the operator's requests.
func (c *serveCommand) startPeers(
	ctx context.Context, links *peer.Links, w *node.Objects, h *runningServer, log *slog.Logger,
) (*operatorServices, error) {
	routes := peerRoutes(links)
	handle(routes, "/peer/page", func(context.Context, struct{}) (pageAnswer, error) {
		return pageAnswer{h.page()}, nil
	})
	objectOperator{
		links: links, objects: w, visits: h.visits, minter: h.minter, now: newClock().now,
	}.routes(routes)
	bagOperator{visits: h.visits, objects: w, address: h.address}.routes(routes)
	tableOperator{
		rooms: h.rooms, setUp: h.web.SetUp, list: h.tables, link: h.create, address: h.address,
	}.routes(routes)
	a, err := startAdmin(ctx, c.Data, routes, log)
	if err != nil {
		return nil, err
	}
	w.Start(h.rooms.SetChanged) //nolint:contextcheck // its errands end with the world
	h.rooms.Sweep()
	links.Start(h.visits.Machine(w))
	return &operatorServices{links: links, objects: w, visits: h.visits, admin: a}, nil
}

// stop ends the requests of operators and linked servers.
func (o *operatorServices) stop(ctx context.Context) error {
	if o == nil {
		return nil
	}
	return errors.Join(o.admin.stop(ctx), o.links.Shutdown(ctx))
}

// end stops the objects, when nobody sends requests any more.
func (o *operatorServices) end(ctx context.Context) error {
	if o == nil {
		return nil
	}
	return errors.Join(o.visits.Shutdown(ctx), o.objects.Shutdown(ctx))
}

// servers takes the connections of linked servers; nil: there are none.
func (o *operatorServices) servers() *endpoint.Servers {
	if o == nil {
		return nil
	}
	return o.links.QUICServers()
}
