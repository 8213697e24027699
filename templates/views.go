// Package templates makes the pages: finished values in, markup out. It decides nothing and looks nothing up.
// Class names are those of static/css/pages.css; the pages work without a script, except the table itself and the check of its randomness.
package templates

// Head is what every page has above its content.
type Head struct {
	Title string
	Style string // URL of the style sheet
	Icon  string // URL of the icon
}

// HomeView is the front page: the tables of this browser, and the shelf.
type HomeView struct {
	Tables []TableLink
	Games  []GameView
	Game   string // id of the chosen one
	Person PersonView
	Error  string // what was wrong with the form as a whole, empty if nothing
	Visit  HomeVisit
	Closed string // why no table can be set up from this browser, empty if it can
}

// TableLink leads to a table at which this browser has a seat.
type TableLink struct {
	URL   string
	Title string
	Game  string // name of the game, empty if it is no longer on the shelf
	Day   string // on which it was set up, YYYY-MM-DD: tables of one game are told apart by it
}

// GameView is a game on the shelf.
type GameView struct {
	ID      string
	Name    string
	Summary string
	Preview Preview
}

// Preview shows a part of a table as it is set up: that from X to X+Width and from Y to Y+Height, in table units.
type Preview struct {
	X, Y, Width, Height int
	Surface             string // "felt", "wood", "slate" or "paper"
	Pictures            []Picture
}

// Picture is one piece of a preview.
type Picture struct {
	URL                 string
	X, Y, Width, Height int
	Turn                string // transform attribute, empty if the piece is not turned
}

// PersonView is the part of a form in which somebody says who they are.
type PersonView struct {
	Nick      string
	NickError string // a sentence, empty if the nick is in order
	Colours   []Swatch
	AnyTaken  bool // whether one of the colours is
}

// Swatch is a colour to choose.
type Swatch struct {
	Name   string
	Value  string // "#rrggbb"
	Chosen bool
	Taken  string // who at the table has it: "Ada", "Ada and Bob"; empty if nobody. It can be chosen all the same.
}

// JoinView is the page behind an invite link.
type JoinView struct {
	Title     string // of the table
	Game      string // name of the game, empty if it is no longer on the shelf
	Hosts     string // "Ada", "Ada and Bob", empty if nobody is host
	ManyHosts bool
	Watch     bool // the invite is for watching
	Preview   *Preview
	Return    string // URL of the table if this browser has a seat there already, else empty
	Person    PersonView
	Error     string // what was wrong with the form as a whole, empty if nothing
	Visitors  bool   // whether people of linked servers may come
	Action    string // where the form goes
}

// TableView is the page of a table.
type TableView struct {
	Table    string // object identifier
	Seat     string
	Role     string
	Home     string // the first page of a visitor's own server; empty for who is no visitor
	HomeName string
	Bags     bool     // whether there are bags
	Catalog  string   // SHA-256 in hexadecimal digits
	API      string   // ends with a slash and the table
	Script   string   // URL of the client
	Scripts  []string // URLs of the parts of it that the table needs
	Styles   []string // URLs of their style sheets
	Assets   string   // where the parts are, with a slash at its end
	Parts    string   // the names of all their files, with spaces between them
}

// FairnessView is the page on which the shuffles and rolls of a table are checked.
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
}

// HomeVisit is what the front page knows of visits: who is here, and where they may go.
type HomeVisit struct {
	On      bool   // whether there are visits at all
	Nick    string // who is here; empty if that is not known
	Home    string // name of this server
	There   string // names of the servers that may be visited, as a list; empty if there are none
	Whisked string // name of the server that could not be reached; empty if nobody came home from one
}

// InUse reports whether there is a bag or a server to visit: else a new table comes first.
func (v HomeVisit) InUse() bool { return v.Nick != "" || v.There != "" }

// BagView is somebody's bag.
type BagView struct {
	Nick   string // empty: it is not known who it is, and asked
	Home   string // name of this server
	Person PersonView
	Error  string
	Said   string
	Items  []BagItem
	Key    string // a link that gives the bag to one more browser, empty if none was asked for
}

// BagKeyView is the page behind a link that gives a bag to one more browser.
type BagKeyView struct {
	Nick    string
	Home    string // name of this server
	Key     string
	Instead string // whose bag this browser has now, empty if nobody's
}

// SeatLinkView is the page behind a link that moves a seat to another device.
type SeatLinkView struct {
	Title   string // of the table
	Name    string // of the seat
	By      string // the host who made the link for somebody else; empty: nobody else, or the operator
	Action  string
	Instead bool   // this browser has a seat at the table already
	Back    string // the address of that

	Operator bool // made the link
}

// BagItem is a set in a bag.
type BagItem struct {
	Set   string
	Name  string
	Where string
	Again string // until when it is not asked again, empty if that is not so
	Home  bool   // whether it can be taken home
	Copy  string // of when the copy is that can be used again, empty if there is none
}

// GoView is where an invite link of another server leads.
type GoView struct {
	Link   string
	Server string // empty: nowhere that can be visited
	Plain  string // the link as it is, if it can be followed without a bag; else empty
	Nick   string // who goes; empty: asked
	Home   string
	Person PersonView
	Error  string
}

// VisitView is the door for who comes from a linked server.
type VisitView struct {
	Title   string
	Watch   bool
	Name    string
	Home    string
	Invite  string
	Voucher string
	Return  string // where the seat is that this browser has already; empty if it has none
}

// ServersView is the page for who runs the server.
type ServersView struct {
	Name, Number string
	Error, Said  string
	Text         string // an invitation that was wrong
	Invitation   string
	Terms        *ServerTerms
	Removing     *ServerLink
	Links        []ServerLink
	Objects      []string
	Away         []ServerAway
	Copies       []ServerAway // frozen ones that can be used again, with the time of each in Until
}

// ServerLink is a link to a server.
type ServerLink struct {
	Host, Name, Number string
	State              string // a sentence
	Since              string
	Gives, Given       string
	Here, There        int
	Refused            int64
	Waiting            bool // it has not said yet what it knows since this server was restored
	Doors              []ServerDoor
}

// ServerDoor is a button of a link.
type ServerDoor struct{ Do, Text string }

// ServerTerms are what comes of an invitation.
type ServerTerms struct{ Name, Number, Address, Given, Text string }

// ServerAway is what cannot be reached.
type ServerAway struct{ Name, Why, Until string }
