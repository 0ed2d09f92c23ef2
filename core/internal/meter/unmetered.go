//go:build unmetered

package meter

const metered = false
