// Package templates makes the pages: finished values in, markup out. It decides nothing and looks
// nothing up. Class names are those of static/css/pages.css. The pages work without a script,
// except the table itself, the check of its randomness, and what lets people bring games.
package templates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Head is what every page has above its content.
type Head struct {
	Title string
	Style string // URL of the style sheet
	Icon  string // URL of the icon
}

// HomeView is the front page: the tables of this browser, and the shelf.
type HomeView struct {
	Tables []TableLink
	Recent []GameView // played recently, the newest first
	Games  []GameView // all others
	Genres []string   // of all games
	Game   string     // id of the chosen one
	Person PersonView
	Error  string // what was wrong with the form as a whole, empty if nothing
	Visit  HomeVisit
	Closed string // why this browser cannot create tables, empty if it can
	Brings bool   // whether games can be brought
	Linked bool   // whether there are linked servers, which may have games
	Script string // of the page
}

// TableLink leads to a table at which this browser has a seat.
type TableLink struct {
	URL   string
	Title string
	Game  string // name of the game, empty if it is no longer on the shelf
	// GameID is its id, or its identity if somebody has brought it.
	GameID string
	Day    string // on which it was created, YYYY-MM-DD: it distinguishes tables of one game
	// Here are the names of the others who are there now.
	Here []string
	// Yours says that it is this browser's turn, ToMove whose it is otherwise; "" if nothing says so.
	Yours  bool
	ToMove string
}

// GameView is a game on the shelf.
type GameView struct {
	ID               string
	Name             string
	Summary          string
	Picture          string      // URL of what it looks like; empty: Preview draws it
	Preview          Preview     // of a game that somebody has brought
	Setups           []SetupView // the first one first; nil if there is only one
	Words            string      // by which it is found, too
	Genres           []string
	Players, Minutes [2]int32   // the least and the most; zero: nothing is said
	Fits             [][2]int32 // for how many players the game or one of its set-ups is
	// What follows is of games that somebody has brought.
	Own     bool
	Licence string
	Rules   string // where they are, empty if there are none
	// Versions are those of the game, the newest first (T107); nil if there is only one.
	Versions []VersionView
}

// VersionView is a version of a game that somebody has saved.
type VersionView struct {
	ID, File   string
	When, Note string // who has saved it, and when; what they say of it
}

// SetupView is a set-up of a game.
type SetupView struct {
	Name    string   // with its players
	Players [2]int32 // the least and the most; zero: nothing is said
}

// Span writes for how many players it is, for the script of the page: "2-4", or nothing.
func (v SetupView) Span() string {
	if v.Players[1] == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d", v.Players[0], v.Players[1])
}

// Spans writes the numbers of players for whom the game or one of its set-ups is, for the script of
// the page: "2-4 6-6".
func (v *GameView) Spans() string {
	var all []string
	for _, r := range v.Fits {
		all = append(all, fmt.Sprintf("%d-%d", r[0], r[1]))
	}
	return strings.Join(all, " ")
}

// All returns all games of the page in the order in which it shows them.
func (v *HomeView) All() []GameView { return slices.Concat(v.Recent, v.Games) }

// Facts returns what is known of a game in a few words each.
func (v *GameView) Facts() (all []string) {
	if v.Players[1] > 0 {
		all = append(all, Players(v.Players))
	}
	if v.Minutes[1] > 0 {
		all = append(all, Msg("home.minutes", "minutes", span(v.Minutes)))
	}
	if v.Licence != "" {
		all = append(all, v.Licence)
	}
	return all
}

// Players says for how many players something is.
func Players(r [2]int32) string { return Msg("home.players", "n", int(r[1]), "players", span(r)) }

// span writes a number from least to most.
func span(r [2]int32) string {
	if r[0] == r[1] {
		return strconv.Itoa(int(r[0]))
	}
	return strconv.Itoa(int(r[0])) + "–" + strconv.Itoa(int(r[1]))
}

// Preview shows a part of a table as it is set up: from X to X+Width and from Y to Y+Height, in
// table units.
type Preview struct {
	X, Y, Width, Height int
	Surface             string // "felt", "wood", "slate" or "paper"
	Pictures            []Picture
}

// Picture is one piece of a preview, or a layer of it: a picture, or an area of one colour.
type Picture struct {
	URL, Colour         string // one of them is empty
	X, Y, Width, Height int
	Radius              int    // of the corners of an area
	Turn                string // transform attribute, empty if the piece is not turned
}

// PersonView is the part of a form with the name and the colour of a person.
type PersonView struct {
	Nick      string
	NickError string // a sentence, empty if the name is valid
	Colours   []Swatch
	AnyTaken  bool // whether somebody has one of the colours
}

// Swatch is a colour to choose.
type Swatch struct {
	Name   string
	Value  string // "#rrggbb"
	Chosen bool
	// who at the table has it: "Ada", "Ada and Bob"; empty if nobody. It can still be chosen.
	Taken string
}

// JoinView is the page behind an invite link.
type JoinView struct {
	Title     string // of the table
	Game      string // name of the game, empty if it is no longer on the shelf
	Hosts     string // "Ada", "Ada and Bob", empty if there is no host
	ManyHosts bool
	Here      []string // names of those who are there now
	Watch     bool     // the invite is for watching
	Picture   string   // URL of what the game looks like, empty if that is not known
	Return    string   // URL of the table if this browser already has a seat there, otherwise empty
	Person    PersonView
	Error     string // what was wrong with the form as a whole, empty if nothing
	Visitors  bool   // whether people of linked servers may visit
	Action    string // where the form goes
	Closed    bool   // nobody takes a new seat
	Locked    bool   // a password is needed
	// What was wrong with the password, empty if nothing.
	PasswordError string
	// The names of those who see the hands of all, empty if there are none.
	Referees     string
	ManyReferees bool
	// The places of the game that nobody has, of which one may be chosen; empty: nothing is asked.
	Places  []PlaceView
	SitDown bool // the seat of this browser is a spectator's, and may play by this link
}

// PlaceView is a place of the game that nobody has.
type PlaceView struct {
	Side   string // its number
	Name   string
	Chosen bool
}

// TableView is the page of a table.
type TableView struct {
	Table    string // object identifier
	Seat     string
	Role     string
	Home     string // the front page of a visitor's home server; empty if the seat has no visitor
	HomeName string
	Bags     bool       // whether there are bags
	Rules    bool       // whether the game has rules
	Words    string     // what follows the address of a catalogue, for its texts in another language
	Back     string     // URL of the table from which a door led here; empty if none did
	Replay   string     // URL of the table if the page shows its replay; empty: it shows the table
	File     ReplayFile // of a replay
	Carry    string     // the set that somebody carries through that door; empty: none
	Lost     string     // why somebody has come to this table: "away" or "gone"; empty: no such reason
	LostName string     // the name of the server that could not be reached
	Missed   string     // the number of the place that somebody else had taken; empty: none
	Catalog  string     // SHA-256 in hexadecimal digits
	Album    bool       // the server has the pictures of the catalogue in one document
	API      string     // ends with a slash and the table
	Script   string     // URL of the client
	Scripts  []string   // URLs of the parts of it that the table needs
	Styles   []string   // URLs of their style sheets
	Assets   string     // where the parts are, with a slash at its end
	Parts    string     // the names of all their files, with spaces between them
}

// ReplayFile is what a replay is made of that is saved as one file: the URLs of its script and its
// style, and the SHA-256 of the script in base64; empty if there is no such script.
type ReplayFile struct {
	Script, Style, Hash string
}

// FairnessView is the page that checks the shuffles and rolls of a table.
type FairnessView struct {
	Table  string // object identifier
	Title  string
	Host   bool   // whether the seat may open a round
	API    string // ends with a slash and the table
	Back   string // URL of the table
	Script string // URL of the script that checks
}

// ErrorView says what went wrong, in a sentence that a player understands.
type ErrorView struct {
	Status int
	Title  string
	Text   string
	Hints  []string // a list below it
	Own    string   // where somebody goes for a table of their own; empty: that is not offered
}

// HomeVisit is what the front page says about visits: who is at the browser, and where they may go.
type HomeVisit struct {
	On    bool   // whether there are visits at all
	Nick  string // of the person at the browser; empty if not known
	Home  string // name of this server
	There string // names of the servers that may be visited, as a list; empty if there are none
	// name of the unreachable server from which somebody came home; empty if nobody did
	ReturnedFrom string
	Gone         bool // somebody came home because their table was deleted
}

// OwnView is the page for a table of one's own.
type OwnView struct {
	Server string // the name of the server that could not be reached; empty: another reason
	Away   string // its identifier
	Gone   bool   // a table was deleted
	Bag    bool   // whether there are bags
	Nick   string // as whom they sit down; empty: the page asks for a name
	Person PersonView
	Error  string
}

// InUse reports whether there is a bag or a server to visit. If not, the page says nothing of bags.
func (v HomeVisit) InUse() bool { return v.Nick != "" || v.There != "" }

// BagView is the bag of a person.
type BagView struct {
	Nick   string // empty: the person is not known, and the page asks for a name
	Home   string // name of this server
	Person PersonView
	Error  string
	Result string
	Items  []BagItem
	Key    string // a link that gives the bag to one more browser, empty if nobody asked for one
}

// BagKeyView is the page behind a link that gives a bag to one more browser.
type BagKeyView struct {
	Nick    string
	Home    string // name of this server
	Key     string
	Instead string // whose bag this browser has now, empty if it has none
}

// SeatLinkView is the page behind a link that moves a seat to another device.
type SeatLinkView struct {
	Title string // of the table
	Name  string // of the seat
	// the host who made the link for another seat; empty: the seat itself, or the operator
	By     string
	Action string
	Back   string // the address of the seat that this browser has at the table, or empty

	Operator bool // made the link
}

// BagItem is a set in a bag.
type BagItem struct {
	Set   string
	Name  string
	Where string
	Again string // until when the server does not ask for it again, empty if it does not wait
	Home  bool   // whether it can be taken home
	Copy  string // the time of the copy that can be used again, empty if there is none
	Newer bool   // whether there are newer versions of its kinds
	With  string // what belongs with it, in words; empty: nothing
}

// GoView is where an invite link of another server leads.
type GoView struct {
	Link   string
	Server string // name of the server; empty: the link leads to none that can be visited
	Plain  string // the link itself, if people can follow it without a bag; otherwise empty
	Nick   string // who goes; empty: the page asks for it
	Home   string
	// The set that they carry through a door, and its name; empty: none
	Carry, Carried string
	Person         PersonView
	Error          string
}

// VisitView is the page for somebody who comes from a linked server.
type VisitView struct {
	Title   string
	Watch   bool
	Name    string
	Home    string
	Invite  string
	Voucher string
	Return  string // address of the seat that this browser already has; empty if it has none
	From    string // address of the table from which a door led here; empty if none did
	Carry   string // the set that they carry; empty: none
	Locked  bool   // a password is needed
	// What was wrong with the password, empty if nothing.
	PasswordError string
	Referees      string // as of JoinView
	ManyReferees  bool
}

// ServersView is the operator's page.
type ServersView struct {
	Name, Number  string
	Error, Result string
	Text          string // an invitation that was invalid
	Invitation    string
	Terms         *ServerTerms
	Removing      *ServerLink
	Links         []ServerLink
	Objects       []string
	Unreachable   []UnreachableObject
	Copies        []UnreachableObject // frozen ones that can be used again; Until has their times
}

// ServerLink is a link to a server.
type ServerLink struct {
	Host, Name, Number string
	State              string // a sentence
	Since              string
	Gives, Given       string
	Here, There        int
	Refused            int64
	Waiting            bool // since a restore this server waits for what the other one knows
	Actions            []ServerAction
}

// ServerAction is a button of a link.
type ServerAction struct{ Do, Text string }

// ServerTerms are what an invitation brings.
type ServerTerms struct{ Name, Number, Address, Given, Text string }

// UnreachableObject is an unreachable object.
type UnreachableObject struct{ Name, Why, Until string }
