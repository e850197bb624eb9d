// Package repair finds what a power cut or a foreign prune has broken in a
// repository, and takes its branches back to the newest commit that is whole.
//
// It reads a repository that git itself may refuse. It changes nothing while it looks, and
// never a file of the work tree. A repair that could lose something is not made but
// returned as commands for a person.
//
//	damage, err := repair.Diagnose(ctx, dir)
//	if len(damage.Commands) == 0 && len(damage.Found) > 0 {
//		err = repair.Repair(ctx, damage)
//	}
package repair
