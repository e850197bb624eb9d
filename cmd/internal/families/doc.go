// Package families opens the vaults of a family and has them answer as one. It finds the
// project that a command is about and those below it, opens each vault once, asks them side
// by side, and says of each result which project it is from. A member that cannot be read
// is told in one warning, and the others answer.
//
// It promises that a vault without a family is read as if there were no families: nothing is
// opened, and no row is merged. Writes concern one vault, and are not its business.
//
// What ranks over several vaults takes the [Asked] of a family: open vaults, each with the
// options by which its files are chosen.
package families
