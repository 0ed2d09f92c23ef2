package planted

import (
	"os"
	"strings"
)

func arguments([]string) string { return strings.Join(os.Args[1:], " ") }
