package connection

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var (
	limits = FromServer
	token  = [TokenSize]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

// cuts calls read with every proper beginning of p. It fails if read accepts one that is shorter
// than least, or returns another error than ErrFormat.
func cuts(t *testing.T, p []byte, least int, read func(p []byte) error) {
	t.Helper()
	for n := range p {
		err := read(p[:n])
		if err == nil && n < least || err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("%d of %d bytes: %v", n, len(p), err)
		}
	}
}

func TestHello(t *testing.T) {
	full := Hello{
		Client: 0x0102030405060708, Cookie: []byte("a cookie"), Takes: limits,
		Resume: token[:], Request: "ticket=Zg&client=ü",
	}
	t.Run("D17.1 a Hello is read back", func(t *testing.T) {
		bare := Hello{Client: 1<<64 - 1, Takes: Limits{Message: 0, Window: 1<<32 - 1},
			Cookie: []byte{}, Resume: []byte{}}
		for _, h := range []Hello{full, bare} {
			for _, size := range []int{0, UDPSize} {
				p := AppendHello(nil, h, size)
				if len(p) < size {
					t.Errorf("%d bytes, want %d", len(p), size)
				}
				got, err := ReadHello(p)
				if err != nil || !reflect.DeepEqual(got, h) {
					t.Errorf("%+v, %v; want %+v", got, err, h)
				}
				if k, ok := KindOf(p); !ok || k != KindHello {
					t.Errorf("its kind is %v", k)
				}
			}
		}
	})
	t.Run("D17 a truncated Hello is refused", func(t *testing.T) {
		p := AppendHello(nil, full, 0)
		cuts(t, p, len(p), func(p []byte) error { _, err := ReadHello(p); return err })
	})
	t.Run("D17 padding is zeros", func(t *testing.T) {
		p := AppendHello(nil, full, UDPSize)
		p[UDPSize-1] = 1
		if _, err := ReadHello(p); !errors.Is(err, errRest) {
			t.Error(err)
		}
	})
	t.Run("D17 fields have bounds", func(t *testing.T) {
		for name, h := range map[string]Hello{
			"cookie":  {Cookie: make([]byte, MaxCookie+1)},
			"token":   {Resume: make([]byte, TokenSize+1)},
			"short":   {Resume: make([]byte, TokenSize-1)},
			"request": {Request: strings.Repeat("a", MaxRequest+1)},
			"text":    {Request: "\xff"},
		} {
			if _, err := ReadHello(AppendHello(nil, h, 0)); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := ReadHello(AppendHello(nil, Hello{Cookie: make([]byte, MaxCookie),
			Request: strings.Repeat("a", MaxRequest)}, 0)); err != nil {
			t.Error(err)
		}
	})
	t.Run("D19 a Hello of another version names its connection", func(t *testing.T) {
		p := AppendHello(nil, full, 0)
		p[1] = 2
		if h, err := ReadHello(p[:10]); !errors.Is(err, ErrVersion) || h.Client != full.Client {
			t.Errorf("%+v, %v", h, err)
		}
	})
}

func TestRetry(t *testing.T) {
	t.Run("D18.1 a Retry brings the cookie, and is shorter than its Hello", func(t *testing.T) {
		p := AppendRetry(nil, 42, []byte("cookie"))
		client, cookie, err := ReadRetry(p)
		if err != nil || client != 42 || string(cookie) != "cookie" {
			t.Errorf("%d %q %v", client, cookie, err)
		}
		cuts(t, p, 10, func(p []byte) error { _, _, err := ReadRetry(p); return err })
		long := AppendRetry(nil, 42, make([]byte, MaxCookie+1))
		if _, _, err := ReadRetry(long); !errors.Is(err, errBounds) {
			t.Error(err)
		}
		if len(long) >= UDPSize {
			t.Errorf("%d bytes", len(long))
		}
	})
}

func TestWelcome(t *testing.T) {
	w := Welcome{Client: 1, Connection: 1<<64 - 2, Takes: limits, Token: token, Resumed: true}
	t.Run("D19.1 a Welcome is read back", func(t *testing.T) {
		for _, w := range []Welcome{w, {}} {
			p := AppendWelcome(nil, w)
			if got, err := ReadWelcome(p); err != nil || got != w {
				t.Errorf("%+v, %v; want %+v", got, err, w)
			}
			cuts(t, p, len(p), func(p []byte) error { _, err := ReadWelcome(p); return err })
			if _, err := ReadWelcome(append(p, 0)); !errors.Is(err, errRest) {
				t.Errorf("with a byte more: %v", err)
			}
		}
	})
	t.Run("D19.1 a connection was resumed or was not", func(t *testing.T) {
		p := AppendWelcome(nil, w)
		p[len(p)-1] = 2
		if _, err := ReadWelcome(p); !errors.Is(err, errFlag) {
			t.Error(err)
		}
	})
	t.Run("D19 a Welcome of another version is refused", func(t *testing.T) {
		p := AppendWelcome(nil, w)
		p[1] = 0
		if got, err := ReadWelcome(p); !errors.Is(err, ErrVersion) || got.Client != w.Client {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestClose(t *testing.T) {
	t.Run("D29.11 a Close is read back, with a number or without", func(t *testing.T) {
		for _, named := range []bool{false, true} {
			p := AppendClose(nil, 7, named, CodeRefused, "seat-gone é")
			number, code, reason, err := ReadClose(p, named)
			if err != nil || named != (number == 7) || code != CodeRefused ||
				reason != "seat-gone é" {
				t.Errorf("%d %d %q %v", number, code, reason, err)
			}
			cuts(t, p, len(p)-len("seat-gone é"),
				func(p []byte) error { _, _, _, err := ReadClose(p, named); return err })
		}
	})
	t.Run("D29.11 a reason has 123 bytes at most, and ends with a rune", func(t *testing.T) {
		p := AppendClose(nil, 0, false, CodeDone, strings.Repeat("x", MaxReason-1)+"üü")
		if _, _, reason, err := ReadClose(p, false); err != nil ||
			reason != strings.Repeat("x", MaxReason-1) {
			t.Errorf("%q %v", reason, err)
		}
		long := append(AppendClose(nil, 0, false, CodeDone, ""),
			strings.Repeat("x", MaxReason+1)...)
		if _, _, _, err := ReadClose(long, false); !errors.Is(err, errBounds) {
			t.Error(err)
		}
		if _, _, _, err := ReadClose([]byte{4, 3, 232, 0xff}, false); !errors.Is(err, errText) {
			t.Error(err)
		}
	})
}

func TestKinds(t *testing.T) {
	t.Run("D16 the first byte gives the type of a packet", func(t *testing.T) {
		known := map[byte]Kind{1: KindHello, 2: KindRetry, 3: KindWelcome, 4: KindClose}
		for b := byte(0x40); b < 0x60; b++ {
			known[b] = KindData
		}
		for b := range 256 {
			want, ok := known[byte(b)]
			if got, gotOK := KindOf([]byte{byte(b), 1}); got != want || gotOK != ok {
				t.Errorf("%#x: %v %v", b, got, gotOK)
			}
		}
		if _, ok := KindOf(nil); ok {
			t.Error("nothing is a packet")
		}
	})
	t.Run("D20.6 packets on UDP name their connection", func(t *testing.T) {
		for _, p := range [][]byte{
			appendData(nil, data{connection: 9}, true), AppendClose(nil, 9, true, CodeDone, ""),
		} {
			if n, ok := NumberOf(p); !ok || n != 9 {
				t.Errorf("%x: %d %v", p, n, ok)
			}
			cuts(t, p[:9], 9, func(p []byte) error {
				if _, ok := NumberOf(p); !ok {
					return ErrFormat
				}
				return nil
			})
		}
		if _, ok := NumberOf(AppendHello(nil, Hello{}, 0)); ok {
			t.Error("a Hello belongs to no connection")
		}
	})
}

func TestVarints(t *testing.T) {
	t.Run("D17 a varint is in its shortest form, below 2^32", func(t *testing.T) {
		for _, n := range []uint32{0, 1, 127, 128, 16_383, 16_384, 1<<21 - 1, 1 << 21, 1<<28 - 1,
			1 << 28, 1<<32 - 1} {
			b := appendVarint(nil, n)
			got, rest, err := readVarint(append(b, 0xaa))
			if err != nil || got != n || !bytes.Equal(rest, []byte{0xaa}) ||
				len(b) != varintLen(n) {
				t.Errorf("%d: %x, %d %v", n, b, got, err)
			}
			cuts(t, b, len(b), func(p []byte) error { _, _, err := readVarint(p); return err })
		}
		for _, b := range [][]byte{{0x80, 0}, {0xff, 0x80, 0}, {0xff, 0xff, 0xff, 0xff, 0x10},
			{0xff, 0xff, 0xff, 0xff, 0xff, 1}} {
			if n, _, err := readVarint(b); !errors.Is(err, errVarint) {
				t.Errorf("%x: %d %v", b, n, err)
			}
		}
	})
}
