package endpoint

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"sync"
	"time"
)

// Times of the certificates that clients pin (D30). Browsers accept none that is valid for more
// than 14 days.
const (
	certificateSkew  = 24 * time.Hour      // valid before it was made, for clocks that are behind
	certificateAhead = 12 * 24 * time.Hour // valid after it was made
	certificateTurn  = 5 * 24 * time.Hour  // for how long one is next, and then in use
)

// Certificates has the certificates by which a server proves itself to clients that know their
// hashes. They are self-signed, kept in memory only, and replaced while the server runs. There are
// always two: the one in use and the next one. So a client that got the hashes just before a change
// can still connect. The certificate of the web server would do only if a well-known authority had
// signed it. Certificates is safe for concurrent use.
type Certificates struct {
	// Set at construction.
	now func() time.Time

	mu sync.Mutex
	// Guarded by mu.
	current, next *pinned
	turn          time.Time // when next replaces current
}

// pinned is a self-signed certificate with its hash.
type pinned struct {
	certificate tls.Certificate
	hash        string
}

// SelfSigned returns new certificates. now is the clock.
func SelfSigned(now func() time.Time) (*Certificates, error) {
	c := &Certificates{now: now}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.renew(); err != nil {
		return nil, err
	}
	return c, nil
}

// Hashes returns the SHA-256, in base64, of the certificates that a client may get from now on.
func (c *Certificates) Hashes() ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.renew(); err != nil {
		return nil, err
	}
	return []string{c.current.hash, c.next.hash}, nil
}

// forClient is for tls.Config.GetCertificate.
func (c *Certificates) forClient(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.renew(); err != nil {
		return nil, err
	}
	return &c.current.certificate, nil
}

// renew makes the certificates that are due. After a long sleep of the machine it makes two new
// ones. The caller holds mu.
func (c *Certificates) renew() error {
	now := c.now()
	for c.turn.IsZero() || !now.Before(c.turn) {
		if c.turn.IsZero() || now.Sub(c.turn) >= certificateTurn {
			first, err := newPinned(now)
			if err != nil {
				return err
			}
			c.next, c.turn = first, now
		}
		next, err := newPinned(now)
		if err != nil {
			return err
		}
		c.current, c.next, c.turn = c.next, next, c.turn.Add(certificateTurn)
	}
	return nil
}

// newPinned makes a key and a certificate for it. The name in it means nothing: clients know the
// certificate by its hash.
func newPinned(now time.Time) (*pinned, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("draw a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("draw a serial number: %w", err)
	}
	form := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "holt"},
		DNSNames:     []string{"holt"},
		NotBefore:    now.Add(-certificateSkew), NotAfter: now.Add(certificateAhead),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("sign a certificate: %w", err)
	}
	return &pinned{
		certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		hash:        hashOf(der),
	}, nil
}

// hashOf returns the SHA-256 of a certificate in base64.
func hashOf(der []byte) string {
	sum := sha256.Sum256(der)
	return base64.StdEncoding.EncodeToString(sum[:])
}
