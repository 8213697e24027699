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

// A person is known by the browsers that have a token of theirs. Another one gets one by a key: a link that is opened there. Who has lost all
// of their browsers is given a key by who runs the server.

// KeyLife is how long a key is good, in milliseconds.
const KeyLife id.Millis = 10 * 60_000

// MaxBrowsers is how many browsers know a person at once. One more, and the oldest does no more.
const MaxBrowsers = 32

// secret returns a new secret of 192 bits.
func secret() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Key makes a key of a person of this host, good once and for KeyLife. The one before is good no more.
func (v *Visits) Key(ctx context.Context, person id.OID) (key string, until id.Millis, err error) {
	key, until = secret(), v.cfg.Now()+KeyLife
	return key, until, v.cfg.Store.SetKey(ctx, person, sha256.Sum256([]byte(key)), until)
}

// WhoseKey returns whose key that is, without using it up; ErrNoPerson if it is nobody's any more.
func (v *Visits) WhoseKey(ctx context.Context, key string) (Person, error) {
	return v.cfg.Store.PersonByKey(ctx, sha256.Sum256([]byte(key)), v.cfg.Now())
}

// UseKey uses a key up, and returns the only copy of the token by which a browser knows its person from then on; ErrNoPerson.
func (v *Visits) UseKey(ctx context.Context, key string) (token string, err error) {
	token = secret()
	return token, v.cfg.Store.UseKey(ctx, sha256.Sum256([]byte(key)), sha256.Sum256([]byte(token)), v.cfg.Now())
}

// KeepBrowser lets a person be known by one token only: all other browsers know them no more.
func (v *Visits) KeepBrowser(ctx context.Context, person id.OID, token string) error {
	return v.cfg.Store.KeepToken(ctx, person, sha256.Sum256([]byte(token)))
}

// Persons returns all who have their home here.
func (v *Visits) Persons(ctx context.Context) ([]Person, error) { return v.cfg.Store.Persons(ctx) }

// Keep makes sure that there is a person whom nobody is known as yet, for what has no other owner.
func (v *Visits) Keep(ctx context.Context, p Person) error {
	_, err := v.cfg.Store.Person(ctx, p.OID)
	if errors.Is(err, ErrNoPerson) {
		err = v.cfg.Store.AddPerson(ctx, p, room.Hash{}, v.cfg.Now())
	}
	if err != nil {
		return err
	}
	return v.cfg.Objects.Found(ctx, p.OID, object.Person)
}
