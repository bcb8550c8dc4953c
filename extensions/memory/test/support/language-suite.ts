import { expect, it } from "vitest";
import type { MemoryServices } from "../../src/services.js";
import { fill, openTestMemory, pathsFor, type TestPlace } from "./open-memory.js";

/** Language, note, and queries that find the note by words alone. */
const NOTES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "zh",
    "下周三下午在三楼开预算会议，请李敏准备去年的支出表。",
    ["预算会议", "会议 预算", "支出表"],
  ],
  ["ja", "来週の金曜日に東京本社で新製品の発表会があります。", ["発表会はいつ", "新製品", "東京"]],
  ["ko", "다음 주 월요일에 마케팅팀과 회의를 합니다.", ["회의", "회의가", "마케팅팀"]],
  ["th", "ประชุมงบประมาณเลื่อนไปเป็นวันพฤหัสบดีเวลาสิบโมงเช้า", ["ประชุมงบประมาณ", "งบประมาณ", "วันพฤหัสบดี"]],
  ["ar", "المفتاح الاحتياطي عند الجارة أم خالد", ["مفتاح", "الجاره", "مِفْتَاح احتياطي"]],
  ["he", "פגישת התקציב נדחתה ליום חמישי, ורונית תכין את הטבלאות", ["תקציב", "טבלאות", "פְּגִישָׁה"]],
  ["hi", "बजट की बैठक बुधवार को होगी, सीमा पिछले साल के आँकड़े लाएगी।", ["बैठक", "आंकड़े", "बजट बैठक"]],
  [
    "el",
    "Η σύσκεψη για τον προϋπολογισμό μεταφέρθηκε την Πέμπτη",
    ["ΣΥΣΚΕΨΗ", "προυπολογισμος", "σύσκεψης"],
  ],
  [
    "ru",
    "Ёлочные игрушки лежат на чердаке в синей коробке",
    ["елочная игрушка", "ЧЕРДАК", "коробка"],
  ],
  [
    "tr",
    "Isıtma sistemi için Ilgın'daki tesisatçı İsmail Bey gelecek",
    ["ısıtma", "ISITMA", "ilgin", "ismail", "tesisatcı"],
  ],
  [
    "de",
    "Die Krankenversicherungskarte liegt im Schreibtisch an der Straße",
    ["Versicherung", "STRASSE", "Krankenversicherung"],
  ],
];

/** Notes in each language that no query of it is about. */
const OTHERS: Readonly<Record<string, string>> = {
  zh: "我们家的猫叫豆豆，只吃鱼罐头。",
  ja: "カメラのバッテリーは引き出しの二段目。",
  ko: "제주도 여행은 오월 삼일부터 나흘 동안이다.",
  th: "แมวที่บ้านชื่อส้มโอ แพ้อาหารทะเล",
  ar: "الطبيب يقول إن القطة مريضة منذ الأمس",
  he: "החתול ישן על הספה כל היום",
  hi: "हमारे कुत्ते का नाम शेरू है",
  el: "Η γάτα κοιμάται στον καναπέ όλη μέρα",
  ru: "Кошка весь день спит на диване",
  tr: "Kedi bütün gün kanepede uyuyor",
  de: "Die Katze schläft den ganzen Tag auf dem Sofa",
};

/**
 * Tests the words of languages that are written in other ways than English, on one database.
 * @param open - opens a memory without vectors
 * @param place - returns an empty database
 */
export function describeLanguages(
  open: () => Promise<MemoryServices>,
  place: () => TestPlace,
): void {
  it("[MEM-321] finds words in scripts without spaces, inflected words, and parts of compounds", async () => {
    const memory = await open();
    await fill(memory, {
      ...Object.fromEntries(NOTES.map(([language, note]) => [`notes/${language}.md`, note])),
      ...Object.fromEntries(
        Object.entries(OTHERS).map(([language, note]) => [`others/${language}.md`, note]),
      ),
    });
    for (const [language, , queries] of NOTES) {
      for (const query of queries) {
        const [first] = await pathsFor(memory, query);
        expect(first, query).toBe(`notes/${language}.md`);
      }
    }
  });

  it("[MEM-322] indexes the documents of an older version again in the background", async () => {
    const location = place();
    const before = await openTestMemory(location);
    await fill(before, { "a.md": "预算会议", "b.md": "green tea", "long.md": "会议".repeat(300) });
    // As the version before left it: no terms, and a text without spaces in one chunk.
    await before.database.query("delete from chunk_terms");
    await before.database.query(
      "delete from chunks where document = (select id from documents where path = 'long.md') and position > 0",
    );
    await before.database.query("update chunks set text_version = 0");
    expect(await before.texts.pending()).toBe(3);
    expect(await pathsFor(before, "预算")).toEqual([]);
    const after = await openTestMemory(location);
    await after.texts.idle();
    expect(await after.texts.pending()).toBe(0);
    expect(await pathsFor(after, "预算")).toEqual(["a.md"]);
    expect(await pathsFor(after, "tea")).toEqual(["b.md"]);
    const [count] = await after.database.query<{ count: number }>(
      "select count(*) as count from chunks",
    );
    expect(count?.count).toBeGreaterThan(5);
  });
}
