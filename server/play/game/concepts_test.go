package game

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// samplesFolder has the samples of the guide.
const samplesFolder = "../../../docs/guides/samples"

// concept is something that a game file can say.
type concept struct {
	name string
	// has reports whether a game says it; nil: no game file can say it yet.
	has func(*Game) bool
}

// concepts are all of them. A new one is a line here, and a sample that has it.
var concepts = []concept{
	// The game.
	{"field order", func(g *Game) bool { return g.Order != 0 }},
	{"field templates", func(g *Game) bool { return len(g.decks) > 0 }},
	{"field decks", func(g *Game) bool { return len(g.decks) > 0 }},
	{"a deck in a container", func(g *Game) bool {
		return len(g.decks) > 0 && somePiece(g, func(p *Placement) bool { return p.In != NotIn })
	}},
	{"field seats", func(g *Game) bool { return len(g.Seats) > 0 }},
	{"field setup", func(g *Game) bool { return g.First.Name != "" }},
	{"field players", func(g *Game) bool { return g.First.Players.Most > 0 }},
	{"field without", func(g *Game) bool { return len(g.First.Without) > 0 }},
	{"field steps", func(g *Game) bool { return len(g.First.Steps) > 0 }},
	{"field setups", func(g *Game) bool { return len(g.Setups) > 0 }},
	{"field languages", func(g *Game) bool { return len(g.Languages) > 0 }},
	{"field credits", func(g *Game) bool { return len(g.Credits) > 0 }},
	{"field script, which is kept", func(g *Game) bool { return g.Script != "" }},
	{"field foreign, which is kept", func(g *Game) bool { return g.Foreign.Game != nil }},
	{"foreign of a kind", func(g *Game) bool { return len(g.Foreign.Kinds) > 0 }},
	{"foreign of a piece", func(g *Game) bool { return len(g.Foreign.Pieces) > 0 }},
	{"field about", func(g *Game) bool { return g.About.Players.Most > 0 }},
	{"about: minutes", func(g *Game) bool { return g.About.Minutes.Most > 0 }},
	{"about: genres", func(g *Game) bool { return len(g.About.Genres) > 0 }},
	{"about: words", func(g *Game) bool { return len(g.About.Words) > 0 }},
	{"field picture", func(g *Game) bool { return len(g.Picture.Pieces) > 0 }},
	{"about: age", func(g *Game) bool { return g.About.Age > 0 }},
	{"about: languages", func(g *Game) bool { return len(g.About.Languages) > 0 }},
	{"about: licence", func(g *Game) bool { return g.About.Licence != "" }},
	{"about: attribution", func(g *Game) bool { return g.About.Attribution != "" }},
	{"about: authors", func(g *Game) bool { return len(g.About.Authors) > 0 }},
	{"about: rules in Markdown", func(g *Game) bool { return g.About.Rules.Name == RulesText }},
	{"about: rules as a PDF", func(g *Game) bool { return g.About.Rules.Name == RulesPDF }},
	{"surface felt", surface("felt")},
	{"surface wood", surface("wood")},
	{"surface slate", surface("slate")},
	{"surface paper", surface("paper")},
	{"table grid: squares", ground(GridSquares)},
	{"table grid: hexagons", ground(GridHexagons)},
	{"field sheet", func(g *Game) bool { return len(g.Sheet.Columns) > 0 }},
	{"field tables", func(g *Game) bool { return len(g.Further) > 0 }},
	{"field doors", func(g *Game) bool { return len(g.Doors) > 0 }},
	{"a script that runs", nil},

	// Seats and set-ups.
	{"seat: hand", someSeat(func(s *Seat) bool { return s.Hand != NoHand })},
	{"seat: a zone", seatHas(func(k *Kind) bool { return k.Zone.Lay != "" })},
	{"seat: a counter", seatHas(func(k *Kind) bool { return k.Counter.Counts })},
	{"seat: what it alone sees, on a rack", someKind(func(k *Kind) bool { return k.Rack })},
	{"set-up: players", someSetup(func(s *Setup) bool { return s.Players.Most > 0 })},
	{"set-up: without", someSetup(func(s *Setup) bool { return len(s.Without) > 0 })},
	{"set-up: pieces", someSetup(func(s *Setup) bool { return len(s.Pieces) > 0 })},
	{"set-up: a piece of the game", someSetup(func(s *Setup) bool {
		return slices.ContainsFunc(s.Same, func(of int) bool { return of != Other })
	})},
	{"set-up: steps", someSetup(func(s *Setup) bool { return len(s.Steps) > 0 })},

	// Kinds.
	{"shape rect", someKind(func(k *Kind) bool { return k.Shape == "rect" })},
	{"shape round", someKind(func(k *Kind) bool { return k.Shape == "round" })},
	{"shape card", someKind(func(k *Kind) bool { return k.Shape == "card" })},
	{"kind: secret", someKind(func(k *Kind) bool { return k.Secret })},
	{"kind: several fronts", func(g *Game) bool {
		return someKind(func(k *Kind) bool {
			return k.Secret && len(k.Faces) > len(g.Kinds[k.Mask].Faces)+1
		})(g)
	}},
	{"kind: several backs", func(g *Game) bool {
		return someKind(func(k *Kind) bool { return k.Secret && len(g.Kinds[k.Mask].Faces) > 1 })(g)
	}},
	{"kind: private", someKind(func(k *Kind) bool { return k.Private })},
	{"kind: peek by players", someKind(func(k *Kind) bool { return k.Peek == "players" })},
	{"kind: peek by the host", someKind(func(k *Kind) bool { return k.Peek == "host" })},
	{"kind: upright", someKind(func(k *Kind) bool { return k.Upright })},
	{"kind: readable", someKind(func(k *Kind) bool { return k.Readable })},
	{"kind: pointed", someKind(func(k *Kind) bool { return k.Pointed })},
	{"kind: turn", someKind(func(k *Kind) bool { return k.Turn > 0 })},
	{"kind: counted", someKind(func(k *Kind) bool { return k.Uncounted })},
	{"kind: display", someKind(func(k *Kind) bool { return k.Display.Width > 0 })},
	{"kind: grid", someKind(func(k *Kind) bool { return k.Grid.Columns > 0 })},
	{"grid: names of columns and rows", someKind(func(k *Kind) bool {
		return len(k.Grid.ColumnNames) > 0 && len(k.Grid.RowNames) > 0
	})},
	{"grid: names of cells", someKind(func(k *Kind) bool { return len(k.Grid.CellNames) > 0 })},
	{"grid: captures", someKind(func(k *Kind) bool { return k.Grid.Captures })},
	{"grid: tray", someKind(func(k *Kind) bool { return k.Grid.Tray })},
	{"kind: snaps", someKind(func(k *Kind) bool { return len(k.Snaps.Points) > 0 })},
	{"attached pieces", func(g *Game) bool { return len(g.Attached) > 0 }},
	{"layer: art", layer(func(l *Layer) bool { return l.What == "art" })},
	{"layer: text", layer(func(l *Layer) bool { return l.What == "text" })},
	{"layer: colour", layer(func(l *Layer) bool { return l.What == "colour" })},
	{"layer: angle", layer(func(l *Layer) bool { return l.Angle != 0 })},
	{"layer: fit", layer(func(l *Layer) bool { return l.Fit != "" })},
	{"layer: size", layer(func(l *Layer) bool { return l.Size != 0 })},
	{"layer: align", layer(func(l *Layer) bool { return l.Align != "" })},
	{"layer: place", layer(func(l *Layer) bool { return l.Place != "" })},
	{"layer: font", layer(func(l *Layer) bool { return l.Serif })},
	{"layer: bold", layer(func(l *Layer) bool { return l.Bold })},
	{"layer: italic", layer(func(l *Layer) bool { return l.Italic })},

	// Abilities.
	{"ability hand", someKind(func(k *Kind) bool { return k.Hand })},
	{"ability container", someKind(func(k *Kind) bool { return k.Container.Holds() })},
	{"container: draws from the top", someKind(func(k *Kind) bool {
		return k.Container.Draws == "top"
	})},
	{"container: draws at random", someKind(func(k *Kind) bool {
		return k.Container.Draws == "random"
	})},
	{"container: takes one mask", someKind(func(k *Kind) bool {
		return k.Container.Holds() && k.Container.Takes != AnyLight
	})},
	{"container: takes all", someKind(func(k *Kind) bool {
		return k.Container.Holds() && k.Container.Takes == AnyLight
	})},
	{"ability clock", someKind(func(k *Kind) bool { return k.Clock.Sides() > 0 })},
	{"clock: two sides", someKind(func(k *Kind) bool { return k.Clock.Sides() == 2 })},
	{"clock: counts up", someKind(func(k *Kind) bool { return k.Clock.CountsUp })},
	{"clock: increment", someKind(func(k *Kind) bool { return k.Clock.Increment > 0 })},
	{"ability die", someKind(func(k *Kind) bool { return k.Die.Rolls })},
	{"ability counter", someKind(func(k *Kind) bool { return k.Counter.Counts })},
	{"counter: step", someKind(func(k *Kind) bool { return k.Counter.Step > 1 })},
	{"ability currency", someKind(func(k *Kind) bool { return k.Currency > 0 })},
	{"ability text", someKind(func(k *Kind) bool { return k.Text.Written })},
	{"ability seat", someKind(func(k *Kind) bool { return k.Seat == "label" })},
	{"seat: turn", someKind(func(k *Kind) bool { return k.Seat == "turn" })},
	{"ability hourglass", someKind(func(k *Kind) bool { return k.Hourglass.Duration > 0 })},
	{"ability button", someKind(func(k *Kind) bool { return len(k.Button.Steps) > 0 })},
	{"button: who", someKind(func(k *Kind) bool { return k.Button.Who == "host" })},
	{"button: cooldown", someKind(func(k *Kind) bool { return k.Button.Cooldown > 0 })},
	{"ability zone", someKind(func(k *Kind) bool { return k.Zone.Lay != "" })},
	{"zone: pile", lays("pile")},
	{"zone: row", lays("row")},
	{"zone: column", lays("column")},
	{"zone: grid", lays("grid")},
	{"zone: free", lays("free")},
	{"zone: down", someKind(func(k *Kind) bool {
		return k.Zone.Lay == "grid" && k.Zone.Down != k.Zone.Gap
	})},
	{"zone: takes", someKind(func(k *Kind) bool { return len(k.Zone.Takes) > 0 })},
	{"zone: most", someKind(func(k *Kind) bool { return k.Zone.Most > 0 })},
	{"zone: turns up", someKind(func(k *Kind) bool { return k.Zone.Turns == "up" })},
	{"zone: turns down", someKind(func(k *Kind) bool { return k.Zone.Turns == "down" })},
	{"zone: keeps", someKind(func(k *Kind) bool { return k.Zone.Turns == "keep" })},
	{"zone: count", someKind(func(k *Kind) bool { return k.Zone.Count })},
	{"ability supply", someKind(func(k *Kind) bool { return k.Supply != "" })},
	{"supply: of currency", func(g *Game) bool {
		return someKind(func(k *Kind) bool {
			i := named(g.Kinds, k.Supply)
			return i >= 0 && g.Kinds[i].Currency > 0
		})(g)
	}},
	{"a door back from another table", func(g *Game) bool {
		return slices.ContainsFunc(g.Further, func(f *Game) bool { return len(f.Doors) > 0 })
	}},

	// Steps.
	{"step flip", does(doFlip)},
	{"step rotate", does(doRotate)},
	{"step face", does(doFace)},
	{"step count", does(doCount)},
	{"count: add", step(func(s *Step) bool { return s.Do == doCount && !s.Sets })},
	{"count: set", step(func(s *Step) bool { return s.Do == doCount && s.Sets })},
	{"step roll", does(doRoll)},
	{"step shuffle", does(doShuffle)},
	{"step recall", does(doRecall)},
	{"step deal", does(doDeal)},
	{"step move", does(doMove)},
	{"move: face", step(func(s *Step) bool { return s.Do == doMove && s.Face >= 0 })},
	{"move: as the container draws", step(func(s *Step) bool { return s.Do == doMove && s.Face < 0 })},
	{"step pass", does(doPass)},
	{"pass: reverse", step(func(s *Step) bool { return s.Back })},
	{"step start", does(doStart)},
	{"start: side", step(func(s *Step) bool { return s.Side > 0 })},
	{"step pause", does(doPause)},
	{"step reset", does(doReset)},
	{"step sort", does(doSort)},
	{"step if", does(doIf)},
	{"if: value", step(func(s *Step) bool { return s.If.Of == ofValue })},
	{"if: pieces", step(func(s *Step) bool { return s.If.Of == ofPieces && s.If.In == "" })},
	{"if: pieces of a kind in a zone", step(func(s *Step) bool {
		return s.If.In != "" && s.If.Kind != ""
	})},
	{"if: all pieces in a zone", step(func(s *Step) bool { return s.If.In != "" && s.If.Kind == "" })},
	{"if: holds", step(func(s *Step) bool { return s.If.Of == ofHolds })},
	{"if: else", step(func(s *Step) bool { return len(s.Else) > 0 })},
	{"if in another if", step(func(s *Step) bool {
		return s.Do == doIf && slices.ContainsFunc(slices.Concat(s.Then, s.Else), isIf)
	})},
	{"step each seat", does(doEach)},
	{"each seat: if", step(func(s *Step) bool {
		return s.Do == doEach && slices.ContainsFunc(s.Then, isIf)
	})},
	{"step set up", does(doSetUp)},
	{"set up: name", step(func(s *Step) bool { return s.SetUp != "" })},
	{"set up: the first set-up", step(func(s *Step) bool { return s.Do == doSetUp && s.SetUp == "" })},
	{"step ask", step(func(s *Step) bool { return s.Do == doAsk })},

	// Pieces.
	{"piece: angle", placed(func(p *Placement) bool { return p.Angle != 0 })},
	{"piece: face", placed(func(p *Placement) bool { return p.Face != 0 && p.In == NotIn })},
	{"piece: pinned", placed(func(p *Placement) bool { return p.Pinned })},
	{"piece: locked", placed(func(p *Placement) bool { return p.Locked })},
	{"piece: holds", placed(func(p *Placement) bool { return p.In != NotIn })},
	{"piece: shuffled", placed(func(p *Placement) bool { return p.Group > 0 })},
	{"piece: stack with a step", func(g *Game) bool {
		for i := 1; i < len(g.Pieces); i++ {
			p, q := &g.Pieces[i-1], &g.Pieces[i]
			if p.Kind == q.Kind && p.X == q.X && p.Y != q.Y && p.In == NotIn {
				return true
			}
		}
		return false
	}},
}

func somePiece(g *Game, is func(*Placement) bool) bool {
	return slices.ContainsFunc(g.Pieces, func(p Placement) bool { return is(&p) })
}

func placed(is func(*Placement) bool) func(*Game) bool {
	return func(g *Game) bool { return somePiece(g, is) }
}

func someKind(is func(*Kind) bool) func(*Game) bool {
	return func(g *Game) bool {
		return slices.ContainsFunc(g.Kinds, func(k Kind) bool { return is(&k) })
	}
}

func someSeat(is func(*Seat) bool) func(*Game) bool {
	return func(g *Game) bool {
		return slices.ContainsFunc(g.Seats, func(s Seat) bool { return is(&s) })
	}
}

func someSetup(is func(*Setup) bool) func(*Game) bool {
	return func(g *Game) bool {
		return slices.ContainsFunc(g.Setups, func(s Setup) bool { return is(&s) })
	}
}

// seatHas is about the kinds of the pieces that belong to seats.
func seatHas(is func(*Kind) bool) func(*Game) bool {
	return func(g *Game) bool {
		var heavy []*Kind // in the order of their names, from 1
		for _, p := range g.Pieces {
			if k := &g.Kinds[p.Kind]; k.Weight == "heavy" {
				heavy = append(heavy, k)
			}
		}
		return someSeat(func(s *Seat) bool {
			return slices.ContainsFunc(s.Pieces, func(name int) bool { return is(heavy[name-1]) })
		})(g)
	}
}

func surface(name string) func(*Game) bool {
	return func(g *Game) bool { return g.Surface == name }
}

// ground is about the grids of all tables of a game.
func ground(form string) func(*Game) bool {
	return func(g *Game) bool {
		return slices.ContainsFunc(append([]*Game{g}, g.Further...), func(g *Game) bool {
			return g.Grid.Form == form
		})
	}
}

func lays(how string) func(*Game) bool {
	return someKind(func(k *Kind) bool { return k.Zone.Lay == how })
}

func layer(is func(*Layer) bool) func(*Game) bool {
	return someKind(func(k *Kind) bool {
		return slices.ContainsFunc(k.Faces, func(f Face) bool {
			return slices.ContainsFunc(f.Layers, func(l Layer) bool { return is(&l) })
		})
	})
}

// step is about steps of buttons and of set-ups.
func step(is func(*Step) bool) func(*Game) bool {
	return func(g *Game) (has bool) {
		look := func(steps []Step) {
			eachStep(steps, func(s *Step) { has = has || is(s) })
		}
		look(g.First.Steps)
		for i := range g.Setups {
			look(g.Setups[i].Steps)
		}
		for i := range g.Kinds {
			look(g.Kinds[i].Button.Steps)
		}
		return has
	}
}

func does(verb string) func(*Game) bool { return step(func(s *Step) bool { return s.Do == verb }) }

func isIf(s Step) bool { return s.Do == doIf }

// samples returns the samples of the guide, by their names.
func samples(t *testing.T) map[string]*Packed {
	t.Helper()
	names, err := filepath.Glob(samplesFolder + "/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	files := os.DirFS(samplesFolder)
	all := map[string]*Packed{}
	for _, name := range names {
		doc, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ReadLoose(doc, FilesOf(files, ".", files))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = p
	}
	return all
}

// TestConcepts shows that whatever a game file can say is said by a sample of the guide. It counts
// what no game file can say yet.
func TestConcepts(t *testing.T) {
	all := samples(t)
	names := slices.Sorted(maps.Keys(all))
	var missing []string
	for _, c := range concepts {
		if c.has == nil {
			missing = append(missing, c.name)
			continue
		}
		by := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return !c.has(all[name].Game)
		})
		if len(by) == 0 {
			t.Errorf("no sample has %q", c.name)
		}
		t.Logf("%s: %s", c.name, strings.Join(by, ", "))
	}
	t.Logf("%d of %d concepts covered; missing: %s", len(concepts)-len(missing), len(concepts),
		strings.Join(missing, ", "))
}

// TestConceptsAreComplete shows that no verb, no ability and no field of a game is forgotten in the
// list of concepts.
func TestConceptsAreComplete(t *testing.T) {
	listed := func(what string) {
		t.Helper()
		if !slices.ContainsFunc(concepts, func(c concept) bool {
			return c.has != nil && (c.name == what || strings.HasPrefix(c.name, what+","))
		}) {
			t.Errorf("the list of concepts lacks %q", what)
		}
	}
	for verb := range verbs {
		listed("step " + verb)
	}
	for _, field := range fields2 {
		listed("field " + field)
	}
	for _, a := range abilities {
		listed("ability " + a.field)
	}
	for _, name := range surfaces {
		listed("surface " + name)
	}
}
