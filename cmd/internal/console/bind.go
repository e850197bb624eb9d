package console

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/vault/options"
)

// Bind gives cmd the flags of a verb, which is a pointer to its struct. What a number says there
// already is the default; a flag that cmd has already is its own.
func Bind(cmd *cobra.Command, verb any) {
	options.Each(verb, func(o *options.Option) {
		bind(cmd.Flags(), o, verb)
		for i := range o.Inner {
			bind(cmd.Flags(), &o.Inner[i], verb)
		}
	})
}

func bind(flags *pflag.FlagSet, o *options.Option, verb any) {
	if o.Flag != "" && flags.Lookup(o.Flag) == nil {
		bindOne(flags, o, o.FieldIn(verb))
	}
}

// quotes marks the word that names a flag's value as the flag package wants it.
var quotes = strings.NewReplacer("<", "`", ">", "`")

// bindOne panics for a type that no flag has: the first start of the program tells.
func bindOne(flags *pflag.FlagSet, o *options.Option, to any) {
	help := quotes.Replace(o.Help)
	switch to := to.(type) {
	case *string:
		flags.StringVar(to, o.Flag, "", help)
	case **string:
		flags.Var(Maybe{To: to}, o.Flag, help)
	case *bool:
		flags.BoolVar(to, o.Flag, false, help)
	case *int:
		flags.IntVar(to, o.Flag, *to, help)
	case *[]int:
		flags.IntSliceVar(to, o.Flag, nil, help)
	case *[]string:
		if o.Commas {
			flags.Var((*Words)(to), o.Flag, help)
		} else {
			flags.StringArrayVar(to, o.Flag, nil, help)
		}
	default:
		panic("no flag has the type of --" + o.Flag)
	}
}
