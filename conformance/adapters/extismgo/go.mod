// The SDK of Extism for Go, as a stranger would use it: a module of its own.
module github.com/rookhaven-project/rookhaven/conformance/adapters/extismgo

go 1.27.0

toolchain go1.27.3

require (
	github.com/extism/go-sdk v1.7.1
	github.com/rookhaven-project/rookhaven v0.0.0
)

require (
	github.com/dylibso/observe-sdk/go v0.0.0-20240819160327-2d926c5d788a // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20240805132620-81f5be970eca // indirect
	github.com/tetratelabs/wabin v0.0.0-20230304001439-f6f874872834 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	go.opentelemetry.io/proto/otlp v1.3.1 // indirect
	golang.org/x/sys v0.44.0 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
)

replace github.com/rookhaven-project/rookhaven => ../../..
