package main

// coverage computes when messages have arrived on a stream of bytes that comes in pieces, in any
// order and more than once.
type coverage struct {
	ends []int  // where each message ends
	of   []int  // the number of each message
	left []int  // how many of its bytes have not come
	seen []bool // which bytes have come
}

// add adds message n at the end of the stream. It has size bytes in all.
func (c *coverage) add(n, size int) {
	c.ends = append(c.ends, len(c.seen)+size)
	c.of = append(c.of, n)
	c.left = append(c.left, size)
	c.seen = append(c.seen, make([]bool, size)...)
}

// came records bytes that have come, and calls whole with each message that they complete. It
// ignores bytes of messages that were never added.
func (c *coverage) came(offset, size int, whole func(n int)) {
	i := 0
	for at := max(offset, 0); at < min(offset+size, len(c.seen)); at++ {
		if c.seen[at] {
			continue
		}
		c.seen[at] = true
		for i < len(c.ends) && c.ends[i] <= at {
			i++
		}
		if c.left[i]--; c.left[i] == 0 {
			whole(c.of[i])
		}
	}
}
