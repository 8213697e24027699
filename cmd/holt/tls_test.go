package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holt/server/client"
)

// writePair writes a certificate for 127.0.0.1 with the given serial number, and its key. Both
// files get the modification time at.
func writePair(t *testing.T, dir string, serial int64, at time.Time) (cert, key string) {
	t.Helper()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: []string{"localhost"}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	signed, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed},
		key: {Type: "PRIVATE KEY", Bytes: encoded}} {
		err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600)
		if err == nil {
			err = os.Chtimes(name, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestKeyPair(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	cert, key := writePair(t, dir, 1, now)
	var said bytes.Buffer
	f := tlsFlags{TLSCert: cert, TLSKey: key}
	c, err := f.load(slog.New(slog.NewTextHandler(&said, nil)), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		t.Helper()
		pair, err := c.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(pair.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.SerialNumber.Int64()
	}
	check := func(what string, want int64) {
		t.Helper()
		if got := serial(); got != want {
			t.Errorf("%s: the certificate is number %d, not %d", what, got, want)
		}
	}
	check("at first", 1)
	writePair(t, dir, 2, now.Add(time.Second))
	check("at once", 1)
	now = now.Add(lookEvery)
	check("after a minute", 2)
	if err := os.WriteFile(cert, []byte("half a"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(lookEvery)
	check("while somebody writes it", 2)
	if !strings.Contains(said.String(), "the certificate stays as it was") {
		t.Errorf("said %q", said.String())
	}
	writePair(t, dir, 3, now.Add(time.Hour))
	now = now.Add(lookEvery)
	check("when it is written", 3)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	now = now.Add(lookEvery)
	check("when the key has gone", 3)

	if _, err := (&tlsFlags{TLSCert: cert, TLSKey: key}).load(slog.New(slog.DiscardHandler),
		time.Now); err == nil {
		t.Error("it begins without a key")
	}
	if err := (&tlsFlags{TLSCert: cert}).check(); err == nil {
		t.Error("a certificate without a key is accepted")
	}
	if c, err := (&tlsFlags{}).load(slog.New(slog.DiscardHandler), time.Now); c != nil ||
		err != nil {
		t.Errorf("without the flags: %v, %v", c, err)
	}
}

// TestHTTPS runs the program with a certificate of its own.
func TestHTTPS(t *testing.T) {
	cert, key := writePair(t, t.TempDir(), 7, time.Now())
	s := startServer(t, t.TempDir(), "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	defer s.end(t)
	url := s.url
	if !strings.HasPrefix(url, "https://127.0.0.1:") {
		t.Fatalf("it is serving %s", url)
	}
	roots := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots,
		ServerName: "localhost", MinVersion: tls.VersionTLS12}}
	defer transport.CloseIdleConnections()
	c := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Run("pages and their cookies are for https", func(t *testing.T) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"tables",
			strings.NewReader("game=chess&nick=Ada&colour=%23d1495b"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", strings.TrimSuffix(url, "/"))
		res, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s, %v: %s", res.Status, err, body)
		}
		for _, cookie := range res.Cookies() {
			if !cookie.Secure {
				t.Errorf("the cookie %s goes over unencrypted connections, too", cookie.Name)
			}
		}
		if len(res.Cookies()) == 0 {
			t.Error("there is no cookie")
		}
	})
	t.Run("a stream comes over it", func(t *testing.T) {
		server, err := client.NewServer(url, c)
		if err != nil {
			t.Fatal(err)
		}
		seat, invites,
			err := server.CreateTable(t.Context(), "chess", "", client.Person{Nick: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(invites.Player, "https://") {
			t.Errorf("the invite leads to %s", invites.Player)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		whole := false
		guest, err := client.New(client.Config{
			Server: server, Seat: seat, Transport: client.WebSocket,
			Handle: func(e *client.Event) {
				if e.Kind == client.Synchronised {
					whole = true
					stop()
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := guest.Run(ctx); !whole {
			t.Errorf("it is not complete: %v", err)
		}
	})
}
