// Package settings finds the vault and says who works in it and how.
//
// Each value comes from the first of these that has it:
//
//	flags          --vault --project --agent --config …
//	environment    CP_VAULT CP_PROJECT CP_AGENT CP_GENERATION_… CP_EMBEDDING_…
//	.cp.yaml       the nearest, walking up from the working directory: vault project agent
//	vault.yaml     in the vault's .cp folder: format project prefix promotion adopt pointers
//	config.yaml    in ~/.cp, or the file --config names: everything
//	defaults
//
// The vault itself is the folder that --vault or CP_VAULT names; else the
// first folder, walking up from the working directory, that holds
// .cp/vault.yaml, the .git of a repository with a vault on a branch of its own,
// or a .cp.yaml with a vault key, or that config.yaml maps to a vault (vaults);
// else the vault of config.yaml.
//
// .cp.yaml and vault.yaml are pulled from other people. Only the inert keys
// listed above are honoured there: a key that names a program, an endpoint or
// a path outside is passed over with a warning. A .cp.yaml that names another
// vault than the one in use says nothing about this one.
package settings
