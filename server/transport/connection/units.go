package connection

// unit is a guaranteed message in a packet, or the part of one in the bytes [from, to).
type unit struct {
	number   uint64
	from, to uint32
}

func (u unit) before(v unit) bool {
	return u.number < v.number || u.number == v.number && u.from < v.from
}

// units is a binary heap with the lowest message first.
type units []unit

func (h *units) push(u unit) {
	q := append(*h, u)
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if !q[i].before(q[parent]) {
			break
		}
		q[i], q[parent] = q[parent], q[i]
		i = parent
	}
	*h = q
}

func (h *units) pop() {
	q := *h
	last := len(q) - 1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(q[i]) {
			break
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
	*h = q
}
