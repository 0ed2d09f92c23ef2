module github.com/rookhaven-project/rookhaven

go 1.27.0

toolchain go1.27.3

// tests only
require (
	github.com/alecthomas/kong v1.17.0 // hosts/cli
	github.com/bytecodealliance/wasmtime-go/v39 v39.0.1 // hosts/runner/wasmtime
	github.com/extism/go-pdk v1.1.3 // wasm/module
	github.com/fsnotify/fsnotify v1.10.1 // hosts/internal/corpusfile
	github.com/google/jsonschema-go v0.4.3 // hosts/mcp
	github.com/modelcontextprotocol/go-sdk v1.8.0 // hosts/mcp
	github.com/pelletier/go-toml/v2 v2.4.3 // hosts/internal/clientfile
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // hosts/internal/clientfile
	github.com/tetratelabs/wazero v1.12.0 // hosts/runner/wazero
	golang.org/x/sys v0.44.0 // hosts/runner/wazero, hosts/store/disk
	golang.org/x/text v0.44.0 // core/internal/ucd, hosts/cli
	google.golang.org/protobuf v1.36.12 // wasm/artifact/models/convert
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
