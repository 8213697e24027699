package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Commands that change what a running server does send it a request: only the server may use its
// data directory. For that it listens on the loopback interface, at a port of its own to which no
// proxy leads. It writes the port and a token into its data directory, where only its owner can
// read them. Both sides show that they know the token: after a crash another program may have the
// port.

// adminFile is where a running server says how commands reach it.
const adminFile = "holt.admin"

// Bounds of requests.
const (
	maxAdminBody = 1 << 16
	adminTimeout = 30 * time.Second
)

// adminEntry is the content of adminFile.
type adminEntry struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// admin takes the operator's requests to a running server.
type admin struct {
	// Set at construction.
	path   string
	entry  adminEntry
	server *http.Server
	done   chan error // one place: Serve returns once
}

// startAdmin answers the operator's requests to the server of a data directory, by routes, until
// stop.
func startAdmin(
	ctx context.Context, dir string, routes http.Handler, log *slog.Logger,
) (*admin, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	token := make([]byte, 32)
	_, _ = rand.Read(token) // it never fails
	a := &admin{
		path: filepath.Join(dir, adminFile), done: make(chan error, 1),
		entry: adminEntry{Address: listener.Addr().String(), Token: hex.EncodeToString(token)},
	}
	a.server = &http.Server{
		Handler: a.guard(routes), ReadTimeout: adminTimeout, WriteTimeout: 2 * adminTimeout,
		MaxHeaderBytes: 1 << 13,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	switch err := a.announce(); {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		log.Warn(
			"the disk is too full to say how commands find this server: they find it after the next start",
			"error", err)
	case err != nil:
		return nil, errors.Join(err, listener.Close())
	}
	go func() { a.done <- a.server.Serve(listener) }()
	return a, nil
}

// announce writes the file. It makes a new one, because others may be able to read the old one.
func (a *admin) announce() error {
	text, err := json.Marshal(a.entry)
	if err != nil {
		return err
	}
	fresh := a.path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("say how to ask the server: %w", err)
	}
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		return fmt.Errorf("say how to ask the server: %w", err)
	}
	if err := os.Rename(fresh, a.path); err != nil {
		return fmt.Errorf("say how to ask the server: %w", err)
	}
	return nil
}

// stop ends it. Requests under way are still answered.
func (a *admin) stop(ctx context.Context) error {
	err := os.Remove(a.path)
	// the folder is gone, or the disk was full when the file should have been written
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, a.server.Shutdown(ctx), a.server.Close())
	if end := <-a.done; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}

// guard admits requests with the token. It shows every caller that the server knows the token, too.
func (a *admin) guard(routes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/proof" {
			_, _ = io.WriteString(w, a.entry.proof(clipped(r.URL.Query().Get("nonce"))))
			return
		}
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if subtle.ConstantTimeCompare([]byte(token), []byte(a.entry.Token)) != 1 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxAdminBody)
		routes.ServeHTTP(w, r)
	})
}

func clipped(nonce string) string { return nonce[:min(len(nonce), 64)] }

// proof is the answer to a nonce of a server that knows the token.
func (e adminEntry) proof(nonce string) string {
	m := hmac.New(sha256.New, []byte(e.Token))
	_, _ = io.WriteString(m, "holt admin 1 "+nonce) // it never fails
	return hex.EncodeToString(m.Sum(nil))
}

// handle lets f answer a path. f takes a question and returns the answer, or an error for the
// operator.
func handle[Q, A any](
	m *http.ServeMux, path string, f func(ctx context.Context, q Q) (A, error),
) {
	m.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		var q Q
		d := json.NewDecoder(r.Body)
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			http.Error(w, "the question is not understood: "+err.Error(), http.StatusBadRequest)
			return
		}
		answer, err := f(r.Context(), q)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // the client may have gone
	})
}

// askServer asks the server that uses a data directory.
func askServer[A, Q any](ctx context.Context, dir, path string, q Q) (answer A, err error) {
	entry, err := findServer(ctx, dir)
	if err != nil {
		return answer, err
	}
	body, err := json.Marshal(q)
	if err != nil {
		return answer, err
	}
	text, status, err := entry.request(ctx, http.MethodPost, path, body)
	switch {
	case err != nil:
		return answer, fmt.Errorf("ask the server: %w", err)
	case status == http.StatusUnprocessableEntity:
		return answer, errors.New(strings.TrimSpace(string(text)))
	case status != http.StatusOK:
		return answer, fmt.Errorf(
			"the server that is running does not understand this command (%d): "+
				"is it an older or newer holt?",
			status)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return answer, fmt.Errorf("read what the server says: %w", err)
	}
	return answer, nil
}

// findServer finds out how to reach the server of a data directory, and makes sure that it is this
// server.
func findServer(ctx context.Context, dir string) (adminEntry, error) {
	absent := fmt.Errorf(
		"no holt is serving %s: start it with holt serve, or say with --data which one is meant",
		dir)
	var e adminEntry
	text, err := os.ReadFile(filepath.Join(dir, adminFile))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return e, fmt.Errorf("this user may not ask the server of %s: it belongs to another one",
			dir)
	case err != nil, json.Unmarshal(text, &e) != nil:
		return e, absent
	}
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	nonce := hex.EncodeToString(b)
	proof, status, err := adminEntry{Address: e.Address}.request(ctx, http.MethodGet,
		"/proof?nonce="+nonce, nil)
	if err != nil || status != http.StatusOK ||
		subtle.ConstantTimeCompare(proof, []byte(e.proof(nonce))) != 1 {
		return e, errors.Join(ctx.Err(), absent)
	}
	return e, nil
}

// request sends a request, and returns the body and the status of the answer.
func (e adminEntry) request(
	ctx context.Context, method, path string, body []byte,
) ([]byte, int, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*adminTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+e.Address+path,
		bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	if e.Token != "" {
		r.Header.Set("Authorization", "Bearer "+e.Token)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy
	res, err := client.Do(r)
	if err != nil {
		return nil, 0, err
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	return text, res.StatusCode, errors.Join(err, res.Body.Close())
}
