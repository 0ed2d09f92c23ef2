package planted

import "time"

func clock([]string) string { return time.Now().UTC().Format(time.RFC3339Nano) }
