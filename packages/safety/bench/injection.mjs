import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sanitizeText } from "../dist/index.js";
import { attacks } from "./injection-attacks.mjs";

/**
 * Counts the ordinary pages that the injection rules flag, and the attacks that they find. The pages are what is
 * installed: documentation of npm packages, of the system, and manual pages in eight languages.
 */
const MOST_BYTES_OF_A_SOURCE = 8e6;
const LONGEST_PAGE = 100_000;
const recorded = new URL("measured/injection.json", import.meta.url);
const packages = new URL("../../../node_modules/.pnpm/", import.meta.url).pathname;
const LANGUAGES = { de: "de", es: "es", fr: "fr", ja: "ja", pt: "pt_BR", ru: "ru", zh: "zh_CN" };
const SOURCES = [
  { name: "documentation of npm packages", folder: packages, page: /\.(?:md|mdx|txt)$/ },
  {
    name: "documentation of Debian packages",
    folder: "/usr/share/doc",
    page: /\.(?:md|txt|html|gz)$|\/[A-Z]+$/,
  },
  ...Object.entries(LANGUAGES).map(([language, folder]) => ({
    name: `manual pages, ${language}`,
    folder: `/usr/share/man/${folder}`,
    page: /\.\d\w*(?:\.gz)?$/,
  })),
];

function* pagesIn(folder, page) {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pagesIn(path, page);
    else if (entry.isFile() && page.test(path)) yield path;
  }
}

function textOf(path) {
  const bytes = readFileSync(path);
  const text = (extname(path) === ".gz" ? gunzipSync(bytes) : bytes).toString("utf8");
  return text.slice(0, LONGEST_PAGE);
}

const seen = new Set();
const alarms = [];
const sources = [];
for (const { name, folder, page } of SOURCES) {
  let bytes = 0;
  let pages = 0;
  let flagged = 0;
  for (const path of pagesIn(folder, page)) {
    if (bytes > MOST_BYTES_OF_A_SOURCE) break;
    const text = textOf(path);
    if (text === "" || text.includes("\0") || seen.has(text)) continue;
    seen.add(text);
    bytes += Buffer.byteLength(text);
    pages += 1;
    const { modified, findings } = sanitizeText(text);
    if (!modified) continue;
    flagged += 1;
    const high = findings.filter(({ severity }) => severity === "high" || severity === "critical");
    alarms.push(
      ...high.map(({ rule, range }) => ({
        rule,
        path,
        at: text.slice(range[0] - 40, range[1] + 40),
      })),
    );
  }
  if (pages > 0) sources.push({ name, pages, megabytes: bytes / 1e6, flagged });
}
const missed = attacks.filter(({ text }) => !sanitizeText(text).modified);
if (process.argv.includes("--show")) {
  for (const alarm of alarms)
    console.log(alarm.rule, alarm.path.slice(-60), JSON.stringify(alarm.at));
  for (const { name, text } of missed) console.log("missed", name, JSON.stringify(text));
}
const count = (list, key) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(list, key))
      .map(([name, group]) => [name, group.length])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
const sum = (key) => sources.reduce((total, source) => total + source[key], 0);
const round = (value) => Math.round(value * 1000) / 1000;
const found = attacks.length - missed.length;
const result = {
  measured: new Date().toISOString().slice(0, 10),
  sources: sources.map((source) => ({ ...source, megabytes: round(source.megabytes) })),
  pages: sum("pages"),
  megabytes: round(sum("megabytes")),
  flaggedPages: sum("flagged"),
  flaggedPerThousandPages: round((sum("flagged") * 1000) / sum("pages")),
  alarms: count(alarms, ({ rule }) => rule),
  attacks: attacks.length,
  found,
  foundByDisguise: count(
    attacks.filter((attack) => !missed.includes(attack)),
    ({ disguise }) => disguise,
  ),
  precision: round(found / (found + sum("flagged"))),
};
console.log(JSON.stringify(result, undefined, 2));
if (process.argv.includes("--record"))
  writeFileSync(recorded, `${JSON.stringify(result, undefined, 2)}\n`);
