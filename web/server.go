// Package web is the edge of the server. It turns HTTP requests into calls of Rooms, and answers
// and errors back into HTTP. It knows routes, cookies, addresses, pages and WebSockets. It does not
// know what a table is. docs/protocol/http.md and stream.md are its specification.
package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/templates"
)

// Rooms is what the edge needs of the tables (*room.Rooms).
type Rooms interface {
	Damaged() []id.OID
	Sound(ctx context.Context, table id.OID) error
	Create(ctx context.Context, r room.NewTableRequest) (room.Taken, room.Invites, error)
	GameOf(ctx context.Context, name string) (*game.Game, error)
	Invite(ctx context.Context, secret string) (room.Invite, error)
	TakeSeat(ctx context.Context, invite string, p room.Person) (room.Taken, error)
	Authenticate(ctx context.Context, table id.OID, token string) (room.Session, error)
	Seated(ctx context.Context, table id.OID, token string) (room.TableRow, error)
	Glance(ctx context.Context, table id.OID, token string) (room.Glance, error)
	Invites(ctx context.Context, s room.Session) (room.Invites, error)
	RenewInvites(
		ctx context.Context, s room.Session, of ...table.Role,
	) (room.Invites, error)
	Admits(ctx context.Context, invite, password string) error
	Log(ctx context.Context, s room.Session, q room.LogQuery) (room.LogPage, error)
	Replay(
		ctx context.Context, s room.Session, after id.Millis, sight room.Sight,
	) (room.ReplayPage, error)
	ReplayMotion(
		ctx context.Context, s room.Session, after id.Millis, sight room.Sight,
	) (room.ReplayPage, error)
	OpenHands(ctx context.Context, s room.Session, open bool) error
	Fairness(ctx context.Context, s room.Session) (e *fairness.Export, version string, err error)
	OpenRound(ctx context.Context, s room.Session) (fairness.Round, error)
	Update(ctx context.Context, s room.Session, b wire.Batch) error
	UpdateInTurn(
		ctx context.Context, s room.Session, b wire.Batch, judged func(error),
	) error
	Read(ctx context.Context, s room.Session) (*holtpb.Frame, error)
	Components(ctx context.Context, s room.Session) ([]byte, error)
	Operate(ctx context.Context, s room.Session, m room.Operations) error
	Open(
		ctx context.Context, s room.Session, h room.Hello, c stream.Carrier,
	) (*stream.Stream, error)
	Blob(ctx context.Context, h room.Hash) (room.Blob, error)
	About(ctx context.Context, table id.OID) (room.TableRow, error)
	Supplement(ctx context.Context, table id.OID) (game.Supplement, error)
	Delete(ctx context.Context, s room.Session) error
	DropHistory(ctx context.Context, s room.Session) error
	PutOut(
		ctx context.Context, s room.Session, seat id.Seat, p room.HandsOnLeaving,
	) (room.Invites, error)
	Leave(ctx context.Context, s room.Session, p room.HandsOnLeaving) error
	Erase(ctx context.Context, s room.Session, seat id.Seat, p room.HandsOnLeaving) error
	LogOut(ctx context.Context, s room.Session) error
	SetDoor(
		ctx context.Context, s room.Session, piece id.Piece, door []byte,
	) (before []byte, err error)
	RemoveDoor(ctx context.Context, s room.Session, piece id.Piece) (before []byte, err error)
	Door(ctx context.Context, s room.Session, piece id.Piece) ([]byte, error)
	NoteDoor(ctx context.Context, s room.Session, piece id.Piece, was, is []byte) error
	Doors(ctx context.Context, table id.OID) ([][]byte, error)
	OwnGuest(ctx context.Context, s room.Session, piece id.Piece) (id.OID, error)
	SenderOf(ctx context.Context, s room.Session, piece id.Piece) (id.Seat, error)
	TakeToSend(
		ctx context.Context, s room.Session, door, piece id.Piece, whose id.Seat, atHome bool,
	) (set id.OID, err error)
	Copy(ctx context.Context, s room.Session) (room.Taken, room.Invites, room.Person, error)
	MakeLink(
		ctx context.Context, s room.Session, seat id.Seat,
	) (link string, until id.Millis, err error)
	FindLink(ctx context.Context, link string) (room.SeatLink, error)
	UseLink(ctx context.Context, link string) (room.Taken, error)
	TakeSide(ctx context.Context, s room.Session, side uint32) error
	GiveSide(ctx context.Context, s room.Session, seat id.Seat, side uint32) error
	LetEdit(ctx context.Context, s room.Session, seat id.Seat, edits bool) error
	BaseOf(ctx context.Context, s room.Session) (game.Base, error)
	AddKinds(
		ctx context.Context, s room.Session, p *game.Packed, c room.ChangedKinds,
	) ([]uint32, error)
	SaveGame(ctx context.Context, s room.Session, q *room.Saving) (*room.Saved, error)
	Draft(ctx context.Context, s room.Session, of string) (*room.Draft, error)
	GiveRole(ctx context.Context, s room.Session, seat id.Seat, role table.Role) error
	SetPassword(ctx context.Context, s room.Session, text string) error
	ProposeReferee(ctx context.Context, s room.Session, seat id.Seat) error
	AnswerReferee(ctx context.Context, s room.Session, proposal uint32, agree bool) error
	StandUp(ctx context.Context, s room.Session, p room.HandsOnLeaving) error
	SitDown(ctx context.Context, s room.Session, invite string) error
	VoteHost(ctx context.Context, s room.Session, seat id.Seat) (elected bool, err error)
	Undo(ctx context.Context, s room.Session, token string, of room.Meant) (room.UndoAnswer, error)
	WithdrawUndo(ctx context.Context, s room.Session) error
	AnswerUndo(ctx context.Context, s room.Session, question uint32, agree bool) error
	BeginRound(ctx context.Context, s room.Session, title string, asked []id.Seat) (uint32, error)
	Choose(ctx context.Context, s room.Session, round uint32, c room.Choice) error
	Unchoose(ctx context.Context, s room.Session, round uint32) error
	EndRound(ctx context.Context, s room.Session, round uint32, show bool) error
	Saves(ctx context.Context, s room.Session) (room.SaveList, error)
	Save(ctx context.Context, s room.Session, name, token string) (uint32, error)
	DeleteSave(ctx context.Context, s room.Session, save uint32) error
	Rewind(ctx context.Context, s room.Session, q room.Rewind) (back uint32, err error)
}

// Config is what a Server needs.
type Config struct {
	Rooms Rooms
	Shelf *game.Shelf
	// Library has the games that people bring; nil: nobody can bring any.
	Library *library.Library
	// NobodyBrings says that nobody may bring further games.
	NobodyBrings bool
	Log          *slog.Logger
	// Assets are the client, from BundleAssets or RawAssets.
	Assets *Assets
	// PublicURL is where browsers find the server, without a path. nil: the address that the
	// request names.
	PublicURL *url.URL
	// TrustedProxies are the proxies that may name their client in X-Forwarded-For and
	// X-Forwarded-Proto.
	TrustedProxies []netip.Prefix
	// Health reports whether the server can work; nil: always.
	Health func(context.Context) error
	// Objects returns when the server last noticed that its objects went back to an older state
	// (O47), or 0 for never; nil: never.
	Objects func() id.Millis
	// ObjectsDamaged reports whether the stored objects of this server cannot be read; nil: they
	// can.
	ObjectsDamaged func() bool
	// Losses returns how many things were lost when the database was rebuilt from a damaged one;
	// nil: none.
	Losses func() int
	Limits Limits
	// Keepalive says how dead connections are noticed.
	Keepalive Keepalive
	// Datagrams is the other transport of streams; nil: there is none.
	Datagrams Datagrams
	// Peers takes connections of other servers; nil: there are none.
	Peers Peers
	// Visits knows the people of this server, and visitors; nil: there are none.
	Visits *people.Visits
	// Creation says who may create tables; zero: everybody.
	Creation Creation
	// Network knows where other machines find the server; nil: nothing is known of that.
	Network Network
	// Servers is the page for the server's operator; nil: there is none.
	Servers *Servers
	// Memory returns how much of the allowed memory is in use, as a share from 0 to 1; nil: it is
	// not measured.
	Memory func() float64
}

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	// Set at construction.
	rooms     Rooms
	shelf     *game.Shelf
	log       *slog.Logger
	assets    *Assets
	art       *artShelf
	needs     map[room.Hash]needs // by catalogue
	publicURL *url.URL
	network   Network
	trusted   []netip.Prefix
	health    func(context.Context) error
	objects   func() id.Millis
	damaged   func() bool // whether the objects are damaged
	losses    func() int
	limits    *limiters
	keepalive Keepalive
	datagrams Datagrams
	tickets   *tickets
	peers     Peers
	visits    *people.Visits
	servers   *Servers
	creation  Creation
	makings   *ownMakings
	memory    func() float64
	games     []gameOnShelf
	previews  []templates.GameView
	library   *library.Library
	bringing  bool
	uploads   uploads
	fetches   uploads
	arrivals  arrivals
	proses    proses
	// translations are catalogues in the languages of people.
	translations translations
	handler      http.Handler

	// doors is held while a door is made or removed, so that no reference is dropped that another
	// door has just come to need.
	doors sync.Mutex

	// streams are the open carriers. Each has a goroutine that removes it.
	mu sync.Mutex
	// Guarded by mu.
	streams map[*carrier]struct{}
	bridges map[id.OID]int // links of each table that has any
	// lingering is how many answers of each seat are held back.
	lingering map[seatKey]int
	stopping  bool
	running   sync.WaitGroup
}

// New returns a server.
func New(cfg Config) *Server {
	s := &Server{
		rooms: cfg.Rooms, shelf: cfg.Shelf, log: cfg.Log, assets: cfg.Assets,
		art:       newArtShelf(cfg.Shelf),
		needs:     needsByCatalog(cfg.Shelf),
		publicURL: cfg.PublicURL, network: cfg.Network, trusted: cfg.TrustedProxies,
		health:  cfg.Health,
		objects: cfg.Objects, losses: cfg.Losses, damaged: cfg.ObjectsDamaged,
		limits: newLimiters(cfg.Limits), keepalive: cfg.Keepalive, datagrams: cfg.Datagrams,
		tickets: newTickets(), peers: cfg.Peers, visits: cfg.Visits, servers: cfg.Servers,
		creation: cfg.Creation, makings: newOwnMakings(), memory: cfg.Memory,
		library: cfg.Library, bringing: !cfg.NobodyBrings,
		uploads: uploads{from: map[netip.Addr]bool{}},
		fetches: uploads{from: map[netip.Addr]bool{}},
		streams: map[*carrier]struct{}{}, bridges: map[id.OID]int{}, lingering: map[seatKey]int{},
	}
	s.games, s.previews = gamesOn(cfg.Shelf), previewsOf(cfg.Shelf, s.art)
	s.handler = s.routes()
	return s
}

// Timeouts and sizes that keep slow or talkative clients from using up the server.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = 30 * time.Second // header and body
	answerTimeout = 60 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 32 << 10 // room for the cookies of some three hundred tables
)

// HTTP returns a server for this handler with its timeouts. The caller serves it and shuts it down.
func (s *Server) HTTP() *http.Server {
	return &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		WriteTimeout:      answerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(serverLog{s.log.Handler()}, slog.LevelDebug),
	}
}

// serverLog takes the messages of net/http. Nearly all of them are about clients that have gone.
// But the operator must learn when no connection can be accepted any more (too many open files).
type serverLog struct{ slog.Handler }

// Enabled passes every message to Handle, which decides by its text.
func (serverLog) Enabled(context.Context, slog.Level) bool { return true }

// Handle passes a record on with the level that it deserves.
func (l serverLog) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "Accept error") {
		r.Level = slog.LevelWarn
	}
	if !l.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Shutdown waits until every stream has ended. The rooms have closed them before. When ctx is done
// it cuts off those that remain, and returns an error. New streams are rejected.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for c := range s.streams {
		c.conn.cut()
	}
	s.mu.Unlock()
	<-ended
	return fmt.Errorf("wait for streams: %w", ctx.Err())
}

// begin enters a stream that is about to run. It reports false if the server is stopping. end
// removes the stream.
func (s *Server) begin(c *carrier) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return false
	}
	s.streams[c] = struct{}{}
	s.running.Add(1)
	return true
}

func (s *Server) end(c *carrier) {
	s.mu.Lock()
	delete(s.streams, c)
	s.mu.Unlock()
	s.running.Done()
}
