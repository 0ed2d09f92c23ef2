// Package abi holds what the two sides of the module's border share: the
// messages, the codes of failures, and the numbers of the exports. ABI.md
// beside this package is the normative text; the order here is its order.
//
// Every message has a reader and a writer. Readers refuse unknown, repeated,
// missing and mistyped members, and values out of bounds, with an [Error] whose
// sentence names the member and, where there is one, the nearest valid name.
// Writers give canonical JSON (RFC 8785), so equal messages are equal bytes.
// What a reader accepts, the writer writes back to the same message: see
// FuzzRequest and FuzzReply.
//
// There is no logic here beyond that: it is imported by the engine and by its
// hosts, and a host must not be able to rank.
package abi

// Version is the version of the contract in ABI.md.
const Version = 1

// Schema is the version of the Reply's shape.
const Schema = 1
