package retrieve

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The audit holds the seed, the query as it was asked, the needs with weights
// and budgets, and what each contributed.
func TestAudit(t *testing.T) {
	got := reply(t, harbour, `{"query":"crane faults and tide windows","recallBudget":3,"seed":"demo"}`).Audit
	want := abi.Audit{
		Seed: "demo", Query: "crane faults and tide windows", RecallBudget: 3,
		Subqueries: []abi.Subquery{
			{Index: 0, Text: "crane faults", Weight: 2, Budget: 1, Matched: 2, Contributed: []string{"d3"}},
			{Index: 1, Text: "tide windows", Weight: 2, Budget: 2, Matched: 2, Contributed: []string{"d2", "d3"}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the audit is %+v, want %+v", got, want)
	}
}

// No need contributes more than its budget, budgets add up to the recall budget,
// every need with a slot and a match contributes, and hits are what was
// contributed, each once, never more than the recall budget.
func TestBudgetsAreRespected(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		list := randomDocuments(r)
		p := reply(t, join(list), randomRequest(r, list))
		var sum int64
		contributed := map[string]bool{}
		for _, s := range p.Audit.Subqueries {
			sum += s.Budget
			if int64(len(s.Contributed)) != min(s.Budget, s.Matched) {
				t.Fatalf("seed %d: need %d has %d slots and %d matches and contributed %d", seed, s.Index, s.Budget, s.Matched, len(s.Contributed))
			}
			for _, id := range s.Contributed {
				contributed[id] = true
			}
		}
		if sum != p.Request.RecallBudget {
			t.Fatalf("seed %d: budgets add up to %d, not %d", seed, sum, p.Request.RecallBudget)
		}
		checkHits(t, seed, p, contributed)
	}
}

func checkHits(t *testing.T, seed uint64, p *abi.Reply, contributed map[string]bool) {
	t.Helper()
	seen := map[string]bool{}
	for _, h := range p.Hits {
		if seen[h.ID] || contributed[h.ID] == h.Fill {
			t.Fatalf("seed %d: hit %s stands twice, or was contributed: %v, and fills: %v", seed, h.ID, contributed[h.ID], h.Fill)
		}
		seen[h.ID] = true
	}
	for id := range contributed {
		if !seen[id] {
			t.Fatalf("seed %d: %s was contributed and is no hit", seed, id)
		}
	}
	if int64(len(p.Hits)) > p.Request.RecallBudget || int64(len(p.Hits))+p.Omitted.Slots != p.Request.RecallBudget {
		t.Fatalf("seed %d: %d hits and %d empty slots of %d", seed, len(p.Hits), p.Omitted.Slots, p.Request.RecallBudget)
	}
}

// With the seed's rule a small need can end without a slot; otherwise none does.
func TestRepresentation(t *testing.T) {
	request := `{"query":"crane faults tide windows berth, fog, canteen","recallBudget":3,"representation":%q}`
	budgets := func(rule string) []int64 {
		var list []int64
		for _, s := range reply(t, harbour, fmt.Sprintf(request, rule)).Audit.Subqueries {
			list = append(list, s.Budget)
		}
		return list
	}
	if got := budgets(abi.RepresentationSeed); !slices.Equal(got, []int64{2, 0, 1}) && !slices.Equal(got, []int64{2, 1, 0}) {
		t.Errorf("seed: %v", got)
	}
	if got := budgets(abi.RepresentationEach); !slices.Equal(got, []int64{1, 1, 1}) {
		t.Errorf("each: %v", got)
	}
}
