package connection

import (
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"
)

// Code is a close code: one of stream.md, or one of D29.
type Code uint16

// The close codes that this package uses itself, and those of the handshake (D29).
const (
	CodeDone         Code = 1000 // nothing more to say
	CodeGoing        Code = 1001 // the server is stopping
	CodeProtocol     Code = 1002 // the other end broke the protocol
	CodeTooLarge     Code = 1009 // larger than the bounds of this end (D14)
	CodeVersion      Code = 1010 // unknown version; the reason lists the known ones
	CodeSilent       Code = 4000 // silent, or a message has been missing for too long (D10)
	CodeTaken        Code = 4001 // another stream took over
	CodeNoSeat       Code = 4002 // the seat was withdrawn
	CodeRefused      Code = 4003 // refused: the reason is the code of a problem
	CodeEnded        Code = 4004 // the table is closed
	CodeNoConnection Code = 4005 // nothing to resume (D21)
)

// MaxReason is the greatest length of the reason of a Close, in bytes (D29).
const MaxReason = 123

// orderly reports whether a connection that ends with this code first sends what waits (D29).
func (c Code) orderly() bool {
	switch c {
	case CodeDone, CodeGoing, CodeTaken, CodeNoSeat, CodeEnded:
		return true
	default:
		return false
	}
}

// CloseError says why a connection is over.
type CloseError struct {
	Code   Code
	Reason string
	// Remote says that the other end closed the connection.
	Remote bool
}

// Error says which end closed the connection, and why.
func (e *CloseError) Error() string {
	who := "closed"
	if e.Remote {
		who = "closed by the other end"
	}
	if e.Reason == "" {
		return fmt.Sprintf("%s: %d", who, e.Code)
	}
	return fmt.Sprintf("%s: %d %s", who, e.Code, e.Reason)
}

// AppendClose appends a Close (D29). If named is set, the Close has a number: the connection's on
// UDP, or the client's in an answer to a Hello. It shortens a reason of more than MaxReason bytes
// to whole runes.
func AppendClose(b []byte, number uint64, named bool, code Code, reason string) []byte {
	b = append(b, byte(KindClose))
	if named {
		b = binary.BigEndian.AppendUint64(b, number)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(code))
	return append(b, cut(reason)...)
}

// cut returns as many whole runes of reason as fit into MaxReason bytes.
func cut(reason string) string {
	if len(reason) <= MaxReason {
		return reason
	}
	end := MaxReason
	for end > 0 && !utf8.RuneStart(reason[end]) {
		end--
	}
	return reason[:end]
}

// ReadClose reads what AppendClose has written. The number is 0 unless named is set. The error
// wraps ErrFormat.
func ReadClose(p []byte, named bool) (number uint64, code Code, reason string, err error) {
	if len(p) == 0 || p[0] != byte(KindClose) {
		return 0, 0, "", errKind
	}
	p = p[1:]
	if named {
		if len(p) < 8 {
			return 0, 0, "", errShort
		}
		number, p = binary.BigEndian.Uint64(p), p[8:]
	}
	switch {
	case len(p) < 2:
		return 0, 0, "", errShort
	case len(p) > 2+MaxReason:
		return 0, 0, "", errBounds
	case !utf8.Valid(p[2:]):
		return 0, 0, "", errText
	}
	return number, Code(binary.BigEndian.Uint16(p)), string(p[2:]), nil
}

// Close ends the connection (D29). With a code that ends in good order, the connection first sends
// what waits and gets it acknowledged, for 1 s at most. Only the first call counts.
func (c *Conn) Close(now time.Duration, code Code, reason string) {
	if c.closing != nil || c.err != nil {
		return
	}
	c.closing = &CloseError{Code: code, Reason: cut(reason)}
	c.closeBy = now + closeTimeout
	if !code.orderly() {
		c.end(c.closing)
	}
}

// Err returns why the connection is over, or nil if it is open. When it is over, Next may still
// have a Close to send, and another one as an answer to what still comes.
func (c *Conn) Err() *CloseError { return c.err }

// RepeatClose lets Next send the Close of this end once more (D29). A Close may be lost, and the
// other end may send nothing that this end could answer. Repeat does nothing while the connection
// is open, or when the other end has closed it.
func (c *Conn) RepeatClose() { c.closeDue = c.closeDue || c.err != nil && !c.err.Remote }

// end ends the connection. Only the first call counts.
func (c *Conn) end(why *CloseError) {
	if c.err != nil {
		return
	}
	c.err = why
	c.closeDue = !why.Remote
	c.sender.Close()
}

// fail ends the connection because of an error, and returns why it is over.
func (c *Conn) fail(code Code, err error) error {
	c.end(&CloseError{Code: code, Reason: cut(err.Error())})
	return c.err
}

// receiveClose processes the Close of the other end.
func (c *Conn) receiveClose(p []byte) error {
	number, code, reason, err := ReadClose(p, c.path.UDP)
	if err != nil {
		return c.unreadable(err)
	}
	if c.path.UDP && number != c.config.Number {
		c.stats.Dropped++
		return nil
	}
	c.end(&CloseError{Code: code, Reason: reason, Remote: true})
	return c.err
}

// maxAnswers is how often a Close is sent again as an answer (D29).
const maxAnswers = 3

// answer lets Next send the Close again: Data came, so the other end does not know of the Close
// yet.
func (c *Conn) answer(kind Kind) {
	if kind != KindData || c.err.Remote || c.answers == maxAnswers {
		return
	}
	c.answers++
	c.closeDue = true
}

// appendClose appends the Close if one is to be sent.
func (c *Conn) appendClose(to []byte) ([]byte, bool) {
	if !c.closeDue {
		return to, false
	}
	c.closeDue = false
	c.stats.Sent++
	return AppendClose(to, c.config.Number, c.path.UDP, c.err.Code, c.err.Reason), true
}
