package mcp

import (
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

const maxSentence = 500 // bytes of an error's text: the SDK quotes what it read

func appendID(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		return append(dst, "null"...)
	}
	return append(dst, id...)
}

func appendResult(id, result []byte) []byte {
	dst := append(appendID(nil, id), `,"result":`...)
	return append(append(dst, result...), '}')
}

func appendError(dst, id []byte, code int, text string) []byte {
	dst = append(appendID(dst, id), `,"error":{"code":`...)
	dst = append(json.AppendInt(dst, int64(code)), `,"message":`...)
	return append(json.AppendString(dst, text), "}}"...)
}

func appendErrorData(id []byte, code int, text string, data []byte) []byte {
	dst := appendError(nil, id, code, text)
	dst = append(dst[:len(dst)-2], `,"data":`...)
	return append(append(dst, data...), "}}"...)
}

// answer is what a fault is answered with.
func (f *fault) answer() []byte {
	if f.tool {
		dst := append(appendID(nil, f.id), `,"result":{"content":[{"type":"text","text":`...)
		return append(json.AppendString(dst, f.text), `}],"isError":true}}`...)
	}
	return appendError(nil, f.id, f.code, f.text)
}

// wireError returns the code and the text of an error of the SDK. It has plain
// errors for requests that come at the wrong time.
func wireError(err error) (int, string) {
	code := invalidRequest
	var e *jsonrpc.Error
	if errors.As(err, &e) && e.Code != 0 {
		code = int(e.Code)
	}
	text := []rune(err.Error())
	if len(text) > maxSentence {
		text = append(text[:maxSentence], '…')
	}
	return code, string(text)
}
