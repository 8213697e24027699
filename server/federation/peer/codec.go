package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrFormat is wrapped by the errors of all readers of this package for bytes that are malformed.
var ErrFormat = errors.New("not in the form of links")

var (
	errShort = fmt.Errorf("%w: it ends in the middle", ErrFormat)
	errRest  = fmt.Errorf("%w: something stands behind its end", ErrFormat)
	errField = fmt.Errorf("%w: a field is longer than it may be", ErrFormat)
	errKind  = fmt.Errorf("%w: of no kind that is known here", ErrFormat)
	errValue = fmt.Errorf("%w: a field has a value that it cannot have", ErrFormat)
)

// parser reads fields off the front of bytes. After the first error all fields are zero, and end
// returns the error. Numbers are big-endian. What it returns lies in the bytes that it reads.
type parser struct {
	b   []byte
	err error
}

func (p *parser) take(n int) []byte {
	if p.err == nil && len(p.b) < n {
		p.err = errShort
	}
	if p.err != nil {
		return nil
	}
	field := p.b[:n:n]
	p.b = p.b[n:]
	return field
}

func (p *parser) u8() uint8 {
	if b := p.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (p *parser) u64() uint64 {
	if b := p.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// field reads a length of two bytes, which is within most, and as many bytes.
func (p *parser) field(most int) []byte {
	b := p.take(2)
	if b == nil {
		return nil
	}
	n := int(binary.BigEndian.Uint16(b))
	if n > most {
		p.err = errField
	}
	return p.take(n)
}

// rights reads rights. It fails if one of them is not defined.
func (p *parser) rights() Rights {
	r := Rights(p.u8())
	if r >= allRights {
		p.err = errValue
	}
	return r
}

// flag reads a boolean.
func (p *parser) flag() bool {
	b := p.u8()
	if b > 1 {
		p.err = errValue
	}
	return b == 1
}

// end returns an error if something was missing or invalid, or is left.
func (p *parser) end() error {
	if p.err == nil && len(p.b) > 0 {
		p.err = errRest
	}
	return p.err
}

func appendField(b, field []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(len(field))) //nolint:gosec // fields are short
	return append(b, field...)
}

func appendFlag(b []byte, yes bool) []byte {
	if yes {
		return append(b, 1)
	}
	return append(b, 0)
}
