package packet

// pool keeps the memory of small messages that had to wait.
type pool struct {
	free [][]byte
}

// Bounds of what is kept.
const (
	pooled     = 64  // pieces of memory
	pooledSize = 512 // bytes of each
)

// copy returns a copy of data.
func (p *pool) copy(data []byte) []byte {
	if n := len(p.free); n > 0 && len(data) <= pooledSize {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return append(b, data...)
	}
	return append(make([]byte, 0, max(len(data), 64)), data...)
}

// put keeps the memory of a copy that is not used any more.
func (p *pool) put(data []byte) {
	if cap(data) <= pooledSize && len(p.free) < pooled {
		p.free = append(p.free, data[:0])
	}
}
