import { readdirSync, readFileSync } from "node:fs";
import {
  createLeakGuard,
  inspectOutput,
  redactLogText,
  SAFETY_RULES,
  sanitizeText,
  scanLeaks,
  scanPolicy,
} from "../dist/index.js";

const OUTPUT_LENGTH = 100_000;
const OUTPUTS = 24;
const ROUNDS = 15;
const ADVERSARIAL_LENGTH = 1_000_000;

function report(bench, metric, value, unit, n, bounds) {
  console.log(
    JSON.stringify({
      package: "safety",
      bench,
      metric,
      value,
      unit,
      n,
      better: "higher",
      ...bounds,
    }),
  );
}

/** Returns processor time in seconds, which other work on the machine does not affect. */
function processorTime(run) {
  const { user, system } = process.cpuUsage();
  run();
  const used = process.cpuUsage();
  return (used.user + used.system - user - system) / 1e6;
}

/** Returns the best speed of several rounds over all strings. */
function megabytesPerSecond(texts, scan) {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    best = Math.min(
      best,
      processorTime(() => {
        for (const text of texts) scan(text);
      }),
    );
  }
  return bytes / 1e6 / best;
}

/**
 * Returns outputs of the maximum length that is not cut, each a different section of the same
 * pages.
 */
function outputsOf(pages) {
  const all = Buffer.from(pages.join("\n"));
  return Array.from({ length: OUTPUTS }, (_, index) => {
    const start = (index * 7_919) % all.length;
    const turned = Buffer.concat([all.subarray(start), all.subarray(0, start)]);
    const copies = Math.ceil(OUTPUT_LENGTH / turned.length);
    return Buffer.concat(Array(copies).fill(turned))
      .subarray(0, OUTPUT_LENGTH - 4)
      .toString();
  });
}

const folder = new URL("../test/corpus/benign/", import.meta.url);
const pages = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
/** Returns true for ASCII text without entities and findings, like most outputs. */
const isClean = (text) =>
  /^[\t\n\r -~]*$/.test(text) &&
  !/&(?:#|[a-z]+;)/.test(text) &&
  inspectOutput(text).findings.length === 0;
const clean = outputsOf(pages.filter(isClean));
const mixed = outputsOf(pages);

/**
 * The same rules, each of which searches the text by itself; the comparison shows the gain of one
 * search for all rules.
 */
const lonely = SAFETY_RULES.filter(({ kind }) => kind === "leak").map(({ detector }) =>
  detector.by === "anchor"
    ? {
        search: new RegExp(detector.anchors.join("|"), detector.ignoreCase ? "gi" : "g"),
        open: detector.open,
      }
    : {
        search: new RegExp(`(?<![0-9A-Za-z_])[0-9A-Fa-f]{${detector.least}}(?![0-9A-Za-z_])`, "g"),
        open: () => (_text, at) => [at, at + detector.least],
      },
);
function loopOverRules(text) {
  let found = 0;
  for (const { search, open } of lonely) {
    const matcher = open();
    for (const { index } of text.matchAll(search)) {
      if (matcher(text, index) !== undefined) found += 1;
    }
  }
  return found;
}

/** One search without regard to case for one phrase: the least that a program can do to look for orders. */
const PHRASE = /ignore (?:all )?previous instructions/gi;
const isOrder = (text) => text.search(PHRASE) >= 0;

const scan = megabytesPerSecond(clean, scanLeaks);
const loop = megabytesPerSecond(clean, loopOverRules);
report("leak scan, clean text", "speed", scan, "MB/s", ROUNDS, { goal: 90, floor: 75 });
report("leak scan, clean text", "against a loop over all rules", scan / loop, "x", ROUNDS, {
  goal: 5,
  floor: 1.5,
});
const injection = megabytesPerSecond(clean, (text) => sanitizeText(text));
const plain = megabytesPerSecond(clean, isOrder);
report("injection inspection, clean text", "speed", injection, "MB/s", ROUNDS, {
  goal: 40,
  floor: 10,
});
report(
  "injection inspection, clean text",
  "share of the speed of one plain search",
  (100 * injection) / plain,
  "%",
  ROUNDS,
);
report("one plain search, clean text", "speed", plain, "MB/s", ROUNDS);
report(
  "pipeline, clean text",
  "speed",
  megabytesPerSecond(clean, (text) => inspectOutput(text)),
  "MB/s",
  ROUNDS,
  { goal: 40, floor: 20 },
);
report(
  "pipeline, all pages of the corpus",
  "speed",
  megabytesPerSecond(mixed, (text) => inspectOutput(text)),
  "MB/s",
  ROUNDS,
);
const lines = clean.flatMap((text) => text.split("\n"));
report("log redaction, lines", "speed", megabytesPerSecond(lines, redactLogText), "MB/s", ROUNDS);
report(
  "leak guard, pieces of 16 characters",
  "speed",
  megabytesPerSecond(clean.slice(0, 6), (text) => {
    const guard = createLeakGuard();
    for (let at = 0; at < text.length; at += 16) guard.push(text.slice(at, at + 16));
    guard.flush();
  }),
  "MB/s",
  ROUNDS,
);

/** Slowest rule on one megabyte of text that almost matches it. */
let worst = { seconds: 0, unit: "" };
for (const { kind, examples } of SAFETY_RULES) {
  if (kind === "shell") continue;
  for (const text of examples.match.slice(0, 1)) {
    for (const unit of [text.slice(0, Math.ceil(text.length / 2)), text.slice(0, -1)]) {
      if (unit === "") continue;
      const input = unit.repeat(Math.ceil(ADVERSARIAL_LENGTH / unit.length));
      const seconds = processorTime(() => {
        inspectOutput(input, { maxLength: ADVERSARIAL_LENGTH * 2 });
        scanPolicy(input);
        redactLogText(input);
      });
      if (seconds > worst.seconds) worst = { seconds, unit: unit.slice(0, 40) };
    }
  }
}
report(
  `1 MB of near misses, slowest of all rules: ${JSON.stringify(worst.unit)}`,
  "time",
  worst.seconds * 1e3,
  "ms",
  1,
  { better: "lower", floor: 20_000 },
);
