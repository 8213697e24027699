package behaviour

import (
	"cmp"
	"crypto/sha256"
	"math/rand/v2"
	"slices"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// pageBytes is about how many bytes of parts one answer has: less than an answer may have (O14).
const pageBytes = 48 << 10

// setClass is the Behaviour of sets.
type setClass struct{ self id.HostID }

// Invoke carries a method out.
func (k setClass) Invoke(i object.Invocation) object.Result {
	s, err := ReadSet(i.Content)
	if err == nil && i.Method == Look && i.Caller == k.self {
		first := slices.Clone(s.Parts[:1])
		first[0].Text = ""
		return object.Result{Answer: append(
			s.On[:],
			(&Answer{Shuffles: s.Shuffles, Kinds: s.Hashes(), Parts: first}).Append(nil)...,
		)}
	}
	if err == nil && i.Method == Recall && i.Caller == k.self {
		s.On = id.OID{}
		return object.Result{Changed: true, Content: s.Append(nil), Refs: i.Refs}
	}
	if err == nil && i.Method == Adopt && i.Caller == k.self {
		return s.adopt(&i)
	}
	if err == nil && i.Method == Tie && i.Caller == i.OID.Creator() {
		return tie(&i)
	}
	a, errAsk := readArguments(i.Args)
	// Only the host of a table speaks for it.
	if err != nil || errAsk != nil || a.Table.Creator() != i.Caller {
		return refuse(table.ReasonNotAllowed)
	}
	c := calling{Invocation: &i, set: s, ask: a}
	if i.Method == Hold {
		return c.hold()
	}
	if s.On != a.Table {
		if i.Method == Return {
			// The table wants not to have the set, and it does not have it.
			return object.Result{}
		}
		return refuse(table.ReasonNotAllowed)
	}
	switch i.Method {
	case More:
		return c.page(int(a.N))
	case Reveal:
		return c.reveal()
	case Shuffle:
		return c.carryOutOnce(c.shuffle)
	case Roll:
		return c.carryOutOnce(c.roll)
	case Count:
		return c.carryOutOnce(c.count)
	case Write:
		return c.carryOutOnce(c.write)
	case SetTexts:
		return c.mend()
	case Return:
		return c.back()
	default:
		return refuse(table.ReasonNotAllowed)
	}
}

// calling is a call of a set.
type calling struct {
	*object.Invocation
	set *SetContent
	ask *Arguments
}

// change adds to a result that the set has changed.
func (c *calling) change(r object.Result) object.Result {
	r.Changed, r.Content, r.Refs = true, c.content(), c.Refs
	return r
}

// content returns the content of the set as it is now. That is about as long as before.
func (c *calling) content() []byte { return c.set.Append(make([]byte, 0, len(c.Content)+64)) }

// hold gives the set to a table. It refuses if another table has the set.
func (c *calling) hold() object.Result {
	if !c.set.On.IsZero() && c.set.On != c.ask.Table {
		return refuse(table.ReasonNotAllowed)
	}
	r := c.page(0)
	if c.set.On != c.ask.Table {
		c.set.On, c.set.answers = c.ask.Table, nil
		r = c.change(r)
	}
	return r
}

// page answers with the parts from an index on, as many as fit. Each secret part has the kind of
// its mask, so the answer does not show what it is.
func (c *calling) page(from int) object.Result {
	if from < 0 || from >= len(c.set.Parts) {
		return refuse(table.ReasonNotAllowed)
	}
	said, size := &Answer{Shuffles: c.set.Shuffles, Kinds: c.set.Hashes()}, 0
	for i, p := range c.set.Parts[from:] {
		if size += 32 + len(p.Text); size > pageBytes {
			said.Next = from + i
			break
		}
		if k := &c.set.Kinds[p.Kind]; k.Secret {
			p.Kind, p.Secret = k.Mask, true
		}
		said.Parts = append(said.Parts, p)
	}
	return object.Result{Answer: said.Append(nil)}
}

func (c *calling) part(n uint32) *Part {
	for i := range c.set.Parts {
		if c.set.Parts[i].Number == n {
			return &c.set.Parts[i]
		}
	}
	return nil
}

// reveal answers what parts are. It returns as many of those in the request as fit, in the same
// order.
func (c *calling) reveal() object.Result {
	said, size := &Answer{Shuffles: c.set.Shuffles}, 0
	places := map[int]int{}
	for _, n := range c.ask.Parts {
		p := c.part(n)
		if p == nil {
			return refuse(table.ReasonNotAllowed)
		}
		if size += 32 + len(p.Text); size > pageBytes {
			break
		}
		k := &c.set.Kinds[p.Kind]
		at, ok := places[p.Kind]
		if !ok {
			at = len(said.Kinds)
			places[p.Kind] = at
			said.Kinds = append(said.Kinds, k.Hash)
		}
		is := *p
		is.Kind, is.Secret = at, k.Secret
		said.Parts = append(said.Parts, is)
	}
	return object.Result{Answer: said.Append(nil)}
}

// carryOutOnce carries a request out once, and gives the same answer when it comes again.
func (c *calling) carryOutOnce(do func() (int64, table.Reason)) object.Result {
	for i := range c.set.answers {
		if a := &c.set.answers[i]; a.client == c.ask.Client && a.seq == c.ask.Seq {
			return c.answered(a)
		}
	}
	a := answer{client: c.ask.Client, seq: c.ask.Seq}
	if a.number, a.why = do(); a.why != 0 {
		return refuse(a.why) // nothing has changed: it may be tried again
	}
	if len(c.set.answers) >= answersKept {
		c.set.answers = slices.Delete(c.set.answers, 0, len(c.set.answers)-answersKept+1)
	}
	c.set.answers = append(c.set.answers, a)
	return c.change(c.answered(&a))
}

func (c *calling) answered(a *answer) object.Result {
	return object.Result{Answer: (&Answer{Shuffles: c.set.Shuffles, Number: a.number}).Append(nil)}
}

// source returns a source of random numbers that depend on the random bytes of both the table's
// host and the owner. A host that knows only its own bytes cannot foresee the numbers.
func (c *calling) source() *rand.Rand {
	seed := sha256.Sum256(append(c.Random[:], c.ask.Random[:]...))
	return rand.New(rand.NewChaCha8(seed)) //nolint:gosec // the seed is random
}

// shuffle permutes the kinds of parts among those with the same mask.
func (c *calling) shuffle() (int64, table.Reason) {
	// The order in which the parts are named must not matter.
	numbers := slices.Clone(c.ask.Parts)
	slices.Sort(numbers)
	byMask := make([][]*Part, len(c.set.Kinds))
	for _, n := range slices.Compact(numbers) {
		p := c.part(n)
		if p == nil {
			return 0, table.ReasonNotAllowed
		}
		if k := &c.set.Kinds[p.Kind]; k.Secret {
			byMask[k.Mask] = append(byMask[k.Mask], p)
		}
	}
	source := c.source()
	for _, of := range byMask {
		kinds := make([]int, len(of))
		for i, p := range of {
			kinds[i] = p.Kind
		}
		// The kinds of the parts before the shuffle must not matter. Otherwise a host that could
		// foresee the random numbers could choose the result.
		slices.SortFunc(kinds, cmp.Compare[int])
		source.Shuffle(len(of), func(a, b int) { kinds[a], kinds[b] = kinds[b], kinds[a] })
		for i, p := range of {
			p.Kind = kinds[i]
		}
	}
	c.set.Shuffles++
	return 0, 0
}

// one returns the only part that the call names, and its kind. It returns nil if the call does not
// name exactly one part of the set.
func (c *calling) one() (*Part, *Kind) {
	if len(c.ask.Parts) != 1 {
		return nil, nil
	}
	p := c.part(c.ask.Parts[0])
	if p == nil {
		return nil, nil
	}
	return p, &c.set.Kinds[p.Kind]
}

func (c *calling) roll() (int64, table.Reason) {
	p, k := c.one()
	if p == nil || k.Faces == 0 {
		return 0, table.ReasonNotAllowed
	}
	p.Face = int32(c.source().IntN(k.Faces)) //nolint:gosec // a face
	return int64(p.Face), 0
}

func (c *calling) count() (int64, table.Reason) {
	p, k := c.one()
	if p == nil || !k.Counts {
		return 0, table.ReasonNotAllowed
	}
	v := int64(p.Value) + int64(c.ask.N)
	if v < int64(k.Min) || v > int64(k.Max) {
		return 0, table.ReasonRange
	}
	p.Value = int32(v) //nolint:gosec // within its bounds
	return v, 0
}

func (c *calling) write() (int64, table.Reason) {
	p, k := c.one()
	if p == nil || !k.Written || !table.Plain(c.ask.Text) {
		return 0, table.ReasonNotAllowed
	}
	p.Text = c.ask.Text
	return 0, 0
}

// mend takes over the texts of parts as they are on the table.
func (c *calling) mend() object.Result {
	for i := range c.ask.Now {
		now := &c.ask.Now[i]
		p := c.part(now.Number)
		if p == nil || !table.Plain(now.Text) {
			return refuse(table.ReasonNotAllowed)
		}
		if c.set.Kinds[p.Kind].Written {
			p.Text = now.Text
		}
	}
	return c.change(object.Result{Answer: (&Answer{}).Append(nil)})
}

// back takes the set from the table, and takes over the order in which its parts lie now. If the
// table does not name each part of the set, its order is ignored.
func (c *calling) back() object.Result {
	c.set.On = id.OID{}
	var now []Part
	seen := map[uint32]bool{}
	for _, p := range c.ask.Now {
		if was := c.part(p.Number); was != nil && !seen[p.Number] {
			seen[p.Number] = true
			is := *was
			is.Face, is.Value = p.Face, p.Value
			if k := &c.set.Kinds[is.Kind]; k.Counts {
				is.Value = was.Value // the set's own value counts
			}
			now = append(now, is)
		}
	}
	if len(now) == len(c.set.Parts) {
		c.set.Parts = now
	}
	return c.change(object.Result{Answer: (&Answer{}).Append(nil)})
}
