package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"holt/server/play/game"
	"holt/static"
)

// gameCommand works on game files (docs/guides/games.md), without a server.
type gameCommand struct {
	Check  gameCheck  `cmd:"" help:"Say whether a game file is correct, and what it has. Exits with 0 if it is, 1 if it is not, 2 if it cannot be read."`
	Pack   gamePack   `cmd:"" help:"Make one file of a game file and its pictures, rules and languages."`
	Unpack gameUnpack `cmd:"" help:"Make loose files of a packed game, to look at and to change."`
	Render gameRender `cmd:"" help:"Draw the table of a game as it is set up: an SVG for each set-up, and for each further table."`
}

// standardStream is the name of a file that stands for the standard input or output.
const standardStream = "-"

type gameCheck struct {
	File string `arg:"" help:"The game: NAME.json, NAME.holt, or - for what comes in."`
}

// Run says what is in a game file.
func (c *gameCheck) Run(std streams) error {
	p, err := readGame(std, c.File)
	if err != nil {
		return err
	}
	g := p.Game
	parts := []string{count(len(g.Kinds), "kind"), count(len(g.Pieces), "piece"),
		count(len(g.Art), "picture")}
	for _, more := range []struct {
		n    int
		noun string
	}{
		{len(g.Seats), "seat"}, {len(g.Setups), "further set-up"}, {len(g.Languages), "translation"},
		{len(g.Further), "further table"},
	} {
		if more.n > 0 {
			parts = append(parts, count(more.n, more.noun))
		}
	}
	std.printf("%s is correct: %s, with %s\nIts identity is %x\n", c.File, g.Name,
		strings.Join(parts, ", "), p.ID)
	for _, of := range g.Credits.Counted() {
		std.printf("%s: %s\n", count(of.Pictures, "picture"), of.Credit)
	}
	if g.First.Name != "" {
		std.printf("The first set-up is %q\n", g.First.Name)
	}
	if g.First.Players.Most > 0 {
		std.printf("The first set-up is %s\n", forPlayers(g.First.Players))
	}
	if steps := g.First.Steps; len(steps) > 0 {
		std.printf("The first set-up does %s: %s\n", count(game.CountSteps(steps), "step"),
			stepsOf(steps))
	}
	for i := range g.Setups {
		of := &g.Setups[i]
		if of.Players.Most > 0 {
			std.printf("The set-up %q is %s\n", of.Name, forPlayers(of.Players))
		}
		if of.Pieces != nil {
			std.printf("The set-up %q has %s of its own\n", of.Name, count(len(of.Pieces), "piece"))
		}
		if len(of.Steps) > 0 {
			std.printf("The set-up %q does %s: %s\n", of.Name, count(game.CountSteps(of.Steps), "step"),
				stepsOf(of.Steps))
		}
	}
	for _, of := range g.Further {
		std.printf("The table %q has %s\n", of.Name, count(len(of.Pieces), "piece"))
	}
	return nil
}

// stepsOf names steps: "shuffle Deck, if (deal Deck) else (recall Deck)".
func stepsOf(steps []game.Step) string {
	all := make([]string, len(steps))
	for i := range steps {
		s := &steps[i]
		all[i] = s.Do + " " + s.Kind
		if s.SetUp != "" {
			all[i] = fmt.Sprintf("%s %q", s.Do, s.SetUp)
		}
		if len(s.Then) > 0 {
			all[i] = s.Do + " (" + stepsOf(s.Then) + ")"
		}
		if len(s.Else) > 0 {
			all[i] += " else (" + stepsOf(s.Else) + ")"
		}
	}
	return strings.Join(all, ", ")
}

// forPlayers says for how many players a set-up is.
func forPlayers(r game.Range) string {
	if r.Least == r.Most {
		return "for " + count(int(r.Least), "player")
	}
	return fmt.Sprintf("for %d to %d players", r.Least, r.Most)
}

type gamePack struct {
	File  string `arg:"" help:"The game: NAME.json, or - for what comes in."`
	Out   string `short:"o" placeholder:"NAME.holt" help:"The packed file; - writes it out. Without it: beside the game, with its name."`
	Force bool   `help:"Replace a file that is there already."`
}

// Run packs a game.
func (c *gamePack) Run(std streams) error {
	out := c.Out
	if out == "" {
		if c.File == standardStream {
			return usageError{errors.New("--out says where the packed file goes")}
		}
		out = strings.TrimSuffix(c.File, filepath.Ext(c.File)) + ".holt"
	}
	p, err := readGame(std, c.File)
	if err != nil {
		return err
	}
	data, err := p.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if out == standardStream {
		_, err := std.Out.Write(data)
		return err
	}
	folder, err := writeInto(filepath.Dir(out), c.Force, []game.File{{Name: filepath.Base(out),
		Data: data}})
	if err != nil {
		return err
	}
	std.printf("%s has all of %s, %s\nIts identity is %x\n", filepath.Join(folder,
		filepath.Base(out)), p.Game.Name, count(len(data), "byte"), p.ID)
	return nil
}

type gameUnpack struct {
	File  string `arg:"" help:"The packed game: NAME.holt, or - for what comes in."`
	Out   string `short:"o" placeholder:"DIR" help:"The folder for its files. Without it: a new one here, with the id of the game."`
	Force bool   `help:"Replace files that are there already."`
	// Readable names pictures by what they show, and writes decks as CSV (G26).
	Readable bool `help:"Name pictures by what they show, and write decks as CSV: to be kept in version control."`
}

// Run unpacks a game.
func (c *gameUnpack) Run(std streams) error {
	p, err := readGame(std, c.File)
	if err != nil {
		return err
	}
	out := c.Out
	if out == "" {
		out = p.Game.ID
	}
	files := p.Loose()
	if c.Readable {
		files = p.Readable()
	}
	if out, err = writeInto(out, c.Force, files); err != nil {
		return err
	}
	std.printf("%s has all of %s now: %s\n", filepath.Join(out, files[0].Name), p.Game.Name,
		count(len(files), "file"))
	return nil
}

type gameRender struct {
	File  string `arg:"" help:"The game: NAME.json, NAME.holt, or - for what comes in."`
	Out   string `short:"o" default:"." placeholder:"DIR" help:"The folder for the pictures (${default})."`
	Force bool   `help:"Replace files that are there already."`
}

// Run draws the table of a game, once for each set-up, and its further tables.
func (c *gameRender) Run(std streams) error {
	p, err := readGame(std, c.File)
	if err != nil {
		return err
	}
	files := []game.File{{Name: p.Game.ID + ".svg", Data: p.Game.Drawing(0)}}
	for i := range p.Game.Setups {
		files = append(files, game.File{Name: fmt.Sprintf("%s-%d.svg", p.Game.ID, i+2),
			Data: p.Game.Drawing(i + 1)})
	}
	for i, of := range p.Game.Further {
		files = append(files, game.File{Name: fmt.Sprintf("%s-table-%d.svg", of.ID, i+2),
			Data: of.Drawing(0)})
	}
	out, err := writeInto(c.Out, c.Force, files)
	if err != nil {
		return err
	}
	for i, f := range files {
		name := p.Game.Name
		if further := i - 1 - len(p.Game.Setups); further >= 0 {
			name += ", " + p.Game.Further[further].Name
		} else if first := p.Game.First.Name; i == 0 && first != "" {
			name += ": " + first
		} else if i > 0 {
			of := &p.Game.Setups[i-1]
			if name += ": " + of.Name; of.Players.Most > 0 {
				name += ", " + forPlayers(of.Players)
			}
		}
		std.printf("%s shows %s\n", filepath.Join(out, f.Name), name)
	}
	return nil
}

// readGame reads a game file, loose or packed. Its pictures are in the folder art beside it, or
// among those of the program.
func readGame(std streams, name string) (*game.Packed, error) {
	data, err := readBounded(std, name)
	if err != nil {
		return nil, usageError{err}
	}
	var p *game.Packed
	if bytes.HasPrefix(data, []byte("PK")) || filepath.Ext(name) == ".holt" {
		p, err = game.ReadPacked(data)
	} else {
		beside := os.DirFS(filepath.Dir(name)) // that of - is the folder in which holt runs
		p, err = game.ReadLoose(data, game.FilesOf(beside, ".", beside, static.Files))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// readBounded reads a file, or what comes in. Of one that is larger than any game it returns a
// part.
func readBounded(std streams, name string) ([]byte, error) {
	in := std.In
	if name != standardStream {
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file %s", name)
		}
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	return io.ReadAll(io.LimitReader(in, game.MaxPacked+1))
}

// writeInto writes files into a folder, which it makes if it is missing, and nowhere else: links
// that lead out of the folder are refused. Unless it is forced, it writes nothing at all if one of
// the files is there already. It returns the name of the folder.
func writeInto(folder string, force bool, files []game.File) (string, error) {
	folder = filepath.Clean(folder)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	for _, f := range files {
		_, err := root.Lstat(filepath.FromSlash(f.Name))
		switch {
		case err == nil && !force:
			return "", fmt.Errorf("%s is there already (--force replaces it)",
				filepath.Join(folder, filepath.FromSlash(f.Name)))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("%s: %w", folder, err)
		}
	}
	for _, f := range files {
		name := filepath.FromSlash(f.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return "", fmt.Errorf("%s: %w", folder, err)
		}
		if err := writeNew(root, name, how, f.Data); err != nil {
			return "", fmt.Errorf("%s: %w", folder, err)
		}
	}
	return folder, nil
}

func writeNew(root *os.Root, name string, how int, data []byte) error {
	file, err := root.OpenFile(name, how, 0o640)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}
