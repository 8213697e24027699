package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// tlsFlags make the server speak https itself.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" placeholder:"FILE" help:"Certificate to serve https with, in PEM, with those of its signers; with --tls-key. Both are read again when they have changed."`
	TLSKey  string `name:"tls-key" placeholder:"FILE" help:"The key of --tls-cert, in PEM."`
}

// check reports what is wrong with the flags.
func (f *tlsFlags) check() error {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	return nil
}

// load returns the TLS configuration, or nil if the flags are not given.
func (f *tlsFlags) load(log *slog.Logger, now func() time.Time) (*tls.Config, error) {
	if f.TLSCert == "" {
		return nil, nil //nolint:nilnil // none is fine
	}
	p := &keyPair{cert: f.TLSCert, key: f.TLSKey, log: log, now: now}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: p.get}, nil
}

// lookEvery is the least time between two checks for a new certificate: whoever renews it need not
// restart the server.
const lookEvery = time.Minute

// keyPair is a certificate and its key, as the files have them.
type keyPair struct {
	// Set at construction.
	cert, key string
	log       *slog.Logger
	now       func() time.Time

	mu sync.Mutex
	// Guarded by mu.
	current tls.Certificate
	looked  time.Time    // the time of the last check
	written [2]time.Time // the modification times of the files when they were read
}

// get is for tls.Config.GetCertificate. If the files cannot be read, the previous pair stays.
func (p *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Sub(p.looked) >= lookEvery {
		if err := p.read(); err != nil {
			p.log.Warn("the certificate stays as it was", "error", err)
		}
	}
	c := p.current
	return &c, nil
}

// read reads the files if they have changed. The caller has mu, or is the only one that uses the
// pair.
func (p *keyPair) read() error {
	p.looked = p.now()
	var written [2]time.Time
	for i, name := range []string{p.cert, p.key} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		written[i] = info.ModTime()
	}
	if written == p.written {
		return nil
	}
	c, err := tls.LoadX509KeyPair(p.cert, p.key)
	if err != nil {
		return err
	}
	p.current, p.written = c, written
	return nil
}
