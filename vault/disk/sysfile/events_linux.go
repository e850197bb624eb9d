package sysfile

// WatchesFolders says that the system tells what happens in a folder, and holds nothing but the folder for it.
const WatchesFolders = true
