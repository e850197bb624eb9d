package about

// mods returns an expression of any number of these words, with spaces behind each.
func mods(words string) string { return `(?:(?:` + words + `)\s+)*` }

// The table of the languages: twelve families, and Markdown.
var languages = []language{
	golang, python, javascript, java, cLanguages, csharp, rust, ruby, php, kotlin, swift, shell, markdown,
}

var golang = ready(language{
	files: "go", comment: "//", chars: true, raw: true,
	defs: []pattern{
		{re: `^func\s+NAME\s*[\[(]`},
		{re: `^func\s+\([^)]*\)\s*NAME\s*[\[(]`, inner: true},
		{re: `^(?:type|var|const)\s+NAMEEND`},
		{re: `^\tNAME(?:\s|,|$)`, group: `^(?:type|var|const)\s*\(\s*$`},
		{re: `^\s+NAME\s*[\s(]`, outer: true, group: `\b(?:struct|interface)\s*\{\s*$`},
	},
	owned: []pattern{{re: `^func\s+\(\s*(?:` + aName + `\s+)?\*?\s*OWNER(?:\[[^\]]*\])?\s*\)\s*NAME\s*[\[(]`}},
})

var python = ready(language{
	files: "py pyi pyw", comment: "#", texts: true,
	defs: []pattern{
		{re: `^\s*(?:async\s+)?def\s+NAME\s*[\[(]`, end: byIndent},
		{re: `^\s*class\s+NAMEEND`, end: byIndent},
		{re: `^\s*type\s+NAMEEND`},
		{re: `^\s*NAME\s*(?::[^=]+)?=(?:[^=]|$)`, outer: true},
		{re: `^\s*NAME\s*:\s*[\pL"'_]`, outer: true},
	},
})

const jsWords = `export|default|declare|abstract|async|public|private|protected|static|readonly|override|accessor`

var javascript = ready(language{
	files: "js jsx mjs cjs ts tsx mts cts vue svelte", comment: "//", raw: true,
	defs: []pattern{
		{re: `^\s*` + mods(jsWords) + `function\s*\*?\s*NAMEEND`},
		{re: `^\s*` + mods(jsWords+`|const`) + `(?:class|interface|enum|type|namespace|module)\s+NAMEEND`},
		{re: `^\s*` + mods(jsWords) + `(?:const|let|var)\s+NAMEEND`, outer: true},
		{re: `^\s*` + mods(jsWords) + `(?:const|let|var)\s+NAME\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function|class|\(.*=>|\(\s*$|` + aName + `\s*=>)`},
		{re: `^\s*(?:module\.)?exports\.NAME\s*=[^=]`},
		{re: `^\s+` + mods(jsWords+`|get|set`) + `\*?\s*#?NAME\s*(?:<.*>)?\(`, call: true, after: `^(?:\{|:)`},
		{re: `^\s+` + mods(jsWords) + `#?NAME[?!]?\s*(?::|=[^=>])`, outer: true},
		{re: `^\s+['"]NAME['"]\s*:`, outer: true},
		{re: `^\s*(?:` + aName + `\.)+NAME\s*=\s*(?:async\s*)?(?:function|class|\(.*=>)`, inner: true},
	},
	owned: []pattern{{re: `^\s*OWNER\.(?:prototype\.)?NAME\s*=[^=]`}},
})

const (
	javaWords = `public|private|protected|static|final|abstract|synchronized|native|default|strictfp|sealed|non-sealed|transient|volatile|@[\w.]+(?:\([^)]*\))?`
	javaType  = `[A-Za-z_$\x{80}-\x{10FFFF}][\w$.\x{80}-\x{10FFFF}]*(?:<.*>)?(?:\[\])*(?:\.\.\.)?`
)

var java = ready(language{
	files: "java groovy", comment: "//", chars: true,
	defs: []pattern{
		{re: `^\s*` + mods(javaWords) + `(?:class|interface|enum|record|@interface)\s+NAMEEND`},
		{re: `^\s*` + mods(javaWords) + `(?:<.*>\s*)?(?:` + javaType + `\s+)?NAME\s*\(`, call: true, after: `^(?:\[\]\s*)*(?:throws\s[^{;]*)?(?:\{|;|default\s)`},
		{re: `^\s*` + mods(javaWords) + javaType + `\s+NAME\s*(?:\[\]\s*)?[=;]`, outer: true},
		{re: `^\s+NAME\s*(?:\(.*\))?\s*(?:[,;{]|$)`, outer: true, group: `\benum\s`},
	},
})

const (
	cType  = `[A-Za-z_][\w\s*&:<>,\[\]().]*`
	cAfter = `^(?:(?:const|volatile|noexcept|override|final|mutable|try|&&?|[A-Z_]{3,}|__\w+)\b?(?:\s*\(\(?[^)]*\)?\))?\s*)*(?:->[^{;]*)?(?:requires\s[^{;]*)?(?:\{|;|:[^:]|=\s*(?:default|delete|0)\s*;)`
)

var cLanguages = ready(language{
	files: "c h cc cpp cxx c++ hh hpp hxx h++ m mm ino cu", comment: "//", chars: true, lists: true,
	defs: []pattern{
		{re: `^(?:` + cType + `[\s*&])?NAME\s*\(`, call: true, after: cAfter, typeAbove: true},
		{re: `^\s+(?:` + cType + `[\s*&])?NAME\s*\(`, call: true, after: cAfter, typeAbove: true},
		{re: `^(?:` + cType + `[\s*&])?(?:\w+(?:<[^>]*>)?::)+NAME\s*\(`, call: true, after: cAfter, typeAbove: true, inner: true},
		{re: `^\s*(?:typedef\s+)?(?:struct|union|enum(?:\s+(?:class|struct))?|class|namespace|concept)\s+(?:[A-Z_]{3,}(?:\([^)]*\))?\s+|\[\[.*\]\]\s*|alignas\([^)]*\)\s*)*(?:\w+(?:<[^>]*>)?::)*NAME\s*(?:final\b[^;]*|:[^;]*|<[^;]*)?(?:\{.*|$)`, typeAbove: true},
		{re: `^\s*#\s*define\s+NAMEEND`, end: byLine},
		{re: `^\}\s*NAME\s*;`, end: byLastLine},
		{re: `^\s*typedef\s[^{]*\bNAME\s*(?:\[[^\]]*\])?\s*;`},
		{re: `^\s*typedef\s[^{]*\(\s*\*\s*NAME\s*\)`},
		{re: `^\s*using\s+NAME\s*=`},
		{re: `^` + cType + `[\s*&]NAME\s*(?:\[[^\]]*\]\s*)*(?:=|;|\{[^{}]*\}\s*;)`, outer: true},
		{re: `^\s+` + cType + `[\s*&]NAME\s*(?:\[[^\]]*\]\s*)*(?:=|;|\{[^{}]*\}\s*;|:\s*\d)`, outer: true},
		{re: `^\s+NAME\s*(?:=[^=].*)?,?\s*(?:/[/*].*)?$`, outer: true, group: `\benum\b`},
	},
	owned: []pattern{{re: `^(?:` + cType + `[\s*&])?(?:\w+(?:<[^>]*>)?::)*OWNER(?:<[^>]*>)?::NAME\s*\(`, call: true, after: cAfter, typeAbove: true}},
})

const (
	csWords = `public|private|protected|internal|static|sealed|abstract|virtual|override|async|readonly|const|extern|unsafe|partial|new|volatile|required|ref|event|file|\[.*\]`
	csType  = `[A-Za-z_\x{80}-\x{10FFFF}][\w.\x{80}-\x{10FFFF}]*(?:<.*>)?(?:\[[,\s]*\])*\??(?:\[\])*`
)

var csharp = ready(language{
	files: "cs csx", comment: "//", chars: true,
	defs: []pattern{
		{re: `^\s*` + mods(csWords) + `(?:class|interface|enum|struct|record(?:\s+(?:struct|class))?|namespace)\s+(?:\w+\.)*NAMEEND`},
		{re: `^\s*` + mods(csWords) + `delegate\s+` + csType + `\s+NAMEEND`},
		{re: `^\s*` + mods(csWords) + `(?:(?:` + csType + `|\(.*\))\s+)?(?:[\w<>]+\.)*NAME\s*(?:<[^(]*>)?\s*\(`, call: true, after: `^(?:where\s[^{;]*|:\s*(?:base|this)\s*\([^{;]*)?(?:\{|=>|;)`},
		{re: `^\s*` + mods(csWords) + csType + `\s+(?:[\w<>]+\.)*NAME\s*(?:\{.*|=>.*|$)`, outer: true},
		{re: `^\s*` + mods(csWords) + csType + `\s+NAME\s*(?:=[^=>]|;)`, outer: true},
		{re: `^\s+NAME\s*(?:=.*)?,?\s*$`, outer: true, group: `^\s*\{\s*$|\benum\s`},
	},
})

const rustWords = `pub(?:\([^)]*\))?|default|const|async|unsafe|extern(?:\s+"[^"]*")?|crate`

var rust = ready(language{
	files: "rs", comment: "//", chars: true,
	defs: []pattern{
		{re: `^\s*` + mods(rustWords) + `(?:fn|struct|enum|trait|union|type|mod)\s+NAMEEND`},
		{re: `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static(?:\s+mut)?)\s+NAMEEND`},
		{re: `^\s*macro_rules!\s*NAMEEND`},
		{re: `^\s+(?:pub(?:\([^)]*\))?\s+)?NAME\s*:\s*[^:]`, outer: true},
		{re: `^\s+NAME\s*(?:[,({=]|$)`, outer: true, group: `\benum\s`},
	},
	owners: []pattern{{re: `^\s*(?:unsafe\s+)?impl(?:\s*<.*>)?\s+(?:.*\sfor\s+)?&?(?:\w+::)*NAMEEND`}},
})

var ruby = ready(language{
	files: "rb rake gemspec ru Rakefile Gemfile", comment: "#",
	defs: []pattern{
		{re: `^\s*` + mods(`private|protected|public|private_class_method|memoize`) + `def\s+(?:[\w]+\.)?NAME(?:[\s(;]|$)`, end: byWord},
		{re: `^\s*(?:class|module)\s+(?:\w+::)*NAME(?:[\s(;<]|$)`, end: byWord},
		{re: `^\s*NAME\s*=[^=~>]`, outer: true},
		{re: `^\s*(?:define_method|alias_method|attr_reader|attr_accessor|attr_writer|scope|has_many|has_one|belongs_to|task|let!?)\s*\(?\s*:NAMEEND`, outer: true},
	},
	owned: []pattern{{re: `^\s*def\s+OWNER\.NAME(?:[\s(;]|$)`, end: byWord}},
})

const phpWords = `abstract|final|public|protected|private|static|readonly|const|var`

var php = ready(language{
	files: "php phtml inc", comment: "//",
	defs: []pattern{
		{re: `^\s*` + mods(phpWords) + `function\s+&?\s*NAME\s*\(`},
		{re: `^\s*` + mods(phpWords) + `(?:class|interface|trait|enum|namespace)\s+NAMEEND`},
		{re: `^\s*` + mods(phpWords) + `const\s+(?:\??\w+\s+)?NAME\s*=`},
		{re: `^\s*(?:public|protected|private|static|readonly|var)\s+` + mods(phpWords+`|\??[\w\\|]+`) + `\$NAMEEND`, outer: true},
		{re: `^\s*\$NAME\s*=[^=>]`, outer: true},
		{re: `^\s*define\(\s*['"]NAME['"]`},
		{re: `^\s*case\s+NAMEEND`, outer: true, group: `\benum\s|^\s*\{`},
	},
})

const kotlinWords = `public|private|protected|internal|open|abstract|final|sealed|data|inner|enum|annotation|override|inline|noinline|crossinline|infix|operator|suspend|tailrec|external|expect|actual|const|lateinit|value|fun|companion|@[\w.:]+(?:\([^)]*\))?`

var kotlin = ready(language{
	files: "kt kts", comment: "//", chars: true,
	defs: []pattern{
		{re: `^\s*` + mods(kotlinWords) + `fun\s+(?:<.*>\s*)?` + "`?NAME`?" + `\s*\(`},
		{re: `^\s*` + mods(kotlinWords) + `fun\s+(?:<.*>\s*)?[\w<>?,.*\s()]+\.` + "`?NAME`?" + `\s*\(`, inner: true},
		{re: `^\s*` + mods(kotlinWords) + `(?:class|interface|object|typealias)\s+NAMEEND`},
		{re: `^\s*` + mods(kotlinWords) + `(?:val|var)\s+(?:<.*>\s*)?(?:[\w<>?,.*]+\.)?NAMEEND`, outer: true},
		{re: `^\s*` + mods(kotlinWords) + `const\s+val\s+NAMEEND`},
	},
	owned: []pattern{
		{re: `^\s*` + mods(kotlinWords) + `fun\s+(?:<.*>\s*)?OWNER(?:<.*>)?\??\.NAME\s*\(`},
		{re: `^\s*` + mods(kotlinWords) + `(?:val|var)\s+(?:<.*>\s*)?OWNER(?:<.*>)?\??\.NAMEEND`},
	},
})

const swiftWords = `public|private|fileprivate|internal|open|package|static|class|final|override|mutating|nonmutating|required|convenience|lazy|weak|unowned|dynamic|optional|indirect|nonisolated|isolated|prefix|postfix|infix|private\(set\)|public\(set\)|internal\(set\)|unowned\(unsafe\)|@[\w.]+(?:\([^)]*\))?`

var swift = ready(language{
	files: "swift", comment: "//",
	defs: []pattern{
		{re: `^\s*` + mods(swiftWords) + `func\s+NAME\s*[<(]`},
		{re: `^\s*` + mods(swiftWords) + `NAME[?!]?\s*(?:<.*>)?\(`, call: true, after: `^(?:async\s*)?(?:throws\s*|rethrows\s*)?(?:\(.*\)\s*)?(?:where\s[^{]*)?\{`},
		{re: `^\s*` + mods(swiftWords) + `(?:class|struct|enum|protocol|actor|typealias|associatedtype|macro)\s+NAMEEND`},
		{re: `^\s*` + mods(swiftWords) + `(?:var|let)\s+NAMEEND`, outer: true},
		{re: `^\s*(?:indirect\s+)?case\s+NAMEEND`, outer: true},
	},
	owners: []pattern{{re: `^\s*` + mods(swiftWords) + `extension\s+(?:\w+\.)*NAMEEND`}},
})

var shell = ready(language{
	files: "sh bash zsh ksh bats", comment: "#",
	defs: []pattern{
		{re: `^\s*(?:function\s+)?NAME\s*\(\s*\)`},
		{re: `^\s*function\s+NAME(?:[\s{(]|$)`},
		{re: `^\s*(?:(?:export|readonly|local|declare|typeset)\s+(?:-\w+\s+)*)?NAME\+?=`, outer: true},
		{re: `^\s*alias\s+NAME=`, outer: true},
	},
})

var markdown = ready(language{
	files: "md markdown mdx mkd rmd", comment: "<!--", words: true,
	defs: []pattern{
		{re: `^#{1,6}\s+NAME\s*#*\s*$`, end: byHeading},
		{re: `^ {0,3}NAME\s*$`, end: byHeading, below: underlineRE},
	},
})
