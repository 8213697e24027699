package node_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"holt/server/federation/node"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/testport"
	"holt/server/transport/endpoint"
	"holt/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place is some servers on the loopback interface.
type place struct {
	testing.TB
	servers []*server
}

// server is a host with storage, links and objects. A test may start it more than once.
type server struct {
	*place
	name     string
	dir      string
	port     uint16
	db       *storage.DB
	links    *peer.Links
	listener *endpoint.Listener
	world    *node.Objects
	minter   *id.Minter
	log      *journal
	ahead    atomic.Int64 // its clock, in milliseconds
	game     string       // the file of its game; "": it has no rooms
	rooms    *room.Rooms
	running  bool
	lazy     int
	sits     func(room.Session) id.OID // the person of a seat; nil: nobody asks
	cache    int                       // 0: 64
	// dies cuts the power, if it is set.
	dies *cord
	// reads are what reading the recorded versions of kinds waits for, if it is set.
	reads *latch
	// machine gets what arrives instead of the world, if it is set.
	machine peer.Machine

	mu     sync.Mutex
	told   []room.SetEvent
	telled chan struct{}
}

// journal is a log in memory. It is safe for concurrent use.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

const everything = peer.Visit | peer.Bring | peer.Keep | peer.Linkup

// newPlace returns servers that are started and linked, each with each.
func newPlace(t testing.TB, names ...string) *place {
	p := &place{TB: t}
	for _, name := range names {
		s := &server{place: p, name: name, dir: t.TempDir(), log: &journal{},
			telled: make(chan struct{}, 1)}
		p.servers = append(p.servers, s)
		s.start()
	}
	t.Cleanup(func() {
		for _, s := range p.servers {
			s.stop()
			if t.Failed() {
				t.Logf("%s:\n%s", s.name, s.log)
			}
		}
	})
	for i, a := range p.servers {
		for _, b := range p.servers[:i] {
			p.link(a, b, everything)
		}
	}
	return p
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (s *server) now() id.Millis { return id.Millis(time.Now().UnixMilli() + s.ahead.Load()) }

func (s *server) start() {
	s.Helper()
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	s.db, err = storage.Open(ctx, s.dir, storage.Options{Log: log})
	s.must(err)
	key, err := s.db.HostKey(ctx)
	s.must(err)
	self, err := s.db.HostID(ctx)
	s.must(err)
	floor, err := s.db.OIDFloor(ctx)
	s.must(err)
	s.minter = id.NewMinter(self, floor,
		func(until id.Millis) error { return s.db.ReserveOIDs(ctx, until) })
	socket, err := s.listen()
	s.must(err)
	certificates, err := endpoint.SelfSigned(time.Now)
	s.must(err)
	s.links, err = peer.New(ctx, peer.Config{
		Key: key, Name: s.name, Addresses: []peer.Address{peer.Address(
			fmt.Sprintf("quic://127.0.0.1:%d", s.port))}, Store: s.db, Log: log,
		Dialer: &endpoint.Dialer{},
	})
	s.must(err)
	s.world, err = node.New(ctx, node.Config{
		Store: s.store(), Links: s.links, Now: s.now, Random: rand.Reader, Log: log,
		Quarantine: filepath.Join(s.dir, "quarantine"),
		Cache:      cmp.Or(s.cache, 64), Lazy: s.lazy,
		Person: s.sitter(), Shelf: s.shelf(),
	})
	s.must(err)
	s.openRooms()
	s.world.Start(func(ctx context.Context, e room.SetEvent) error {
		if s.rooms != nil {
			return s.rooms.SetChanged(ctx, e)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = append(s.told, e)
		select {
		case s.telled <- struct{}{}:
		default:
		}
		return nil
	})
	if s.machine != nil {
		s.links.Start(s.machine)
	} else {
		s.links.Start(s.world)
	}
	s.listener = endpoint.New(endpoint.Config{Certificates: certificates,
		Log: slog.New(slog.DiscardHandler), QUIC: socket})
	s.must(s.listener.Serve(endpoint.Host{
		Open: func(context.Context, string, stream.Carrier) (*stream.Stream, error) {
			return nil, errors.New("no streams here")
		},
		Problem: func(error) string { return "none" },
		Origin:  func(*http.Request) bool { return false }, Servers: s.links.QUICServers(),
	}))
	s.running = true
}

// listen opens the socket of a server, which has the same port each time.
func (s *server) listen() (*net.UDPConn, error) {
	if s.port != 0 {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), s.port)
		return net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	}
	tcp, socket, err := testport.Listen()
	if err != nil {
		return nil, err
	}
	s.port = netip.MustParseAddrPort(socket.LocalAddr().String()).Port()
	return socket, tcp.Close()
}

func (s *server) sitter() func(context.Context, room.Session) id.OID {
	if s.sits == nil {
		return nil
	}
	return func(_ context.Context, at room.Session) id.OID { return s.sits(at) }
}

func (s *server) store() node.Store {
	if s.reads != nil {
		return &slow{DB: s.db, latch: s.reads}
	}
	if s.dies == nil {
		return s.db
	}
	return &cut{DB: s.db, cord: s.dies}
}

// latch holds up reads until it is opened. Then they fail with err, if it is set.
type latch struct {
	open chan struct{}
	err  error
}

// slow is a storage whose recorded versions of kinds cannot be read before its latch is open.
type slow struct {
	*storage.DB
	latch *latch
}

func (s *slow) ObjectValues(
	ctx context.Context, space object.Space, behind id.OID, limit int,
) ([]object.Write, error) {
	if space != versionSpace {
		return s.DB.ObjectValues(ctx, space, behind, limit)
	}
	select {
	case <-s.latch.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.latch.err != nil {
		return nil, s.latch.err
	}
	return s.DB.ObjectValues(ctx, space, behind, limit)
}

// cord lets a number of batches become durable, and no more.
type cord struct {
	mu   sync.Mutex
	left int
	dead bool
}

var errPower = errors.New("the power is off")

func (c *cord) use() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		c.dead = true
		return errPower
	}
	return nil
}

func (c *cord) isDead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// cut is a storage whose power may be cut. Nothing is kept of the batch at which that happens, and
// nothing of later ones.
type cut struct {
	*storage.DB
	cord *cord
}

func (c *cut) KeepObjects(ctx context.Context, writes []object.Write, blobs []room.Blob) error {
	if err := c.cord.use(); err != nil {
		return err
	}
	return c.DB.KeepObjects(ctx, writes, blobs)
}

func (c *cut) BeginObjects(ctx context.Context, writes []object.Write) error {
	if c.cord.isDead() {
		return errPower
	}
	return c.DB.BeginObjects(ctx, writes)
}

func (c *cut) Append(ctx context.Context, a room.Append) error {
	if err := c.cord.use(); err != nil {
		return err
	}
	return c.DB.Append(ctx, a)
}

func (s *server) stop() {
	s.Helper()
	if !s.running {
		return
	}
	s.running = false
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if s.rooms != nil {
		s.must(s.rooms.Shutdown(ctx))
	}
	s.must(errors.Join(s.links.Shutdown(ctx), s.listener.Shutdown(ctx),
		s.world.Shutdown(ctx), s.db.Close()))
}

// link links two servers, and waits until they are connected.
func (p *place) link(a, b *server, rights peer.Rights) {
	p.Helper()
	offer, err := a.links.Invite(p.Context(), rights, peer.DefaultLimits, false)
	p.must(err)
	_, err = b.links.Accept(p.Context(), offer, rights, peer.DefaultLimits)
	p.must(err)
	p.together(a, b)
}

// together waits until two servers have a connection.
func (p *place) together(a, b *server) {
	p.Helper()
	p.await("a connection", func() bool { return a.reaches(b) && b.reaches(a) })
}

func (s *server) reaches(other *server) bool {
	for _, i := range s.links.List() {
		if i.Host == other.self() {
			return i.Network != ""
		}
	}
	return false
}

func (s *server) self() id.HostID { return s.links.Self() }

// await checks so until it is true. It ends the test if that takes too long.
func (p *place) await(what string, so func() bool) {
	p.Helper()
	// It ends sooner unless something is wrong, however busy the machine is.
	deadline := time.NewTimer(5 * time.Minute)
	defer deadline.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !so() {
		select {
		case <-deadline.C:
			p.Fatalf("waited in vain for %s", what)
		case <-look.C:
		}
	}
}

// mint returns a new identifier of a server.
func (s *server) mint() id.OID {
	s.Helper()
	oid, err := s.minter.Mint(s.now())
	s.must(err)
	return oid
}

// keeps returns how many values a server stores in a space.
func (s *server) keeps(space object.Space) int {
	s.Helper()
	page, err := s.db.ObjectValues(context.Background(), space, id.OID{}, 10_000)
	s.must(err)
	return len(page)
}

// owns returns whether an object is on the disk of a server.
func (s *server) owns(oid id.OID) bool {
	s.Helper()
	v, err := s.db.ObjectValue(context.Background(), object.Heads, oid)
	s.must(err)
	return v != nil
}

// version writes the document of a kind.
func version(name, weight, function string, faces []room.Blob, more string) []byte {
	var list []string
	for _, f := range faces {
		list = append(list, fmt.Sprintf(`{"name":%q,"art":"%x"}`, name, f.Hash))
	}
	return fmt.Appendf(nil, `{"format":"holt.kind/1","name":%q,"width":100,"height":100,`+
		`"shape":"rect","weight":%q,"secret":%t%s,"faces":[%s]%s}`,
		name, weight, more != "" && weight == "light", function, strings.Join(list, ","), more)
}

// picture returns art that no other name has.
func picture(name string) room.Blob {
	data := fmt.Appendf(
		nil,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">`+
			`<title>%s</title><rect width="10" height="10"/></svg>`,
		name,
	)
	return room.Blob{Hash: sha256.Sum256(data), Type: "image/svg+xml", Data: data}
}

// cards is the number of cards in the deck of these tests. Its parts are 0, the box; 1 to cards;
// and a die.
const (
	cards = 54
	die   = cards + 1
)

// deck returns the contents of a set, as when it is taken off a table.
func deck(t testing.TB, name string) room.Contents {
	t.Helper()
	box, back := picture(name+" box"), picture(name+" back")
	c := room.Contents{Art: []room.Blob{box, back}}
	backDoc := version("Back", "light", "", []room.Blob{back}, "")
	of := sha256.Sum256(backDoc)
	mask := hex.EncodeToString(of[:])
	boxDoc := version("Deck", "heavy", "", []room.Blob{box},
		`,"container":{"draws":"top","takes":"`+mask+`"}`)
	dieDoc := version("Die", "light", `,"die":{"cooldown":0}`,
		slices.Repeat([]room.Blob{back}, 6), "")
	c.Kinds = [][]byte{boxDoc, backDoc, dieDoc}
	c.Parts = []room.Part{{Kind: sha256.Sum256(boxDoc)}}
	for i := range uint32(cards) {
		front := picture(fmt.Sprint(name, i))
		doc := version(fmt.Sprint("Card ", i), "light", "", []room.Blob{front, back},
			`,"mask":"`+mask+`"`)
		c.Art, c.Kinds = append(c.Art, front), append(c.Kinds, doc)
		c.Parts = append(c.Parts,
			room.Part{Number: i + 1, Kind: sha256.Sum256(doc), Secret: true, Face: 1})
	}
	c.Parts = append(c.Parts, room.Part{Number: die, Kind: sha256.Sum256(dieDoc)})
	if _, err := game.ReadVersions(c.Kinds); err != nil {
		t.Fatal(err)
	}
	return c
}

// person registers a person at a server.
func (s *server) person() id.OID {
	s.Helper()
	p := s.mint()
	s.must(s.world.Found(s.Context(), p, object.Person))
	return p
}

// move moves a set from one server to another one, and waits until it is there.
func (p *place) move(set id.OID, from, to *server) {
	p.Helper()
	p.must(from.world.Move(p.Context(), set, to.self()))
	p.await("the set to move", func() bool { return to.owns(set) && !from.owns(set) })
}

// lend moves a set to another server, where a new person has it, too.
func (p *place) lend(set id.OID, from, to *server) {
	p.Helper()
	p.must(from.world.Give(p.Context(), set, to.self()))
	p.must(to.world.Put(p.Context(), to.person(), set))
	p.move(set, from, to)
}

// owned makes a deck that is in the bag of a new person of a server.
func (s *server) owned() (person, set id.OID, c room.Contents) {
	s.Helper()
	person, set = s.person(), s.mint()
	c = deck(s, s.name)
	on := room.Session{Table: s.mint(), Seat: 1}
	s.must(s.world.Make(s.Context(), on, set, c))
	s.must(s.world.Put(s.Context(), person, set))
	s.must(s.world.Delete(s.Context(), on.Table)) // the table kept it until it was in a bag
	return person, set, c
}

// visit puts a set of one server on a new table of another one.
func (s *server) visit(host *server, set id.OID) (table id.OID, g room.Guest) {
	s.Helper()
	s.must(s.world.Give(s.Context(), set, host.self()))
	table = host.mint()
	g, err := host.world.Hold(s.Context(), room.Session{Table: table, Seat: 1}, set)
	s.must(err)
	return table, g
}

// collect runs rounds of the collection at all servers.
func (p *place) collect(rounds int) {
	p.Helper()
	for range rounds {
		for _, s := range p.servers {
			if s.running {
				_, err := s.world.Collect(p.Context())
				p.must(err)
			}
		}
	}
}
