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

// A changed bit in a row of tables, seats or invites would give a table another size, a player the seat of another one,
// or a link the rights of a host. So these rows have checksums of all their columns, which SQL computes by checksum().

// What the checksums of rows are, in SQL. Of a text the driver passes only what stands before a zero byte, and of a blob all.
const (
	sumOfTable  = `checksum(num, oid, epoch, CAST(game AS BLOB), CAST(title AS BLOB), width, height, CAST(surface AS BLOB), catalog, created, invite_version, base, used, renewed, unsummed, bound, last)`
	sumOfSeat   = `checksum(table_num, token, seat)`
	sumOfInvite = `checksum(token, table_num, role)`
)

// sumTable gives the row of a table its checksum.
const sumTable = `UPDATE tables SET sum = ` + sumOfTable + ` WHERE num = ?`

// Whether rows have their checksums, in SQL.
const (
	soundTable  = `sum IS ` + sumOfTable
	soundSeat   = `sum IS ` + sumOfSeat
	soundInvite = `sum IS ` + sumOfInvite
)

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("checksum", -1,
		func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) { return checksum(values) })
	sqlite.MustRegisterDeterministicScalarFunction("entry_sum", 3, entrySum)
	sqlite.MustRegisterDeterministicScalarFunction("object_sum", 3, objectSum)
}

// checksum returns the CRC-32C of values with their types and lengths, as SQLite stores it in four bytes.
func checksum(values []driver.Value) (driver.Value, error) {
	b := make([]byte, 0, 256)
	text := func(kind byte, s string) {
		b = append(binary.LittleEndian.AppendUint32(append(b, kind), uint32(len(s))), s...) //nolint:gosec // at most 1 GB
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			b = binary.LittleEndian.AppendUint64(append(b, 'i'), uint64(v)) //nolint:gosec // its bits
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

// entrySum returns the checksum of an entry of a table number, at a position, with a body.
func entrySum(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	num, _ := values[0].(int64)
	position, _ := values[1].(int64)
	body, _ := values[2].([]byte) // nothing, if there is nothing in it
	return sumOf(body, num, position), nil
}

// objectSum returns the checksum of a value of an object: of a space, an identifier, and a value.
func objectSum(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	space, _ := values[0].(int64)
	oid, _ := values[1].([]byte)
	value, _ := values[2].([]byte) // nothing, if there is nothing in it
	return sumOfObject(space, oid, value), nil
}

// changeTable changes the row of a table as set says. room.ErrDamaged if it is damaged: with a new checksum nobody would
// see that any more.
func (t *tx) changeTable(ctx context.Context, num int64, set string, args ...any) error {
	var sound bool
	if err := t.scan(ctx, `SELECT `+soundTable+` FROM tables WHERE num = ?`, []any{num}, &sound); err != nil {
		return err
	}
	if !sound {
		return damage("the row of table number %d is not what was written", num)
	}
	if err := t.exec(ctx, `UPDATE tables SET `+set+` WHERE num = ?`, append(args, num)...); err != nil {
		return err
	}
	return t.exec(ctx, sumTable, num)
}

// faultyDoors says in words which rows of the seats and invites of table num are damaged. Whoever had them cannot come in.
func faultyDoors(ctx context.Context, q rowQuerier, num int64) (faults []string, err error) {
	for _, d := range []struct{ what, query string }{
		{"tokens of its seats", `SELECT count(*) FROM seats WHERE table_num = ? AND NOT (` + soundSeat + `)`},
		{"invites", `SELECT count(*) FROM invites WHERE table_num = ? AND NOT (` + soundInvite + `)`},
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
