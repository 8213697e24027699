// Package storagetest damages databases, for the tests of other packages. It is not part of the
// program.
package storagetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "holt/storage" // it links the driver
)

// Harm changes the database at path by an SQL statement, as a bad disk might. It returns an error
// if the statement changes nothing.
func Harm(ctx context.Context, path, query string) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	res, err := db.ExecContext(ctx, query)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = fmt.Errorf("nothing was changed by %s", query)
	}
	return err
}
