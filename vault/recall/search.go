package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/tree"
)

// searchLimit is that of vault.ListOptions.
const searchLimit = 20

// PoolHit is a memory that a member found.
type PoolHit struct {
	vault.Hit
	Member int
	From   family.Origin
}

func (h *PoolHit) poolPlace() PoolPlace {
	return PoolPlace{Score: h.Score, Last: h.Superseded != "", InTree: h.InTree(), Project: h.From.ProjectPath, Path: h.Path}
}

// FillNodes completes the nodes of what was found by the sums: till then they have id, path, content,
// type and successor alone. It leaves out what is gone since.
func FillNodes(ctx context.Context, n int, member func(i int) *VaultMember, all []PoolHit) ([]PoolHit, error) {
	type key struct {
		member int
		path   vault.Path
	}
	nodes := make(map[key]vault.Node, len(all))
	for i := range n {
		var files []vault.Path
		for j := range all {
			if all[j].Member == i {
				files = append(files, all[j].Path)
			}
		}
		if len(files) == 0 {
			continue
		}
		found, err := member(i).Mirror.Nodes(ctx, files)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			nodes[key{i, n.Path}] = n
		}
	}
	var there []PoolHit
	for _, h := range all {
		var ok bool
		if h.Node, ok = nodes[key{h.Member, h.Path}]; ok {
			there = append(there, h)
		}
	}
	return there, nil
}

// SearchPool returns a page of the members' memories that hold any of the query's words, the best
// first, each with its best passage, as [tree.SearchMemories] does for one vault.
func SearchPool(ctx context.Context, members []VaultMember, query string) (tree.Page, []MemberFailure, error) {
	if len(members) == 1 {
		page, err := tree.SearchMemories(ctx, members[0].Vault, query, members[0].Options)
		sign(members, page.Rows, func(int) int { return 0 })
		return page, nil, err
	}
	whole, err := GatherSums(ctx, len(members), func(i int) *VaultMember { return &members[i] }, query)
	if err != nil {
		return tree.Page{}, whole.Failed, err
	}
	found, totals := make([][]PoolHit, len(members)), make([]int, len(members))
	failed, err := AskEach(len(members), whole.Failed, func(i int) (err error) {
		if whole.Without[i] {
			return nil
		}
		found[i], totals[i], err = members[i].search(ctx, query, whole.Sums, i)
		return err
	})
	if err != nil {
		return tree.Page{}, failed, err
	}
	hits, twins := mergeHits(found)
	page := tree.Page{Total: -twins}
	for _, n := range totals {
		page.Total += n
	}
	hits, err = FillNodes(ctx, len(members), func(i int) *VaultMember { return &members[i] }, cutPage(hits, members[0].Options))
	if err == nil {
		page.Rows, err = rows(ctx, members, hits)
	}
	return page, failed, err
}

// search returns the first hits of a member, of which the page is a part, and how many there
// are.
func (m *VaultMember) search(ctx context.Context, query string, sums *family.Sums, i int) ([]PoolHit, int, error) {
	o := m.Options
	o.Limit, o.Offset, o.Sums, o.Now = cmp.Or(max(o.Limit, 0), searchLimit)+max(o.Offset, 0), 0, sums, m.Now()
	hits, total, err := m.Mirror.Search(ctx, query, o)
	out := make([]PoolHit, len(hits))
	for j := range hits {
		out[j] = PoolHit{hits[j], i, m.From(hits[j].Path)}
	}
	return out, total, err
}

// mergeHits puts the members' hits into one order. twins is how many it leaves out, since an
// earlier member has the same.
func mergeHits(found [][]PoolHit) (all []PoolHit, twins int) {
	var seen Twins
	for _, hits := range found {
		for i := range hits {
			if seen.HasSeen(&hits[i].Node) {
				twins++
			} else {
				all = append(all, hits[i])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b PoolHit) int { return a.poolPlace().Compare(b.poolPlace()) })
	return all, twins
}

// cutPage returns the hits on the page.
func cutPage(hits []PoolHit, o vault.ListOptions) []PoolHit {
	from := min(max(o.Offset, 0), len(hits))
	return hits[from:min(from+cmp.Or(max(o.Limit, 0), searchLimit), len(hits))]
}

// rows makes the rows of hits, in their order. Each member makes its own.
func rows(ctx context.Context, members []VaultMember, hits []PoolHit) ([]tree.ListRow, error) {
	all := make([]tree.ListRow, len(hits))
	for i := range members {
		var own []vault.Hit
		var at []int
		for j := range hits {
			if hits[j].Member == i {
				own, at = append(own, hits[j].Hit), append(at, j)
			}
		}
		made, err := tree.RowsOfHits(ctx, members[i].Vault, members[i].Mirror.Tree, own)
		if err != nil {
			return nil, err
		}
		for k, j := range at {
			all[j] = made[k]
		}
	}
	sign(members, all, func(j int) int { return hits[j].Member })
	return all, nil
}

// sign says of each row which project it is from.
func sign(members []VaultMember, rows []tree.ListRow, of func(row int) (member int)) {
	for j := range rows {
		rows[j].Origin = members[of(j)].From(rows[j].Path)
	}
}
