package room

import (
	"context"

	"holt/server/tables/password"
)

// LostPassword is the password of a table whose row in the store is damaged. No text matches it.
const LostPassword = "lost"

// hashesAtOnce bounds the memory of hashes of passwords that are computed: 19 MiB each.
const hashesAtOnce = 2

// SetPassword sets the password that whoever takes a seat has to say (T68); "": none. It returns
// when that is durable. ErrRole unless s is a host's; ErrBadPassword.
func (rs *Rooms) SetPassword(ctx context.Context, s Session, text string) error {
	switch {
	case !s.Role.Hosts():
		return ErrRole
	case text != "" && !password.Valid(text):
		return ErrBadPassword
	}
	hash := ""
	if text != "" {
		leave, err := rs.enterHashing(ctx)
		if err != nil {
			return err
		}
		hash, err = password.Hash(text, rs.cfg.Random)
		leave()
		if err != nil {
			return err
		}
	}
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		r.row.Password = hash
		r.recorded.password = &hash
		return none{}, nil
	})
	return err
}

// checkPassword returns ErrPassword unless text is the password of which hash is the hash. With an
// empty hash any text is right.
func (rs *Rooms) checkPassword(ctx context.Context, hash, text string) error {
	switch {
	case hash == "":
		return nil
	case text == "":
		return ErrPassword
	}
	leave, err := rs.enterHashing(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if !password.Matches(hash, text) {
		return ErrPassword
	}
	return nil
}

// enterHashing waits until a hash may be computed. leave lets the next one.
func (rs *Rooms) enterHashing(ctx context.Context) (leave func(), err error) {
	select {
	case rs.hashing <- struct{}{}:
		return func() { <-rs.hashing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
