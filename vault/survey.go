package vault

import "context"

// Survey hands fn what sync would settle and report, and the tree as it is then.
// It changes nothing.
func (v *Vault) Survey(ctx context.Context, fn func(Tree, Synced) error) error {
	return v.View(ctx, Scope{None: true}, func(t Tree) error {
		var found Synced
		if _, err := v.planSync(ctx, t, Sync{DryRun: true, Force: true, AllowSecret: true}, &found); err != nil {
			return err
		}
		return fn(t, found)
	})
}
