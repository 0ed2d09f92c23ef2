//go:build !unmetered

package meter

// metered is false only in a module that is built to measure what the meter
// costs: see make bench.
const metered = true
