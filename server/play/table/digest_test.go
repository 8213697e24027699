package table

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// digestOfBytes returns the digest of an update by its definition: FNV-1a over its fields as bytes.
func digestOfBytes(u *Update) uint64 {
	var b []byte
	pair := func(high, low uint32) {
		b = binary.LittleEndian.AppendUint32(b, low)
		b = binary.LittleEndian.AppendUint32(b, high)
	}
	pair(uint32(u.Op), uint32(u.Has))
	pair(uint32(u.Piece), u.Kind)
	b = binary.LittleEndian.AppendUint64(b, uint64(u.Tag))
	pair(uint32(u.X), uint32(u.Y))
	pair(uint32(u.Angle), uint32(u.Face))
	b = append(b, u.Z...)
	for _, p := range u.Pieces {
		pair(0, uint32(p))
	}
	if u.Has&(HasSide|HasMs|HasIncrement) != 0 {
		pair(0, uint32(u.Side))
		pair(uint32(u.Ms), uint32(u.Increment))
	}
	if u.Has >= HasN {
		pair(uint32(u.N), uint32(u.At))
		pair(uint32(u.Into), uint32(u.Seat))
		b = append(b, u.Text...)
	}
	if u.Has&HasSet != 0 {
		b = append(b, u.Set[:]...)
	}
	if u.Has&HasLine != 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(u.Line))
	}
	h := fnv.New64a()
	_, _ = h.Write(b)
	return h.Sum64()
}

// TestDigests shows that digests are what their definition says: logs that exist have them.
func TestDigests(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	// number returns numbers of all lengths, negative ones too.
	number := func() int32 { return int32(rnd.Uint32()) >> rnd.IntN(32) }
	for range 10_000 {
		u := Update{
			Op: Op(rnd.IntN(60)), Has: Fields(rnd.Uint32()) >> rnd.IntN(32), Piece: id.Piece(number()),
			Kind: uint32(number()), Tag: id.Version(rnd.Uint64() >> rnd.IntN(64)),
			X: number(), Y: number(), Angle: number(), Face: number(), N: number(), At: number(),
			Into: id.Piece(number()), Seat: id.Seat(rnd.IntN(300)), Text: "text"[:rnd.IntN(5)],
			Z: zlevel.Level("0.951"[:rnd.IntN(6)]), Ms: number(), Increment: number(),
			Line:   id.ChatLine(rnd.Uint64() >> rnd.IntN(64)),
			Pieces: []id.Piece{id.Piece(number()), 0, id.Piece(number())}[:rnd.IntN(4)],
		}
		if got, want := u.digest(), digestOfBytes(&u); got != want {
			t.Fatalf("the digest of %+v is %x, want %x", u, got, want)
		}
	}
}
