package crdt

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
)

var schedules = flag.Int("schedules", 10_000, "random schedules of replicas that part and sync")

// network is replicas with the operations in flight to each of them. Those arrive in any order,
// twice, or never.
type network struct {
	r        *rand.Rand
	replicas []*Replica
	flying   [][]flight // by receiver
	island   []int      // of each replica; operations travel only within an island
	written  []Op
	lost     int
	doubled  int
}

type flight struct {
	op   Op
	from int
}

// hashOf computes the hash of an operation from the rule, with the generated code as the encoder.
func hashOf(op Op) uint64 {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(generated(op))
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(b)
	return binary.BigEndian.Uint64(hash[:8])
}

func newNetwork(seed uint64, replicas int) *network {
	n := &network{
		r: rand.New(rand.NewPCG(seed, 20)), flying: make([][]flight, replicas),
		island: make([]int, replicas),
	}
	for range replicas {
		n.replicas = append(n.replicas, of())
	}
	return n
}

// run makes steps: a replica writes, an operation arrives, or the islands change.
func (n *network) run(steps int) {
	for range steps {
		switch k := n.r.IntN(40); {
		case k == 0:
			for i, islands := 0, 1+n.r.IntN(4); i < len(n.island); i++ {
				n.island[i] = n.r.IntN(islands)
			}
		case k < 8:
			n.write(n.r.IntN(len(n.replicas)))
		default:
			n.arrive(n.r.IntN(len(n.replicas)))
		}
	}
}

// write makes a local write of a replica and sends it to all others.
func (n *network) write(i int) {
	op := n.replicas[i].wish(randomOp(n.r.IntN))
	if op.Kind == 0 {
		return
	}
	n.written = append(n.written, op)
	for to := range n.replicas {
		if to != i {
			n.send(i, to, op)
		}
	}
}

// send loses 30 % and doubles 30 % of the operations. It loses all between islands.
func (n *network) send(from, to int, op Op) {
	copies := 1
	switch k := n.r.IntN(10); {
	case k < 3 || n.island[from] != n.island[to]:
		copies = 0
		n.lost++
	case k < 6:
		copies = 2
		n.doubled++
	}
	for range copies {
		n.flying[to] = append(n.flying[to], flight{op, from})
	}
}

// arrive delivers one of the operations in flight, and sends the correction back.
func (n *network) arrive(to int) {
	flying := n.flying[to]
	if len(flying) == 0 {
		return
	}
	i := n.r.IntN(len(flying))
	f := flying[i]
	n.flying[to] = slices.Delete(flying, i, i+1)
	if result := n.replicas[to].Merge(f.op); result.Correction.Kind != 0 {
		n.send(to, f.from, result.Correction)
	}
}

// pairs returns who meets whom in a round: everybody meets the last one, or each meets its
// neighbour in a row.
func (n *network) pairs() (pairs [][2]int) {
	last, star := len(n.replicas)-1, n.r.IntN(2) == 0
	for i := range last {
		if star {
			pairs = append(pairs, [2]int{i, last})
		} else {
			pairs = append(pairs, [2]int{i, i + 1})
		}
	}
	if !star {
		pairs = append(pairs, [2]int{last, 0})
	}
	return pairs
}

// receive merges a message and returns the answer to its digest (C20), nil if there is none.
func receive(r *Replica, message []byte) ([]byte, error) {
	m, err := Decode(message)
	if err != nil {
		return nil, err
	}
	for op := range m.Ops() {
		r.Merge(op)
	}
	if m.Digest == nil {
		return nil, nil
	}
	var answer []byte
	for op := range r.Differing(m.Digest) {
		answer = AppendOp(answer, &op)
	}
	if m.Asks {
		d := r.Digest()
		answer = AppendDigest(answer, &d, false)
	}
	return answer, nil
}

// meet compares the digests of two replicas: both answer once. It returns the number of bytes sent.
func meet(one, other *Replica) (size int, err error) {
	digest := one.Digest()
	message := AppendDigest(nil, &digest, true)
	for _, r := range []*Replica{other, one, other} {
		size += len(message)
		if message, err = receive(r, message); err != nil {
			return 0, err
		}
	}
	if message != nil {
		return 0, fmt.Errorf("%d bytes in answer to the second answer", len(message))
	}
	return size, nil
}

// TestC20ReplicasThatHavePartedAgree shows that twenty replicas which missed messages of each other
// agree after two rounds of digests (C20).
// Clauses: C20.9
func TestC20ReplicasThatHavePartedAgree(t *testing.T) {
	n := *schedules
	if testing.Short() {
		n = min(n, 200)
	}
	const shards = 4
	for shard := range shards {
		t.Run(fmt.Sprintf("C20 seeds %d modulo %d", shard, shards), func(t *testing.T) {
			t.Parallel()
			var all tally
			for seed := shard; seed < n; seed += shards {
				all.meeting(t, uint64(seed))
			}
			t.Logf("%+v", all)
			if all.parted < all.schedules*9/10 || all.lost < all.written ||
				all.doubled < all.written {
				t.Error("the schedules do not show what they should")
			}
		})
	}
}

// tally counts what random schedules have shown.
type tally struct{ schedules, written, lost, doubled, parted int }

// meeting plays a schedule in which replicas part, and meet in two rounds.
func (all *tally) meeting(t *testing.T, seed uint64) {
	t.Helper()
	const replicas, steps, rounds = 20, 400, 2
	n := newNetwork(seed, replicas)
	n.run(steps)
	all.schedules++
	all.written, all.lost, all.doubled = all.written+len(n.written), all.lost+n.lost,
		all.doubled+n.doubled
	if !n.agree() {
		all.parted++
	}
	// The network is healed. Operations still in flight may arrive at any time, or never; here none
	// does.
	pairs := n.pairs()
	for range rounds {
		for _, pair := range pairs {
			if _, err := meet(n.replicas[pair[0]], n.replicas[pair[1]]); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if !n.agree() {
		t.Fatalf("C20 seed %d: digests differ after %d rounds", seed, rounds)
	}
	want := expected(n.written)
	for i, r := range n.replicas {
		// Replicas with equal digests are equal. All are compared in some schedules.
		if seed%100 != 0 && i != int(seed)%replicas {
			continue
		}
		if got := state(r); !slices.Equal(got, want) {
			t.Fatalf("C4 seed %d, replica %d\n got %q\nwant %q", seed, i, got, want)
		}
	}
}

// agree reports whether all replicas have the same digest.
func (n *network) agree() bool {
	want := n.replicas[0].Digest()
	for _, r := range n.replicas[1:] {
		if r.Digest() != want {
			return false
		}
	}
	return true
}

// TestC20Digests shows how a digest is computed and encoded, and what an exchange of digests costs
// (C20).
func TestC20Digests(t *testing.T) {
	t.Run("C20.1, C20.2, C20.3, C20.4 the sums of a digest", func(t *testing.T) {
		ops := []Op{
			put(7, 3, "a"), del(8, 4), app(7+37-37*10+256*3, 5, "b"), deleteEntity(aPiece),
			deleteEntity(aPiece + 256),
		}
		got := of(ops...).Digest()
		var want Digest
		for i, b := range []int{7 + 37, 8 + 37, 7 + 37, 5, 5} {
			want[b] ^= hashOf(ops[i])
		}
		if got != want {
			t.Errorf("got %x\nwant %x", got, want)
		}
	})
	t.Run("C20.5 the hash has the data of puts and appends, even if it is empty", func(t *testing.T) {
		for _, op := range []Op{put(7, 3, ""), app(7, 3, "")} {
			kind, component := byte(op.Kind), byte(op.Component)
			hash := sha256.Sum256([]byte{0x08, kind, 0x10, 7, 0x18, component, 0x20, 3, 0x2a, 0})
			sums := of(op).Digest()
			got, want := sums[(7+37*int(component))%Buckets], binary.BigEndian.Uint64(hash[:])
			if got != want {
				t.Errorf("of %+v it is %x, want %x", op, got, want)
			}
		}
		op := del(7, 3)
		hash := sha256.Sum256([]byte{0x08, byte(op.Kind), 0x10, 7, 0x18, 1, 0x20, 3})
		if got := of(op).Digest(); got[7+37] != binary.BigEndian.Uint64(hash[:]) {
			t.Errorf("a delete has no data, and its sum is %x", got[7+37])
		}
	})
	t.Run("C20 with nothing all sums are 0", func(t *testing.T) {
		if got := of().Digest(); got != (Digest{}) {
			t.Errorf("got %x", got)
		}
	})
	t.Run("C20 two equal replicas exchange only digests", func(t *testing.T) {
		one, other := of(put(7, 3, "a"), deleteEntity(aPiece)), of(deleteEntity(aPiece), put(7, 3, "a"))
		size, err := meet(one, other)
		if want := 2*(DigestSize+6) + 2; err != nil || size != want {
			t.Errorf("%d bytes, %v; want %d", size, err, want)
		}
	})
	t.Run("C20.6 one different key of a thousand costs the keys of its bucket", func(t *testing.T) {
		one, other := of(), of()
		for e := range Entity(1000) {
			one.Merge(put(FirstNamed+e, 1, "a"))
			other.Merge(put(FirstNamed+e, 1, "a"))
		}
		other.Merge(put(FirstNamed+5, 2, "b"))
		d := one.Digest()
		// 1000/256, for entities in a row
		if got := len(slices.Collect(other.Differing(&d))); got != 4 {
			t.Errorf("%d operations", got)
		}
	})
	t.Run("C20.11 the bytes of a digest", func(t *testing.T) {
		d := Digest{1: 0x0102030405060708, 255: 9}
		b := d.Bytes()
		var again Digest
		if err := again.set(b); err != nil || again != d || len(b) != DigestSize || b[8] != 1 ||
			b[15] != 8 || b[DigestSize-1] != 9 {
			t.Errorf("%v, %x", err, b)
		}
	})
}
