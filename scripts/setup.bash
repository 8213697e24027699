# Functions that install what the checks need and this machine lacks. scripts/test sources this
# file. A second call of a function costs nothing. Debian and Ubuntu packages come by apt-get, which
# needs root. Everything else goes to a cache outside the repository, with its version in the path,
# so that nothing is ever upgraded in place.

golangci_version=2.15.0
buf_version=1.68.0
node_floor=20.19 # the first version that detects modules by their content
node_version=22.23.3 # of the npm package "node"; only used if the system's own is too old

tools=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/holt-tools
export PATH="$tools/bin:$PATH"
mkdir -p "$tools/bin"

have() { command -v "$1" >/dev/null 2>&1; }

# apt_install PACKAGE... installs packages. Once in a run it updates the lists before.
apt_install() {
  if ! have apt-get; then
    echo "Please install: $* (this is not Debian or Ubuntu, so that is left to you)" >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "Please run as root: apt-get install $*" >&2
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  [ -n "${apt_updated:-}" ] || apt_update
  apt_updated=yes
  apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"
}

# apt_update updates the lists. Another run may hold their lock, and apt-get does not wait for it by
# itself. Any other failure is reported at once.
apt_update() {
  local said
  for ((tries = 1; ; tries++)); do
    if said=$(LC_ALL=C apt-get update -qq -o DPkg::Lock::Timeout=600 2>&1); then return; fi
    if [ "$tries" -ge 120 ] || ! grep -q 'Could not get lock' <<<"$said"; then
      printf '%s\n' "$said" >&2
      return 1
    fi
    sleep 5
  done
}

# need_go requires Go, which everybody installs themselves, and installs a C compiler for the race
# detector.
need_go() {
  if ! have go; then
    echo "Please install Go first: the version in go.mod or a later one." >&2
    return 1
  fi
  have gcc || apt_install gcc libc6-dev
}

# go_tool NAME VERSION PACKAGE puts that version of NAME into the PATH. If another version or none
# is there, it builds the tool once.
go_tool() {
  local name=$1 version=$2 package=$3 built
  if have "$name" && "$name" version --short 2>/dev/null | grep -qxF "$version"; then return; fi
  if have "$name" && "$name" --version 2>/dev/null | grep -qxF "$version"; then return; fi
  built=$tools/$name-$version
  if [ ! -x "$built/$name" ]; then
    echo "building $name $version (once)"
    rm -rf "$built.part"
    (cd / && GOFLAGS='' GOBIN="$built.part" go install "$package@v$version")
    mv "$built.part" "$built"
  fi
  ln -sf "$built/$name" "$tools/bin/$name"
}

need_golangci() {
  go_tool golangci-lint "$golangci_version" github.com/golangci/golangci-lint/v2/cmd/golangci-lint
}

need_buf() { go_tool buf "$buf_version" github.com/bufbuild/buf/cmd/buf; }

# node_will_do succeeds if the Node in the PATH is not older than the floor.
node_will_do() {
  node -e 'const at = (v) => v.split(".").map(Number);
    const [[a, b], [c, d]] = [at(process.versions.node), at(process.argv[1])];
    process.exit(a > c || (a === c && b >= d) ? 0 : 1)' "$node_floor"
}

# need_node provides a Node that is new enough, with npm. If the distribution's is too old, npm
# installs another one.
need_node() {
  have node && have npm || apt_install nodejs npm
  if node_will_do; then return; fi
  echo "Node $(node --version) is too old, the tests need $node_floor or later:" \
    "taking $node_version beside it"
  local own=$tools/node-$node_version
  if [ ! -x "$own/node_modules/node/bin/node" ]; then
    echo "installing Node $node_version (once)"
    rm -rf "$own.part"
    npm install --prefix "$own.part" --no-save --no-audit --no-fund "node@$node_version"
    mv "$own.part" "$own"
  fi
  ln -sf "$own/node_modules/node/bin/node" "$tools/bin/node"
  hash -r
  node_will_do || {
    echo "Please install Node $node_floor or later: $(command -v node) is $(node --version)." >&2
    return 1
  }
}

# need_npm_packages installs the packages that scripts/js/package-lock.json pins, and links them to
# ./node_modules, where the tests, tsc and editors look for them.
need_npm_packages() {
  need_node
  local lock installed
  lock=$(sha256sum scripts/js/package-lock.json | cut -c1-16)
  installed=$tools/npm-$lock
  if [ ! -d "$installed" ]; then
    echo "installing the packages of scripts/js (once)"
    rm -rf "$installed.part"
    mkdir -p "$installed.part"
    cp scripts/js/package.json scripts/js/package-lock.json scripts/js/.npmrc "$installed.part/"
    (cd "$installed.part" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    mv "$installed.part" "$installed"
  fi
  if [ -e node_modules ] && [ ! -L node_modules ]; then
    echo "node_modules should be a link made by scripts/test, but is a folder:" \
      "please move it away" >&2
    return 1
  fi
  ln -sfn "$installed/node_modules" node_modules
}

# want_headless_shell puts the path of Chromium's headless shell into HOLT_HEADLESS_SHELL. It
# installs the shell if necessary: it needs a quarter less processor time than a whole Chromium.
# Without it the tests use the whole one.
want_headless_shell() {
  if [ -n "${HOLT_HEADLESS_SHELL:-}" ]; then return; fi
  if ! have chromium-headless-shell && have apt-get && [ "$(id -u)" -eq 0 ]; then
    apt_install chromium-headless-shell ||
      echo "There is no chromium-headless-shell: the tests take somewhat longer." >&2
  fi
  if have chromium-headless-shell; then
    HOLT_HEADLESS_SHELL=$(command -v chromium-headless-shell)
    export HOLT_HEADLESS_SHELL
  fi
}

# want_firefox puts the path of a Firefox into HOLT_FIREFOX, and installs Debian's if there is none.
# Ubuntu's package leads to a snap. Without a Firefox its test is skipped, and says so.
want_firefox() {
  local name
  if [ -n "${HOLT_FIREFOX:-}" ]; then return; fi
  if ! have firefox-esr && ! have firefox && (. /etc/os-release && [ "$ID" = debian ]); then
    apt_install firefox-esr
  fi
  for name in firefox-esr firefox; do
    if have "$name"; then
      HOLT_FIREFOX=$(command -v "$name")
      export HOLT_FIREFOX
      return
    fi
  done
  echo "There is no Firefox: its test is skipped." >&2
}

# want_webkit puts the path of WebKit's driver into HOLT_WEBKIT, and installs Debian's if there is
# none, with a screen for it (Xvfb). Without both its test is skipped, and says so.
want_webkit() {
  if [ -n "${HOLT_WEBKIT:-}" ]; then return; fi
  if have apt-get && [ "$(id -u)" -eq 0 ]; then
    have WebKitWebDriver && have Xvfb || apt_install webkit2gtk-driver xvfb || true
  fi
  if have WebKitWebDriver && have Xvfb; then
    HOLT_WEBKIT=$(command -v WebKitWebDriver)
    export HOLT_WEBKIT
    return
  fi
  echo "There is no WebKit with a driver: its test is skipped." >&2
}

# need_chromium finds a Chromium or installs one, and puts its path into HOLT_CHROMIUM. If that is
# set already, it does nothing. Ubuntu's package only leads to a snap, which a container cannot run,
# so there it installs Playwright's own build.
need_chromium() {
  local name
  if [ -n "${HOLT_CHROMIUM:-}" ]; then return; fi
  if ! have chromium && ! have chromium-browser && ! have google-chrome; then
    if (. /etc/os-release && [ "$ID" = ubuntu ]); then
      need_npm_packages
      node_modules/.bin/playwright-core install --with-deps chromium
      HOLT_CHROMIUM=$(node -e \
        'import("playwright-core").then((p) => console.log(p.chromium.executablePath()))')
      export HOLT_CHROMIUM
      return
    fi
    apt_install chromium fonts-dejavu-core
  fi
  want_headless_shell
  for name in chromium chromium-browser google-chrome; do
    if have "$name"; then
      HOLT_CHROMIUM=$(command -v "$name")
      export HOLT_CHROMIUM
      return
    fi
  done
  echo "No Chromium found." >&2
  return 1
}
