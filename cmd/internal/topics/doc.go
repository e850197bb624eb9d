// Package topics holds the texts of "cp help <topic>". They are part of the
// program. A test checks what they promise.
package topics
