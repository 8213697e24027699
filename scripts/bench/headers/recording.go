package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// frame is a frame of a stream, as the server wrote it.
type frame struct {
	at    time.Duration // since the stream was opened
	bytes []byte
}

// magic begins each recording.
const magic = "holt frames 1\n"

// mostFrame bounds what is read of one frame. The largest message has 16 MiB (D14).
const mostFrame = 16 << 20

// errRecording says that something is not a recording.
var errRecording = errors.New("not a recording")

// writeRecording writes frames: for each its time in microseconds since the one before it, its
// length and its bytes.
func writeRecording(w io.Writer, all []frame) error {
	b := []byte(magic)
	last := time.Duration(0)
	for _, f := range all {
		b = binary.AppendUvarint(b, uint64((f.at - last).Microseconds())) //nolint:gosec // ascending
		b = binary.AppendUvarint(b, uint64(len(f.bytes)))
		b = append(b, f.bytes...)
		last = f.at.Truncate(time.Microsecond)
	}
	_, err := w.Write(b)
	return err
}

// readRecording reads what writeRecording has written. The error may be errRecording.
func readRecording(r io.Reader) (all []frame, err error) {
	in := bufio.NewReader(r)
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != magic {
		return nil, fmt.Errorf("%w: it begins otherwise", errRecording)
	}
	at := time.Duration(0)
	for {
		wait, err := binary.ReadUvarint(in)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		const day = uint64(24 * time.Hour / time.Microsecond)
		if err != nil || wait > day {
			return nil, fmt.Errorf("%w: frame %d has no time", errRecording, len(all))
		}
		size, err := binary.ReadUvarint(in)
		if err != nil || size > mostFrame {
			return nil, fmt.Errorf("%w: frame %d has no length", errRecording, len(all))
		}
		at += time.Duration(wait) * time.Microsecond
		f := frame{at: at, bytes: make([]byte, size)}
		if _, err := io.ReadFull(in, f.bytes); err != nil {
			return nil, fmt.Errorf("%w: frame %d is cut off", errRecording, len(all))
		}
		all = append(all, f)
	}
}
