package game

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// A packed game is a zip (APPNOTE 6.3.10) in a form that can be read in one way only: its entries
// stand one behind the other, then comes the directory, and nothing else. archive/zip is not strict
// enough for that: it searches for the directory, and believes it where it contradicts the entries.

// Bounds of a packed game.
const (
	MaxPacked  = 64 << 20 // bytes
	MaxEntries = 8_192
)

// The signatures of the parts of a zip, and the lengths of their fixed fields.
const (
	sigEntry, lenEntry           = "PK\x03\x04", 30
	sigDescriptor, lenDescriptor = "PK\x07\x08", 12 // without the signature, which may be missing
	sigDirectory, lenDirectory   = "PK\x01\x02", 46
	sigEnd, lenEnd               = "PK\x05\x06", 22
)

// The flags and methods that an entry may have.
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagsKnown     = 1<<1 | 1<<2 | flagDescriptor | 1<<11

	stored   = 0
	deflated = 8
)

// extras are the fields that zip programs add for times and owners of files.
var extras = map[uint16]bool{0x000a: true, 0x5455: true, 0x5855: true, 0x7875: true}

// zipped is an entry of a zip.
type zipped struct {
	name   string
	method uint16
	crc    uint32
	size   int    // of the data
	packed []byte // as it stands in the zip
}

// fault returns an error in one entry.
func fault(name, format string, args ...any) error {
	return fmt.Errorf("entry %q: %w", name, fmt.Errorf(format, args...))
}

// entries returns the entries of a zip in their order. It refuses everything that could be read in
// two ways.
func entries(data []byte) ([]zipped, error) { return entriesOf(data, limitOf) }

// entriesOf returns the entries of a zip as entries does. limit returns how many bytes one of that
// name may have, 0 if there is no such entry.
func entriesOf(data []byte, limit func(name string) int) ([]zipped, error) {
	if len(data) > MaxPacked {
		return nil, fmt.Errorf("the file has more than %d bytes", MaxPacked)
	}
	at := len(data) - lenEnd
	if at < 0 || string(data[at:at+4]) != sigEnd {
		return nil, errors.New("it is no packed game, or its end is damaged")
	}
	end := fieldsAt(data[at+4:])
	disk, directoryDisk, here, count := end.u16(), end.u16(), end.u16(), int(end.u16())
	size, start, comment := int64(end.u32()), int64(end.u32()), end.u16()
	switch {
	case disk != 0 || directoryDisk != 0 || int(here) != count:
		return nil, errors.New("it is a part of a zip")
	case comment != 0:
		return nil, errors.New("it has a comment")
	case start+size != int64(at):
		return nil, errors.New("its directory does not stand before its end")
	case count > MaxEntries:
		return nil, fmt.Errorf("it has %d entries, more than %d", count, MaxEntries)
	}
	all := make([]zipped, 0, count)
	body, directory := data[:start], data[start:at]
	next := 0 // where the next entry begins
	for range count {
		e, n, err := readEntry(&directory, body, next, limit)
		if err != nil {
			return nil, err
		}
		all, next = append(all, e), n
	}
	if next != len(body) || len(directory) != 0 {
		return nil, errors.New("it has something that belongs to no entry")
	}
	return all, nil
}

// readEntry reads the next record of the directory and the entry that it describes, which begins at
// start. It returns where that ends.
func readEntry(
	directory *[]byte, body []byte, start int, limits func(name string) int,
) (e zipped, end int, err error) {
	d := *directory
	if len(d) < lenDirectory || string(d[:4]) != sigDirectory {
		return e, 0, errors.New("its directory is damaged")
	}
	f := fieldsAt(d[6:]) // after the version of the program
	f.u16()              // the version that is needed
	flags := f.u16()
	e.method = f.u16()
	f.u32() // time and date
	e.crc = f.u32()
	packed, size := int64(f.u32()), int64(f.u32())
	nameLen, extraLen, commentLen, disk := int(f.u16()), int(f.u16()), f.u16(), f.u16()
	f.u16() // attributes
	f.u32()
	offset := int64(f.u32())
	if len(d) < lenDirectory+nameLen+extraLen {
		return e, 0, errors.New("its directory is damaged")
	}
	e.name = string(d[lenDirectory : lenDirectory+nameLen])
	extra := d[lenDirectory+nameLen : lenDirectory+nameLen+extraLen]
	*directory = d[lenDirectory+nameLen+extraLen:]
	limit := limits(e.name)
	switch {
	case limit == 0:
		return e, 0, fault(e.name, "a packed game has no file of that name")
	case flags&flagEncrypted != 0:
		return e, 0, fault(e.name, "it is encrypted")
	case flags&^flagsKnown != 0:
		return e, 0, fault(e.name, "it has flags that a packed game does not need")
	case e.method != stored && e.method != deflated:
		return e, 0, fault(e.name, "it is neither stored nor deflated")
	case commentLen != 0 || disk != 0:
		return e, 0, fault(e.name, "it has a comment, or stands in another file")
	case offset != int64(start):
		return e, 0, fault(e.name, "it does not stand behind the entry before it")
	case size > int64(limit):
		return e, 0, fault(e.name, "it has %d bytes, more than %d", size, limit)
	case e.method == stored && packed != size:
		return e, 0, fault(e.name, "it is stored, and has two sizes")
	case packed > int64(len(body)-start):
		return e, 0, fault(e.name, "it ends too early")
	}
	if err := checkExtra(e.name, extra); err != nil {
		return e, 0, err
	}
	e.size = int(size)
	e.packed, end, err = readLocal(&e, body, start, int(packed), flags)
	return e, end, err
}

// readLocal reads an entry at its place, and compares its header with what the directory says.
func readLocal(
	e *zipped, body []byte, start, packed int, flags uint16,
) (data []byte, end int, err error) {
	b := body[start:]
	if len(b) < lenEntry || string(b[:4]) != sigEntry {
		return nil, 0, fault(e.name, "it is not where the directory says")
	}
	f := fieldsAt(b[6:]) // after the version that is needed
	sameFlags, sameMethod := f.u16() == flags, f.u16() == e.method
	f.u32() // time and date
	crc, packedHere, sizeHere := f.u32(), f.u32(), f.u32()
	nameLen, extraLen := int(f.u16()), int(f.u16())
	head := lenEntry + nameLen + extraLen
	switch {
	case len(b) < head+packed:
		return nil, 0, fault(e.name, "it ends too early")
	case string(b[lenEntry:lenEntry+nameLen]) != e.name:
		return nil, 0, fault(e.name, "it has another name at its place: %q",
			b[lenEntry:lenEntry+nameLen])
	}
	same := crc == e.crc && int64(packedHere) == int64(packed) && int64(sizeHere) == int64(e.size)
	none := crc == 0 && packedHere == 0 && sizeHere == 0
	later := flags&flagDescriptor != 0
	if !sameFlags || !sameMethod || !same && (!later || !none) {
		return nil, 0, fault(e.name, "its header contradicts the directory")
	}
	if err := checkExtra(e.name, b[lenEntry+nameLen:head]); err != nil {
		return nil, 0, err
	}
	end = start + head + packed
	if later {
		n := descriptor(e, body[end:], packed)
		if n == 0 {
			return nil, 0, fault(e.name, "what stands behind it contradicts the directory")
		}
		end += n
	}
	return b[head : head+packed], end, nil
}

// descriptor returns the length of the sizes behind an entry, 0 if they are not those of e.
func descriptor(e *zipped, b []byte, packed int) int {
	for _, signature := range []int{len(sigDescriptor), 0} {
		n := signature + lenDescriptor
		if len(b) < n || string(b[:signature]) != sigDescriptor[:signature] {
			continue
		}
		f := fieldsAt(b[signature:])
		if f.u32() == e.crc && int64(f.u32()) == int64(packed) && int64(f.u32()) == int64(e.size) {
			return n
		}
	}
	return 0
}

// checkExtra refuses further fields of an entry that could give it another name or size.
func checkExtra(name string, b []byte) error {
	for len(b) > 0 {
		if len(b) < 4 {
			return fault(name, "its further fields are damaged")
		}
		f := fieldsAt(b)
		id, n := f.u16(), int(f.u16())
		switch {
		case len(b) < 4+n:
			return fault(name, "its further fields are damaged")
		case !extras[id]:
			return fault(name, "it has a field %04x, which a packed game does not need", id)
		}
		b = b[4+n:]
	}
	return nil
}

// data returns what an entry has in it. It takes no more memory than the size that the directory
// gave, which is bounded.
func (e *zipped) data() ([]byte, error) {
	data := e.packed
	if e.method == deflated {
		from := bytes.NewReader(e.packed)
		inflated := flate.NewReader(from)
		data = make([]byte, e.size)
		if _, err := io.ReadFull(inflated, data); err != nil {
			return nil, fault(e.name, "it has fewer bytes than the directory says, or is damaged")
		}
		if n, err := inflated.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
			return nil, fault(e.name, "it has more bytes than the directory says")
		}
		if from.Len() > 0 {
			return nil, fault(e.name, "something stands behind its data")
		}
	}
	if crc32.ChecksumIEEE(data) != e.crc {
		return nil, fault(e.name, "its bytes are damaged")
	}
	return data, nil
}

// limitOf returns how many bytes a file of a packed game may have, 0 if there is no such file.
func limitOf(name string) int {
	if art, ok := strings.CutPrefix(name, artFolder); ok {
		if _, err := ParseHash(art); err == nil {
			return MaxArt
		}
		return 0
	}
	if language, ok := strings.CutPrefix(name, "lang/"); ok {
		if t, ok := strings.CutSuffix(language, ".json"); ok && checkTag(t) == nil {
			return MaxLanguage
		}
		return 0
	}
	return map[string]int{DocumentName: MaxDocument, RulesText: MaxRulesText, RulesPDF: MaxRules}[name]
}

// fieldsAt reads numbers from the beginning of b, which is long enough.
func fieldsAt(b []byte) *numbers { return &numbers{b} }

type numbers struct{ left []byte }

func (n *numbers) u16() uint16 {
	v := binary.LittleEndian.Uint16(n.left)
	n.left = n.left[2:]
	return v
}

func (n *numbers) u32() uint32 {
	v := binary.LittleEndian.Uint32(n.left)
	n.left = n.left[4:]
	return v
}

// dosDate is 1 January 1980, the first day that a zip knows: equal games give equal bytes.
const dosDate = 1<<5 | 1

// appendZip writes files as a zip, in the order that is given.
func appendZip(files []File) []byte {
	le := binary.LittleEndian
	var out, directory []byte
	for _, file := range files {
		start := uint32(len(out)) //nolint:gosec // bounded
		method, packed := uint16(stored), file.Data
		if smaller := deflate(file.Data); len(smaller) < len(packed) {
			method, packed = deflated, smaller
		}
		// What an entry and its record in the directory share: from the version that is needed to
		// the length of further fields.
		var common []byte
		for _, n := range []uint16{20, 0, method, 0, dosDate} {
			common = le.AppendUint16(common, n)
		}
		common = le.AppendUint32(common, crc32.ChecksumIEEE(file.Data))
		for _, n := range []int{len(packed), len(file.Data), len(file.Name)} { // and no further field
			common = le.AppendUint32(common, uint32(n)) //nolint:gosec // bounded
		}
		out = append(append(append(append(out, sigEntry...), common...), file.Name...), packed...)
		directory = append(append(directory, sigDirectory+"\x14\x00"...), common...)
		directory = append(directory, make([]byte, 10)...) // comment, disk, attributes
		directory = append(le.AppendUint32(directory, start), file.Name...)
	}
	count := uint16(len(files)) //nolint:gosec // bounded
	end := le.AppendUint16(le.AppendUint16([]byte(sigEnd+"\x00\x00\x00\x00"), count), count)
	for _, n := range []int{len(directory), len(out)} {
		end = le.AppendUint32(end, uint32(n)) //nolint:gosec // bounded
	}
	return append(append(append(out, directory...), end...), 0, 0)
}

func deflate(data []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	// The level is valid, and a buffer takes everything.
	if err != nil {
		panic(err)
	}
	return out.Bytes()
}
