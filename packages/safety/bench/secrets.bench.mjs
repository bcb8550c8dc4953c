// Measures the recall of the leak rules on the test cases of gitleaks and secretlint, as
// OPENCLAW_SECRET_CASES=<file> pnpm bench --record secrets
// The file has one JSON object a line: { rule, text, secret }. The secrets of gitleaks' cases are random, so each run
// of its generator makes others; the cases of secretlint are its snapshots. The cases of half of the rules, chosen by
// the hash of their name, are called held out: nobody looked at them while the table of forms was written.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { redactLeaks } from "../dist/index.js";

const file = process.env.OPENCLAW_SECRET_CASES;
if (file === undefined) {
  process.stderr.write("skipped: OPENCLAW_SECRET_CASES names no file with test cases\n");
  process.exit(0);
}

/** Disguises of a secret, which a reader or a program undoes. */
const DISGUISES = {
  "hexadecimal digits": (secret) => Buffer.from(secret).toString("hex"),
  "hexadecimal pairs with blanks": (secret) =>
    Buffer.from(secret)
      .toString("hex")
      .replace(/..(?=.)/g, "$& "),
  "hexadecimal pairs with colons": (secret) =>
    Buffer.from(secret)
      .toString("hex")
      .replace(/..(?=.)/g, "$&:"),
  "two lines": (secret) => halves(secret).join("\n"),
  "JSON escapes": (secret) =>
    [...secret].map((unit) => `\\u00${unit.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  "ANSI codes": (secret) => halves(secret).join("\u001b[1;31m"),
  "base64, twice": (secret) => base64(base64(secret)),
  "Markdown marks": (secret) => halves(secret).join("**"),
};
const halves = (text) => [text.slice(0, text.length / 2), text.slice(text.length / 2)];
const base64 = (text) => Buffer.from(text).toString("base64");
const isRedacted = (text, secret) =>
  !redactLeaks(text, { context: "output" }).text.includes(secret);
const isPrintable = (text) => /^[!-~]+$/.test(text);

const groups = new Map();
const heldOut = [];
for (const line of readFileSync(file, "utf8").trim().split("\n")) {
  const { rule, text, secret, kind = "tp" } = JSON.parse(line);
  if (kind !== "tp" || secret === "") continue;
  const isHeldOut = createHash("sha256").update(rule).digest()[0] % 2 === 1;
  const scanner = rule.startsWith("secretlint") ? "secretlint" : "gitleaks";
  const key = `test cases of ${scanner}, ${isHeldOut ? "held out" : "looked at"}`;
  const rules = groups.get(key) ?? new Map();
  groups.set(key, rules);
  const counts = rules.get(rule) ?? { found: 0, all: 0 };
  rules.set(rule, counts);
  counts.all += 1;
  if (!isRedacted(text, secret)) continue;
  counts.found += 1;
  if (isHeldOut) heldOut.push({ rule, text, secret });
}
for (const [bench, rules] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const counts = [...rules.values()];
  const all = counts.reduce((sum, { all: cases }) => sum + cases, 0);
  const found = counts.reduce((sum, count) => sum + count.found, 0);
  const perRule = counts.reduce((sum, count) => sum + count.found / count.all, 0) / counts.length;
  report(bench, "secrets redacted", (100 * found) / all, all);
  report(bench, "secrets redacted, mean of the rules", 100 * perRule, counts.length);
}
// A disguise hides the form of a secret, so only secrets that are found by their form are disguised.
const ownForm = new Map(
  heldOut
    .filter(({ secret }) => isPrintable(secret) && isRedacted(`Uses ${secret} for it.`, secret))
    .map((entry) => [entry.secret, entry]),
);
const missed = new Map();
for (const [name, disguise] of Object.entries(DISGUISES)) {
  const secrets = [...ownForm.values()];
  const found = secrets.filter(({ rule, secret }) => {
    const hidden = disguise(secret);
    const isFound = isRedacted(`Uses ${hidden} for it.`, hidden);
    if (!isFound) missed.set(`${name}: ${rule}`, hidden);
    return isFound;
  }).length;
  const bench = `held-out secrets that are found by their form, as ${name}`;
  report(bench, "secrets redacted", (100 * found) / secrets.length, secrets.length, true);
}
if (process.argv.includes("--show")) process.stderr.write(`${[...missed.keys()].join("\n")}\n`);

function report(bench, metric, value, n, hasGoal = bench.endsWith("held out")) {
  const bounds = hasGoal ? { goal: 90, floor: 85 } : {};
  console.log(
    JSON.stringify({
      package: "safety",
      bench,
      metric,
      value,
      unit: "%",
      n,
      better: "higher",
      ...bounds,
    }),
  );
}
