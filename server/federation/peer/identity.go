package peer

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"time"

	"holt/server/id"
	"holt/server/transport/endpoint"
)

// identity is this host: its key and certificate.
type identity struct {
	// Set at construction.
	key         ed25519.PrivateKey
	public      ed25519.PublicKey
	host        id.HostID
	certificate tls.Certificate
}

// newIdentity makes a certificate for the host's key. Only the key in it means anything (O33), so
// it is valid for ever.
func newIdentity(key ed25519.PrivateKey) (*identity, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("the host has no key")
	}
	host := HostOf(public)
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host.String()},
		DNSNames:  []string{host.String() + ".holt.invalid"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, public, key)
	if err != nil {
		return nil, fmt.Errorf("sign the host's certificate: %w", err)
	}
	return &identity{
		key: key, public: public, host: host,
		certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
	}, nil
}

// server returns the TLS configuration of the end that is called. It shows this host's certificate,
// and demands one of the other host. keyOf returns that host's key.
func (i *identity) server() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{endpoint.ServerProtocol},
		SessionTicketsDisabled: true,
		Certificates:           []tls.Certificate{i.certificate},
		ClientAuth:             tls.RequireAnyClientCert,
		VerifyConnection: func(s tls.ConnectionState) error {
			_, err := keyOf(s)
			return err
		},
	}
}

// client returns the TLS configuration of the end that calls. It shows this host's certificate, and
// accepts a host only if good returns true for its key.
func (i *identity) client(good func(ed25519.PublicKey) bool) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{endpoint.ServerProtocol},
		Certificates:       []tls.Certificate{i.certificate},
		ServerName:         "holt.invalid", // it does not reveal which host is called
		InsecureSkipVerify: true,           //nolint:gosec // VerifyConnection checks the key
		VerifyConnection: func(s tls.ConnectionState) error {
			key, err := keyOf(s)
			if err == nil && !good(key) {
				err = errImpostor
			}
			return err
		},
	}
}

// errImpostor says that another host answered than the one that was called.
var errImpostor = errors.New("another host is there: its key is not the one that was expected")

// keyOf returns the key that the other end of a connection has proved in its handshake. Nothing
// else in a certificate counts.
func keyOf(s tls.ConnectionState) (ed25519.PublicKey, error) {
	if len(s.PeerCertificates) != 1 || s.NegotiatedProtocol != endpoint.ServerProtocol ||
		s.Version != tls.VersionTLS13 {
		return nil, errors.New("not how hosts prove themselves")
	}
	key, ok := s.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
	if !ok {
		return nil, errors.New("a host has no Ed25519 key")
	}
	return key, nil
}
