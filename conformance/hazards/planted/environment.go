package planted

import "os"

func environment([]string) string {
	return os.Getenv("LANG") + os.Getenv("GOGC") + os.Getenv("GOMEMLIMIT")
}
