package main

import (
	"fmt"
	"strings"

	"holt/scripts/bench/program"
	"holt/server/transport/simline"
)

// profile is a line with a name. there leads from the server to the client.
type profile struct {
	name        string
	there, back simline.Config
}

// profiles are the lines of the documentation, as parseProfile reads them.
var profiles = []string{
	"nothing lost: delay=50ms",
	"1 % lost: delay=50ms,loss=1%",
	"5 % lost: delay=50ms,loss=5%",
	"5 % lost in bursts of 100 ms: delay=50ms,loss=5%,burst=100ms",
	"jitter of 30 ms that overtakes, 1 % lost: delay=35ms,jitter=30ms,loss=1%",
	"jitter of 30 ms in order, 1 % lost: delay=35ms,jitter=30ms,loss=1%,order",
	"5 % late by 40 ms, 2 % doubled, 2 % lost: " +
		"delay=50ms,late=5%,lateness=40ms,duplicate=2%,loss=2%",
	"5 % lost there, 20 ms; nothing back, 80 ms: delay=20ms,loss=5% / delay=80ms",
	"nothing lost there; 10 % lost back: delay=50ms / delay=50ms,loss=10%",
	"2 % lost; 8,000 bytes/s back: delay=20ms,loss=2% / delay=80ms,rate=8000,queue=2000",
}

// parseProfile reads a line: its name, a colon, its properties, and after a slash those of the way
// back if they are others.
func parseProfile(text string) (*profile, error) {
	name, properties, ok := strings.Cut(text, ":")
	if !ok {
		return nil, fmt.Errorf("%w: %q has no name", program.ErrUsage, text)
	}
	there, back, differs := strings.Cut(properties, "/")
	if !differs {
		back = there
	}
	p := &profile{name: strings.TrimSpace(name)}
	var err error
	if p.there, err = (simline.Config{}).With(there); err == nil {
		p.back, err = (simline.Config{}).With(back)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", program.ErrUsage, err)
	}
	return p, nil
}
