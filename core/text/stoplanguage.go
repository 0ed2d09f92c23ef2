package text

import (
	"slices"
	"strings"
)

// StopsOf returns what reports whether a token of the profile standard is a stop
// word of a language, which one of the codes
//
//	da de en es fr it nb nl nn no pt ru sv
//
// names, and false for any other. English is [IsStandardStop]. The other lists are
// short: articles, pronouns, prepositions, conjunctions, forms of be and have, and
// words that ask. French and Italian have the parts before an apostrophe, too. Their
// version is [StandardStopVersion].
func StopsOf(language string) (isStop func(token string) bool, ok bool) {
	if language == "en" {
		return IsStandardStop, true
	}
	list := stopLists(language)
	if list == "" {
		return nil, false
	}
	words := strings.Split(list, " ")
	slices.Sort(words)
	return func(token string) bool {
		_, found := slices.BinarySearch(words, token)
		return found
	}, true
}

func stopLists(language string) string {
	switch language {
	case "da":
		return "ad af alle alt at blev blive bliver da de dem den denne der deres det dette dig din dine disse dit dog du " +
			"efter eller en end er et for fra ham han hans har havde have hende hendes her hos hun hvad hvem hver " +
			"hvilken hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer jeres jo kan kunne man mange med meget men mig min mine " +
			"mit mod ned noget nogle nogen nu når og også om op os over på sig sin sine sit skal skulle som sådan så " +
			"til ud under var vi vil ville vor være været"
	case "de":
		return "aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei bin bis bist da " +
			"damit dann das dass dein deine deinem deinen deiner dem den denn der deren des dessen dich die dies diese diesem " +
			"diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für " +
			"gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in " +
			"ins ist ja jede jedem jeden jeder jedes jene jener jetzt kann kein keine keinem keinen keiner können könnte machen " +
			"man manche mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr " +
			"sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst um und uns unser unsere " +
			"unter viel vom von vor wann war waren warum was weg weil welche welchem welchen welcher welches wenn wer werde " +
			"werden wie wieder wir wird wo wollen wurde wurden während würde würden zu zum zur zwar zwischen über"
	case "es":
		return "a al algo algunas algunos ante antes aquel aquella como con contra cual cuales cuando cuándo cuál cuáles cómo de " +
			"del desde donde dónde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta " +
			"estaba estas este esto estos está están fue fueron ha han hasta hay la las le les lo los me mi mis mucho " +
			"muchos muy más nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque " +
			"qué que quien quienes quién se sea ser si sido sin sobre son su sus sí también tanto te tiene tienen " +
			"todo todos tu tus tú un una unas uno unos vosotros y ya yo él"
	case "fr":
		return "a ai au aux avait avec avez avons c ce ceci cela ces cet cette chez comme comment d dans de des donc dont du " +
			"elle elles en est et eu eux fait fut il ils j je jusqu l la le les leur leurs lorsqu lui là m ma mais me " +
			"mes moi mon même n ne ni non nos notre nous on ont ou où par pas peu plus pour pourquoi puisqu qu quand " +
			"que quel quelle quelles quels qui quoi s sa sans se sera ses si soi soit son sont sous suis sur t ta te tes " +
			"toi ton tout toute toutes tous tu un une vos votre vous y à ça était étaient été être"
	case "it":
		return "a abbiamo agli ai al all alla alle allo anche avere aveva c che chi ci coi col come con contro cosa cui d da " +
			"dagli dai dal dall dalla dalle dallo degli dei del dell della delle dello di dove dov e ed era erano essere fra " +
			"fu gli ha hanno ho i il in io l la le lei li lo loro lui ma mi mia mie mio miei ne negli nei nel nell nella " +
			"nelle nello noi non nostra nostro o perché più quale quali quando quanto quel quella quelle quelli quello " +
			"quest questa queste questi questo se sei si sia siamo sono sta su sua sue sugli sui sul sull sulla sulle sullo " +
			"suo suoi ti tra tu tua tue tuo tuoi tutti tutto un una uno vi voi è"
	case "nl":
		return "aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen " +
			"geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me " +
			"meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen " +
			"tot u uit uw van veel voor waar waarom wanneer want waren was wat welk welke werd wezen wie wil worden wordt zal ze zelf " +
			"zich zij zijn zo zonder zou"
	case "nb", "nn", "no":
		return "alle at av bare begge ble blei bli blir da de deg dei deim deira dem den denne der dere deres det dette di din disse " +
			"ditt du dykk eg ein eit eller elles en enn er et ett etter for fordi fra før ha hadde han hans har henne hennes her " +
			"hjå ho hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke ikkje ingen inn ja jeg kan kom korleis kva kvar kven " +
			"kvifor kunne man mange me med meg men mer mi min mine mitt mot mykje ned no noe noen nokon noko nå når og også om opp " +
			"oss over på samme seg selv si sia sidan siden sin sine sitt skal skulle slik so som så til um upp ut uten var vart " +
			"ved vere vi vil ville vår være vært å"
	case "pt":
		return "a ao aos aquela aquele aquilo as até com como da das de dela delas dele deles depois do dos e ela elas ele eles em " +
			"entre era eram essa essas esse esses esta estas este estes está estão eu foi foram haver há isso isto já lhe " +
			"lhes mais mas me mesmo meu meus minha minhas muito na nas nem no nos nossa nosso não nós num numa o onde os ou " +
			"para pela pelas pelo pelos por porque porquê quais qual quando quanto que quem quê se seja sem ser seu seus sua " +
			"suas são só também te tem tinha tu tua teu um uma umas uns você vocês vos à às é"
	case "ru":
		return "а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если есть " +
			"еще ещё её же за здесь и из или им их к как какая какие какой каких когда кого который которая которые кто куда ли " +
			"между меня мне мой моя мы на над надо нас наш не него нее ней нет ни них но ну о об однако он она они оно от " +
			"очень по под после почему при про с сам свой себя сейчас со так также такой там тебя тем то того тоже той только том " +
			"тот ты у уже хотя чего чей чем что чтобы чье эта эти это этого этой этом этот я"
	case "sv":
		return "alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig din dina ditt du där då efter " +
			"ej eller en er era ert ett från för ha hade han hans har henne hennes hon honom hur här i icke ingen inom inte jag ju " +
			"kan kunde man med mellan men mig min mina mitt mot mycket ni nu någon något några när och om oss på samma sedan sig " +
			"sin sina sitta själv skulle som så sådan till under upp ut utan vad var vara varför varit varje vars vart vem vi vid " +
			"vilka vilken vilket vår våra vårt än är åt över"
	}
	return ""
}
