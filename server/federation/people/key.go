package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// A person is known by the browsers that have a token of theirs. Another browser gets a token when
// it opens a key link. A person who has lost all their browsers gets a key link from the server's
// operator.

// KeyLife is for how long a key is accepted, in milliseconds.
const KeyLife id.Millis = 10 * 60_000

// MaxBrowsers is how many browsers a person may have at once. When one more gets a token, the
// oldest token is dropped.
const MaxBrowsers = 32

// secret returns a new secret of 192 random bits.
func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// hashOf is what is kept of a secret.
func hashOf(secret string) room.Hash { return sha256.Sum256([]byte(secret)) }

// Key makes a key of a person of this host. It is accepted once, until the given time, which is
// KeyLife from now. An earlier key of the person is not accepted any more. The error is that of the
// Store.
func (v *Visits) Key(ctx context.Context, person id.OID) (key string, until id.Millis, err error) {
	key, until = secret(), v.cfg.Now()+KeyLife
	return key, until, v.cfg.Store.SetKey(ctx, person, hashOf(key), until)
}

// WhoseKey returns the person of a key, without using the key up. The error is ErrNoPerson if the
// key is not valid.
func (v *Visits) WhoseKey(ctx context.Context, key string) (Person, error) {
	return v.cfg.Store.PersonByKey(ctx, hashOf(key), v.cfg.Now())
}

// UseKey uses a key up, and returns the only copy of a new token of its person. The error is
// ErrNoPerson if the key is not valid.
func (v *Visits) UseKey(ctx context.Context, key string) (token string, err error) {
	token = secret()
	return token, v.cfg.Store.UseKey(
		ctx, hashOf(key), hashOf(token), v.cfg.Now(),
	)
}

// KeepBrowser drops all tokens of a person but one.
func (v *Visits) KeepBrowser(ctx context.Context, person id.OID, token string) error {
	return v.cfg.Store.KeepToken(ctx, person, hashOf(token))
}

// Persons returns all people who have their home here.
func (v *Visits) Persons(ctx context.Context) ([]Person, error) { return v.cfg.Store.Persons(ctx) }

// EnsurePerson makes a person without a browser, if the person does not exist yet. Such a person
// has what nobody else owns.
func (v *Visits) EnsurePerson(ctx context.Context, p Person) error {
	_, err := v.cfg.Store.Person(ctx, p.OID)
	if errors.Is(err, ErrNoPerson) {
		err = v.cfg.Store.AddPerson(ctx, p, room.Hash{}, v.cfg.Now())
	}
	if err != nil {
		return err
	}
	return v.cfg.Objects.Found(ctx, p.OID, object.Person)
}
