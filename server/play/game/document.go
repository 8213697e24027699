package game

import (
	"fmt"

	"holt/server/strictjson"
)

// value is a JSON value with its line.
type value struct {
	line    int
	kind    kindOfValue
	text    string  // of a string or a number
	items   []value // of an array
	members map[string]value
}

// kindOfValue is the name of a sort of JSON value in errors. It is empty if there is no value.
type kindOfValue string

const (
	absent   kindOfValue = ""
	aNull    kindOfValue = "null"
	aTrue    kindOfValue = "true"
	aFalse   kindOfValue = "false"
	aNumber  kindOfValue = "a number"
	aText    kindOfValue = "a text"
	anArray  kindOfValue = "an array"
	anObject kindOfValue = "an object"
)

// reader reads one document. It keeps the first error and goes on with zero values, so that a
// caller needs to look at err only once, at the end.
type reader struct {
	err error
	in  *strictjson.Reader
}

// readDocument reads all of doc: one JSON value in UTF-8, without repeated names.
func readDocument(doc []byte) (*reader, value) {
	r := &reader{in: strictjson.New(doc)}
	if len(doc) > MaxDocument {
		r.err = fmt.Errorf("the file has more than %d bytes", MaxDocument)
		return r, value{}
	}
	v := r.value()
	r.in.End()
	if err := r.in.Err(); err != nil {
		r.fail(r.in.Line(err.Offset), "", "%w", err)
	}
	return r, v
}

// value reads the next value.
func (r *reader) value() value {
	c := r.in.Peek()
	v := value{line: r.in.Line(r.in.Offset())}
	switch c {
	case '{':
		v.kind, v.members = anObject, r.members()
	case '[':
		v.kind = anArray
		for r.in.Array(); r.in.More(); {
			v.items = append(v.items, r.value())
		}
	case '"':
		v.kind, v.text = aText, string(r.in.Text("the value"))
	case 't', 'f':
		v.kind = aFalse
		if r.in.Bool("the value") {
			v.kind = aTrue
		}
	case 'n':
		v.kind = aNull
		r.in.Value("the value")
	default:
		v.kind, v.text = aNumber, string(r.in.Number("the value"))
	}
	return v
}

func (r *reader) members() map[string]value {
	members := map[string]value{}
	for r.in.Object(); r.in.More(); {
		r.in.Peek()
		line := r.in.Line(r.in.Offset())
		name := string(r.in.Key())
		if _, twice := members[name]; twice {
			r.fail(line, "", "%q stands here a second time", name)
		}
		members[name] = r.value()
	}
	return members
}

// fail sets the error, unless there is one already. where may be empty.
func (r *reader) fail(line int, where, format string, args ...any) {
	if r.err != nil {
		return
	}
	if where != "" {
		where += ": "
	}
	r.err = fmt.Errorf("line %d: %s%w", line, where, fmt.Errorf(format, args...))
}
