package endpoint

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"slices"
	"testing"
	"time"
)

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestSelfSignedCertificates(t *testing.T) {
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	own, err := SelfSigned(c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("D30 browsers take them: ECDSA P-256, valid for at most 14 days", func(t *testing.T) {
		leaf := leafOf(t, own)
		key, ok := leaf.PublicKey.(*ecdsa.PublicKey)
		if !ok || key.Curve != elliptic.P256() {
			t.Errorf("the key is a %T", leaf.PublicKey)
		}
		if life := leaf.NotAfter.Sub(leaf.NotBefore); life > 14*24*time.Hour {
			t.Errorf("valid for %v", life)
		}
	})
	// Clauses: D30.6, D30.7
	t.Run("D30 hashes published before a replacement include the next one", func(t *testing.T) {
		start, seen := c.at, map[string]bool{}
		for c.at.Sub(start) < 60*24*time.Hour {
			told, err := own.Hashes()
			if err != nil {
				t.Fatal(err)
			}
			c.at = c.at.Add(time.Minute)
			leaf := leafOf(t, own)
			if hash := hashOf(leaf.Raw); !slices.Contains(told, hash) {
				t.Fatalf("after %v a client meets an unannounced certificate",
					c.at.Sub(start))
			} else {
				seen[hash] = true
			}
			if c.at.Before(leaf.NotBefore) || c.at.Add(24*time.Hour).After(leaf.NotAfter) {
				t.Fatalf("after %v the certificate is valid from %v to %v only", c.at.Sub(start),
					leaf.NotBefore, leaf.NotAfter)
			}
			c.at = c.at.Add(59 * time.Minute)
		}
		if len(seen) != 12 {
			t.Errorf("%d certificates in 60 days, not 12", len(seen))
		}
	})
	t.Run("D30 a server that slept for a month has a valid one", func(t *testing.T) {
		c.at = c.at.Add(31 * 24 * time.Hour)
		if leaf := leafOf(t, own); c.at.After(leaf.NotAfter) {
			t.Errorf("it was valid until %v, and it is %v", leaf.NotAfter, c.at)
		}
	})
}

// leafOf returns the certificate that a client gets now.
func leafOf(t *testing.T, c *Certificates) *x509.Certificate {
	t.Helper()
	cert, err := c.forClient(nil)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return leaf
}
