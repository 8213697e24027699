package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"holt/server/federation/node"
	"holt/server/federation/peer"
	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/server/transport/endpoint"
	"holt/static"
	"holt/storage"
	"holt/web"
)

type serveCommand struct {
	Listen       string        `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address and port to listen at (${default}). Port 0 takes a free one."`
	Data         string        `default:"${data}" placeholder:"DIR" help:"Where the tables are kept (${default})."`
	PublicURL    string        `placeholder:"URL" help:"Where browsers find the server, if it is not where it listens: behind a proxy, or by name."`
	TrustedProxy []string      `placeholder:"CIDR" help:"Proxies that may say for whom they ask (X-Forwarded-For): addresses or ranges, separated by commas."`
	LimitScale   int           `default:"1" placeholder:"N" help:"How many times the usual number of tables, seats and wrong links one address may ask for, from 1 to 1000 (${default})."`
	PingInterval time.Duration `default:"15s" placeholder:"TIME" help:"How often a stream is asked whether it is still there, from 1s to 5m (${default})."`
	PingTimeout  time.Duration `default:"10s" placeholder:"TIME" help:"How long it may take to answer, from 1s to 1m (${default}). A dead line is noticed within the sum of both."`
	LogLevel     string        `default:"info" enum:"debug,info,warn,error" help:"What is logged: debug, info, warn or error (${default})."`
	LogFormat    string        `default:"text" enum:"text,json" help:"How: text or json (${default})."`
	Compress     string        `default:"early" enum:"early,late" help:"When scripts, styles and pictures are compressed: early, at the start, or late, when a browser asks for them (${default}). Late costs less if few browsers come, and the first of them waits."`
	tlsFlags
	datagramFlags
	peerFlags
	quotaFlags
	createFlags
	gameFlags
	Dev string `placeholder:"DIR" help:"Serve the client from this folder as it is, without bundling and caching."`
}

// shutdownTimeout bounds how long the server takes to stop.
const shutdownTimeout = 15 * time.Second

// maxLimitScale is the greatest --limit-scale: beyond it limits would be useless.
const maxLimitScale = 1000

// The bounds of keepalive (S6). Beyond them people who have long gone would be shown as present.
const (
	maxPingInterval = 5 * time.Minute
	maxPingTimeout  = time.Minute
)

// Run serves until ctx is done.
func (c *serveCommand) Run(ctx context.Context, std streams) error {
	public, err := parsePublicURL(c.PublicURL)
	if err != nil {
		return usageError{err}
	}
	proxies, err := parseProxies(c.TrustedProxy)
	if err != nil {
		return usageError{err}
	}
	if err := c.check(); err != nil {
		return usageError{err}
	}
	files := c.files()
	folders, err := c.moreGames(c.Data)
	if err != nil {
		return fmt.Errorf("find games: %w", err)
	}
	shelf, err := game.LoadShelf(files, folders...)
	if err != nil {
		return fmt.Errorf("load the shelf: %w", err)
	}
	assets, err := c.assets(files)
	if err != nil {
		return fmt.Errorf("bundle the client: %w", err)
	}
	log := c.logger(std)
	secure, err := c.load(log, time.Now)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // the server closes it, too, in order
	datagrams, err := c.listenDatagrams(ctx, log, listener.Addr(), c.LimitScale)
	if err != nil {
		return err
	}
	if datagrams != nil {
		defer func() { _ = datagrams.Shutdown(ctx) }() // as above
	}
	db, err := storage.Open(ctx, c.Data, storage.Options{Log: log})
	if err != nil {
		return explainData(c.Data, err)
	}
	links, err := c.openPeers(ctx, db, log, public, listener.Addr(), datagrams)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	objects, err := c.openObjects(ctx, db, log, links, shelf)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	around := c.newNetwork(listener, log)
	h, err := c.open(
		ctx, db, log, public, proxies, datagrams, links, objects, assets, shelf, around,
	)
	if err == nil {
		h.address = c.address(listener, public)
		h.operatorServices, err = c.startPeers(ctx, links, objects, h, log)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	h.http.TLSConfig = secure
	c.announce(std, log, listener, public, h)
	err = h.serve(ctx, listener)
	return errors.Join(err, db.Close())
}

// check reports what is wrong with the flags that are used unchanged.
func (c *serveCommand) check() error {
	if c.Data == "" {
		return errors.New("--data is empty: it has to name a folder")
	}
	if c.LimitScale < 1 || c.LimitScale > maxLimitScale {
		return fmt.Errorf("--limit-scale %d is not from 1 to %d", c.LimitScale, maxLimitScale)
	}
	if c.PingInterval < time.Second || c.PingInterval > maxPingInterval {
		return fmt.Errorf("--ping-interval %v is not from 1s to %v", c.PingInterval,
			maxPingInterval)
	}
	if c.PingTimeout < time.Second || c.PingTimeout > maxPingTimeout {
		return fmt.Errorf("--ping-timeout %v is not from 1s to %v", c.PingTimeout, maxPingTimeout)
	}
	if err := errors.Join(c.tlsFlags.check(), c.datagramFlags.check(), c.peerFlags.check(),
		c.quotaFlags.check(), c.gameFlags.check()); err != nil {
		return err
	}
	for _, name := range c.Games {
		if _, err := os.ReadDir(name); err != nil {
			return fmt.Errorf("--games %s: %w", name, err)
		}
	}
	if c.Dev == "" {
		return nil
	}
	for _, name := range []string{"js", "css", "art", "games"} {
		if _, err := os.ReadDir(filepath.Join(c.Dev, name)); err != nil {
			return fmt.Errorf("--dev %s is not a folder of the client's files: %s is missing there",
				c.Dev, name)
		}
	}
	return nil
}

// runningServer is a running server.
type runningServer struct {
	rooms            *room.Rooms
	games            *library.Library // nil: there are none
	tables           func(ctx context.Context) ([]storage.TableSummary, error)
	create           *createLink
	unusedDeleter    unusedDeleter
	visits           *people.Visits
	operatorLinks    *web.OperatorLinks // to the operator's page
	address          string             // where browsers find the server
	minter           *id.Minter
	network          *network
	web              *web.Server
	http             *http.Server
	datagrams        *endpoint.Listener // nil: there is none
	operatorServices *operatorServices  // nil: no commands are answered, and there are no objects
	resetKey         [32]byte           // for stateless resets of datagrams
	compressEarly    bool               // compress what browsers download before they ask
	log              *slog.Logger
}

// files returns what the server offers to browsers, and its games.
func (c *serveCommand) files() fs.FS {
	if c.Dev != "" {
		return os.DirFS(c.Dev)
	}
	return static.Files
}

// assets returns the client as browsers get it.
func (c *serveCommand) assets(files fs.FS) (*web.Assets, error) {
	if c.Dev != "" {
		return web.RawAssets(files)
	}
	return web.BundleAssets(files)
}

// open connects storage, rooms and web.
func (c *serveCommand) open(
	ctx context.Context, db *storage.DB, log *slog.Logger, public *url.URL, proxies []netip.Prefix,
	datagrams *endpoint.Listener, links *peer.Links, objects *node.Objects,
	assets *web.Assets, shelf *game.Shelf, around *network,
) (*runningServer, error) {
	minter, inviteKey, err := openIdentity(ctx, db)
	if err != nil {
		return nil, explainData(c.Data, err)
	}
	games := c.library(db, objects, log)
	rooms := room.New(room.Config{
		Store: db, Minter: minter, Shelf: shelf, InviteKey: inviteKey,
		Now: tableTime(machineTime()), Random: rand.Reader, Log: log, SetOwners: objects,
		Quota: c.quota(), Games: games,
	})
	db.Notify(rooms.SavingChanged)
	visits := people.New(people.Config{
		Store: db, Objects: objects, Links: links, Now: newClock().now, Log: log,
		Tables: rooms, Key: inviteKey,
		Mint: func() (id.OID, error) { return minter.Mint(newClock().now()) },
	})
	link, err := openCreateLink(ctx, db)
	if err != nil {
		return nil, explainData(c.Data, err)
	}
	doors := web.NewOperatorLinks()
	cfg := web.Config{
		Creation: c.creation(link), Visits: visits, Network: around,
		Servers: &web.Servers{
			Links: links, Objects: objects, OperatorLinks: doors,
		},
		Rooms: rooms, Shelf: shelf, Log: log, Assets: assets,
		Library: games, NobodyBrings: c.WhoMayBring == nobody,
		PublicURL: public, TrustedProxies: proxies, Health: health(db), Objects: objects.WentBack,
		ObjectsDamaged: objects.Damaged, Losses: db.Losses,
		Peers: links, Limits: web.LimitsTimes(c.LimitScale),
		Keepalive: web.Keepalive{Every: c.PingInterval, Timeout: c.PingTimeout},
		Memory:    memoryInUse(boundMemory(os.DirFS("/"), log)),
	}
	if datagrams != nil {
		cfg.Datagrams = datagrams
	}
	server := web.New(cfg)
	around.http = server.HTTP()
	return &runningServer{
		network: around,
		rooms:   rooms, games: games, tables: db.Tables, create: link,
		unusedDeleter: unusedDeleter{rooms, time.Duration(c.ForgetAfter) * 24 * time.Hour, log},
		visits:        visits, operatorLinks: doors, minter: minter, web: server,
		http: around.http, datagrams: datagrams,
		resetKey: resetKeyOf(inviteKey), compressEarly: c.Compress == "early", log: log,
	}, nil
}

// resetKeyOf derives a key from one that lasts as long as the data. With it clients learn that the
// server was killed (D21).
func resetKeyOf(key []byte) [sha256.Size]byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("stateless resets")) // it never fails
	return [sha256.Size]byte(m.Sum(nil))
}

// openIdentity returns the source of this server's identifiers, and the key of its invites.
func openIdentity(ctx context.Context, db *storage.DB) (*id.Minter, []byte, error) {
	self, err := db.HostID(ctx)
	if err != nil {
		return nil, nil, err
	}
	floor, err := db.OIDFloor(ctx)
	if err != nil {
		return nil, nil, err
	}
	key, err := db.InviteKey(ctx)
	if err != nil {
		return nil, nil, err
	}
	reserve := func(until id.Millis) error {
		return db.ReserveOIDs(context.WithoutCancel(ctx), until)
	}
	return id.NewMinter(self, floor, reserve), key, nil
}

// health reports whether the server can save its data.
func health(db *storage.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := db.Healthy(ctx); err != nil {
			return fmt.Errorf("%w: %w", room.ErrStorage, err)
		}
		return nil
	}
}

// serve answers until ctx is done. Then it drains: it asks the clients of streams to come back,
// makes durable what was recorded, and waits for every goroutine.
func (h *runningServer) serve(ctx context.Context, l net.Listener) error {
	if h.datagrams != nil {
		err := h.datagrams.Serve(endpoint.Host{
			Open: h.web.OpenByDatagrams, Problem: h.web.ProblemCode, Origin: h.web.MayOpenSession,
			Servers:  h.operatorServices.servers(),
			ResetKey: &h.resetKey,
		})
		if err != nil {
			return errors.Join(err, h.stop(ctx))
		}
	}
	failed := make(chan error, 1) // Serve returns once
	go func() {
		if h.http.TLSConfig != nil {
			failed <- h.http.ServeTLS(l, "", "") // the configuration has the certificate
			return
		}
		failed <- h.http.Serve(l)
	}()
	working, done := context.WithCancel(ctx)
	var warming sync.WaitGroup
	if h.compressEarly {
		warming.Go(func() { h.web.Warm(working) })
	}
	warming.Go(func() { h.unusedDeleter.run(working) })
	defer warming.Wait()
	defer done()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", errors.Join(err, h.stop(ctx)))
	case <-ctx.Done():
	}
	h.log.Info("stopping")
	err := h.stop(ctx)
	if end := <-failed; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}

func (h *runningServer) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	// The rooms drain while requests under way are answered. Requests that come too late are asked
	// to retry.
	h.network.refuse()
	drained := make(chan error, 1) // Shutdown returns once
	go func() { drained <- h.http.Shutdown(ctx) }()
	err := h.operatorServices.stop(ctx)
	err = errors.Join(err, h.rooms.Shutdown(ctx), h.web.Shutdown(ctx))
	if h.games != nil {
		h.games.Close()
	}
	err = errors.Join(err, h.operatorServices.end(ctx))
	if h.datagrams != nil {
		err = errors.Join(err, h.datagrams.Shutdown(ctx))
	}
	select {
	case end := <-drained:
		err = errors.Join(err, end)
	case <-time.After(spareTimeout):
	}
	err = errors.Join(err, h.http.Close())
	h.network.wait()
	return err
}

// spareTimeout is how long an answer may take once the tables are closed. Connections that are
// still open then are spare connections of browsers, without a request.
const spareTimeout = 500 * time.Millisecond

func (c *serveCommand) logger(std streams) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // kong accepts only these four
	o := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(std.Err, o))
	}
	return slog.New(slog.NewTextHandler(std.Err, o))
}

// address returns where browsers find the server.
func (c *serveCommand) address(l net.Listener, public *url.URL) string {
	switch {
	case public != nil:
		return public.String() + "/"
	case c.TLSCert != "":
		return "https://" + reachable(l.Addr()) + "/"
	}
	return "http://" + reachable(l.Addr()) + "/"
}

// page returns an address that opens the operator's page once.
func (h *runningServer) page() string {
	return h.address + "servers?token=" + h.operatorLinks.New()
}

// isTerminal reports whether somebody may be reading w. A file or a pipe would keep the text.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	about, err := f.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}

// announce says where the server is. Programs read the first line on standard output, too.
func (c *serveCommand) announce(
	std streams, log *slog.Logger, l net.Listener, public *url.URL, h *runningServer,
) {
	address := c.address(l, public)
	std.printf("Holt is serving %s\n", address)
	if c.LogFormat == "text" {
		page := "holt peer page --data " + c.Data + " prints a link"
		if isTerminal(std.Err) {
			page = h.page() + " (good once)"
		}
		std.errorf(
			"Open %s in a browser and start a table: “Invite” there has the link for your friends.\n"+
				"%s"+
				"Tables are kept in %s. Ctrl+C stops the server; nothing is lost.\n"+
				"For you alone, to link it with other servers: %s\n",
			address, c.wayForOthers(public, h.network, isTerminal(std.Err)), c.Data, page)
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() && public == nil &&
		c.TLSCert == "" {
		log.Warn(
			"other machines can reach this server, " +
				"and what they exchange is not encrypted: " +
				"give it a certificate with --tls-cert and --tls-key, " +
				"or put a proxy with TLS in front of it and name its address with --public-url")
	}
}

// wayForOthers says how other machines find the server; "" if the address itself does.
func (c *serveCommand) wayForOthers(public *url.URL, n *network, drawn bool) string {
	if public != nil {
		return ""
	}
	if at := n.Reachable(); len(at) > 0 {
		link := "http://" + at[0].String() + "/"
		text := "Others find it at " + link + "\n"
		if web.IsOfLocalNetwork(at[0].Addr()) {
			text = "In your network (the same Wi-Fi) it is at " + link + "\n"
		}
		if drawn {
			text += codeForTerminal(link)
		}
		return text
	}
	if flag := n.Flag(); flag != "" {
		return "Only this machine can open it so far. " +
			"To let your network in, click “Invite” at a table, " +
			"or start Holt with --listen " + flag + "\n"
	}
	return ""
}
