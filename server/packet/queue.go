package packet

// queue is a queue of units. The zero queue is empty.
type queue struct {
	units []unit
	head  int
}

func (q *queue) len() int       { return len(q.units) - q.head }
func (q *queue) front() unit    { return q.units[q.head] }
func (q *queue) replace(u unit) { q.units[q.head] = u }

func (q *queue) push(u unit) {
	if len(q.units) == cap(q.units) && q.head > len(q.units)/2 {
		q.units, q.head = q.units[:copy(q.units, q.units[q.head:])], 0
	}
	q.units = append(q.units, u)
}

func (q *queue) unshift(u unit) {
	if q.head == 0 {
		q.units = append(q.units, unit{})
		copy(q.units[1:], q.units)
		q.head = 1
	}
	q.head--
	q.units[q.head] = u
}

func (q *queue) pop() {
	if q.head++; q.head == len(q.units) {
		q.units, q.head = q.units[:0], 0
	}
}
