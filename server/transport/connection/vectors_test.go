package connection

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"holt/server/transport/depgraph"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// vectorsFile is shared with other packages. Each writes its own sections.
var vectorsFile = filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "datagrams.json")

// packetVector is a packet of a kind with its content, or a packet that is refused. Pages have no
// plain UDP.
type packetVector struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"`
	UDP     bool        `json:"udp,omitempty"`
	Bytes   hexadecimal `json:"bytes"`
	Refused bool        `json:"refused,omitempty"`

	Hello   *helloVector   `json:"hello,omitempty"`
	Retry   *retryVector   `json:"retry,omitempty"`
	Welcome *welcomeVector `json:"welcome,omitempty"`
	Close   *closeVector   `json:"close,omitempty"`
	Data    *dataVector    `json:"data,omitempty"`
}

// hexadecimal is bytes, written as two digits each.
type hexadecimal []byte

func (h hexadecimal) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, hex.EncodeToString(h)), nil
}

type helloVector struct {
	Client  string      `json:"client"`
	Cookie  hexadecimal `json:"cookie"`
	Message uint32      `json:"message"`
	Window  uint32      `json:"window"`
	Resume  hexadecimal `json:"resume"`
	Request string      `json:"request"`
	Size    int         `json:"size"` // of the packet, with zeros at its end
}

type retryVector struct {
	Client string      `json:"client"`
	Cookie hexadecimal `json:"cookie"`
}

type welcomeVector struct {
	Client     string      `json:"client"`
	Connection string      `json:"connection"`
	Message    uint32      `json:"message"`
	Window     uint32      `json:"window"`
	Token      hexadecimal `json:"token"`
	Resumed    bool        `json:"resumed"`
}

type closeVector struct {
	Number string `json:"number,omitempty"` // on UDP, or of the client whose Hello it answers
	Code   Code   `json:"code"`
	Reason string `json:"reason"`
}

// dataVector is what a receiver at a floor reads.
type dataVector struct {
	Connection string         `json:"connection,omitempty"` // on UDP
	Number     uint16         `json:"number"`
	Asks       bool           `json:"asks"`
	Ack        *ackVector     `json:"ack,omitempty"`
	Floor      uint64         `json:"floor"`
	Records    []recordVector `json:"records"`
}

type ackVector struct {
	Latest uint16      `json:"latest"`
	Delay  uint16      `json:"delay"`
	Floor  uint16      `json:"floor"`
	Bits   hexadecimal `json:"bits"`
}

// recordVector is a record of the kind whole, fragment (of a message of size bytes, from byte from
// on) or loose. Records that only ask are left out.
type recordVector struct {
	Type   string      `json:"type"`
	Number *uint64     `json:"number,omitempty"`
	Deps   []uint64    `json:"deps"`
	Key    *uint32     `json:"key,omitempty"`
	Size   uint32      `json:"size,omitempty"`
	From   *uint32     `json:"from,omitempty"`
	Body   hexadecimal `json:"body"`
}

func TestVectors(t *testing.T) {
	want := map[string][]json.RawMessage{}
	text, err := os.ReadFile(vectorsFile)
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	got := map[string][]json.RawMessage{"packets": rows(t, packetVectors(t)),
		"connections": rows(t, connectionVectors(t))}
	if *update {
		maps.Copy(want, got)
		writeVectors(t, want)
	}
	for section := range got {
		t.Run("D16, D17.1, D19.1, D22.1, D23, D29.11 "+section, func(t *testing.T) {
			if !slices.EqualFunc(got[section], want[section],
				func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Error("the vectors have changed; if they should, run go test -update")
			}
		})
	}
}

func rows[R any](t *testing.T, vectors []R) (texts []json.RawMessage) {
	for _, v := range vectors {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// writeVectors writes one row a line, as the other packages do.
func writeVectors(t *testing.T, sections map[string][]json.RawMessage) {
	var text bytes.Buffer
	for i, name := range slices.Sorted(maps.Keys(sections)) {
		fmt.Fprintf(&text, "%s%q:[\n", []string{"{", ",\n"}[min(i, 1)], name)
		for k, row := range sections[name] {
			fmt.Fprintf(&text, "%s%s", []string{"", ",\n"}[min(k, 1)], row)
		}
		text.WriteString("\n]")
	}
	text.WriteString("}\n")
	if err := os.WriteFile(vectorsFile, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read fills in the content of the packet, or that it is refused.
func (v packetVector) read(t *testing.T) packetVector {
	var err error
	switch v.Kind {
	case "hello":
		var h Hello
		if h, err = ReadHello(v.Bytes); err == nil {
			v.Hello = &helloVector{hexOf(h.Client), h.Cookie, h.Takes.Message, h.Takes.Window,
				h.Resume, h.Request, len(v.Bytes)}
		}
	case "retry":
		var client uint64
		var cookie []byte
		if client, cookie, err = ReadRetry(v.Bytes); err == nil {
			v.Retry = &retryVector{hexOf(client), cookie}
		}
	case "welcome":
		var w Welcome
		if w, err = ReadWelcome(v.Bytes); err == nil {
			v.Welcome = &welcomeVector{hexOf(w.Client), hexOf(w.Connection), w.Takes.Message,
				w.Takes.Window, w.Token[:], w.Resumed}
		}
	case "close":
		var c closeVector
		var number uint64
		if number, c.Code, c.Reason, err = ReadClose(v.Bytes, v.UDP); err == nil {
			if v.UDP {
				c.Number = hexOf(number)
			}
			v.Close = &c
		}
	case "data":
		v.Data, err = dataOf(v.Bytes, v.UDP)
	}
	if err != nil && !errors.Is(err, ErrFormat) {
		t.Fatalf("%s: %v", v.Name, err)
	}
	v.Refused = err != nil
	return v
}

// hexOf returns the digits of the eight bytes of a number: JavaScript has no exact numbers of 64
// bits.
func hexOf(n uint64) string { return fmt.Sprintf("%016x", n) }

// vectorFloor is the floor of the receiver that reads data in the vectors.
const vectorFloor = 40_000

func dataOf(p []byte, named bool) (*dataVector, error) {
	d, rest, err := readData(p, named)
	if err != nil {
		return nil, err
	}
	records, err := readAllAt(rest, vectorFloor)
	if err != nil {
		return nil, err
	}
	v := &dataVector{Number: d.number, Asks: !d.quiet, Floor: vectorFloor,
		Records: []recordVector{}}
	if named {
		v.Connection = hexOf(d.connection)
	}
	if d.acks {
		a := appendData(nil, data{acks: true, ack: d.ack}, false)
		v.Ack = &ackVector{d.ack.latest, d.ack.delay, d.ack.floor, a[len(a)-d.ack.size:]}
	}
	for _, r := range records {
		row := recordVector{Deps: append([]uint64{}, r.header.Deps...), Body: r.data}
		switch r.kind {
		case recordWhole:
			row.Type, row.Number = "whole", &r.header.Number
		case recordFragment:
			row.Type, row.Number, row.Size, row.From = "fragment", &r.header.Number, r.size, &r.from
		default:
			row.Type, row.Key, row.Deps = "loose", &r.key, append(row.Deps, r.deps...)
		}
		v.Records = append(v.Records, row)
	}
	return v, nil
}

func packetVectors(t *testing.T) (vectors []packetVector) {
	add := func(name, kind string, udp bool, p []byte) {
		vectors = append(vectors,
			packetVector{Name: name, Kind: kind, UDP: udp, Bytes: bytes.Clone(p)}.read(t))
	}
	hello := Hello{Client: 0x0123456789abcdef, Cookie: []byte("cookie"),
		Takes: Limits{16 << 20, 24 << 20}, Resume: token[:], Request: "ticket=é"}
	page := Hello{Client: 1, Takes: hello.Takes, Request: "ticket=0123456789012345678901&client=x"}
	add("a page's hello", "hello", false, AppendHello(nil, page, 0))
	add("a hello that resumes, with a cookie", "hello", true, AppendHello(nil, hello, 100))
	add("a hello of version 2", "hello", true,
		append([]byte{1, 2}, AppendHello(nil, hello, 0)[2:]...))
	add("a hello whose padding is not zeros", "hello", true, append(AppendHello(nil, hello, 0), 1))
	add("a retry", "retry", true, AppendRetry(nil, 1<<63, []byte("cookie")))
	add("a retry without a cookie", "retry", true, AppendRetry(nil, 1, nil))
	welcome := Welcome{Client: 0x0123456789abcdef, Connection: 1<<64 - 1,
		Takes: Limits{4 << 10, 256 << 10}, Token: token}
	add("a welcome", "welcome", false, AppendWelcome(nil, welcome))
	resumed := welcome
	resumed.Resumed = true
	add("a welcome to a connection that goes on", "welcome", false, AppendWelcome(nil, resumed))
	short := AppendWelcome(nil, welcome)
	add("a welcome that ends early", "welcome", false, short[:len(short)-1])
	add("a welcome with a byte more", "welcome", false, append(short, 0))
	add("a close", "close", false, AppendClose(nil, 0, false, CodeTaken, "another stream"))
	add("a close on UDP, or as the answer to a hello", "close", true,
		AppendClose(nil, 0xfedcba9876543210, true, CodeRefused, "seat-gone"))
	add("a close without a reason", "close", false, AppendClose(nil, 0, false, CodeDone, ""))
	add("a close with a reason that is no text", "close", false,
		append(AppendClose(nil, 0, false, CodeDone, ""), 0xff))
	add("a close with a reason that is too long", "close", false,
		append(AppendClose(nil, 0, false, CodeDone, ""), bytes.Repeat([]byte("x"), MaxReason+1)...))
	addData(add)
	return vectors
}

// addData adds Data packets, for a receiver at vectorFloor.
func addData(add func(name, kind string, udp bool, p []byte)) {
	body := bytes.Repeat([]byte("holt"), 100)
	start := func(d data, records ...[]byte) []byte {
		return append(appendData(nil, d, false), bytes.Join(records, nil)...)
	}
	deps := []uint64{vectorFloor - 2, vectorFloor + 1}
	var many, most []uint64
	for d := range uint64(depgraph.MaxDependencies) {
		many = append(many, vectorFloor+d)
	}
	most = append(append(most, many...), vectorFloor+depgraph.MaxDependencies)
	all := ack{latest: 0xfffe, delay: 0xffff, floor: 0x7fff, size: 8, bits: 0xfedcba9876543210}
	a := func(name string, p []byte) { add(name, "data", false, p) }
	a("nothing but that it asks", start(data{number: 1}, []byte{2*recordAsk + 1}))
	a("acknowledgements alone", start(data{number: 0xffff, quiet: true, acks: true, ack: all}))
	a("an acknowledgement without bits",
		start(data{acks: true, ack: ack{latest: 3, delay: 100, floor: 7}}))
	a("an acknowledgement with three bytes of bits",
		start(data{acks: true, ack: ack{latest: 3, floor: 7, size: 3, bits: 0x8001}}))
	add("a packet on UDP", "data", true, append(appendData(nil,
		data{connection: 0xfedcba9876543210, number: 2}, true), whole(vectorFloor, body[:5])...))
	a("a message", start(data{}, whole(vectorFloor+5, body[:61])))
	a("a message with two bytes of length", start(data{}, whole(vectorFloor+5, body[:62])))
	a("an empty message that depends on two", start(data{}, whole(vectorFloor+2, nil, deps...)))
	a("a message that depends on 64", start(data{}, whole(vectorFloor+100, nil, many...)))
	a("a message that depends on 65", start(data{}, whole(vectorFloor+100, nil, most...)))
	a("a message far below the floor", start(data{}, whole(vectorFloor-depgraph.Window, nil)))
	a("a message at the end of the window",
		start(data{}, whole(vectorFloor+depgraph.Window-1, nil)))
	a("a message behind the window", start(data{}, whole(vectorFloor+depgraph.Window, nil)))
	a("an unguaranteed message", start(data{quiet: true}, appendUnguaranteed(nil, 300, nil, body[:3])))
	a("an unguaranteed message with dependencies",
		start(data{quiet: true}, appendUnguaranteed(nil, 0, deps, nil)))
	a("the beginning of a message",
		start(data{}, fragment(vectorFloor, body, 0, 160, vectorFloor-1)))
	a("the end of a message", start(data{}, fragment(vectorFloor, body[:399], 160, 399)))
	a("all kinds of records", start(data{
		number: 9, acks: true, ack: all,
	}, whole(vectorFloor, body[:1]), fragment(vectorFloor+1, body, 16, 32),
		appendUnguaranteed(nil, 1, nil, body[:2]), []byte{2*recordAsk + 1},
		appendUnguaranteed(nil, 2, deps, body[:3]), whole(vectorFloor+2, nil, vectorFloor)))
	a("an empty fragment", start(data{}, fragment(vectorFloor, body, 16, 16)))
	a("a fragment that does not end with a block",
		start(data{}, fragment(vectorFloor, body, 0, 17)))
	a("a fragment of a message that is not cut",
		start(data{}, fragment(vectorFloor, body[:255], 0, 16)))
	a("a fragment beyond its message",
		append(start(data{}), 2*recordFragment+1, 0x1c, 0x40, 0x80, 2, 16, 1, 0))
	a("64 messages", start(data{}, bytes.Repeat(whole(vectorFloor, nil), maxRecords)))
	a("65 messages", start(data{}, bytes.Repeat(whole(vectorFloor, nil), maxRecords+1)))
	a("a record of a kind that is not known", start(data{}, []byte{9}))
	a("a record that ends behind the packet", start(data{}, []byte{8, 0x1c, 0x40, 0}))
	a("a length that is not in its shortest form", start(data{}, []byte{0x84, 0, 0x1c, 0x40}))
	a("a message that is too short for a number", start(data{}, []byte{2, 0x1c}))
	a("a flag that is not known", append([]byte{0x44}, start(data{})[1:]...))
	a("a floor of 16 bits", []byte{0x41, 0, 0, 0, 0, 0, 0, 0x80, 0, 0})
	a("nine bytes of bits", append([]byte{0x41, 0, 0, 0, 0, 0, 0, 0, 0, 9}, make([]byte, 9)...))
	a("a packet that ends early", []byte{0x40, 0})
}
