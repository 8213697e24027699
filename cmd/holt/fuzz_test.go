package main

import (
	"io"
	"strings"
	"testing"
)

// FuzzFlags parses command lines without running them. The program understands a command line, or
// refuses it without a panic.
func FuzzFlags(f *testing.F) {
	for _, line := range []string{
		"", "serve --listen 127.0.0.1:0 --trusted-proxy 10.0.0.0/8,::1",
		"serve --public-url=https://a.example --limit-scale 2", "backup x.holt",
		"restore x.holt --data y", "bench --url http://127.0.0.1:1 --abuse --seconds 1e300",
		"watch", "peer invite --rights visit,bring", "objects --collect",
		"tables --json", "bags", "verify -", "version", "help serve", "--help",
		"serve --ping-interval -1s", "-- x", "serve --data= --tls-cert",
	} {
		f.Add(line, "HOLT_LISTEN=x\nHOLT_DATA=/y")
	}
	f.Fuzz(func(t *testing.T, line, environ string) {
		std := streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
		cli := &commandLine{}
		env := environment(strings.Split(environ, "\n"))
		parser, err := newParser(cli, std, env)
		if err != nil {
			t.Fatal(err)
		}
		status := exitOK
		func() {
			defer exited(&status)
			_, err = parser.Parse(strings.Fields(line))
		}()
		if err != nil && err.Error() == "" {
			t.Errorf("%q is refused without a message", line)
		}
		_, _ = parsePublicURL(cli.Serve.PublicURL)
		_, _ = parseProxies(cli.Serve.TrustedProxy)
		_, _ = parseOrigin(cli.Bench.URL)
	})
}
