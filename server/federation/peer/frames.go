package peer

import "encoding/binary"

// kind is the type of a link frame: its first byte.
type kind byte

// The link frames. The host that opened the connection begins, with hello, look or join. The other
// one answers with hello, terms or refuse. After two hellos either end sends any of the rest.
const (
	kindHello  kind = 0x01 // a connection of a link begins
	kindRefuse kind = 0x02 // 1B why
	kindLook   kind = 0x03 // 16B secret: what are the terms of the invitation?
	kindJoin   kind = 0x04 // 16B secret, 1B rights given, card: it is accepted
	kindTerms  kind = 0x05 // 1B rights given, 1B whether it must be confirmed, card
	kindCard   kind = 0x06 // a card, perhaps of a third host
	kindRights kind = 0x07 // 1B rights given from now on
	kindAck    kind = 0x08 // 8B floor: messages below it were received
	kindPing   kind = 0x09 // nothing: the host is there
	// 1B whether it is a request, 8B number, 8B lowest number that may still come, 16B object,
	// bytes
	kindMessage kind = 0x10
)

// maxFrame is how many bytes a link frame may have.
const maxFrame = 64 + MaxMessage

// linkVersion is the version of the protocol of links, which a hello contains.
const linkVersion = 2

// refusal is the reason why a connection is refused.
type refusal uint8

// The refusals. A host that gets one tries again later, except after refusedInvitation.
const (
	refusedStranger   refusal = 1 // there is no link
	refusedPaused     refusal = 2
	refusedPending    refusal = 3 // the link waits to be confirmed
	refusedDuplicate  refusal = 4 // there is a better connection
	refusedInvitation refusal = 5 // the invitation is not valid
	refusedVersion    refusal = 6
	refusedBusy       refusal = 7
	allRefusals       refusal = 8
)

func (r refusal) Error() string {
	if r >= allRefusals {
		r = 0
	}
	return [...]string{
		0:                 "it refuses",
		refusedStranger:   "it knows of no link with us",
		refusedPaused:     "it has paused the link",
		refusedPending:    "its operator has not confirmed the link yet",
		refusedDuplicate:  "there is another connection already",
		refusedInvitation: ErrNoInvitation.Error(),
		refusedVersion:    "it speaks another version of the protocol",
		refusedBusy:       "it has too much to do",
	}[r]
}

// number counts the messages of a link in one direction, from 1.
type number uint64

// life identifies a server life by random bytes.
type life [8]byte

// hello begins a connection of a link.
type hello struct {
	Life life
	// The connection: a random number of the host that opened it. An answer repeats it.
	Line     uint64
	Replaces uint64 // the connection that this one replaces; 0: none
	Gives    Rights
	First    number // the lowest number that may still come
	// What this host has received of the messages of the other host's server life `Of`: all below
	// Floor. Floor itself is missing. Bit i of Above, from the lowest, stands for Floor+1+i.
	Of    life
	Floor number
	Above []byte
	Card  []byte // signed
}

// maxAbove is how many bytes Above has at most.
const maxAbove = maxOutstanding/8 + 1

func helloFrame(h *hello) []byte {
	b := []byte{byte(kindHello), linkVersion}
	b = append(b, h.Life[:]...)
	b = binary.BigEndian.AppendUint64(b, h.Line)
	b = binary.BigEndian.AppendUint64(b, h.Replaces)
	b = append(b, byte(h.Gives))
	b = binary.BigEndian.AppendUint64(b, uint64(h.First))
	b = append(b, h.Of[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(h.Floor))
	b = appendField(b, h.Above)
	return appendField(b, h.Card)
}

// readHello reads a hello. The error is refusedVersion if the hello is of another version.
func readHello(b []byte) (hello, error) {
	var h hello
	p := parser{b: b}
	if p.u8() != byte(kindHello) {
		return h, errKind
	}
	if v := p.u8(); p.err == nil && v != linkVersion {
		return h, refusedVersion
	}
	copy(h.Life[:], p.take(len(h.Life)))
	h.Line, h.Replaces = p.u64(), p.u64()
	h.Gives = p.rights()
	h.First = number(p.u64())
	copy(h.Of[:], p.take(len(h.Of)))
	h.Floor = number(p.u64())
	h.Above = p.field(maxAbove)
	h.Card = p.field(maxCard)
	if p.err == nil && (h.Line == 0 || h.First == 0 || h.Life == life{}) {
		p.err = errValue
	}
	return h, p.end()
}

func refuseFrame(r refusal) []byte { return []byte{byte(kindRefuse), byte(r)} }

func readRefuse(b []byte) (refusal, error) {
	p := parser{b: b[1:]}
	r := refusal(p.u8())
	if r == 0 || r >= allRefusals {
		p.err = errValue
	}
	return r, p.end()
}

// ask is a look or a join.
type ask struct {
	Secret Secret
	// Of a join.
	Gives Rights
	Card  []byte
}

func lookFrame(s Secret) []byte { return append([]byte{byte(kindLook)}, s[:]...) }

func joinFrame(a *ask) []byte {
	b := append([]byte{byte(kindJoin)}, a.Secret[:]...)
	b = append(b, byte(a.Gives))
	return appendField(b, a.Card)
}

func readAsk(b []byte) (ask, error) {
	var a ask
	join := kind(b[0]) == kindJoin
	p := parser{b: b[1:]}
	copy(a.Secret[:], p.take(len(a.Secret)))
	if join {
		a.Gives = p.rights()
		a.Card = p.field(maxCard)
	}
	return a, p.end()
}

// terms is the answer to a look or a join.
type terms struct {
	Gives   Rights
	Confirm bool // the link waits, or will wait, to be confirmed
	Card    []byte
}

func termsFrame(t *terms) []byte {
	b := []byte{byte(kindTerms), byte(t.Gives)}
	b = appendFlag(b, t.Confirm)
	return appendField(b, t.Card)
}

func readTerms(b []byte) (terms, error) {
	var t terms
	p := parser{b: b[1:]}
	t.Gives = p.rights()
	t.Confirm = p.flag()
	t.Card = p.field(maxCard)
	return t, p.end()
}

func cardFrame(signed []byte) []byte { return append([]byte{byte(kindCard)}, signed...) }

func rightsFrame(r Rights) []byte { return []byte{byte(kindRights), byte(r)} }

func readRights(b []byte) (Rights, error) {
	p := parser{b: b[1:]}
	r := p.rights()
	return r, p.end()
}

func ackFrame(floor number) []byte {
	return binary.BigEndian.AppendUint64([]byte{byte(kindAck)}, uint64(floor))
}

func readAck(b []byte) (number, error) {
	p := parser{b: b[1:]}
	n := number(p.u64())
	return n, p.end()
}

// envelope is a message on its way.
type envelope struct {
	number number
	first  number // the lowest number that may still come
	Message
}

func appendEnvelope(b []byte, e *envelope) []byte {
	b = appendFlag(append(b, byte(kindMessage)), e.Request)
	b = binary.BigEndian.AppendUint64(b, uint64(e.number))
	b = binary.BigEndian.AppendUint64(b, uint64(e.first))
	b = append(b, e.About[:]...)
	return append(b, e.Bytes...)
}

func readEnvelope(b []byte) (envelope, error) {
	var e envelope
	p := parser{b: b[1:]}
	e.Request = p.flag()
	e.number, e.first = number(p.u64()), number(p.u64())
	copy(e.About[:], p.take(len(e.About)))
	if len(p.b) > MaxMessage {
		p.err = errField
	}
	e.Bytes = p.take(len(p.b))
	if p.err == nil && (e.first == 0 || e.number < e.first || e.number-e.first >= maxOutstanding) {
		p.err = errValue
	}
	return e, p.end()
}
