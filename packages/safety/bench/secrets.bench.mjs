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

const groups = new Map();
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
  if (!redactLeaks(text, { context: "output" }).text.includes(secret)) counts.found += 1;
}
for (const [bench, rules] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const counts = [...rules.values()];
  const all = counts.reduce((sum, { all: cases }) => sum + cases, 0);
  const found = counts.reduce((sum, count) => sum + count.found, 0);
  const perRule = counts.reduce((sum, count) => sum + count.found / count.all, 0) / counts.length;
  report(bench, "secrets redacted", (100 * found) / all, all);
  report(bench, "secrets redacted, mean of the rules", 100 * perRule, counts.length);
}

function report(bench, metric, value, n) {
  const bounds = bench.endsWith("held out") ? { goal: 90, floor: 85 } : {};
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
