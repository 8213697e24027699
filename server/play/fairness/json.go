package fairness

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"holt/server/id"
	"holt/server/strictjson"
)

// MaxFile bounds the size of an export or of notes, in bytes.
const MaxFile = 64 << 20

// ErrFile is wrapped by errors about files that are not an export or notes of a known version.
var ErrFile = errors.New("not a file of this format")

// maxTime bounds times in files, in milliseconds, so that a JavaScript number can hold them.
const maxTime = 1<<53 - 1

// readDocument reads a whole file of at most MaxFile bytes.
func readDocument(r io.Reader) (json.RawMessage, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if len(text) > MaxFile {
		return nil, fmt.Errorf("%w: more than %d MiB", ErrFile, MaxFile>>20)
	}
	return text, nil
}

// members reads a JSON object by the exact names of its members. It must have all members of needs,
// and none that is in neither list.
func members(raw json.RawMessage, needs, may []string) (map[string]json.RawMessage, error) {
	r := strictjson.New(raw)
	m := map[string]json.RawMessage{}
	var seen strictjson.Names
	for r.Object(); r.More(); {
		key := r.Key()
		seen.Add(r, key)
		name := string(key)
		if !slices.Contains(needs, name) && !slices.Contains(may, name) {
			return nil, fmt.Errorf("%w: unknown member %q", ErrFile, name)
		}
		m[name] = r.Value(name)
	}
	r.End()
	if err := r.Err(); err != nil {
		return nil, wrong("object", err)
	}
	for _, name := range needs {
		if m[name] == nil {
			return nil, fmt.Errorf("%w: %s is missing", ErrFile, name)
		}
	}
	return m, nil
}

// wrong returns an error about a value.
func wrong(what string, err error) error { return fmt.Errorf("%w: %s: %w", ErrFile, what, err) }

// fields reads the members of an object one by one. After the first error it returns zeros.
type fields struct {
	members map[string]json.RawMessage
	err     error
}

func (f *fields) has(name string) bool { return f.members[name] != nil }

// read decodes a member, which must not be null.
func (f *fields) read(name string, into any) {
	if f.err != nil {
		return
	}
	raw := f.members[name]
	if string(raw) == "null" {
		f.err = fmt.Errorf("%w: %s is null", ErrFile, name)
	} else if err := json.Unmarshal(raw, into); err != nil {
		f.err = wrong(name, err)
	}
}

func (f *fields) u32(name string) (n uint32) {
	f.read(name, &n)
	return n
}

func (f *fields) u32s(name string) (list []uint32) {
	var numbers []*uint32 // pointers, so that null is not taken for 0
	f.read(name, &numbers)
	list = make([]uint32, 0, len(numbers))
	for _, n := range numbers {
		if n == nil {
			f.err = fmt.Errorf("%w: null in %s", ErrFile, name)
			return nil
		}
		list = append(list, *n)
	}
	return list
}

func (f *fields) text(name string) (s string) {
	f.read(name, &s)
	return s
}

func (f *fields) time(name string) id.Millis {
	var t int64
	f.read(name, &t)
	if f.err == nil && (t < 0 || t > maxTime) {
		f.err = fmt.Errorf("%w: %s is not a time", ErrFile, name)
	}
	return id.Millis(t)
}

func (f *fields) digest(name string) (d Digest) {
	f.hex(name, f.text(name), d[:])
	return d
}

// hex reads lower-case digits for exactly the bytes of into.
func (f *fields) hex(name, text string, into []byte) {
	if f.err != nil {
		return
	}
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(into) || hex.EncodeToString(b) != text {
		f.err = fmt.Errorf("%w: %s is not %d lower-case hexadecimal digits", ErrFile, name,
			2*len(into))
		return
	}
	copy(into, b)
}

// each reads a list of objects.
func (f *fields) each(name string, needs, may []string, read func(*fields)) {
	var list []json.RawMessage
	f.read(name, &list)
	for i, raw := range list {
		m, err := members(raw, needs, may)
		object := fields{members: m, err: err}
		if err == nil {
			read(&object)
		}
		if object.err != nil {
			f.err = fmt.Errorf("%s, number %d: %w", name, i+1, object.err)
			return
		}
	}
}

// names reads an object of names by number; nil if the member is missing.
func (f *fields) names(name string) map[uint32]string {
	if !f.has(name) {
		return nil
	}
	var texts map[string]*string
	f.read(name, &texts)
	names := make(map[uint32]string, len(texts))
	for key, text := range texts {
		n, err := strconv.ParseUint(key, 10, 32)
		if f.err == nil && (err != nil || text == nil || strconv.FormatUint(n, 10) != key) {
			f.err = fmt.Errorf("%w: %s has no names by number", ErrFile, name)
			return nil
		}
		names[uint32(n)] = *text
	}
	return names
}
