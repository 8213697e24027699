// Package library keeps the games that people bring to a server (G11). Whoever brings one has it in
// their library, which a secret of their browser or program names. A game that several people bring
// is stored once. Tables keep what they need of a game by themselves, so a game that is forgotten
// stays on the tables that were set up with it.
package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
)

// Bounds of libraries.
const (
	MaxGames = 64 // of one library
	// MaxVersions are the most versions of one game: the oldest ones are taken away (T107).
	MaxVersions = 32
	MaxPreview  = 64 << 10 // bytes; a larger one is left out
)

// The reasons for which a game is not kept.
var (
	// ErrFull says that the library has no room left, ErrServerFull that the server has none.
	ErrFull       = errors.New("there is no room left for games of yours")
	ErrServerFull = errors.New("the server has no room left for games")
)

// Unreadable says what is wrong with a file that should be a packed game.
type Unreadable struct{ Err error }

func (u *Unreadable) Error() string { return u.Err.Error() }

// Unwrap returns what is wrong.
func (u *Unreadable) Unwrap() error { return u.Err }

// Secret is what names a library: 16 random bytes. Storage knows only its hash.
type Secret [16]byte

// Hash returns the name of the library in storage.
func (s Secret) Hash() room.Hash { return sha256.Sum256(s[:]) }

// Row is a game in a library.
type Row struct {
	Library, Game room.Hash
	About         room.Hash // of the blob that says what the game is
	Bytes         int64     // of all its files
	Added         id.Millis
	// Of is the game of which it is the next version. Of rows that are read, Line is the first of the
	// versions; it is zero if there is only one. Who has saved it, and says Note of it.
	Of, Line  room.Hash
	Who, Note string
}

// line returns what all versions of a game have in common.
func (r *Row) line() room.Hash {
	if r.Line == (room.Hash{}) {
		return r.Game
	}
	return r.Line
}

// Quota bounds how many bytes games may have.
type Quota struct {
	Library int64 // in one library
	All     int64 // in all libraries, each game once
}

// Store is what a Library needs of storage.
type Store interface {
	// KeepGame stores a game in a library, and its blobs, all or nothing. It reports whether the game
	// was not in the library before. The oldest versions of the game make room for it. Errors:
	// ErrFull, ErrServerFull.
	KeepGame(ctx context.Context, row Row, blobs []room.Blob, q Quota) (added bool, err error)
	// LibraryGames returns the games of a library with all their versions, the newest first.
	LibraryGames(ctx context.Context, library room.Hash) ([]Row, error)
	// KeptGame returns the blob that says what a game is. room.ErrNoGame if no library has it.
	KeptGame(ctx context.Context, game room.Hash) (about room.Hash, err error)
	// BringBack makes a version of a game the newest one. It reports whether it was there.
	BringBack(ctx context.Context, library, game room.Hash, now id.Millis) (bool, error)
	// ForgetGame takes a game with all its versions out of a library. It reports whether it was there.
	ForgetGame(ctx context.Context, library, game room.Hash) (bool, error)
	// Blob returns what has a hash. room.ErrNoBlob if it is not stored.
	Blob(ctx context.Context, hash room.Hash) (room.Blob, error)
}

// About says what a game is.
type About struct {
	Game room.Hash `json:"-"`
	// When it was saved, by whom, what they say of it, and how many versions of it the library has;
	// as listed.
	Added     id.Millis `json:"-"`
	Who, Note string    `json:"-"`
	Versions  int       `json:"-"`

	Document    string   `json:"document"` // the hash of game.json, which is the identity
	Name        string   `json:"name"`
	Summary     string   `json:"summary"`
	Players     [2]int32 `json:"players"` // zero: nothing is said
	Minutes     [2]int32 `json:"minutes"`
	Genres      []string `json:"genres,omitempty"`
	Words       []string `json:"words,omitempty"` // by which it is found, too
	Age         int32    `json:"age,omitempty"`
	Languages   []string `json:"languages,omitempty"`
	Licence     string   `json:"licence,omitempty"`
	Attribution string   `json:"attribution,omitempty"`
	Authors     []string `json:"authors,omitempty"`
	Bytes       int64    `json:"bytes"`
	Rules       string   `json:"rules,omitempty"` // rules.md or rules.pdf
	First       string   `json:"first,omitempty"` // the name of the first set-up, if any
	// FirstPlayers are those of the first set-up; zero: it is for so many as the game.
	FirstPlayers [2]int32        `json:"firstPlayers,omitzero"`
	Setups       []Setup         `json:"setups,omitempty"` // beside the first one (T78)
	Preview      json.RawMessage `json:"preview,omitempty"`
	// Parts are the hashes of the files of the packed game other than game.json, by their names.
	Parts map[string]string `json:"parts,omitempty"`
}

// Setup is a set-up of a game.
type Setup struct {
	Name    string   `json:"name"`    // empty: of the first one, which the game gives no name
	Players [2]int32 `json:"players"` // zero: nothing is said
}

// AllSetups returns the set-ups of a game, the first one first. That is for so many players as the
// game if it says nothing else and another one says for how many it is.
func (a *About) AllSetups() []Setup {
	first := Setup{a.First, a.FirstPlayers}
	says := func(of Setup) bool { return of.Players[1] > 0 }
	if !says(first) && slices.ContainsFunc(a.Setups, says) {
		first.Players = a.Players
	}
	return append([]Setup{first}, a.Setups...)
}

// SetupsOf returns the set-ups of a game as AllSetups does.
func SetupsOf(g *game.Game) []Setup {
	a := About{
		Players: pair(g.About.Players), First: g.First.Name, FirstPlayers: pair(g.First.Players),
		Setups: furtherOf(g),
	}
	return a.AllSetups()
}

// furtherOf returns the set-ups of a game beside its first one.
func furtherOf(g *game.Game) (all []Setup) {
	for i := range g.Setups {
		all = append(all, Setup{g.Setups[i].Name, pair(g.Setups[i].Players)})
	}
	return all
}

func pair(of game.Range) [2]int32 { return [2]int32{of.Least, of.Most} }

// Translations returns the hashes of the languages of a game, by their tags.
func (a *About) Translations() map[string][sha256.Size]byte {
	all := map[string][sha256.Size]byte{}
	for name, digits := range a.Parts {
		tag, ok := game.LanguageOf(name)
		if hash, err := game.ParseHash(digits); ok && err == nil {
			all[tag] = hash
		}
	}
	return all
}

// Config is what a Library needs.
type Config struct {
	Store Store
	Now   func() id.Millis
	Quota Quota
	// Preview draws a game from afar, as JSON of at most MaxPreview bytes; nil: nothing is drawn.
	Preview func(*game.Game) []byte
	// Sweep deletes what nothing needs any more. It is called when games were forgotten, from one
	// goroutine at a time.
	Sweep func(context.Context)
}

// Library keeps the games of all libraries of a server. It is safe for concurrent use.
type Library struct {
	// Set at construction.
	cfg    Config
	ctx    context.Context //nolint:containedctx // of sweeps, which outlive requests; Close ends it
	cancel context.CancelFunc

	mu sync.Mutex
	// Guarded by mu.
	sweeping, again, closed bool
	running                 sync.WaitGroup
}

// New returns a Library. Its Close must be called.
func New(cfg Config) *Library {
	l := &Library{cfg: cfg}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// Close stops what the Library does by itself, and waits for that.
func (l *Library) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.running.Wait()
}

// sweepSoon begins a sweep, or has another one follow that which is under way.
func (l *Library) sweepSoon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.again = true; l.sweeping || l.closed || l.cfg.Sweep == nil {
		return
	}
	l.sweeping = true
	l.running.Go(func() {
		for l.more() {
			l.cfg.Sweep(l.ctx)
		}
	})
}

// more reports whether there is something to sweep, and notes that it is being done.
func (l *Library) more() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweeping = l.again && !l.closed
	l.again = false
	return l.sweeping
}

// Keep reads a game, packed or as readable files, and keeps it in a library. It reports whether the
// game was not there before. file must not change afterwards. Errors: *Unreadable, ErrFull,
// ErrServerFull.
func (l *Library) Keep(
	ctx context.Context, s Secret, file []byte,
) (about About, added bool, err error) {
	p, err := game.ReadUpload(file)
	if err != nil {
		return About{}, false, &Unreadable{err}
	}
	return l.KeepPacked(ctx, s, p)
}

// KeepPacked keeps a game that was read already as Keep does.
func (l *Library) KeepPacked(
	ctx context.Context, s Secret, p *game.Packed,
) (about About, added bool, err error) {
	return l.KeepVersion(ctx, s, p, Version{})
}

// Version says of which game another one is the next version, who has saved it, and what they say
// of it (T107).
type Version struct {
	Of        room.Hash // zero, or not in the library: of none
	Who, Note string
}

// KeepVersion keeps a game as KeepPacked does, as the newest version of another one.
func (l *Library) KeepVersion(
	ctx context.Context, s Secret, p *game.Packed, v Version,
) (about About, added bool, err error) {
	about, blobs := l.about(p)
	doc, err := json.Marshal(about)
	if err != nil {
		return About{}, false, fmt.Errorf("write what a game is: %w", err)
	}
	row := Row{
		Library: s.Hash(), Game: p.ID, About: sha256.Sum256(doc), Bytes: about.Bytes, Added: l.cfg.Now(),
		Of: v.Of, Who: v.Who, Note: v.Note,
	}
	blobs = append(blobs, room.Blob{Hash: row.About, Type: "application/json", Data: doc})
	added, err = l.cfg.Store.KeepGame(ctx, row, blobs, l.cfg.Quota)
	return about, added, err
}

// about returns what a game is, and its files.
func (l *Library) about(p *game.Packed) (About, []room.Blob) {
	of := &p.Game.About
	a := About{
		Game: p.ID, Document: hex.EncodeToString(p.ID[:]), Name: p.Game.Name, Summary: p.Game.Summary,
		Players: [2]int32{of.Players.Least, of.Players.Most},
		Minutes: [2]int32{of.Minutes.Least, of.Minutes.Most}, Genres: of.Genres,
		Words: of.Words, Age: of.Age,
		Languages: of.Languages,
		Licence:   of.Licence, Attribution: of.Attribution, Authors: of.Authors,
		Parts: map[string]string{}, First: p.Game.First.Name,
		FirstPlayers: pair(p.Game.First.Players), Setups: furtherOf(p.Game),
	}
	var blobs []room.Blob
	for _, f := range p.Files() {
		hash := room.Hash(sha256.Sum256(f.Data))
		a.Bytes += int64(len(f.Data))
		blobs = append(blobs, room.Blob{Hash: hash, Type: game.TypeOf(f.Data), Data: f.Data})
		if f.Name != game.DocumentName {
			a.Parts[f.Name] = hex.EncodeToString(hash[:])
		}
		if game.IsRules(f.Name) {
			a.Rules = f.Name
		}
	}
	if l.cfg.Preview != nil {
		if b := l.cfg.Preview(p.Game); len(b) <= MaxPreview {
			a.Preview = b
		}
	}
	return a, blobs
}

// List returns the newest version of each game of a library, the newest first. What is damaged is
// left out.
func (l *Library) List(ctx context.Context, s Secret) (all []About, err error) {
	rows, err := l.cfg.Store.LibraryGames(ctx, s.Hash())
	versions := map[room.Hash]int{}
	for i := range rows {
		versions[rows[i].line()]++
	}
	for i := range rows {
		n := versions[rows[i].line()]
		if n == 0 {
			continue // one of its versions is listed
		}
		if a, err := l.listed(ctx, &rows[i]); err == nil {
			a.Versions, versions[rows[i].line()] = n, 0
			all = append(all, a)
		}
	}
	return all, err
}

// Versions returns the versions of a game in a library, the newest first, with the one that is
// given. What is damaged is left out. room.ErrNoGame if it is not there.
func (l *Library) Versions(ctx context.Context, s Secret, g room.Hash) (all []About, err error) {
	rows, err := l.cfg.Store.LibraryGames(ctx, s.Hash())
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(rows, func(row Row) bool { return row.Game == g })
	if at < 0 {
		return nil, room.ErrNoGame
	}
	for i := range rows {
		if rows[i].line() != rows[at].line() {
			continue
		}
		if a, err := l.listed(ctx, &rows[i]); err == nil {
			all = append(all, a)
		}
	}
	return all, nil
}

// listed says what a game in a library is.
func (l *Library) listed(ctx context.Context, row *Row) (About, error) {
	a, err := l.read(ctx, row.Game, row.About)
	a.Added, a.Who, a.Note = row.Added, row.Who, row.Note
	return a, err
}

// BringBack makes a version of a game the newest one of its library. room.ErrNoGame.
func (l *Library) BringBack(ctx context.Context, s Secret, g room.Hash) error {
	was, err := l.cfg.Store.BringBack(ctx, s.Hash(), g, l.cfg.Now())
	if err == nil && !was {
		err = room.ErrNoGame
	}
	return err
}

// About says what a game is that some library has. Errors: room.ErrNoGame.
func (l *Library) About(ctx context.Context, g room.Hash) (About, error) {
	hash, err := l.cfg.Store.KeptGame(ctx, g)
	if err != nil {
		return About{}, err
	}
	return l.read(ctx, g, hash)
}

func (l *Library) read(ctx context.Context, g, about room.Hash) (a About, err error) {
	b, err := l.cfg.Store.Blob(ctx, about)
	if err == nil {
		err = json.Unmarshal(b.Data, &a)
	}
	a.Game = g
	if err != nil {
		return a, fmt.Errorf("read what game %x is: %w", g, err)
	}
	return a, nil
}

// Forget takes a game with all its versions out of a library. It reports whether it was there.
func (l *Library) Forget(ctx context.Context, s Secret, g room.Hash) (bool, error) {
	was, err := l.cfg.Store.ForgetGame(ctx, s.Hash(), g)
	if was {
		l.sweepSoon()
	}
	return was, err
}

// Game returns a game that some library has. Errors: room.ErrNoGame.
func (l *Library) Game(ctx context.Context, g room.Hash) (*game.Game, error) {
	p, err := l.packed(ctx, g)
	if err != nil {
		return nil, err
	}
	return p.Game, nil
}

// File returns a game that some library has as one file. Errors: room.ErrNoGame.
func (l *Library) File(ctx context.Context, g room.Hash) (id string, file []byte, err error) {
	p, err := l.packed(ctx, g)
	if err != nil {
		return "", nil, err
	}
	file, err = p.Bytes()
	return p.Game.ID, file, err
}

// Readable returns a game that some library has as readable files in one zip (G26). Errors:
// room.ErrNoGame.
func (l *Library) Readable(
	ctx context.Context, g room.Hash,
) (id string, file []byte, err error) {
	p, err := l.packed(ctx, g)
	if err != nil {
		return "", nil, err
	}
	file, err = p.ReadableBytes()
	return p.Game.ID, file, err
}

// Translation returns the texts of a game that some library has, to be translated (T105). Errors:
// room.ErrNoGame.
func (l *Library) Translation(
	ctx context.Context, g room.Hash, tag string,
) (id string, table []byte, err error) {
	p, err := l.packed(ctx, g)
	if err != nil {
		return "", nil, err
	}
	return p.Game.ID, p.Game.Translation(tag), nil
}

// Rules returns the rules of a game that some library has. Errors: room.ErrNoGame if the server
// does not have it, or the game has none.
func (l *Library) Rules(ctx context.Context, g room.Hash) (room.Blob, error) {
	a, err := l.About(ctx, g)
	if err != nil {
		return room.Blob{}, err
	}
	b, err := l.part(ctx, a.Parts[a.Rules])
	if b.Type = "text/plain; charset=utf-8"; a.Rules == game.RulesPDF { // browsers show no Markdown
		b.Type = "application/pdf"
	}
	return b, err
}

func (l *Library) packed(ctx context.Context, g room.Hash) (*game.Packed, error) {
	a, err := l.About(ctx, g)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{game.DocumentName: a.Document}
	maps.Copy(parts, a.Parts)
	files := make(map[string][]byte, len(parts))
	for name, hash := range parts {
		b, err := l.part(ctx, hash)
		if err != nil {
			return nil, err
		}
		files[name] = b.Data
	}
	p, err := game.ReadFiles(files)
	if err == nil && room.Hash(p.ID) != g {
		err = errors.New("it has another identity")
	}
	if err != nil {
		return nil, fmt.Errorf("read game %x: %w", g, err)
	}
	return p, nil
}

// part returns a file by its hash in hexadecimal.
func (l *Library) part(ctx context.Context, text string) (room.Blob, error) {
	hash, err := game.ParseHash(text)
	if err != nil {
		return room.Blob{}, room.ErrNoGame
	}
	return l.cfg.Store.Blob(ctx, hash)
}
