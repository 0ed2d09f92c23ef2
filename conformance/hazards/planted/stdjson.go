package planted

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

func stdJSON(question []string) string {
	slices.Sort(question)
	var b bytes.Buffer
	json.HTMLEscape(&b, []byte(`"`+strings.Join(question, "\u2028<")+"\xff\""))
	return b.String()
}
