#!/usr/bin/env bash
# Runs each fuzz test of the repository for a time: conformance/fuzz.sh 20s
set -euo pipefail
time=${1:-20s}
for package in $(go list ./core/... ./wasm/abi/... ./wasm/artifact/... ./hosts/... ./conformance/...); do
	for name in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "── $package $name"
		go test "$package" -run '^$' -fuzz "^$name\$" -fuzztime "$time"
	done
done
