package connection

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// Bounds of the fields of a Hello.
const (
	MaxCookie  = 64   // bytes of a cookie (D18)
	MaxRequest = 1024 // bytes of a request (D30)
	TokenSize  = 16   // bytes of a resumption token (D19)
)

// ErrVersion says that a packet is of another version (D19). The answer is a Close with
// CodeVersion.
var ErrVersion = fmt.Errorf("%w: another version of the protocol", ErrFormat)

var (
	errToken = fmt.Errorf("%w: a resumption token has %d bytes", ErrFormat, TokenSize)
	errText  = fmt.Errorf("%w: a text is not UTF-8", ErrFormat)
	errFlag  = fmt.Errorf("%w: what is yes or no is neither", ErrFormat)
)

// Limits are the bounds of one end of a connection (D14). It sends them in the handshake (D17,
// D19).
type Limits struct {
	// Message is the size of the largest message, in bytes.
	Message uint32
	// Window is how much the messages that are not executed may cost, in bytes.
	Window uint32
}

// Hello opens a connection, or resumes one (D17). What ReadHello returns shares the memory of the
// packet that it was read from.
type Hello struct {
	// Client is a random number that the client chose for this Hello. Answers repeat it.
	Client uint64
	// Cookie is the cookie of a Retry, or empty.
	Cookie []byte
	// Takes has the bounds of the client.
	Takes Limits
	// Resume is the token of the connection to resume (D21), or empty.
	Resume []byte
	// Request says what the connection is for (D30), or is empty.
	Request string
}

// AppendHello appends h, then zeros until the packet has size bytes (D17). It does not check
// bounds: nobody can read a packet with a field beyond its bound.
func AppendHello(b []byte, h Hello, size int) []byte {
	start := len(b)
	b = append(b, byte(KindHello), Version)
	b = binary.BigEndian.AppendUint64(b, h.Client)
	b = appendField(b, h.Cookie)
	b = appendLimits(b, h.Takes)
	b = appendField(b, h.Resume)
	b = appendVarint(b, uint32(len(h.Request))) //nolint:gosec // at most MaxRequest
	b = append(b, h.Request...)
	for len(b)-start < size {
		b = append(b, 0)
	}
	return b
}

// ReadHello reads what AppendHello has written. For another version it returns the client's number
// and ErrVersion. Every error wraps ErrFormat.
func ReadHello(p []byte) (Hello, error) {
	var h Hello
	p, client, err := readStart(p, KindHello)
	if h.Client = client; err != nil {
		return h, err
	}
	if h.Cookie, p, err = readField(p, MaxCookie); err != nil {
		return h, err
	}
	if h.Takes, p, err = readLimits(p); err != nil {
		return h, err
	}
	if h.Resume, p, err = readField(p, TokenSize); err != nil {
		return h, err
	}
	if len(h.Resume) != 0 && len(h.Resume) != TokenSize {
		return h, errToken
	}
	request, p, err := readField(p, MaxRequest)
	if err != nil {
		return h, err
	}
	if !utf8.Valid(request) {
		return h, errText
	}
	h.Request = string(request)
	for _, c := range p {
		if c != 0 {
			return h, errRest
		}
	}
	return h, nil
}

// AppendRetry appends the answer to a Hello without a valid cookie (D18): type, the client's
// number, the cookie.
func AppendRetry(b []byte, client uint64, cookie []byte) []byte {
	b = append(b, byte(KindRetry))
	b = binary.BigEndian.AppendUint64(b, client)
	return append(b, cookie...)
}

// ReadRetry reads what AppendRetry has written. The cookie shares the memory of p and is not empty.
func ReadRetry(p []byte) (client uint64, cookie []byte, err error) {
	switch {
	case len(p) == 0 || p[0] != byte(KindRetry):
		return 0, nil, errKind
	case len(p) < 10:
		return 0, nil, errShort
	case len(p) > 9+MaxCookie:
		return 0, nil, errBounds
	}
	return binary.BigEndian.Uint64(p[1:]), p[9:], nil
}

// Welcome answers a Hello: with it the connection begins (D19, D20).
type Welcome struct {
	// Client is the client's number in the Hello that is answered.
	Client uint64
	// Connection is the number of the connection, which is random.
	Connection uint64
	// Takes has the bounds of the server.
	Takes Limits
	// Token resumes the connection on another path (D21).
	Token [TokenSize]byte
	// Resumed says that an existing connection goes on.
	Resumed bool
}

// AppendWelcome appends w.
func AppendWelcome(b []byte, w Welcome) []byte {
	b = append(b, byte(KindWelcome), Version)
	b = binary.BigEndian.AppendUint64(b, w.Client)
	b = binary.BigEndian.AppendUint64(b, w.Connection)
	b = appendLimits(b, w.Takes)
	b = append(b, w.Token[:]...)
	if w.Resumed {
		return append(b, 1)
	}
	return append(b, 0)
}

// ReadWelcome reads what AppendWelcome has written. For another version it returns the client's
// number and ErrVersion.
func ReadWelcome(p []byte) (Welcome, error) {
	var w Welcome
	p, client, err := readStart(p, KindWelcome)
	if w.Client = client; err != nil {
		return w, err
	}
	if len(p) < 8 {
		return w, errShort
	}
	w.Connection = binary.BigEndian.Uint64(p)
	if w.Takes, p, err = readLimits(p[8:]); err != nil {
		return w, err
	}
	switch {
	case len(p) < TokenSize+1:
		return w, errShort
	case len(p) > TokenSize+1:
		return w, errRest
	case p[TokenSize] > 1:
		return w, errFlag
	}
	copy(w.Token[:], p)
	w.Resumed = p[TokenSize] == 1
	return w, nil
}

// readStart reads type, version and the client's number.
func readStart(p []byte, k Kind) (rest []byte, client uint64, err error) {
	switch {
	case len(p) == 0 || p[0] != byte(k):
		return nil, 0, errKind
	case len(p) < 10:
		return nil, 0, errShort
	}
	client = binary.BigEndian.Uint64(p[2:])
	if p[1] != Version {
		return nil, client, ErrVersion
	}
	return p[10:], client, nil
}

func appendField(b, field []byte) []byte {
	b = appendVarint(b, uint32(len(field))) //nolint:gosec // fields of a Hello are short
	return append(b, field...)
}

func appendLimits(b []byte, l Limits) []byte {
	return appendVarint(appendVarint(b, l.Message), l.Window)
}

func readLimits(p []byte) (l Limits, rest []byte, err error) {
	if l.Message, p, err = readVarint(p); err != nil {
		return l, nil, err
	}
	l.Window, p, err = readVarint(p)
	return l, p, err
}
