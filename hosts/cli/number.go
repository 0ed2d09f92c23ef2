package cli

import (
	"errors"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A number is the value of a flag as it was written, "" where the flag was not given. It
// is read with its bounds, so that one sentence names the flag, the value and both.
type number string

// Decode takes what follows the flag, also where it begins with -: of -1, kong would say
// that it looks like a flag.
func (n *number) Decode(ctx *kong.DecodeContext) error {
	t := ctx.Scan.Pop()
	if t.IsEOL() {
		return errors.New("the value is missing")
	}
	*n = number(t.String())
	return nil
}

// integer sets a value to the number, where the flag was given.
func (n number) integer(flag string, least, most int64, to *int64) error {
	if n == "" {
		return nil
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil || i < least || i > most {
		return abi.Errorf(abi.ArgumentInvalid, "%s is %q, it must be an integer between %d and %d", flag, string(n), least, most)
	}
	*to = i
	return nil
}

// share sets a value to the number in nano-units, where the flag was given.
func (n number) share(flag string, to *int64) error {
	if n == "" {
		return nil
	}
	r := json.NewReader([]byte(n))
	i := r.Nano()
	if r.End() != nil || i < 0 || i > abi.MaxEvidence {
		return abi.Errorf(abi.ArgumentInvalid, "%s is %q, it must be a number between 0 and 1 with at most nine decimals, such as 0.3", flag, string(n))
	}
	*to = i
	return nil
}
