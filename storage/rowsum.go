package storage

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"modernc.org/sqlite"
)

// A changed bit in a row of tables, seats or invites could give a table another size, a player
// somebody else's seat, or a link the rights of a host. So these rows have checksums of all their
// columns. SQL computes them with the function checksum.

// The checksums of rows, in SQL. Texts are cast to blobs because the driver passes a text only up
// to its first zero byte, and a blob as a whole.
const (
	sumOfTable = `checksum(num, oid, epoch, CAST(game AS BLOB), CAST(title AS BLOB), width, height, ` +
		`CAST(surface AS BLOB), catalog, created, invite_version, base, used, renewed, unsummed, ` +
		`bound, last)`
	sumOfSeat   = `checksum(table_num, token, seat)`
	sumOfInvite = `checksum(token, table_num, role)`
)

// sumTable gives the row of a table its checksum.
const sumTable = `UPDATE tables SET sum = ` + sumOfTable + ` WHERE num = ?`

// These SQL conditions say that a row has its checksum.
const (
	soundTable  = `sum IS ` + sumOfTable
	soundSeat   = `sum IS ` + sumOfSeat
	soundInvite = `sum IS ` + sumOfInvite
)

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("checksum", -1,
		func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
			return checksum(values)
		})
	sqlite.MustRegisterDeterministicScalarFunction("entry_sum", 3, entrySum)
	sqlite.MustRegisterDeterministicScalarFunction("object_sum", 3, objectSum)
}

// checksum returns the CRC-32C of values with their types and lengths, in the signed form that
// SQLite stores in four bytes.
func checksum(values []driver.Value) (driver.Value, error) {
	b := make([]byte, 0, 256)
	text := func(kind byte, s string) {
		//nolint:gosec // at most 1 GB
		b = append(binary.LittleEndian.AppendUint32(append(b, kind), uint32(len(s))), s...)
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			//nolint:gosec // its bits
			b = binary.LittleEndian.AppendUint64(append(b, 'i'), uint64(v))
		case float64:
			b = binary.LittleEndian.AppendUint64(append(b, 'f'), math.Float64bits(v))
		case string:
			text('t', v)
		case []byte:
			text('b', string(v))
		default:
			return nil, fmt.Errorf("checksum of %T", v)
		}
	}
	return int64(int32(crc32.Checksum(b, castagnoli))), nil //nolint:gosec // its bits
}

// entrySum returns the checksum of an entry, for a table number, a position and a body.
func entrySum(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	num, _ := values[0].(int64)
	position, _ := values[1].(int64)
	body, _ := values[2].([]byte) // nil if the body is empty
	return sumOf(body, num, position), nil
}

// objectSum returns the checksum of a value of an object, for a space, an identifier and a value.
func objectSum(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	space, _ := values[0].(int64)
	oid, _ := values[1].([]byte)
	value, _ := values[2].([]byte) // nil if the value is empty
	return sumOfObject(space, oid, value), nil
}

// changeTable changes the row of a table as set says. It returns room.ErrDamaged if the row is
// damaged: with a new checksum nobody would notice the damage any more.
func (t *tx) changeTable(num int64, set string, args ...any) error {
	var sound bool
	if err := t.scan(`SELECT `+soundTable+` FROM tables WHERE num = ?`, []any{num},
		&sound); err != nil {
		return err
	}
	if !sound {
		return damage("the row of table number %d is not what was written", num)
	}
	if err := t.exec(`UPDATE tables SET `+set+` WHERE num = ?`,
		append(args, num)...); err != nil {
		return err
	}
	return t.exec(sumTable, num)
}

// damagedAccess says in words how many rows of the seats and invites of table num are damaged.
// Their owners cannot come in.
func damagedAccess(ctx context.Context, q rowQuerier, num int64) (faults []string, err error) {
	for _, d := range []struct{ what, query string }{
		{"tokens of its seats",
			`SELECT count(*) FROM seats WHERE table_num = ? AND NOT (` + soundSeat + `)`},
		{"invites",
			`SELECT count(*) FROM invites WHERE table_num = ? AND NOT (` + soundInvite + `)`},
	} {
		var n int
		switch err := readFault(q.QueryRowContext(ctx, d.query, num).Scan(&n)); {
		case isDamage(err):
			faults = append(faults, fmt.Sprintf("the %s cannot be read: %v", d.what, err))
		case err != nil:
			return nil, err
		case n > 0:
			faults = append(faults, fmt.Sprintf("%d of the %s are not what was written", n, d.what))
		}
	}
	return faults, nil
}
