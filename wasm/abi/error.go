package abi

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// An Error is a failure as it crosses every border of the product: a code for
// programs and a sentence for people.
type Error struct {
	Code     Code
	Sentence string
}

// Error returns "CODE: sentence".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Sentence }

// ParseError reads what Error wrote. A text without a code is an
// [EngineFailed] with the text as its sentence.
func ParseError(s string) *Error {
	code, sentence, ok := strings.Cut(s, ": ")
	if !ok || !isCode(code) {
		return &Error{EngineFailed, s}
	}
	return &Error{Code(code), sentence}
}

func isCode(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return s != ""
}

// Errorf makes an Error from a format with %s (a string, as it is), %q (a
// string, quoted and cut by [json.Quote]) and %d (an int, int32, int64 or
// uint32); %s also takes an Export. Anything else is a BUG and panics.
func Errorf(code Code, format string, args ...any) *Error {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) || len(args) == 0 {
			panic("abi: BUG: format " + format)
		}
		b.WriteString(formatArg(format[i], args[0]))
		args = args[1:]
	}
	if len(args) > 0 {
		panic("abi: BUG: too many arguments for " + format)
	}
	return &Error{code, b.String()}
}

func formatArg(verb byte, arg any) string {
	switch v := arg.(type) {
	case string:
		switch verb {
		case 's':
			return v
		case 'q':
			return json.Quote(v)
		}
	case int:
		return itoa(int64(v))
	case int32:
		return itoa(int64(v))
	case int64:
		return itoa(v)
	case uint32:
		return itoa(int64(v))
	case Export:
		return v.String()
	}
	panic("abi: BUG: argument of %" + string(rune(verb)))
}

func itoa(n int64) string {
	var buf [20]byte
	i := len(buf)
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	for {
		i--
		buf[i] = byte('0' + u%10)
		if u /= 10; u == 0 {
			break
		}
	}
	if n < 0 {
		i--
		buf[i] = '-'
	}
	return string(buf[i:])
}
