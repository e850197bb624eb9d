package vault

// The categories of errors: what an agent has to look at.
const (
	categoryStorage    = "storage"    // the files, git, the lock
	categoryIndex      = "index"      // what is derived from them
	categoryEmbedding  = "embedding"  // a model
	categoryParse      = "parse"      // a file that cannot be read
	categoryCapture    = "capture"    // a capture that has to wait
	categoryValidation = "validation" // what was asked for
)

// Category returns the class of the errors of a code: storage, index, embedding, parse,
// capture or validation.
func (c Code) Category() string {
	switch c {
	case CodeLocked, CodeQueued:
		return categoryCapture
	case CodeIndex:
		return categoryIndex
	case CodeEmbedding, CodeGeneration:
		return categoryEmbedding
	case CodeDamaged, CodeConfig:
		return categoryParse
	case CodeInvalid, CodeNotFound, CodeAmbiguous, CodeType, CodeRefused, CodeHasChildren, CodeCycle, CodeConfirm, CodeSecret, CodeProtected:
		return categoryValidation
	}
	return categoryStorage
}
