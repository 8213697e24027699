package object

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"holt/server/id"
)

// errMalformed says that bytes are not in the form that this package writes.
var errMalformed = errors.New("malformed")

// coded is a value with a protobuf form. code names its fields in the order of their numbers. The
// same code writes and reads.
type coded interface{ code(c *coder) }

// coder writes a value, or reads one. It accepts exactly what it would write: fields in the order
// of their numbers, no unknown fields, no zeros, and no varints that are longer than needed. So a
// value has one form only.
type coder struct {
	b       []byte
	reading bool
	bad     bool
}

// encode appends the form of v to b.
func encode(b []byte, v coded) []byte {
	c := coder{b: b}
	v.code(&c)
	return c.b
}

// decode reads v, which must be zero before. The error is errMalformed.
func decode(b []byte, v coded) error {
	c := coder{b: b, reading: true}
	v.code(&c)
	if c.bad || len(c.b) > 0 {
		return errMalformed
	}
	return nil
}

// fail marks the bytes as malformed.
func (c *coder) fail() { c.bad, c.b = true, nil }

// need fails when the coder reads and ok is false.
func (c *coder) need(ok bool) {
	if c.reading && !ok {
		c.fail()
	}
}

// next reports whether the next field has this number and type. If so, it moves behind the tag.
func (c *coder) next(n protowire.Number, t protowire.Type) bool {
	number, typ, size := protowire.ConsumeTag(c.b)
	if size < 0 || number != n {
		return false
	}
	if typ != t || size != protowire.SizeTag(n) {
		c.fail()
		return false
	}
	c.b = c.b[size:]
	return true
}

func (c *coder) varint() uint64 {
	v, size := protowire.ConsumeVarint(c.b)
	if size < 0 || size != protowire.SizeVarint(v) {
		c.fail()
		return 0
	}
	c.b = c.b[size:]
	return v
}

func (c *coder) chunk(most int) []byte {
	v, size := protowire.ConsumeBytes(c.b)
	if size < 0 || len(v) > most || size != protowire.SizeBytes(len(v)) {
		c.fail()
		return nil
	}
	c.b = c.b[size:]
	return v
}

// number codes a number. A missing one is zero.
func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int64](
	c *coder, n protowire.Number, v *T, most uint64,
) {
	switch {
	case !c.reading && *v != 0:
		c.b = protowire.AppendVarint(protowire.AppendTag(c.b, n, protowire.VarintType), uint64(*v))
	case c.reading && c.next(n, protowire.VarintType):
		x := c.varint()
		c.need(x > 0 && x <= most)
		*v = T(x)
	}
}

// flag codes a boolean.
func (c *coder) flag(n protowire.Number, v *bool) {
	var x uint8
	if *v {
		x = 1
	}
	number(c, n, &x, 1)
	*v = x == 1
}

// bytes codes bytes. Missing ones are empty. Bytes that are read are a copy.
func (c *coder) bytes(n protowire.Number, v *[]byte, most int) {
	switch {
	case !c.reading && len(*v) > 0:
		c.b = protowire.AppendBytes(protowire.AppendTag(c.b, n, protowire.BytesType), *v)
	case c.reading && c.next(n, protowire.BytesType):
		x := c.chunk(most)
		c.need(len(x) > 0)
		*v = bytes.Clone(x)
	}
}

func (c *coder) text(n protowire.Number, v *string, most int) {
	b := []byte(*v)
	c.bytes(n, &b, most)
	c.need(utf8.Valid(b))
	*v = string(b)
}

// oid codes the identifier of an object. A missing one is zero.
func (c *coder) oid(n protowire.Number, v *id.OID) { fixed(c, n, v[:]) }

// host codes the identifier of a host. A missing one is zero.
func (c *coder) host(n protowire.Number, v *id.HostID) { fixed(c, n, v[:]) }

// fixed codes a fixed number of bytes. Missing ones are all zero.
func fixed(c *coder, n protowire.Number, v []byte) {
	switch {
	case !c.reading && !zero(v):
		c.b = protowire.AppendBytes(protowire.AppendTag(c.b, n, protowire.BytesType), v)
	case c.reading && c.next(n, protowire.BytesType):
		x := c.chunk(len(v))
		c.need(len(x) == len(v) && !zero(x))
		copy(v, x)
	}
}

func zero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// joined codes values of a fixed size end to end. None of them may be zero.
func joined[T any](c *coder, n protowire.Number, v *[]T, most, size int, at func(*T) []byte) {
	var b []byte
	if !c.reading {
		for i := range *v {
			b = append(b, at(&(*v)[i])...)
		}
	}
	c.bytes(n, &b, most*size)
	if !c.reading || len(b) == 0 {
		return
	}
	c.need(len(b)%size == 0)
	*v = make([]T, len(b)/size)
	for i := range *v {
		c.need(!zero(b[i*size : (i+1)*size]))
		copy(at(&(*v)[i]), b[i*size:])
	}
}

func (c *coder) oids(n protowire.Number, v *[]id.OID, most int) {
	joined(c, n, v, most, len(id.OID{}), func(o *id.OID) []byte { return o[:] })
}

func (c *coder) hosts(n protowire.Number, v *[]id.HostID, most int) {
	joined(c, n, v, most, len(id.HostID{}), func(g *id.HostID) []byte { return g[:] })
}

func (c *coder) kinds(n protowire.Number, v *[]Kind, most int) {
	joined(c, n, v, most, len(Kind{}), func(k *Kind) []byte { return k[:] })
}

// repeated codes values one after the other, each as a field of its own.
func repeated[T any, P interface {
	*T
	coded
}](c *coder, n protowire.Number, v *[]T, most int) {
	if !c.reading {
		for i := range *v {
			c.inner(n, P(&(*v)[i]))
		}
		return
	}
	for c.next(n, protowire.BytesType) {
		c.need(len(*v) < most)
		var x T
		c.within(P(&x))
		if c.bad {
			return
		}
		*v = append(*v, x)
	}
}

// inner writes a value as a field.
func (c *coder) inner(n protowire.Number, v coded) {
	inside := coder{}
	v.code(&inside)
	c.b = protowire.AppendBytes(protowire.AppendTag(c.b, n, protowire.BytesType), inside.b)
}

// within reads a value whose tag has been read.
func (c *coder) within(v coded) {
	x := c.chunk(len(c.b))
	if c.bad {
		return
	}
	if decode(x, v) != nil {
		c.fail()
	}
}

// one codes a value that must be present.
func (c *coder) one(n protowire.Number, v coded) {
	switch {
	case !c.reading:
		c.inner(n, v)
	case c.next(n, protowire.BytesType):
		c.within(v)
	default:
		c.fail()
	}
}
