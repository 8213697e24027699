package main

import "testing"

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{"0": 0, "64MiB": 64 << 20, "1.5GiB": 3 << 29,
		"500kB": 500_000, "4096": 4096, "7 B": 7, "2GB": 2e9} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%q is %d, want %d; %v", text, s, want, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1e40GiB", "NaN", "Inf", "12 apples"} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %d", text, s)
		}
	}
	for s, want := range map[size]string{0: "0B", 1023: "1023B", 1024: "1KiB", 1536 << 10: "1.5MiB",
		128 << 20: "128MiB"} {
		if s.String() != want {
			t.Errorf("%d is shown as %s, want %s", int64(s), s, want)
		}
	}
	for _, f := range []quotaFlags{{TableQuota: 1}, {SeatQuota: 1}, {ForgetAfter: -1},
		{ForgetAfter: 3651}} {
		if f.check() == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
}
