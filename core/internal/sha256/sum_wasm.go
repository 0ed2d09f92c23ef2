package sha256

// Sum256 returns the SHA-256 digest of p.
func Sum256(p []byte) [Size]byte { return sum(p) }
