package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/bits"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// Content codings (RFC 9110, 8.4.1; RFC 7932).
const (
	codingBrotli = "br"
	codingGzip   = "gzip"
	codingNone   = "identity"
)

// negotiate returns which of the offered codings r prefers. Of equal ones it returns the one that
// is offered first. It returns codingNone if r accepts none of them, or prefers plain content (RFC
// 9110, 12.5.3).
func negotiate(r *http.Request, offers ...string) string {
	wanted := weights(r.Header.Values("Accept-Encoding"))
	best, most := codingNone, wanted[codingNone]
	for _, coding := range offers {
		weight, named := wanted[coding]
		if !named {
			weight = wanted["*"]
		}
		if weight > most {
			best, most = coding, weight
		}
	}
	return best
}

// weights reads Accept-Encoding: the weight of each named coding, from 0 to 1. An invalid weight is
// 0.
func weights(headers []string) map[string]float64 {
	wanted := map[string]float64{}
	for _, list := range headers {
		for t := range strings.SplitSeq(list, ",") {
			coding, parameter, weighed := strings.Cut(t, ";")
			weight := 1.0
			if weighed {
				name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
				q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
				if weight = q; err != nil || !strings.EqualFold(name, "q") || !(q >= 0 && q <= 1) {
					weight = 0
				}
			}
			wanted[strings.ToLower(strings.TrimSpace(coding))] = weight
		}
	}
	return wanted
}

// acceptsGzip reports whether r takes gzip.
func acceptsGzip(r *http.Request) bool { return negotiate(r, codingGzip) == codingGzip }

// compressible reports whether compression pays for a media type. It does for text. Pictures and
// sound are compressed already.
func compressible(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "image/svg") ||
		strings.HasPrefix(kind, "application/json")
}

// compress compresses with gzip.
func compress(body []byte, level int) []byte {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, level)
	if err != nil {
		panic(err) // there is no such level
	}
	return packed(&z, w, body)
}

// brotliCompress compresses with Brotli, as far as that goes. The result is a tenth smaller than
// with gzip, and takes fifty times as long. That is for content that is compressed once and served
// until the program ends.
func brotliCompress(body []byte) []byte {
	var z bytes.Buffer
	// The window is as large as the content: the usual one takes 30 MB for a file of 1 kB.
	window := min(max(bits.Len(uint(len(body))), 10), 22)
	return packed(&z, brotli.NewWriterOptions(&z, brotli.WriterOptions{
		Quality: brotli.BestCompression, LGWin: window,
	}), body)
}

func packed(z *bytes.Buffer, w io.WriteCloser, body []byte) []byte {
	_, _ = w.Write(body) // a bytes.Buffer takes everything
	_ = w.Close()
	return z.Bytes()
}
