import { normalForm } from "./normal-form.js";

/** Words of other languages than English that say nothing about what a query asks. */
const LISTS = [
  "aber als am an auf aus bei beim bin bis bist da dann das dass dein deine dem den der des die dir dich du ein eine einem einen einer eines er es für hat hatte haben ich ihr im in ist ja kann kein keine man mein meine meinem meinen meiner mich mir mit muss nach nicht noch oder ob sich sie sind soll und uns unser unsere unserem unseren unserer vom von vor wann war warum was welche welchem welchen welcher welches wem wen wer werden wie wieder wir wird wo woher wohin wurde zu zum zur über",
  "a ai au aux avec avons c ce ces cet cette combien comment d dans de des du elle elles en est et eu il ils j je l la le les leur leurs lui ma mais me mes mon n ne nos notre nous on ont ou où par pas pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses son sont sur ta te tes ton tu un une va vos votre vous y à ça été être",
  "a al algo como con cual cuales cuando cuanta cuantas cuanto cuantos cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo de del desde donde dónde e el ella ellos en entre era es esa ese eso esta está este esto ha han has hay he la las le les lo los me mi mis muy más nos nuestra nuestras nuestro nuestros o para pero por porque qué que quien quién se ser si sin sobre son su sus te tiene tu tus un una unas unos y ya yo",
  "a ad ai al alla alle allo anche che chi ci com come con cosa cui da dai dal dalla dalle dei del della delle dello di dove e ed era gli ha hai hanno ho i il in io la le lo loro ma mi mia mie miei mio ne nei nel nella nelle noi non nostra nostre nostri nostro o per perché più qual quale quali quando quanta quante quanti quanto questa questo si sono sta su sua sue sul sulla suo ti tra tu tua tuo un una uno voi è",
  "a ao aos as com como da das de do dos e ela ele em era essa esse esta este está eu foi há isso já lhe mais mas me meu meus minha minhas muito na nas no nos nossa nossas nosso nossos não num numa o onde os ou para pela pelo por porque porquê qual quais quando quanta quantas quanto quantos que quem se sem ser seu seus sua suas são também te tem teu tua um uma você à às é",
  "aan al als bij dan dat de deze die dit een en er had heb hebben heeft het hij hoe hoeveel hun ik in is je jij jouw kan maar met mij mijn moet naar niet nog of om ons onze ook op over te toen tot u uit uw van voor waar waarom wanneer was wat we welk welke werd wie wij wordt ze zich zij zijn zo zou",
  "a albo ale bo był była było by być co czy dla do gdzie go i ich ile im ja jak jaka jakie jaki jaką jego jej jest już kiedy kim kogo komu kto która które którego której który mam ma mi moi moja moje mojego mojej mój mu my na nam nas nasz nasza nasze nie niż o od on ona po pod przez przy się są ta tak tam te tego tej ten to tu twoja twój ty w we z za ze że",
  "alla att av blir blev de deras dem den det dig din dina ditt du där efter ej eller en ett för från ha hade han har hon hos hur hur i in inte jag kan man med men mig min mina mitt måste när någon något och om oss på sedan sig sin sina sitt ska som till under upp ut vad var varför vart vem vi vilka vilken vilket våra vår vårt är åt över",
  "ei en että he hän ja jo joka jos kanssa kenellä kenen ketkä kuinka kuka kun koska me mihin mikä miksi milloin millä mille minkä minulla minun minä missä mistä mitä mukaan mutta myös ne niin nyt olen oli on ovat se sen siellä sillä sinä tai te tämä vai vain voi",
  "а без бы был была были было быть в вам вас во вот все всё где да для до его ее её если есть еще ещё же за и из или им их к как какая какие какой какое когда который кого кому кто ли меня мне мой моя моё мои моего моей мы на над нам нас наш наша наше наши не него нет но о об он она они от по под почему при с сколько со так там то тоже ты у уже чего чей чем что чтобы эта эти это этот я",
  "acaba ama ben bende beni benim bir biz bizim bu bunu da daha de den dır diye en gibi hangi hangisi her için ile ise ki kim kimde kimin kime mi mı mu mü nasıl ne neden nerede nereden nereye neyi o ona onu onun sen senin siz şu ve veya var ya yok çok",
  "αλλά αν από αυτά αυτή αυτό για γιατί δεν είναι εγώ εδώ εκεί ένα ένας έχει έχω ή η θα και κάθε μας με μέχρι μια μου μπορεί να ο οι όταν ότι που πού πότε πόσα πόσο πρέπει πριν προς πως πώς σας σε σου στα στη στην στις στο στον τα τη την της τι τις το τον του τους των ποιος ποια ποιο ποιον",
].map((words) => new Set(words.split(" ").map(normalForm)));

/** Function words from which a text is in their language; single ones are words of other languages, too. */
const ENOUGH = 2;

/**
 * Returns the function words of a text that is not English: those of the language of which it has the most, and at
 * least two.
 * @param words - words in normal form
 */
export function functionWordsOf(words: readonly string[]): ReadonlySet<string> {
  let most = ENOUGH - 1;
  const found = new Set<string>();
  for (const list of LISTS) {
    const inList = words.filter((word) => list.has(word));
    if (inList.length < Math.max(most, ENOUGH)) continue;
    if (inList.length > most) found.clear();
    most = inList.length;
    for (const word of inList) found.add(word);
  }
  return found;
}
