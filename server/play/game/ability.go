package game

import "slices"

// This file lists the abilities: in Kind, in the form of kinds in catalogues, and in abilities.

// ability is something that the pieces of a kind do: they are dice, say. Each has a file of its
// own, with its configuration. A kind has at most one.
type ability struct {
	field  string // in game files and catalogues
	called string // what such pieces are called in errors
	has    func(k *Kind) bool
	// read reads the configuration, if the field is there, from game files and catalogues alike.
	read func(o object, k *Kind)
	// offers returns what the pieces offer beside the operations of all pieces and of clocks (T36).
	// Nil: nothing.
	offers func(k *Kind, all []Kind) []Offer
	// written says that something is written on the pieces, so that the kind needs a display.
	written bool
	// old says that there were such pieces before there were offers.
	old bool
}

// Kind is what pieces of one sort have in common. Its index in Game.Kinds is its number in the
// catalogue.
type Kind struct {
	Name          string
	Width, Height int32  // at angle 0
	Shape         string // "rect", "round" or "card"
	Weight        string // "light" or "heavy"
	// Secret marks a kind whose fronts may be hidden (T22). Its faces are a front, as many backs as
	// its mask has faces, and perhaps further fronts (T94).
	Secret bool
	Mask   int // the kind that stands for a concealed piece; NoMask if not secret
	// Unknown marks a secret kind that stands for all kinds with the same mask, while the table
	// does not know which of them a piece is (T38).
	Unknown bool
	// Private marks a kind that is hidden in hands though it is not secret (T23). Secret kinds are
	// private in any case and do not have it.
	Private bool
	Peek    string // who may peek (T31): "players", "host" or "", nobody
	Upright bool   // pages draw it upright for whoever looks, as it stands at its angle
	// Readable says that there is text on its pictures: pages draw them the other way round, rather
	// than upside down (G20).
	Readable bool
	// Pointed says that a piece belongs to the seat from whose side it lies upright. Only pages say
	// so (G21).
	Pointed bool
	Turn    int32 // how far pages turn it at once, in degrees (G22); 0: as far as any piece
	Grid    Grid  // the cells on it, if any
	Snaps   Snaps // the points on it at which things snap, if any
	Faces   []Face

	// What its pieces do. A kind has at most one of these.
	Hand      bool      // what lies in it belongs to its owner (T23)
	Container Container // other pieces lie in it, unseen (T29)
	Clock     Clock     // it shows times (T27)
	Die       Die       // it is rolled (T32)
	Counter   Counter   // it counts (T33)
	Currency  int32     // the value of a new heap, 1 to MaxValue (T34); 0: not currency
	Text      Text      // it has a text (T35)
	Seat      string    // how it belongs to a seat (T35): "label", "turn" or "", not at all
	Hourglass Hourglass // its sand runs when it is turned over (T59)
	Button    Button    // the server does something when it is pressed (T84)
	Zone      Zone      // other pieces lie on it in order (T86)
	Supply    string    // people take new pieces of the kind of this name from it (T89); "": none

	Rack      bool    // of a hand: everybody sees the backs of what lies there (T96)
	Uncounted bool    // nobody learns how many pieces lie in this hand or container (T29)
	Display   Display // where the value, the text or the name is written; zero if none
	// Offers are the operations that its pieces offer beside those of all pieces, the most used
	// first (T36).
	Offers []Offer
}

// catalogKind is the written form of a kind in a catalogue (docs/protocol/http.md, Catalogues). The
// order of the fields here is their order in the bytes, which have a hash. It must never change.
type catalogKind struct {
	Name      leaf              `json:"name"`
	Width     int32             `json:"width"`
	Height    int32             `json:"height"`
	Shape     string            `json:"shape"`
	Weight    string            `json:"weight"`
	Secret    bool              `json:"secret"`
	Mask      *int              `json:"mask,omitempty"`
	Unknown   bool              `json:"unknown,omitempty"`
	Private   bool              `json:"private,omitempty"`
	Peek      string            `json:"peek,omitempty"`
	Upright   bool              `json:"upright,omitempty"`
	Readable  bool              `json:"readable,omitempty"`
	Pointed   bool              `json:"pointed,omitempty"`
	Turn      int32             `json:"turn,omitempty"`
	Grid      *catalogGrid      `json:"grid,omitempty"`
	Snaps     *catalogSnaps     `json:"snaps,omitempty"`
	Hand      bool              `json:"hand,omitempty"`
	Rack      bool              `json:"rack,omitempty"`
	Container *catalogContainer `json:"container,omitempty"`
	Counted   *bool             `json:"counted,omitempty"`
	Clock     *catalogClock     `json:"clock,omitempty"`
	Die       *catalogDie       `json:"die,omitempty"`
	Counter   *catalogCounter   `json:"counter,omitempty"`
	Currency  *catalogCurrency  `json:"currency,omitempty"`
	Text      *catalogText      `json:"text,omitempty"`
	Seat      string            `json:"seat,omitempty"`
	Hourglass *catalogHourglass `json:"hourglass,omitempty"`
	Button    *catalogButton    `json:"button,omitempty"`
	Zone      *catalogZone      `json:"zone,omitempty"`
	Supply    *catalogSupply    `json:"supply,omitempty"`
	Display   *Display          `json:"display,omitempty"`
	Faces     []catalogFace     `json:"faces"`
	Offers    []catalogOffer    `json:"offers,omitempty"`
}

func catalogOf(k *Kind) catalogKind {
	c := catalogKind{
		Name: k.Name, Width: k.Width, Height: k.Height, Shape: k.Shape, Weight: k.Weight,
		Secret: k.Secret, Unknown: k.Unknown, Private: k.Private, Peek: k.Peek, Hand: k.Hand,
		Rack: k.Rack, Upright: k.Upright, Readable: k.Readable, Pointed: k.Pointed, Turn: k.Turn,
		Grid: k.Grid.catalog(), Snaps: k.Snaps.catalog(),
		Container: k.Container.catalog(), Clock: k.Clock.catalog(), Die: k.Die.catalog(),
		Counter: k.Counter.catalog(), Currency: currencyOf(k), Text: k.Text.catalog(),
		Seat: k.Seat, Hourglass: k.Hourglass.catalog(), Button: k.Button.catalog(),
		Zone: k.Zone.catalog(), Supply: supplyOf(k), Display: k.Display.catalog(),
	}
	if k.Mask != NoMask {
		c.Mask = &k.Mask
	}
	if k.Uncounted {
		c.Counted = new(bool)
	}
	for i := range k.Faces {
		c.Faces = append(c.Faces, k.Faces[i].catalog())
	}
	for _, o := range k.Offers {
		c.Offers = append(c.Offers, o.catalog())
	}
	return c
}

// abilities are all abilities, in the order in which their fields are read.
var abilities = [...]*ability{
	&hands, &containers, &clocks, &dice, &counters, &currency, &notes, &labels,
	&hourglasses, &buttons, &zones, &supplies,
}

// abilities returns what the pieces of a kind do. A valid kind has at most one ability.
func (k *Kind) abilities() (all []*ability) {
	for _, a := range abilities {
		if a.has(k) {
			all = append(all, a)
		}
	}
	return all
}

// Ability returns what the pieces of a kind do, by the name that the field has in catalogues; "" if
// they do nothing of their own.
func (k *Kind) Ability() string {
	for _, a := range k.abilities() {
		return a.field
	}
	return ""
}

// is reports whether the kind has an ability with some property.
func (k *Kind) is(property func(a *ability) bool) bool {
	return slices.ContainsFunc(k.abilities(), property)
}

// abilityFields returns the fields of all abilities.
func abilityFields() []string {
	fields := make([]string, len(abilities))
	for i, a := range abilities {
		fields[i] = a.field
	}
	return fields
}

// readAbilities reads what the pieces of a kind do.
func readAbilities(o object, k *Kind) {
	for _, a := range abilities {
		a.read(o, k)
	}
	k.Peek = readPeek(o, *k)
	k.Uncounted = readUncounted(o, *k)
	k.Rack = readRack(o, *k)
	k.Display = readDisplay(o, *k)
	all := k.abilities()
	for i, a := range all {
		if k.Secret {
			o.fail(o.get(a.field), "%s cannot be secret", a.called)
		}
		if i > 0 {
			o.fail(o.get(a.field), "%s cannot be %s", all[0].called, a.called)
		}
	}
}
