package web

import (
	"container/list"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"holt/server/id"
	"holt/server/tables/room"
)

// Rate allows Burst at once and PerSecond in the long run.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Limits are the rates beyond which requests are answered by 429. A Rate of zero means its default.
// Addresses are counted as one customer each (IPv6 by /64): a household behind one address shares a
// rate.
type Limits struct {
	Tables      Rate // tables created, for each address
	Daily       Rate // the same, in the long run
	Seats       Rate // seats taken, for each address
	TableSeats  Rate // seats taken at one table, for each address
	Failures    Rate // wrong tokens and invites, for each address
	Streams     Rate // streams opened, for each seat
	Updates     Rate // updates, for each seat
	Exports     Rate // exports of rounds, for each seat
	Servers     Rate // connections of other servers, for each address
	Bags        Rate // requests about a bag, for each seat
	Passwords   Rate // wrong passwords of one table, for each address
	TablePasses Rate // wrong passwords of one table, for all addresses together
	Links       Rate // links for seats, for each seat
	SeatLookups Rate // seats that the front page looks up, for each address
	Uploads     Rate // games brought, or fetched as files, for each address
	Kinds       Rate // requests that add kinds to a table, for each seat
}

// defaultLimits do not affect a party behind one address, its bots, or many clients that reconnect
// at once.
var defaultLimits = Limits{
	Tables:      Rate{PerSecond: 0.2, Burst: 30},
	Daily:       Rate{PerSecond: 200. / (24 * 60 * 60), Burst: 200},
	Seats:       Rate{PerSecond: 2, Burst: 300},
	TableSeats:  Rate{PerSecond: 1.0 / 60, Burst: 64}, // a school class, and a few more
	Failures:    Rate{PerSecond: 1, Burst: 60},
	Streams:     Rate{PerSecond: 2, Burst: 60},
	Updates:     Rate{PerSecond: 2000, Burst: 4096},
	Exports:     Rate{PerSecond: 0.5, Burst: 30},
	Servers:     Rate{PerSecond: 2, Burst: 60},
	Bags:        Rate{PerSecond: 2, Burst: 60},
	Passwords:   Rate{PerSecond: 0.1, Burst: 6},
	TablePasses: Rate{PerSecond: 1, Burst: 60},
	Links:       Rate{PerSecond: 1.0 / 60, Burst: 20},
	SeatLookups: Rate{PerSecond: 60, Burst: 1200},
	Uploads:     Rate{PerSecond: 1.0 / 30, Burst: 40},
	Kinds:       Rate{PerSecond: 0.5, Burst: 100},
}

// LimitsTimes returns the default limits. Those that are counted by address are n times as wide:
// for a party, a school or a bench that the server sees under one address. n is at least 1.
func LimitsTimes(n int) Limits {
	l := defaultLimits
	for _, r := range []*Rate{
		&l.Tables, &l.Daily, &l.Seats, &l.TableSeats, &l.Failures, &l.Servers, &l.SeatLookups,
		&l.Passwords, &l.Uploads,
	} {
		r.PerSecond *= float64(n)
		r.Burst *= n
	}
	return l
}

// remembered is how many addresses or seats a limiter knows at once. It forgets the one that was
// used longest ago. One takes some 200 bytes.
const remembered = 10_000

// seatKey counts by seat.
type seatKey struct {
	table id.OID
	seat  id.Seat
}

// tableSeatKey counts by address and table.
type tableSeatKey struct {
	address netip.Addr
	table   id.OID
}

func keyOf(s room.Session) seatKey { return seatKey{s.Table, s.Seat} }

type limiters struct {
	tables, daily        *limiter[netip.Addr]
	seats, failures      *limiter[netip.Addr]
	streams, updates     *limiter[seatKey]
	exports, kinds       *limiter[seatKey]
	servers, seatLookups *limiter[netip.Addr]
	uploads              *limiter[netip.Addr]
	bags, links          *limiter[seatKey]
	tableSeats           *limiter[tableSeatKey]
	passwords            *limiter[tableSeatKey]
	tablePasses          *limiter[id.OID]
}

func newLimiters(l Limits) *limiters {
	or := func(r, other Rate) Rate {
		if r == (Rate{}) {
			return other
		}
		return r
	}
	return &limiters{
		tables:      newLimiter[netip.Addr](or(l.Tables, defaultLimits.Tables)),
		daily:       newLimiter[netip.Addr](or(l.Daily, defaultLimits.Daily)),
		seats:       newLimiter[netip.Addr](or(l.Seats, defaultLimits.Seats)),
		tableSeats:  newLimiter[tableSeatKey](or(l.TableSeats, defaultLimits.TableSeats)),
		failures:    newLimiter[netip.Addr](or(l.Failures, defaultLimits.Failures)),
		streams:     newLimiter[seatKey](or(l.Streams, defaultLimits.Streams)),
		updates:     newLimiter[seatKey](or(l.Updates, defaultLimits.Updates)),
		uploads:     newLimiter[netip.Addr](or(l.Uploads, defaultLimits.Uploads)),
		kinds:       newLimiter[seatKey](or(l.Kinds, defaultLimits.Kinds)),
		exports:     newLimiter[seatKey](or(l.Exports, defaultLimits.Exports)),
		servers:     newLimiter[netip.Addr](or(l.Servers, defaultLimits.Servers)),
		bags:        newLimiter[seatKey](or(l.Bags, defaultLimits.Bags)),
		passwords:   newLimiter[tableSeatKey](or(l.Passwords, defaultLimits.Passwords)),
		tablePasses: newLimiter[id.OID](or(l.TablePasses, defaultLimits.TablePasses)),
		links:       newLimiter[seatKey](or(l.Links, defaultLimits.Links)),
		seatLookups: newLimiter[netip.Addr](or(l.SeatLookups, defaultLimits.SeatLookups)),
	}
}

// limiter counts one rate for each key, for the keys that were used last. It is safe for concurrent
// use.
type limiter[K comparable] struct {
	// Set at construction.
	rate Rate

	mu sync.Mutex
	// Guarded by mu.
	byKey map[K]*list.Element
	order *list.List // of *counted[K], the one used last in front
}

type counted[K comparable] struct {
	key    K
	bucket *rate.Limiter
}

func newLimiter[K comparable](r Rate) *limiter[K] {
	return &limiter[K]{rate: r, byKey: map[K]*list.Element{}, order: list.New()}
}

// bucket returns the bucket of key. If the key is new it may forget another one.
func (l *limiter[K]) bucket(key K) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.byKey[key]; ok {
		l.order.MoveToFront(e)
		c, _ := e.Value.(*counted[K]) // only these are in the list
		return c.bucket
	}
	if l.order.Len() >= remembered {
		last, _ := l.order.Remove(l.order.Back()).(*counted[K])
		delete(l.byKey, last.key)
	}
	c := &counted[K]{key: key, bucket: rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)}
	l.byKey[key] = l.order.PushFront(c)
	return c.bucket
}

// take counts n for key. If that is too much, it counts nothing and returns an error that says when
// to retry.
func (l *limiter[K]) take(key K, n int) error {
	if n <= 0 {
		return nil
	}
	now := time.Now()
	r := l.bucket(key).ReserveN(now, min(n, l.rate.Burst))
	wait := r.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	r.CancelAt(now)
	return tooFast(wait)
}

// give takes back what was counted for key.
func (l *limiter[K]) give(key K, n int) { l.bucket(key).AllowN(time.Now(), -n) }

// takePassword counts a try of the password of a table. right takes that back.
func (l *limiters) takePassword(address netip.Addr, table id.OID) (right func(), err error) {
	key := tableSeatKey{address, table}
	if err := l.passwords.take(key, 1); err != nil {
		return nil, err
	}
	if err := l.tablePasses.take(table, 1); err != nil {
		l.passwords.give(key, 1)
		return nil, err
	}
	return func() {
		l.passwords.give(key, 1)
		l.tablePasses.give(table, 1)
	}, nil
}

// takeTables counts n tables for an address.
func (l *limiters) takeTables(address netip.Addr, n int) error {
	if err := l.tables.take(address, n); err != nil {
		return err
	}
	return l.daily.take(address, n)
}

// charge counts n for key in any case, and returns how long to wait for it.
func (l *limiter[K]) charge(key K, n int) time.Duration {
	now := time.Now()
	var wait time.Duration
	for b := l.bucket(key); n > 0; n -= l.rate.Burst {
		wait = b.ReserveN(now, min(n, l.rate.Burst)).DelayFrom(now)
	}
	return wait
}

func tooFast(wait time.Duration) error {
	return &problem{
		Code: "too-fast", Detail: "more requests than the server takes from one side",
		After: max(wait, time.Second),
	}
}
