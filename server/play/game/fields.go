package game

import (
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object whose fields are read. where is its name in errors, such as "piece 3".
type object struct {
	r       *reader
	where   string
	at      int
	members map[string]value
}

// object takes v as an object that may have only the fields names.
func (r *reader) object(v value, where string, names ...string) object {
	o := object{r: r, where: where, at: v.at, members: v.members}
	if v.kind != anObject {
		r.fail(v.at, where, "want an object, not %s", orNothing(v.kind))
		return o
	}
	// The first unknown field in the document, so that the error is always the same.
	first, found := "", false
	for name, m := range v.members {
		if !slices.Contains(names, name) && (!found || m.key < v.members[first].key) {
			first, found = name, true
		}
	}
	if found {
		r.fail(v.members[first].key, where, "unknown field %q", first)
	}
	return o
}

func orNothing(k kindOfValue) string {
	if k == absent {
		return "nothing"
	}
	return string(k)
}

// has reports whether the field exists.
func (o object) has(name string) bool { return o.members[name].kind != absent }

// get returns the field. If it is missing, get returns a value without a kind, at the place of the
// object.
func (o object) get(name string) value {
	v, ok := o.members[name]
	if !ok {
		v.at = o.at
	}
	return v
}

func (o object) fail(v value, format string, args ...any) {
	o.r.fail(v.at, o.where, format, args...)
}

// want returns the field if it is of kind k and fails otherwise.
func (o object) want(name string, k kindOfValue) (value, bool) {
	v := o.get(name)
	switch v.kind {
	case k:
		return v, true
	case absent:
		o.fail(v, "%s is missing", name)
	default:
		o.fail(v, "%s: want %s, not %s", name, k, v.kind)
	}
	return v, false
}

// text returns a text of 1 to limit printable characters without spaces around it.
func (o object) text(name string, limit int) string {
	v, ok := o.want(name, aText)
	if !ok {
		return ""
	}
	if err := CheckName(v.text, 1, limit); err != nil {
		o.fail(v, "%s: %v", name, err)
	}
	return v.text
}

// slug returns a text that can be part of a URL: 1 to 40 small letters, digits and hyphens.
func (o object) slug(name string) string {
	s := o.text(name, maxSlug)
	if !isSlug(s) {
		o.fail(o.get(name), "%s: %q may have small letters, digits and hyphens only", name, s)
	}
	return s
}

const maxSlug = 40 // characters

func isSlug(s string) bool {
	for _, c := range s {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return s != "" && len(s) <= maxSlug
}

// choice returns a text that must be one of those given.
func (o object) choice(name string, of ...string) string {
	v, ok := o.want(name, aText)
	if ok && !slices.Contains(of, v.text) {
		o.fail(v, "%s: %q is not %s", name, v.text, strings.Join(of, " or "))
	}
	return v.text
}

// integer returns a whole number from low to high.
func (o object) integer(name string, low, high int32) int32 {
	v, ok := o.want(name, aNumber)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(v.text, 10, 32)
	if err != nil || n < int64(low) || n > int64(high) {
		o.fail(v, "%s: %s is not a whole number from %d to %d", name, v.text, low, high)
		return 0
	}
	return int32(n)
}

// optional is like integer, and returns 0 if the field is missing.
func (o object) optional(name string, low, high int32) int32 {
	if !o.has(name) {
		return 0
	}
	return o.integer(name, low, high)
}

// boolean returns true or false; false if the field is missing.
func (o object) boolean(name string) bool {
	v := o.get(name)
	if v.kind != absent && v.kind != aTrue && v.kind != aFalse {
		o.fail(v, "%s: want true or false, not %s", name, v.kind)
	}
	return v.kind == aTrue
}

// list returns the items of an array. Their number must be from low to high.
func (o object) list(name string, low, high int) []value {
	v, ok := o.want(name, anArray)
	if !ok {
		return nil
	}
	if n := len(v.items); n < low || n > high {
		o.fail(v, "%s has %d entries, not %d to %d", name, n, low, high)
		return nil
	}
	return v.items
}
