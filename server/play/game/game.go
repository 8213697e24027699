// Package game reads game files: what lies on a table when it is set up, the kinds of the pieces,
// and their art. It checks every bound, so that a caller can make a table from a Game without
// further checks. It also makes the catalogue of kinds that clients fetch (docs/protocol/http.md).
//
// The package only computes. It reads no files except through the fs.FS given to LoadShelf,
// shuffles nothing and does not know tables: it only marks a stack that must be shuffled.
package game

import (
	"crypto/sha256"
	"fmt"
	"slices"
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

// The names of surfaces, shapes and weights in documents and in a Game.
var (
	surfaces = []string{"felt", "wood", "slate", "paper"}
	shapes   = []string{"rect", "round", "card"}
	weights  = []string{"light", "heavy"}
)

// NoMask is the Mask of a kind that is not secret.
const NoMask = -1

// NotIn is the In of a piece that lies in no container.
const NotIn = -1

// Game is the content of a valid game file. Nothing in it may be changed.
type Game struct {
	ID, Name, Summary string
	Order             int32 // lower ones come first on a shelf
	Width, Height     int32 // of the table, which spans x from -Width/2 to Width/2
	Surface           string
	Grid              TableGrid // with which a table begins, if any
	Kinds             []Kind
	Pieces            []Placement  // in drawing order: heavy ones first, and stacks from the bottom
	Attached          []Attachment // what moves with other pieces, by name (T97)
	Seats             []Seat       // none if the game says nothing of sides
	First             Setup        // the first set-up; it has no Players
	Setups            []Setup      // other ones
	Sheet             Sheet        // the score sheet of a new table (G15)
	// Further are the other tables of the game (G16), with the same kinds. They have neither seats
	// nor set-ups, nor tables of their own. Doors are those of this table.
	Further []*Game
	Doors   []Door

	About     About
	Picture   Picture
	Languages []Language // by their tags
	Credits   Credits    // of pictures
	Script    string     // kept, and not run
	Foreign   Foreign    // kept, and not interpreted

	// Borrowed is how many of Kinds, the last ones, are those of a table to which the file refers
	// (ReadPackedAt).
	Borrowed int

	Catalog     []byte // the catalogue of Kinds, Seats and Attached; equal ones give equal bytes
	CatalogHash [sha256.Size]byte
	Art         map[[sha256.Size]byte]Art // of all faces, by the SHA-256 of the data

	decks map[string]*deck // by their names
}

// Face is one side of a piece: a picture, or layers.
type Face struct {
	Name   string
	Art    [sha256.Size]byte // the SHA-256 of the picture; zero if there are layers
	Layers []Layer           // nil if there is a picture
}

// Placement is a piece at the start of a game. X and Y are its centre, in table units of 0.1 mm.
// Angle is in hundredths of a degree, clockwise. The pieces of a stack that must be shuffled share
// a positive Group: the caller deals their kinds out among them at random. Their kinds have the
// same weight, secrecy and mask, and all of them have the face with the number Face. Pieces in a
// container follow it in Game.Pieces, the lowest of them first. They have its place, lie front down
// and are neither pinned nor locked.
type Placement struct {
	Kind           int
	X, Y, Angle    int32
	Face           int
	Pinned, Locked bool
	Group          int
	// In is the index in Game.Pieces of the container in which it lies (T29), NotIn if it lies on
	// the table.
	In int
}

// The formats of game files. A file of the first one has less.
const (
	format1 = "holt.game/1"
	format2 = "holt.game/2"
)

// fields1 are the fields of a game file of the first format, and fields2 those that came with the
// second one.
var (
	fields1 = []string{"format", "id", "name", "summary", "order", "table", "kinds", "pieces"}
	fields2 = []string{"seats", "setup", "players", "without", "steps", "setups", "about", "languages",
		"script", "foreign", "picture", "templates", "decks", "sheet", "tables", "doors",
		"credits"}
)

// Parse reads a game file that refers to art and to nothing else (docs/guides/games.md). art
// returns the bytes of a picture by its name in the file. The error names the line and the column,
// and what is wrong there. A correct file causes no error other than those of art.
func Parse(doc []byte, art func(name string) ([]byte, error)) (*Game, error) {
	return ParseFiles(doc, Files{Art: art, Beside: noFile})
}

// ParseFiles reads a game file like Parse. The file may refer to rules and languages, too.
func ParseFiles(doc []byte, files Files) (*Game, error) {
	doc, err := withRows(doc, files.Beside)
	if err != nil {
		return nil, err
	}
	g, _, err := parse(doc, newLibrary(files, false))
	return g, err
}

// parse reads a game file, loose or packed, and returns it also as it stands there.
func parse(doc []byte, lib *library) (*Game, value, error) {
	r, root := readDocument(doc)
	fields := fields1
	if root.members["format"].text != format1 {
		fields = slices.Concat(fields1, fields2)
	}
	o := r.object(root, "", fields...)
	o.choice("format", format1, format2)
	g := &Game{
		ID:      o.slug("id"),
		Name:    o.text("name", MaxName),
		Summary: o.text("summary", MaxSummary),
		Order:   o.optional("order", 0, 1_000_000),
	}
	g.readSize(o, o.get("format").text == format1)
	g.Kinds = readGameKinds(o, lib, g)
	entries := g.place(o, o.get("format").text != format1)
	if r.err != nil {
		return nil, root, r.err
	}
	g.Seats = readGameSeats(o, g, entries)
	g.First = readFirst(o, g)
	g.Setups = readSetups(o, g, entries)
	checkUnion(o, g)
	checkSetUps(o, g, &lib.base)
	readTables(o, g, entries)
	g.Sheet = readSheet(o, "sheet")
	g.About = readAbout(o, lib)
	g.Picture = readPicture(o, g)
	g.Credits = readCredits(o, lib)
	g.Script = readScript(o)
	g.Foreign.Game = o.kept("foreign", MaxForeign)
	g.Languages = readLanguages(o, lib, g)
	if r.err != nil {
		return nil, root, r.err
	}
	g.Art = lib.byHash
	g.finish()
	for _, of := range append([]*Game{g}, g.Further...) {
		if len(of.Catalog) > MaxDocument {
			return nil, root, fmt.Errorf("the catalogue of %d kinds has more than %d bytes",
				len(g.Kinds), MaxDocument)
		}
	}
	return g, root, nil
}
