// Package wasmtime runs the engine under wasmtime. It is a second opinion: another
// compiler, written by others, that has to give the same bytes. It needs cgo, so
// it is built with the tag wasmtime only, and no shipped binary contains it.
package wasmtime
