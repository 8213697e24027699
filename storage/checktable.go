package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// tableCheck is the check of one table.
type tableCheck struct {
	*checker
	oid   id.OID
	num   int64
	count int // of its damage
}

// table checks one table: each entry and snapshot, and whether it can be rebuilt from each state
// from which that should be possible.
func (c *checker) table(ctx context.Context, oid id.OID, num int64) {
	t := tableCheck{checker: c, oid: oid, num: num}
	row, _, err := selectTable(ctx, c.tx, oid)
	if err != nil {
		t.lost("what is known of it cannot be read: %v", err)
		return
	}
	length := t.entries(ctx, row.Base)
	t.snapshots(ctx, length)
	t.motions(ctx)
	t.chats(ctx)
	t.saves(ctx)
	t.erasures(ctx)
	t.openItems(ctx)
	t.password(ctx)
	t.supplement(ctx)
	t.checkAccess(ctx)
	t.rebuilds(ctx, &row)
	c.more(t.count, oid)
}

func (t *tableCheck) found(format string, args ...any) {
	t.note(&t.count, Damage{Table: t.oid, What: fmt.Sprintf(format, args...)})
}

// lost records that the table cannot be opened. It is reported however much other damage there is.
func (t *tableCheck) lost(format string, args ...any) {
	t.report.Damage = append(t.report.Damage, Damage{
		Table: t.oid, What: fmt.Sprintf(format, args...), Lost: true,
	})
}

// entries checks the entries behind the base, and returns the position of the last one.
func (t *tableCheck) entries(ctx context.Context, at room.Position) room.Position {
	unsummed, err := unsummedOf(ctx, t.tx, t.num)
	for _, query := range []string{
		`SELECT position, body, sum FROM entries WHERE table_num = ? AND position > ? ORDER BY position`,
		`SELECT position, body, sum FROM recent WHERE table_num = ? AND position > ? ORDER BY seq`,
	} {
		if err != nil {
			break
		}
		err = t.each(ctx, query, []any{t.num, at},
			func(rows *sql.Rows) error {
				var position room.Position
				var body sql.RawBytes
				var sum sql.NullInt64
				if err := rows.Scan(&position, &body, &sum); err != nil {
					return err
				}
				t.report.Entries++
				t.verified(sum)
				switch at++; {
				case position == at+1:
					t.found("entry %d is missing", at)
				case position > at:
					t.found("entries %d to %d are missing", at, position-1)
				}
				at = position
				if !sum.Valid && at > unsummed ||
					!agrees(sum, sumOf(body, t.num, int64(at))) { //nolint:gosec // as above
					t.found("entry %d is not what was written", at)
				}
				return nil
			})
	}
	if err != nil {
		t.found("its entries behind %d cannot be read: %v", at, err)
	}
	return at
}

// snapshots checks the snapshots of a log of the given length.
func (t *tableCheck) snapshots(ctx context.Context, length room.Position) {
	unsummed, err := unsummedOf(ctx, t.tx, t.num)
	if err != nil {
		t.found("its row cannot be read: %v", err)
		return
	}
	err = t.each(ctx,
		`SELECT position, body, logged, sum FROM snapshots WHERE table_num = ? ORDER BY position`,
		[]any{t.num}, func(rows *sql.Rows) error {
			s := snapshot{}
			if err := rows.Scan(&s.at, &s.body, &s.logged, &s.sum); err != nil {
				return err
			}
			t.report.Snapshots++
			t.verified(s.sum)
			if !s.sound(t.num, unsummed) {
				t.found("the snapshot of entry %d is not what was written", s.at)
			}
			return nil
		})
	if err != nil {
		t.found("its snapshots cannot be read: %v", err)
	}
	if least, err := leastLength(ctx, t.tx, t.num); err == nil && length < least {
		t.found("its log ends with entry %d, but it had %d", length, least)
	}
}

// motions checks the recorded motion. Damage to it costs the table nothing else.
func (t *tableCheck) motions(ctx context.Context) {
	err := eachMotion(ctx, t.tx, t.num, 0, func([]byte) error { return nil })
	if err != nil {
		t.found("its recorded motion: %v", err)
	}
}

// chats checks the texts of the chat. Damage to them costs the table nothing else.
func (t *tableCheck) chats(ctx context.Context) {
	err := checkChat(ctx, t.tx, t.num, func(what string) { t.found("%s", what) })
	if err != nil {
		t.found("the texts of its chat cannot be read: %v", err)
	}
}

// saves checks the save points. Damage to them costs the table nothing else.
func (t *tableCheck) saves(ctx context.Context) {
	err := checkSaves(ctx, t.tx, t.num, func(what string) { t.found("%s", what) })
	if err != nil {
		t.found("its save points cannot be read: %v", err)
	}
}

// erasures checks the notes of what is to be erased.
func (t *tableCheck) erasures(ctx context.Context) {
	err := checkErasures(ctx, t.tx, t.num, func(what string) { t.found("%s", what) })
	if err != nil {
		t.found("the notes of what is to be erased cannot be read: %v", err)
	}
}

// openItems checks what is open. Damage to it costs the table nothing else.
func (t *tableCheck) openItems(ctx context.Context) {
	err := checkOpenItems(ctx, t.tx, t.num, func(what string) { t.found("%s", what) })
	if err != nil {
		t.found("its open questions and rounds cannot be read: %v", err)
	}
}

// password checks the password. Damage to it costs the table nothing else.
func (t *tableCheck) password(ctx context.Context) {
	hash, err := passwordOf(ctx, t.tx, t.num)
	switch {
	case err != nil:
		t.found("its password cannot be read: %v", err)
	case hash == room.LostPassword:
		t.found("its password is not what was written: nobody new gets in until a host sets another")
	}
}

// supplement checks which rules and languages the game has. Damage to it costs the table nothing
// else.
func (t *tableCheck) supplement(ctx context.Context) {
	switch _, sound, err := supplementOf(ctx, t.tx, t.num); {
	case err != nil:
		t.found("which rules its game has cannot be read: %v", err)
	case !sound:
		t.found("which rules its game has is not what was written")
	}
}

// checkAccess checks the tokens of seats, and the invites.
func (t *tableCheck) checkAccess(ctx context.Context) {
	for _, d := range []struct{ all, one, query string }{
		{"tokens of its seats", "token of seat",
			`SELECT seat, ` + soundSeat + ` FROM seats WHERE table_num = ? ORDER BY token`},
		{"invites", "invite of role",
			`SELECT role, ` + soundInvite + ` FROM invites WHERE table_num = ? ORDER BY token`},
	} {
		err := t.each(ctx, d.query, []any{t.num}, func(rows *sql.Rows) error {
			var number int64
			var sound bool
			if err := rows.Scan(&number, &sound); err != nil {
				return err
			}
			if !sound {
				t.found(
					"the %s %d is not what was written: who has it cannot come in until a host makes a new one",
					d.one, number)
			}
			return nil
		})
		if err != nil {
			t.found("the %s cannot be read: %v", d.all, err)
		}
	}
}

// rebuilds opens the table as a server would, and then from each older state.
func (t *tableCheck) rebuilds(ctx context.Context, row *room.TableRow) {
	b := room.Blob{Hash: row.Catalog}
	err := t.tx.QueryRowContext(ctx, `SELECT type, data FROM blobs WHERE hash = ?`, row.Catalog[:]).
		Scan(&b.Type, &b.Data)
	if err == nil {
		err = checkBlob(b)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = errors.New("it is missing")
	}
	if err != nil {
		t.lost("it cannot be opened, because of its catalogue: %v", err)
		return
	}
	opens, first := false, error(nil)
	for below := room.Position(0); ; {
		l, err := t.self.load(ctx, t.tx, t.oid, below)
		if err == nil && t.replay != nil {
			err = t.replayed(&l, b.Data)
		}
		switch {
		case err == nil:
			opens = true
		case first == nil:
			first = err
		}
		if err != nil && !isDamage(err) { // the check of the entries has reported damaged ones
			t.found("it cannot be rebuilt from entry %d on: %v", l.At, err)
		}
		if below = l.At; below <= row.Base {
			break
		}
	}
	if !opens {
		t.lost("it cannot be opened: %v", first)
	}
}

// replayed replays a table and checks how many entries it has then.
func (t *tableCheck) replayed(l *room.Loaded, catalog []byte) error {
	length, err := t.replay(l, catalog)
	if want := l.At + room.Position(len(l.Entries)); err == nil && length != want {
		err = fmt.Errorf("it has %d entries, and %d when they are replayed", want, length)
	}
	return err
}
