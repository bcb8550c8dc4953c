/**
 * The built-in list, compiled by hand from published ones (cuss, LDNOOBW, `@2toad/profanity`): stems of English, which are
 * combined with the endings and beginnings below, and whole words. Words with an ordinary meaning are not on it, such as
 * `dick`, `cock`, `ass` and `tit`.
 */
export const ENGLISH_STEMS: readonly string[] = words(`
  fuck fuk phuck shit bitch cunt wank twat whore slut`);

/** Endings of English stems. */
export const ENGLISH_ENDINGS: readonly string[] = words(`
  s es ed er ers in ing ings y ty tier tiest ier iest ted ting tard tards face faces head heads hole holes wit wits
  show storm bag bags`);

/** Beginnings of English stems. */
export const ENGLISH_BEGINNINGS: readonly string[] = words(`
  bull horse bat dip ape mother cluster mind dumb brain un ab`);

/** Whole words. */
export const WHOLE_WORDS: readonly string[] = words(`
  fck fcking fcked fckin wtfuck mofo mothafucka motherfucka
  asshole assholes arsehole arseholes asshat asshats asswipe asswipes jackass jackasses dumbass dumbasses dipshit
  dickhead dickheads dickface dickwad cockhead cockheads cocksucker cocksuckers cocksucking
  bastard bastards bollocks tosser tossers wanker bullshitter goddamn goddamned
  blowjob blowjobs handjob handjobs rimjob cumshot cumshots jizz dildo dildos buttplug
  nigger niggers nigga niggas faggot faggots fag fags kike kikes wetback wetbacks raghead ragheads towelhead tranny
  trannies retard retards retarded pissed pissoff skank skanks
  scheiße scheisse scheiß scheiss scheißt beschissen arschloch arschlöcher arsch fotze fotzen hurensohn hurensöhne
  wichser wixer schlampe schlampen ficken ficker fickt gefickt verfickt verfickte schwuchtel schwanzlutscher
  missgeburt verpiss verpisst
  puta putas puto putos hijoputa hijueputa mierda mierdas coño cabrón cabrones gilipollas joder jodido follar pendejo
  pendejos maricón maricones chingar chingada pinche culero verga polla
  putain putains merde merdes merdeux connard connards connasse connasses enculé enculer enculés salope salopes salaud
  bordel foutre emmerder emmerdeur ntm enfoiré enfoirés niquer
  cazzo cazzi cazzata cazzone vaffanculo stronzo stronza stronzi stronzata merda merde puttana puttane troia coglione
  coglioni minchia incazzato fottere fottuto porcodio bocchino zoccola
  caralho porra foder foda fodase fodido buceta boceta cacete viado filhodaputa cuzão merdas arrombado
  kurwa kurwy kurwo kurwa chuj chuja chujowy huj jebać jebany jebie pierdolić pierdol pierdolony spierdalaj skurwysyn
  skurwysyny wkurwiony zajebisty dziwka pizda kutas gówno
  godverdomme klootzak klootzakken kanker kankerlijer kut kutwijf hoer hoeren neuken lul eikel tering teringlijer
  mongool oprotten opsodemieteren schijt
  jävla jävlar jävel fitta fittor kuk helvete knulla skit hora röv rövhål faen jævla jævlig fitte forbanna drittsekk
  kukene fisse røvhul pikhoved luder
  perkele vittu vitun saatana paska paskapää kusipää mulkku huora
  kurva kurvák kurvára kurvafix piča píča čurák zmrd kokot mrdka hovno prdel jebat zkurvysyn fasz faszok faszfej geci
  baszd bazmeg basszameg picsa segg kibaszott szar
  siktir sikeyim sikik amcık orospu orospular piç yarrak yavşak götveren ibne
  хуй хуйня хуя хуев хуевый хуёвый нахуй похуй охуел охуеть охуенно пизда пиздец пизды блядь бляди блять ебать ебаный
  ебал заебал заебись уебок ебло мудак мудаки гондон пидор пидорас сука суки говно дерьмо
  他妈的 操你 傻逼 煞笔 狗屁 王八蛋 混蛋 贱人 妈的 くそったれ 씨발 시발 개새끼 병신 지랄
  كس كسمك شرموطة قحبة منيوك
  चूतिया भोसडी मादरचोद बहनचोद गांड`);

/** English words that people write with stars instead of letters. */
export const STARRED_WORDS: readonly string[] = words(`
  fuck fucks fucked fucker fuckers fucking shit shits shitty bullshit bitch bitches cunt cunts asshole assholes
  motherfucker motherfuckers motherfucking bastard dickhead whore slut wanker nigger faggot`);

/** Words of scripts that do not separate words; they match anywhere. */
export function isUnseparated(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word);
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
