package game

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
)

// maxPixels bounds the width and the height of a bitmap, because a small file can take gigabytes in
// every browser at the table.
const maxPixels = 4096

// Art is a picture, or in Shelf.Art a catalogue, with the media type under which it is served.
type Art struct {
	Data []byte
	Type string // "image/svg+xml", "image/png", "image/jpeg", "image/webp" or "application/json"
}

// CheckArt returns data as art if it is a picture that is safe for everybody at a table: an SVG
// that cannot run or fetch anything (see checkSVG), or a PNG, JPEG or WebP of at most 4096 × 4096
// pixels. data must have at most MaxArt bytes. The format follows from the bytes and not from a
// name.
func CheckArt(data []byte) (Art, error) {
	if len(data) > MaxArt {
		return Art{}, fmt.Errorf("has %d bytes, more than %d", len(data), MaxArt)
	}
	art := Art{Data: data}
	var size image.Config
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		art.Type = "image/png"
		size, err = png.DecodeConfig(bytes.NewReader(data))
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		art.Type = "image/jpeg"
		size, err = jpeg.DecodeConfig(bytes.NewReader(data))
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		art.Type = "image/webp"
		size, err = webpConfig(data)
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")):
		if err := checkSVG(data); err != nil {
			return Art{}, err
		}
		return Art{Data: data, Type: "image/svg+xml"}, nil
	default:
		return Art{}, errors.New("is not SVG, PNG, JPEG or WebP")
	}
	if err != nil {
		return Art{}, fmt.Errorf("read the header of %s: %w", art.Type, err)
	}
	if size.Width < 1 || size.Height < 1 || size.Width > maxPixels || size.Height > maxPixels {
		return Art{}, fmt.Errorf("is %d × %d pixels, not 1 to %d each way", size.Width, size.Height,
			maxPixels)
	}
	return art, nil
}

// webpConfig reads the size of a WebP picture from its first chunk (RFC 9649). The chunk is one of
// three: extended (VP8X), lossless (VP8L) or lossy (VP8, with a space).
func webpConfig(data []byte) (image.Config, error) {
	const chunk = 20 // 4B RIFF, 4B size, 4B WEBP, 4B name of the chunk, 4B its size
	if len(data) < chunk+10 {
		return image.Config{}, errors.New("ends too early")
	}
	b := data[chunk:]
	switch string(data[12:16]) {
	case "VP8X": // 1B flags, 3B reserved, 3B width - 1, 3B height - 1
		return image.Config{
			Width:  1 + int(b[4]) + int(b[5])<<8 + int(b[6])<<16,
			Height: 1 + int(b[7]) + int(b[8])<<8 + int(b[9])<<16,
		}, nil
	case "VP8L": // 1B 0x2f, 14 bits of width - 1, 14 bits of height - 1
		bits := binary.LittleEndian.Uint32(b[1:])
		if b[0] == 0x2f {
			return image.Config{Width: 1 + int(bits&0x3fff), Height: 1 + int(bits>>14&0x3fff)}, nil
		}
	case "VP8 ": // 3B frame tag, 3B start code, 14 bits of width and 2 of scale, the same of height
		if bytes.Equal(b[3:6], []byte{0x9d, 0x01, 0x2a}) {
			return image.Config{
				Width:  int(binary.LittleEndian.Uint16(b[6:]) & 0x3fff),
				Height: int(binary.LittleEndian.Uint16(b[8:]) & 0x3fff),
			}, nil
		}
	}
	return image.Config{}, errors.New("has no known first chunk")
}
