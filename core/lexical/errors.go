package lexical

import "github.com/rookhaven-project/rookhaven/wasm/abi"

// errDamaged is the failure of a list that is not what was encoded.
var errDamaged = abi.Errorf(abi.SegmentCorrupt, "a list of the segment is damaged")
