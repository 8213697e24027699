package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"holt/server/federation/node"
	"holt/server/tables/library"
	"holt/storage"
	"holt/web"
)

// gameFlags say which games there are beside those of the program, and who may bring more.
type gameFlags struct {
	Games        []string `placeholder:"DIR" help:"Folders with further games to offer: game files NAME.json, with their pictures in a folder art beside them, and packed games NAME.holt. The folder games in the data directory is one of them."`
	WhoMayBring  string   `default:"creators" enum:"creators,nobody" help:"Who may upload games, each for themselves: whoever may set up tables, or nobody (${default})."`
	LibraryQuota size     `default:"128MiB" placeholder:"SIZE" help:"How much the games of one browser may take up, from 1MiB (${default})."`
	GamesQuota   size     `default:"1GiB" placeholder:"SIZE" help:"How much the games of all browsers may take up together, from 1MiB (${default})."`
}

const (
	nobody       = "nobody" // of WhoMayBring
	gamesFolder  = "games"  // in the data directory
	minGameQuota = 1 << 20
)

func (f gameFlags) check() error {
	if f.LibraryQuota < minGameQuota {
		return fmt.Errorf("--library-quota %v is less than 1MiB", f.LibraryQuota)
	}
	if f.GamesQuota < minGameQuota {
		return fmt.Errorf("--games-quota %v is less than 1MiB", f.GamesQuota)
	}
	return nil
}

// moreGames returns the folders with further games.
func (f gameFlags) moreGames(data string) (folders []fs.FS, err error) {
	names := f.Games
	own := filepath.Join(data, gamesFolder)
	if _, err := os.Stat(own); err == nil {
		names = append([]string{own}, names...)
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, err // what is no data directory is refused when it is opened
	}
	for _, name := range names {
		folders = append(folders, os.DirFS(name))
	}
	return folders, nil
}

// library returns the games that people bring.
func (f gameFlags) library(
	db *storage.DB, objects *node.Objects, log *slog.Logger,
) *library.Library {
	return library.New(library.Config{
		Store: db, Now: newClock().now, Preview: web.PreviewJSON,
		Quota: library.Quota{Library: int64(f.LibraryQuota), All: int64(f.GamesQuota)},
		Sweep: func(ctx context.Context) {
			if _, err := objects.SweepBlobs(ctx); err != nil && ctx.Err() == nil {
				log.Warn("files of games that were forgotten are not deleted yet", "error", err)
			}
		},
	})
}
