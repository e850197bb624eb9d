# Turns the events of "go test -json" into what a person wants to see: each package when it begins and when it is done,
# each long test of the program by its name, and of what fails all that it printed.
function field(key,    at, text, out, c) {
  at = index($0, "\"" key "\":\"")
  if (!at) return ""
  text = substr($0, at + length(key) + 4)
  out = ""
  while (text != "" && (c = substr(text, 1, 1)) != "\"") {
    if (c != "\\") { out = out c; text = substr(text, 2); continue }
    c = substr(text, 2, 1)
    if (c == "u") { c = substr(text, 3, 4); out = out (c == "003c" ? "<" : c == "003e" ? ">" : c == "0026" ? "&" : "?"); text = substr(text, 7); continue }
    out = out (c == "n" ? "\n" : c == "t" ? "\t" : c == "r" ? "" : c); text = substr(text, 3)
  }
  return out
}
!/^\{/ { print; next }
{ action = field("Action"); pkg = field("Package"); test = field("Test"); key = pkg SUBSEP test }
action == "start" { print "begins " pkg }
action == "run" && pkg ~ /\/cmd\/cp$/ && test !~ /\// { print "  runs " test }
action == "output" && test != "" { said[key] = said[key] field("Output") }
action == "output" && test == "" { text = field("Output"); if (text != "PASS\n") printf "%s", text }
action == "build-output" { printf "%s", field("Output") }
action == "skip" && test != "" { printf "%s", said[key]; delete said[key] }
action == "pass" && test != "" { delete said[key] }
action == "fail" && test != "" { printf "%s", said[key]; delete said[key] }
{ fflush() }
