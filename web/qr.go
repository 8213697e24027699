package web

import (
	"strings"

	qr "github.com/piglig/go-qr"
)

// QRCode returns the QR code of a text, row by row: '1' is a dark cell, '0' a light one. The light
// margin of four cells around it is not part of it. It returns nil for a text that is too long.
func QRCode(text string) []string {
	code, err := qr.EncodeText(text, qr.Medium)
	if err != nil {
		return nil
	}
	rows := make([]string, code.Size())
	for y := range rows {
		var row strings.Builder
		for x := range rows {
			if code.Module(x, y) {
				row.WriteByte('1')
			} else {
				row.WriteByte('0')
			}
		}
		rows[y] = row.String()
	}
	return rows
}
