package peer

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Networks of an Address.
const (
	networkQUIC = "quic"
	networkWeb  = "websocket"
)

// Address is where a host may be found (O31): "quic://host:port", or "https://host" and
// "http://host:port" for the WebSocket.
type Address string

// maxAddress is how many bytes an address may have.
const maxAddress = 200

// hostForm is the form of a host in an address, with a port or without.
var hostForm = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?$`)

// ParseAddress reads an address. It reads one without a scheme as host and port of QUIC. The error
// shows examples of addresses.
func ParseAddress(text string) (Address, error) {
	if !strings.Contains(text, "://") {
		text = networkQUIC + "://" + text
	}
	a := Address(text)
	if !a.valid() {
		return "", fmt.Errorf(
			"%q is not an address like quic://holt.example.org:8080 or https://holt.example.org", text,
		)
	}
	return a, nil
}

// valid reports whether a has the one form of an address.
func (a Address) valid() bool {
	u := a.parts()
	if len(a) > maxAddress ||
		u.User != nil || !hostForm.MatchString(u.Host) || u.Scheme+"://"+u.Host != string(a) {
		return false
	}
	if port := u.Port(); port != "" {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	switch u.Scheme {
	case networkQUIC:
		return u.Port() != ""
	case "http", "https":
		return true
	default:
		return false
	}
}

// network returns the network of a valid address.
func (a Address) network() string {
	if strings.HasPrefix(string(a), networkQUIC+":") {
		return networkQUIC
	}
	return networkWeb
}

// endpoint returns host and port of an address of QUIC.
func (a Address) endpoint() string { return strings.TrimPrefix(string(a), networkQUIC+"://") }

// parts returns the parts of a valid address. Those of another one are empty.
func (a Address) parts() *url.URL {
	u, err := url.Parse(string(a))
	if err != nil {
		return &url.URL{}
	}
	return u
}

// Local reports whether only programs on the same machine can use a.
func (a Address) Local() bool {
	name := a.parts().Hostname()
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
