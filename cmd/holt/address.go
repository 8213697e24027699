package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"syscall"
)

// listen opens the port, or says in a sentence why it cannot.
func listen(ctx context.Context, address string) (net.Listener, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil || !isPort(port) {
		return nil, usageError{fmt.Errorf(
			"--listen %s is not an address and a port, like 127.0.0.1:8080", address)}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	var unknown *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf(
			"%s is in use by another program: "+
				"choose another port with --listen, or 127.0.0.1:0 for a free one",
			address)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("this user may not listen at %s: choose a port above 1023", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.As(err, &unknown):
		return nil, fmt.Errorf(
			"this machine does not have the address in --listen %s: 0.0.0.0 stands for all that it has",
			address)
	case err != nil:
		return nil, fmt.Errorf("listen at %s: %w", address, err)
	}
	return l, nil
}

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

// reachable returns an address that a browser on this machine can open: it cannot open 0.0.0.0.
func reachable(addr net.Addr) string {
	a, ok := addr.(*net.TCPAddr)
	if !ok || !a.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port))
}

// hostForm is the form of a host in a URL.
var hostForm = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]*)?$`)

// parseOrigin reads a URL with a scheme and a host. It reports false if the URL is not valid. The
// caller checks the path.
func parseOrigin(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil ||
		!hostForm.MatchString(u.Host) {
		return nil, false
	}
	return u, u.Port() == "" || isPort(u.Port())
}

// parsePublicURL reads --public-url. It returns nil if the flag is empty.
func parsePublicURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // none is fine
	}
	u, ok := parseOrigin(text)
	switch {
	case !ok:
		return nil, fmt.Errorf("--public-url %s is not like https://holt.example.org", text)
	case u.Path != "" && u.Path != "/", u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("--public-url %s has a path: holt needs a host name to itself", text)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host}, nil
}

// parseProxies reads addresses and ranges of addresses.
func parseProxies(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		if a, err := netip.ParseAddr(text); err == nil {
			all = append(all, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxy %s is not an address or range like 10.0.0.0/8",
				text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}
