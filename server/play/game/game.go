// Package game reads game files: what lies on a table when it is set up, of what kinds the pieces are and
// how they look. It checks every bound, so that whoever makes a table from a Game need check nothing, and
// it makes the catalogue of kinds that clients fetch (docs/protocol/http.md).
//
// The package computes. It reads no files (but through the fs.FS given to LoadShelf), shuffles nothing and
// knows nothing of tables: a stack to be shuffled is only marked as one.
package game

import (
	"crypto/sha256"
	"fmt"
)

// Bounds of a game file, documented in docs/guides/games.md. Lengths are in table units of 0.1 mm.
const (
	MaxDocument = 8 << 20  // bytes of a game file or a catalogue
	MaxArt      = 1 << 20  // bytes of one piece of art
	MaxArtTotal = 32 << 20 // bytes of all art of one game
	MaxName     = 80       // characters of the name of a game, a kind or a face
	MaxSummary  = 200      // characters
	MaxKinds    = 2_000
	MaxPieces   = 10_000
	MaxFaces    = 64 // of one kind

	MinSize, MaxSize   = 10, 20_000     // width and height of a kind
	MinTable, MaxTable = 1_000, 100_000 // width and height of a table
	FullTurn           = 36_000         // hundredths of a degree
)

// The texts that a document and a Game have for surfaces, shapes and weights.
var (
	surfaces = []string{"felt", "wood", "slate", "paper"}
	shapes   = []string{"rect", "round", "card"}
	weights  = []string{"light", "heavy"}
)

// NoMask is the Mask of a kind that hides nothing.
const NoMask = -1

// NotIn is the In of a piece that lies in no container.
const NotIn = -1

// Game is a game file that has been read and found to be in order. Nothing in it may be changed.
type Game struct {
	ID, Name, Summary string
	Order             int32 // games with a lower one come first on a shelf
	Width, Height     int32 // of the table, which spans x from -Width/2 to Width/2
	Surface           string
	Kinds             []Kind
	Pieces            []Placement // in drawing order: heavy ones first, and the bottom of a stack before its top

	Catalog     []byte // the catalogue of Kinds; equal kinds give equal bytes
	CatalogHash [sha256.Size]byte
	Art         map[[sha256.Size]byte]Art // of all faces, by the SHA-256 of the data
}

// Kind is what pieces of one sort have in common. Its index in Game.Kinds is its number in the catalogue.
type Kind struct {
	Name          string
	Width, Height int32  // when lying at angle 0
	Shape         string // "rect", "round" or "card"
	Weight        string // "light" or "heavy"
	Secret        bool   // shows its front to some only (T22); then it has two faces, front and back
	Mask          int    // the kind shown in place of a secret one, NoMask for all others
	Unknown       bool   // stands for secret kinds with the same mask of which the table does not know yet which it is (T38)
	Private       bool   // hidden in hands though it is not secret (T23); never of a secret kind, which is so in any case
	Peek          string // who may look at a secret piece or into a container (T31): "players", "host" or "", nobody
	Faces         []Face

	// What its pieces do. A kind has at most one of these.
	Hand      bool      // what lies in it is its owner's (T23)
	Container Container // other pieces lie in it, unseen (T29)
	Clock     Clock     // it shows times (T27)
	Die       Die       // it is rolled (T32)
	Counter   Counter   // it counts (T33)
	Currency  int32     // what a new heap is worth, 1 to MaxValue (T34); 0 if it is no currency
	Text      Text      // it is written on (T35)
	Seat      string    // how it belongs to a seat (T35): "label", "turn" or "", not at all

	Uncounted bool    // of a hand or a container: nobody is told how many pieces lie in it (T29)
	Display   Display // where the value, the text or the name is written; zero if there is none
	Offers    []Offer // the operations that its pieces offer beside those of all pieces, most used first (T36)
}

// Face is one side of a piece. Art is the SHA-256 of its picture.
type Face struct {
	Name string
	Art  [sha256.Size]byte
}

// Placement is a piece at the start of a game. X and Y place its centre, Angle is clockwise in hundredths
// of a degree. Pieces of one stack that is to be shuffled share a positive Group: whoever makes the table
// deals their kinds out among them at random. Their kinds agree in weight and mask and have the face.
// Pieces in a container come after it in Game.Pieces, the lowest of them first; they have its place, lie
// front down and are neither pinned nor locked.
type Placement struct {
	Kind           int
	X, Y, Angle    int32
	Face           int
	Pinned, Locked bool
	Group          int
	In             int // the index in Game.Pieces of the container in which it lies (T29), NotIn if it lies on the table
}

// Parse reads a game file of format holt.game/1 (docs/guides/games.md). art returns the bytes of a picture
// by the name that the file gives it. The error names the line and what is wrong there; there is none that
// a correct file could meet, apart from those of art.
func Parse(doc []byte, art func(name string) ([]byte, error)) (*Game, error) {
	r, root := readDocument(doc)
	o := r.object(root, "", "format", "id", "name", "summary", "order", "table", "kinds", "pieces")
	o.choice("format", "holt.game/1")
	g := &Game{
		ID:      o.slug("id"),
		Name:    o.text("name", MaxName),
		Summary: o.text("summary", MaxSummary),
		Order:   o.optional("order", 0, 1_000_000),
	}
	t := r.object(o.get("table"), "table", "width", "height", "surface")
	g.Width = t.integer("width", MinTable, MaxTable)
	g.Height = t.integer("height", MinTable, MaxTable)
	g.Surface = t.choice("surface", surfaces...)
	pictures := &album{read: art, byName: map[string][sha256.Size]byte{}, byHash: map[[sha256.Size]byte]Art{}}
	g.Kinds = readGameKinds(o, pictures)
	g.Pieces = readPlacements(o, g)
	if r.err != nil {
		return nil, r.err
	}
	g.Pieces = inDrawingOrder(g.Pieces, g.Kinds)
	g.Art = pictures.byHash
	g.Catalog = encodeCatalog(g.Kinds)
	g.CatalogHash = sha256.Sum256(g.Catalog)
	if len(g.Catalog) > MaxDocument {
		return nil, fmt.Errorf("the catalogue of %d kinds has more than %d bytes", len(g.Kinds), MaxDocument)
	}
	return g, nil
}
