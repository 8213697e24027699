// Package heap is a priority queue.
package heap

// Heap is a binary heap: its first element comes before all others.
type Heap[T interface{ Before(T) bool }] []T

// Push adds an element.
func (h *Heap[T]) Push(x T) {
	q := append(*h, x)
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if !q[i].Before(q[parent]) {
			break
		}
		q[i], q[parent] = q[parent], q[i]
		i = parent
	}
	*h = q
}

// Pop removes the first element and returns it. The heap must not be empty.
func (h *Heap[T]) Pop() T {
	q := *h
	first, last := q[0], len(q)-1
	var none T
	q[0], q[last] = q[last], none
	q = q[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && q[child+1].Before(q[child]) {
			child++
		}
		if !q[child].Before(q[i]) {
			break
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
	*h = q
	return first
}
