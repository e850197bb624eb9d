package text

import (
	"strings"
	"sync"
)

// The languages that are told apart by their stop words. english is one of them, so that
// what is English is known to be.
const (
	unknown = iota
	englishTongue
	german
	french
	spanish
	portuguese
	italian
	dutch
	swedish
	danish
	norwegian
	finnish
	hungarian
	romanian
	turkish
	polish
	czech
	vietnamese
	indonesian
	other // Latin letters with accents, and no stop words of these

	russian // by script
	arabic
	tamil
	unspaced // a script with spaces between words for which there is no stemmer
	languages
)

// frequent are the words by which a language is known: its most frequent ones, without those
// that are ordinary words of another language here. They tell nothing about a text, so they
// are no terms of it.
var frequent = [languages]string{
	englishTongue: `the of and to in is that for it as was with be by on not he his but at are this have from or had an they which
		you were her all she there would their we him been has when who will more no if out so said what up its about into
		than them can only other how do i my your does did should where why`,
	german: `der die das und ist nicht von zu mit den dem des ein eine einen einem einer eines auf für sich auch als wird werden
		wurde wurden sind hat haben bei oder aus nach wie über zum zur durch wenn aber nur noch sein kann können ich sie wir es
		was wer wo wann warum weshalb welche welcher welches welchem welchen viele vielen im in am an bis vor unter gegen
		dass jede jeder jedes dieser diese dieses diesem ihr ihre ihren ihrer seine seiner seinen seinem er hatte worden zwischen
		fuer ueber koennen`,
	french: `le la les des et est du une que qui dans pour pas sur ce cette ces avec plus par sont au aux il elle nous vous ils
		être a été ont mais ou où comme leur leurs quel quelle quels quelles combien quand pourquoi comment sa son ses en un ete etre`,
	spanish: `el la los las y es del una que en para con por se no su sus al lo como más pero fue son este esta entre cuando
		muy sin sobre también hasta donde dónde qué quién cuál cuáles cuándo cómo cuántos cuántas ha han un era eran
		quien cual cuales cuantos cuantas tambien`,
	portuguese: `o os as e é do da dos das um uma que em para com por não no na nos nas se ao aos à mais mas foi são como seu
		sua ou quando muito já também pelo pela até isso qual quais onde quem quantos foram
		nao sao tambem`,
	italian: `il lo la gli le e è del della dei delle di un una che in per con non si su al alla da dal sono come più ma anche
		nel nella era suo sua questo questa quale quali quando dove chi quanti stato ha hanno`,
	dutch: `de het een en van is dat op te zijn met voor niet aan er om ook als door naar uit bij wordt worden werd heeft
		hebben kan deze dit nog maar ze hij wat wie waar wanneer hoe welke hoeveel waarom`,
	swedish:   `och att det som en på är av för med den till inte har de ett om han hon var vad när hur vem vilka sig från kan men eller också efter vi jag`,
	danish:    `og at det som en på er af for med den til ikke har de et om han hun var hvad når hvordan hvem hvilke sig fra kan men eller også efter vi jeg`,
	norwegian: `og at det som en på er av for med den til ikke har de et om han hun var hva når hvordan hvem hvilke seg fra kan men eller også etter vi jeg`,
	finnish:   `ja on ei että se oli hän mutta ovat kun myös joka mitä kuka missä milloin kuinka miksi jos niin tai voi sen ole hänen kuin ne tämä`,
	hungarian: `a az és hogy nem is egy ez van volt de meg csak már mint el ha vagy mi ki hol mikor hogyan miért milyen azt ami még lehet`,
	romanian: `și în de la a este cu pe că nu un o din care pentru mai se au al ale fost sau dar sunt prin ce cine unde când cum
		câți câte lui ei cel cea`,
	turkish: `ve bir bu da de için ile olarak çok daha ne gibi kadar olan sonra en ise ya mi nasıl neden kim hangi nerede zaman kaç var değil
		nedir neydi kimdir kimler kime kimin ki göre sonra önce arasında tarafından adı ilk iki tüm ama fakat veya
		mı mu mü olduğu oldu olmuştur vardır diye onun bunun buna bunlar icin nasil cok degil kac tarafindan`,
	polish:     `i w na z do się nie to że jest o jak po co a od za przez ale dla są był była było być który która kto gdzie kiedy ile czy jego oraz`,
	czech:      `a v na se je že s z do o to i k ve pro jako by za ale po být jeho který která jsou byl byla co kdo kde kdy jak nebo při také`,
	vietnamese: `và của là có được cho các trong một người với không những này đã khi từ về như ở đến cũng gì nào ai ra vào năm bao nhiêu`,
	indonesian: `yang dan di dari untuk dengan ini itu pada adalah tidak dalam akan ke juga oleh sebagai atau bisa ada apa siapa bagaimana kapan karena`,
	russian: `и в не на что он с как а то это по но из у за от так же для до или когда где кто какой какая какие был была было были
		его ее их к о об при чем сколько почему который которая которые`,
	arabic: `في من على إلى عن أن التي الذي هذا هذه كان كانت ما هو هي لا أو مع كم متى أين كيف لماذا هل ذلك بعد قد لم`,
}

// set is a set of languages.
type set uint64

// stops tells of each frequent word which languages have it, as it is in lower case. It is made
// when it is asked for: most commands read no text.
var stops = sync.OnceValue(func() map[string]set {
	all := make(map[string]set, 1200)
	for l, words := range frequent {
		for w := range strings.FieldsSeq(words) {
			all[w] |= 1 << l
		}
	}
	return all
})

// maybe tells of a length, a first and a last letter of a to z whether a stop word has them. It
// spares three looks into stops of four.
var maybe = sync.OnceValue(func() *[13][32][32]bool {
	var all [13][32][32]bool
	for w := range stops() {
		if n := len(w); n < len(all) && IsASCII(w) {
			all[n][w[0]&31][w[n-1]&31] = true
		}
	}
	return &all
})
