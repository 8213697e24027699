package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"holt/storage"
)

// dataDir returns the default data directory: where programs of this system keep what belongs to a
// user. So it does not depend on where holt is started.
func (e environment) dataDir() string {
	switch home := e.get("HOME"); {
	case runtime.GOOS == "windows" && e.get("LOCALAPPDATA") != "":
		return filepath.Join(e.get("LOCALAPPDATA"), "Holt")
	case runtime.GOOS == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support", "Holt")
	case filepath.IsAbs(e.get("XDG_DATA_HOME")):
		return filepath.Join(e.get("XDG_DATA_HOME"), "holt")
	case home != "":
		return filepath.Join(home, ".local", "share", "holt")
	default:
		return "holt-data"
	}
}

// explainData says in a sentence why a data directory cannot be used.
func explainData(dir string, err error) error {
	switch {
	case errors.Is(err, storage.ErrInUse):
		return fmt.Errorf("the data directory %s is in use by another holt", dir)
	case errors.Is(err, storage.ErrNewer):
		return fmt.Errorf("the data directory %s was written by a newer holt: use that one", dir)
	case errors.Is(err, storage.ErrForeign):
		return fmt.Errorf(
			"holt.db in the data directory %s is not a database of holt, or its beginning is damaged",
			dir)
	case errors.Is(err, storage.ErrBroken):
		return fmt.Errorf(
			"holt.db in the data directory %s is damaged where it says what is in it, "+
				"or where the keys of this server are. "+
				"Nothing was changed: put a backup in its place with holt restore (%w)", dir, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the data directory %s may not be written to by this user", dir)
	default:
		return fmt.Errorf("the data directory %s cannot be used: %w", dir, err)
	}
}

type backupCommand struct {
	File string `arg:"" help:"The new file. It must not exist. Keep it safe: it holds the keys of this server."`
	Data string `default:"${data}" placeholder:"DIR" help:"Where the tables are kept (${default})."`
}

// Run writes a backup.
func (c *backupCommand) Run(ctx context.Context, std streams) error {
	r, err := storage.Backup(ctx, c.Data, c.File)
	if errors.Is(err, fs.ErrNotExist) && !hasData(c.Data) {
		return fmt.Errorf("there is nothing of holt in %s", c.Data)
	}
	if err != nil {
		return explainFile(c.Data, c.File, err)
	}
	if r.Losses > 0 {
		std.printf(
			"%s has what can be read of %s. It is NOT WHOLE: what follows could not be read.\n",
			c.File, c.Data)
	} else {
		std.printf("Everything in %s is in %s now.\n", c.Data, c.File)
	}
	return warnOfDamage(std, c.File, &r)
}

type restoreCommand struct {
	File string `arg:"" help:"The backup."`
	Data string `default:"${data}" placeholder:"DIR" help:"Where the tables are kept (${default})."`
}

// Run puts a backup in place. The previous data stays under another name.
func (c *restoreCommand) Run(ctx context.Context, std streams) error {
	keep := "replaced-" + time.Now().UTC().Format("20060102-150405") + ".db"
	r, err := storage.Restore(ctx, c.Data, c.File, keep)
	if errors.Is(err, fs.ErrNotExist) && !exists(c.File) {
		return fmt.Errorf("there is no file %s", c.File)
	}
	if err != nil {
		return explainFile(c.Data, c.File, err)
	}
	std.printf(
		"%s has been restored from %s. What was there before is kept there as %s.\n", c.Data,
		c.File, keep)
	return warnOfDamage(std, c.Data, &r)
}

// warnOfDamage prints what is damaged in a copy, and returns an error if anything is. The copy
// stays: the rest of it is good.
func warnOfDamage(std streams, what string, r *storage.Report) error {
	sayDamage(std, r)
	if err := damageIn(what, r); err != nil {
		return fmt.Errorf("%w: holt check says more, and all that is not damaged is there", err)
	}
	return nil
}

// hasData reports whether a server has ever kept tables in dir.
func hasData(dir string) bool { return exists(filepath.Join(dir, "holt.db")) }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// explainFile says in a sentence why a backup could not be written or read.
func explainFile(dir, file string, err error) error {
	switch {
	case errors.Is(err, storage.ErrInUse):
		return fmt.Errorf("the data directory %s is in use by a running holt: stop it first", dir)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already, and a backup does not overwrite anything", file)
	case errors.Is(err, storage.ErrForeign):
		return fmt.Errorf("%s is not a backup that holt has made", file)
	case errors.Is(err, storage.ErrNewer):
		return fmt.Errorf("%s was written by a newer holt", file)
	case errors.Is(err, storage.ErrBroken):
		return fmt.Errorf(
			"the database is damaged where it says what is in it, and nothing can be read of it: %w",
			err)
	default:
		return err
	}
}
