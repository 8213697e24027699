package node

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
)

// quarantineSuffix is the end of the names of files in the quarantine.
const quarantineSuffix = ".holtobject"

// quarantineMagic is the text at the beginning of these files. Behind it come the signature of this
// host and the envelope.
const quarantineMagic = "holt quarantine 1\n"

// errQuarantine says that this host did not write a file into the quarantine, or that the file is
// damaged.
var errQuarantine = errors.New(
	"it is not what this server has put into quarantine, or it is damaged",
)

// quarantine writes an orphan or a superseded copy into a file, and then lets the machine delete it
// (O28, O41). If that fails the object stays, and the next round tries again.
func (w *Objects) quarantine(ctx context.Context, oid id.OID, envelope []byte) {
	err := w.writeQuarantine(oid, envelope)
	ended := w.do(ctx, func() error {
		return w.work(func(m object.Moment) (object.Step, error) {
			if err != nil {
				return w.host.Spared(m, oid)
			}
			return w.host.Quarantined(m, oid)
		})
	})
	if err = errors.Join(err, ended); err != nil {
		w.cfg.Log.Error(
			"an object that nobody gets any more is not put into quarantine",
			"object", oid, "error", err,
		)
		return
	}
	w.cfg.Log.Warn(
		"an object that nobody gets any more is in quarantine", "object", oid,
		"folder", w.cfg.Quarantine,
	)
}

// sealed returns the bytes of a quarantined file that its signature covers.
func sealed(envelope []byte) []byte { return append([]byte(quarantineMagic), envelope...) }

// writeQuarantine writes a file that survives a power failure.
func (w *Objects) writeQuarantine(oid id.OID, envelope []byte) error {
	dir := w.cfg.Quarantine
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the quarantine: %w", err)
	}
	path := filepath.Join(dir, oid.String()+quarantineSuffix)
	file := append(
		append([]byte(quarantineMagic), w.cfg.Links.Sign(sealed(envelope))...), envelope...,
	)
	err := writeWhole(path+".new", file)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err == nil {
		err = errors.Join(syncFolder(dir), syncFolder(filepath.Dir(dir)))
	}
	if err != nil {
		return fmt.Errorf("write into the quarantine: %w", err)
	}
	return nil
}

// writeWhole writes a file and waits until it is on the disk.
func writeWhole(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncFolder waits until the names in a folder are on the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = d.Sync(); runtime.GOOS == "windows" {
		err = nil // Windows cannot sync folders
	}
	return errors.Join(err, d.Close())
}

// readQuarantine reads a file in the quarantine. It refuses a file that is cut off, changed, or of
// another host.
func (w *Objects) readQuarantine(path string) (*object.Envelope, error) {
	b, err := readUpTo(path, int64(len(quarantineMagic)+ed25519.SignatureSize+object.MaxEnvelope))
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(b, []byte(quarantineMagic))
	if !ok || len(rest) < ed25519.SignatureSize {
		return nil, errQuarantine
	}
	signature, envelope := rest[:ed25519.SignatureSize], rest[ed25519.SignatureSize:]
	if !w.cfg.Links.Verify(w.self, sealed(envelope), signature) {
		return nil, errQuarantine
	}
	e, err := object.ReadKept(envelope)
	if err == nil {
		err = behaviour.Check(e.Class, e.Content())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errQuarantine, err)
	}
	return e, nil
}

// readUpTo reads a file that has up to most bytes.
func readUpTo(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it is only read
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%w: it has more bytes than an object may have", errQuarantine)
	}
	return b, err
}
