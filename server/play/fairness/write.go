package fairness

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// chunk is the number of bytes that are collected before they are written.
const chunk = 32 << 10

// Write writes e as a file that ReadExport can read. It writes in chunks, because a file may be
// much larger than e. The order of members is fixed, so that equal exports give equal bytes.
func (e *Export) Write(w io.Writer) error {
	b := fmt.Appendf(nil, `{"format":%q`, e.format())
	if e.Dropped > 0 {
		b = strconv.AppendUint(appendName(b, "dropped"), uint64(e.Dropped), 10)
	}
	b, err := appendNames(b, "kinds", e.Kinds)
	if err != nil {
		return err
	}
	b = append(appendName(b, "rounds"), '[')
	for i := range e.Rounds {
		r := &e.Rounds[i]
		b = r.appendHead(appendComma(b, i))
		for n := range r.Facts {
			b = append(r.Facts[n].append(appendComma(b, n), r.Bound != nil), '\n')
			if len(b) < chunk {
				continue
			}
			if _, err := w.Write(b); err != nil {
				return fmt.Errorf("write export: %w", err)
			}
			b = b[:0]
		}
		if b, err = r.appendTail(b); err != nil {
			return err
		}
	}
	if b, err = appendNames(append(b, ']'), "seats", e.Seats); err != nil {
		return err
	}
	if _, err := w.Write(fmt.Appendf(b, ",\"table\":%q}\n", e.Table.String())); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}

// appendNames appends a member with names by number, unless names is nil.
func appendNames(b []byte, member string, names map[uint32]string) ([]byte, error) {
	if names == nil {
		return b, nil
	}
	text, err := json.Marshal(names)
	if err != nil {
		return nil, fmt.Errorf("write export: %w", err)
	}
	return append(append(appendName(b, member), text...), '\n'), nil
}

// appendHead appends a round up to the beginning of its facts.
func (r *ExportedRound) appendHead(b []byte) []byte {
	b = appendHex(append(b, `{"before":`...), r.Before[:])
	if r.Bound != nil {
		b = appendHex(appendName(b, "catalog"), r.Bound.Catalog[:])
	}
	b = appendHex(appendName(b, "commitment"), r.Commitment[:])
	return append(appendName(b, "facts"), '[')
}

// appendTail appends what follows the facts of a round.
func (r *ExportedRound) appendTail(b []byte) ([]byte, error) {
	b = append(b, ']')
	if r.Bound != nil {
		b = appendNumber(appendName(b, "kinds"), r.Bound.Kinds)
		b = appendHex(appendName(b, "line"), r.Line[:])
		b = appendHex(appendName(b, "names"), r.Bound.Names[:])
	}
	b = appendNumber(appendName(b, "opened"), r.Opened)
	b = appendNumber(appendName(b, "round"), r.Round)
	if r.Bound != nil {
		seats := make(map[uint32]string, len(r.Bound.Seats))
		for _, s := range r.Bound.Seats {
			seats[uint32(s.Seat)] = s.Name
		}
		var err error
		if b, err = appendNames(b, "seats", seats); err != nil {
			return nil, err
		}
	}
	if r.Seed != nil {
		b = appendHex(appendName(b, "seed"), r.Seed[:])
		b = appendNumber(appendName(b, "told"), r.Published)
	}
	if r.Bound != nil {
		b = appendNumber(appendName(b, "version"), uint32(version2))
	}
	return append(b, '}'), nil
}

// append appends a fact with its members. A bound round is of version 2.
func (d *Dated) append(b []byte, bound bool) []byte {
	b = appendNumber(append(b, `{"at":`...), d.At)
	for _, m := range membersOf(d.Fact) {
		b = append(appendName(b, m.name), m.value...)
	}
	if bound && d.Fact.Kind() != KindDrawn {
		b = appendHex(appendName(b, "line"), d.Line[:])
	}
	return append(b, '}')
}

// appendName appends a comma and the name of a member.
func appendName(b []byte, name string) []byte {
	return append(append(append(b, `,"`...), name...), `":`...)
}

// appendComma appends a comma unless i is the first entry of a list.
func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

func appendNumber[N ~uint32 | ~int64](b []byte, n N) []byte {
	return strconv.AppendInt(b, int64(n), 10)
}

func appendNumbers[N ~uint32](b []byte, list []N) []byte {
	b = append(b, '[')
	for i, n := range list {
		b = appendNumber(appendComma(b, i), n)
	}
	return append(b, ']')
}

// appendString appends any text, quoted and escaped.
func appendString(b []byte, text string) []byte {
	// A string can always be marshalled.
	quoted, _ := json.Marshal(text)
	return append(b, quoted...)
}

// appendText appends a text that needs no escaping.
func appendText(b []byte, text string) []byte {
	return append(append(append(b, '"'), text...), '"')
}

func appendHex(b, bytes []byte) []byte {
	return append(hex.AppendEncode(append(b, '"'), bytes), '"')
}
