package game

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
)

// maxPath is the most characters of the path of another file in a game file.
const maxPath = 200

// Files gives the files to which a game file refers. An error wraps fs.ErrNotExist if there is no
// such file.
type Files struct {
	Art    func(name string) ([]byte, error) // by its path in the folder art
	Beside func(name string) ([]byte, error) // by its path from the folder of the game file
	// Hashed returns a file by its hash, in place of Beside, if the reference has one. May be nil.
	Hashed func(hash [sha256.Size]byte) ([]byte, error)
}

// noFile is the Beside of a game file that is read alone.
func noFile(name string) ([]byte, error) {
	return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
}

// library collects what a game file refers to. It reads and checks art to which several fields
// refer once.
type library struct {
	files  Files
	packed bool // the file refers to others by their hashes
	byName map[string][sha256.Size]byte
	byHash map[[sha256.Size]byte]Art
	total  int // bytes of all distinct art
	base   Base
	// refs has all references, by the place of the value that refers.
	refs map[int]reference
}

// reference is what a value in a game file refers to.
type reference struct {
	name string // of rules and languages: that in a packed game
	art  string // of art: its media type
	data []byte
	hash [sha256.Size]byte
}

func newLibrary(files Files, packed bool) *library {
	return &library{files: files, packed: packed, byName: map[string][sha256.Size]byte{},
		byHash: map[[sha256.Size]byte]Art{}, refs: map[int]reference{}}
}

// refer notes that v refers to a file. Whatever reads a reference calls it, so that packing and
// unpacking know all of them.
func (l *library) refer(v value, to reference) { l.refs[v.at] = to }

// art returns the hash of the art that a field names.
func (l *library) art(o object, field string) [sha256.Size]byte {
	name := o.text(field, maxPath)
	if o.r.err != nil {
		return [sha256.Size]byte{}
	}
	v := o.get(field)
	hash, ok := l.byName[name]
	if !ok {
		data, err := l.files.Art(name)
		if err != nil {
			o.fail(v, "%s: %v", field, err)
			return [sha256.Size]byte{}
		}
		art, err := CheckArt(data)
		if err != nil {
			o.fail(v, "%s %q: %v", field, name, err)
			return [sha256.Size]byte{}
		}
		hash = sha256.Sum256(data)
		if _, ok := l.byHash[hash]; !ok {
			l.total += len(data)
		}
		if l.total > MaxArtTotal {
			o.fail(v, "the art up to here has more than %d bytes", MaxArtTotal)
		}
		l.byName[name], l.byHash[hash] = hash, art
	}
	l.refer(v, reference{art: l.byHash[hash].Type, data: l.byHash[hash].Data, hash: hash})
	return hash
}

// beside returns a file by its path, and its hash, which must be want if that is not nil. v is what
// refers to it.
func (l *library) beside(
	o object, v value, path string, want *[sha256.Size]byte,
) (data []byte, hash [sha256.Size]byte) {
	if o.r.err != nil {
		return nil, hash
	}
	var err error
	if want != nil && l.files.Hashed != nil {
		data, err = l.files.Hashed(*want)
	} else {
		data, err = l.files.Beside(path)
	}
	hash = sha256.Sum256(data)
	switch {
	case err != nil:
		o.fail(v, "%v", err)
	case want != nil && *want != hash:
		o.fail(v, "%s has another hash than its reference", path)
	}
	return data, hash
}

// hashText reads a hash: 64 small hexadecimal digits.
func hashText(o object, field string) *[sha256.Size]byte {
	v, ok := o.want(field, aText)
	if !ok {
		return new([sha256.Size]byte)
	}
	read, err := ParseHash(v.text)
	if err != nil {
		o.fail(v, "%s: %w", field, err)
	}
	return &read
}

// ParseHash reads a SHA-256 as game files write it: 64 small hexadecimal digits.
func ParseHash(text string) (hash [sha256.Size]byte, err error) {
	n, err := hex.Decode(hash[:], []byte(text[:min(len(text), 2*len(hash))]))
	if err != nil || n != len(hash) || hex.EncodeToString(hash[:]) != text {
		return hash, fmt.Errorf("%q is not 64 small hexadecimal digits", text)
	}
	return hash, nil
}
