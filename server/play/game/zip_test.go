package game

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
)

// zipOf returns a zip of files.
func zipOf(files map[string][]byte) []byte {
	var all []File
	for _, name := range sortedNames(files) {
		all = append(all, File{name, files[name]})
	}
	return appendZip(all)
}

// TestG3ZipsOfOthers shows that packed games from other programs are read, and that the order of
// their entries does not count.
func TestG3ZipsOfOthers(t *testing.T) {
	p, data := packedFull(t)
	good := contents(t, data)
	for _, reverse := range []bool{false, true} {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		names := sortedNames(good)
		if reverse {
			slices.Reverse(names)
		}
		for _, name := range names {
			// The writer of Go puts sizes behind the data.
			in, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := in.Write(good[name]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadPacked(out.Bytes()); err != nil || read.ID != p.ID {
			t.Errorf("reverse %t: %v", reverse, err)
		}
	}
}

// crafted is one entry of a zip whose parts a test can set.
type crafted struct {
	name, localName    string
	flags, localFlags  uint16
	method             uint16
	crc, packed, size  uint32
	localSize          uint32
	data               []byte
	extra, localExtra  string
	descriptor, before string
	comment, end       string
	count              uint16
	offset             uint32
}

// zip returns the bytes of a zip with the entry.
func (c *crafted) zip() []byte {
	le := binary.LittleEndian
	u16 := func(b []byte, all ...uint16) []byte {
		for _, n := range all {
			b = le.AppendUint16(b, n)
		}
		return b
	}
	u32 := func(b []byte, all ...uint32) []byte {
		for _, n := range all {
			b = le.AppendUint32(b, n)
		}
		return b
	}
	out := append([]byte(c.before), sigEntry...)
	out = u16(out, 20, c.localFlags, c.method, 0, dosDate)
	out = u32(out, c.crc, c.packed, c.localSize)
	out = u16(out, uint16(len(c.localName)), uint16(len(c.localExtra)))
	for _, part := range []string{c.localName, c.localExtra, string(c.data), c.descriptor} {
		out = append(out, part...)
	}
	start := len(out)
	out = u16(append(out, sigDirectory...), 20, 20, c.flags, c.method, 0, dosDate)
	out = u32(out, c.crc, c.packed, c.size)
	out = u16(out, uint16(len(c.name)), uint16(len(c.extra)), uint16(len(c.comment)), 0, 0)
	out = u32(out, 0, c.offset)
	out = append(append(append(out, c.name...), c.extra...), c.comment...)
	size := len(out) - start
	out = u16(append(out, sigEnd...), 0, 0, c.count, c.count)
	out = u32(out, uint32(size), uint32(start))
	return append(u16(out, uint16(len(c.end))), c.end...)
}

// TestG3FormOfTheZip shows what is refused in the form of the zip, and what is said of it.
func TestG3FormOfTheZip(t *testing.T) {
	text := []byte(strings.Repeat("{}", 100))
	entry := func(change func(c *crafted)) []byte {
		packed := deflate(text)
		c := &crafted{
			name: "game.json", localName: "game.json", method: deflated, data: packed, count: 1,
			crc: crc32.ChecksumIEEE(text), packed: uint32(len(packed)),
			size: uint32(len(text)), localSize: uint32(len(text)),
		}
		change(c)
		return c.zip()
	}
	extra := func(id uint16, data string) string {
		return string(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, id),
			uint16(len(data)))) + data
	}
	sizes := func(c *crafted, signature string) string {
		b := []byte(signature)
		for _, n := range []uint32{c.crc, c.packed, c.size} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return string(b)
	}
	both := func(flag uint16) func(c *crafted) {
		return func(c *crafted) { c.flags, c.localFlags = flag, flag }
	}
	const document = `entry "game.json": line 1, column 3: there is something after the end`
	const contradicts = `entry "game.json": its header contradicts the directory`
	const behind = `entry "game.json": what stands behind it contradicts the directory`
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"G3.1 as it should be", entry(func(*crafted) {}), document},
		{"G3.1 with sizes behind the data", entry(func(c *crafted) {
			both(flagDescriptor)(c)
			c.descriptor = sizes(c, sigDescriptor)
		}), document},
		{"G3.1 the same without a signature", entry(func(c *crafted) {
			both(flagDescriptor)(c)
			c.descriptor = sizes(c, "")
		}), document},
		{"G3.1 with a time", entry(func(c *crafted) {
			c.extra, c.localExtra = extra(0x5455, "\x01abcd"), extra(0x5455, "\x01abcd")
		}), document},
		{"G3.1 no zip", text, "it is no packed game, or its end is damaged"},
		{"G3.1 nothing", nil, "it is no packed game, or its end is damaged"},
		{"G3.1 something behind it", append(entry(func(*crafted) {}), 0),
			"it is no packed game, or its end is damaged"},
		{"G3.1 something before it", append([]byte("#!/bin/sh\n"), entry(func(*crafted) {})...),
			"its directory does not stand before its end"},
		{"G3.1 something before the entry", entry(func(c *crafted) { c.before, c.offset = "abc", 3 }),
			`entry "game.json": it does not stand behind the entry before it`},
		{"G3.1 something behind the entry", entry(func(c *crafted) { c.descriptor = "abc" }),
			"it has something that belongs to no entry"},
		{"G3.1 a comment", entry(func(c *crafted) { c.end = "abcd" }),
			"it is no packed game, or its end is damaged"},
		{"G3.1 a comment that looks like an end", entry(func(c *crafted) {
			c.end = sigEnd + strings.Repeat("\x00", 18)
		}), "its directory does not stand before its end"},
		{"G3.1 a comment of the entry", entry(func(c *crafted) { c.comment = "x" }),
			`entry "game.json": it has a comment, or stands in another file`},
		{"G3.1 more entries than there are", entry(func(c *crafted) { c.count = 2 }),
			"its directory is damaged"},
		{"G3.1 fewer entries than there are", entry(func(c *crafted) { c.count = 0 }),
			"it has something that belongs to no entry"},
		{"G3.2 another name at its place", entry(func(c *crafted) { c.localName = "rules.md" }),
			`entry "game.json": it has another name at its place: "rules.md"`},
		{"G3.2 another size at its place", entry(func(c *crafted) { c.localSize++ }), contradicts},
		{"G3.2 other flags at its place", entry(func(c *crafted) { c.localFlags = 2 }), contradicts},
		{"G3.2 sizes behind the data that are others", entry(func(c *crafted) {
			both(flagDescriptor)(c)
			c.descriptor = sizes(c, sigDescriptor)
			c.descriptor = c.descriptor[:12] + "\x00" + c.descriptor[13:]
		}), behind},
		{"G3.2 sizes behind the data that are missing", entry(both(flagDescriptor)), behind},
		{"G3.2 an entry at another place", entry(func(c *crafted) { c.offset = 1 }),
			`entry "game.json": it does not stand behind the entry before it`},
		{"G3.2 a name in a further field", entry(func(c *crafted) { c.extra = extra(0x7075, "x") }),
			`entry "game.json": it has a field 7075, which a packed game does not need`},
		{"G3.2 sizes in a further field", entry(func(c *crafted) { c.localExtra = extra(1, "x") }),
			`entry "game.json": it has a field 0001, which a packed game does not need`},
		{"G3.2 a field that is damaged", entry(func(c *crafted) { c.extra = "abc" }),
			`entry "game.json": its further fields are damaged`},
		{"G3.3 encrypted", entry(both(flagEncrypted)), `entry "game.json": it is encrypted`},
		{"G3.3 strongly encrypted", entry(both(1 << 6)),
			`entry "game.json": it has flags that a packed game does not need`},
		{"G3.3 another method", entry(func(c *crafted) { c.method = 12 }),
			`entry "game.json": it is neither stored nor deflated`},
		{"G3.4 more bytes than it says", entry(func(c *crafted) { c.size--; c.localSize-- }),
			`entry "game.json": it has more bytes than the directory says`},
		{"G3.4 fewer bytes than it says", entry(func(c *crafted) { c.size++; c.localSize++ }),
			`entry "game.json": it has fewer bytes than the directory says, or is damaged`},
		{"G3.4 something behind its data", entry(func(c *crafted) {
			c.data = append(c.data, 0)
			c.packed++
		}), `entry "game.json": something stands behind its data`},
		{"G3.4 stored with two sizes", entry(func(c *crafted) { c.method = stored }),
			`entry "game.json": it is stored, and has two sizes`},
		{"G3.4 another checksum", entry(func(c *crafted) { c.crc++ }),
			`entry "game.json": its bytes are damaged`},
		{"G3.5 a bomb", entry(func(c *crafted) { c.size, c.localSize = 1<<31, 1<<31 }),
			`entry "game.json": it has 2147483648 bytes, more than 8388608`},
		{"G3.5 a large picture", entry(func(c *crafted) {
			c.name = "art/" + strings.Repeat("a", 64)
			c.localName, c.size, c.localSize = c.name, MaxArt+1, MaxArt+1
		}), `entry "art/` + strings.Repeat("a", 64) + `": it has 1048577 bytes, more than 1048576`},
		{"G3.5 too many entries", entry(func(c *crafted) { c.count = MaxEntries + 1 }),
			"it has 8193 entries, more than 8192"},
		{"G3.5 a large file", make([]byte, MaxPacked+1), "the file has more than 67108864 bytes"},
		{"G3.5 much art", appendZip(artEntries(MaxArtTotal/MaxArt + 1)),
			"its art has 34603008 bytes, more than 33554432"},
		{"G3.5 many languages", appendZip(languageEntries(26 * 9)),
			"unpacked it has 61341696 bytes, more than 58720256"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ReadPacked(c.data)
			if p != nil || err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// artEntries returns n pictures of the largest size, none of which has the hash that it claims.
func artEntries(n int) (all []File) {
	for i := range n {
		all = append(all, File{fmt.Sprintf("art/%064x", i), make([]byte, MaxArt)})
	}
	return all
}

func languageEntries(n int) (all []File) {
	for i := range n {
		name := fmt.Sprintf("lang/%c%c.json", 'a'+i/26, 'a'+i%26)
		all = append(all, File{name, make([]byte, MaxLanguage)})
	}
	return all
}
