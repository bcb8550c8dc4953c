import { describe, expect, it } from "vitest";
import {
  classifyCommand,
  createLeakGuard,
  inspectOutput,
  parseCommand,
  redactLogText,
  SAFETY_RULES,
  scanLeaks,
  scanPolicy,
} from "../src/index.js";

/**
 * Factor between the two lengths of text; a quadratic scan takes 64 times as long for eight times
 * the text.
 */
const GROWTH = 8;
const MOST = 24;
const SMALL = 4_096;
const MOST_ATTEMPTS = 8;
/** Minimum time in microseconds; less is noise. */
const LEAST_TIME = 1500;

/** Returns processor time, which other load on the machine does not affect. */
function processorTime(run: () => void): number {
  const { user } = process.cpuUsage();
  run();
  return process.cpuUsage().user - user;
}

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

/** Returns the least growth of several attempts, because disturbances only add time. */
function growthOf(run: (text: string) => void, unit: string): number {
  const small = filled(unit, SMALL);
  const large = filled(unit, SMALL * GROWTH);
  let least = Number.POSITIVE_INFINITY;
  let quickestSmall = Number.POSITIVE_INFINITY;
  let quickestLarge = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && least > MOST; attempt += 1) {
    quickestSmall = Math.min(
      quickestSmall,
      processorTime(() => run(small)),
    );
    quickestLarge = Math.min(
      quickestLarge,
      processorTime(() => run(large)),
    );
    least = quickestLarge / Math.max(quickestSmall, LEAST_TIME);
  }
  return least;
}

/** Returns the examples, and parts of them that almost match. */
function nearMisses(examples: readonly string[]): string[] {
  return examples
    .flatMap((text) => [
      text,
      text.slice(0, Math.ceil(text.length / 2)),
      text.slice(0, -1),
      text.charAt(0),
    ])
    .filter((unit) => unit !== "");
}

/**
 * Returns whether a rule comes from the table of tokens; its tokens differ in their prefix only and
 * are tried together.
 */
const isTableRow = (rule: (typeof SAFETY_RULES)[number]) =>
  rule.kind === "leak" && rule.detector.by === "anchor" && rule.detector.longWord === true;
const rules = SAFETY_RULES.filter((rule) => rule.kind !== "shell" && !isTableRow(rule)).map(
  ({ id, examples: { match } }) => [id, { match: match.slice(0, 5) }] as const,
);
const tokens = SAFETY_RULES.filter(isTableRow).flatMap(({ examples }) =>
  examples.match.slice(0, 1),
);

describe("linear time", () => {
  it.each(rules)(
    "[SAFE-012] takes linear time for text that almost matches %s",
    (_id, { match }) => {
      const units = new Set(nearMisses(match.filter((text) => text.length <= 400)));
      for (const unit of units) {
        const growth = growthOf((text) => {
          inspectOutput(text, { maxLength: 1_000_000 });
          scanPolicy(text);
          redactLogText(text);
        }, unit);
        expect(growth, JSON.stringify(unit)).toBeLessThan(MOST);
      }
    },
  );

  it.each([
    ["halves of tokens", tokens.map((token) => token.slice(0, Math.ceil(token.length / 2)))],
    ["tokens without their end", tokens.map((token) => token.slice(0, -1))],
    ["beginnings of tokens", tokens.map((token) => token.slice(0, 4))],
  ])("[SAFE-012] takes linear time for %s, separate and joined", (_what, parts) => {
    for (const unit of [parts.join(" "), parts.join("-"), parts.join("")]) {
      const growth = growthOf((text) => {
        inspectOutput(text, { maxLength: 1_000_000 });
        redactLogText(text);
      }, unit);
      expect(growth).toBeLessThan(MOST);
    }
  });

  it.each([
    ["names of secrets", "token "],
    ["assignments", "secret_key="],
    ["assignments in quotes", '"api_key": "'],
    ["URLs with a user", "://a:"],
    ["commands of curl", "curl -u a:"],
    ["lines of a Kubernetes secret", "kind: Secret\ndata:\n  a: YWJjZGVmZ2g=\n"],
    ["entities", "&#"],
    ["percent signs", "%25"],
    ["invisible characters", "\u200b"],
    ["base64 that could hold a key", "QUtJQQ"],
    ["headers of tokens", "eyJh"],
    ["fences", "```bash "],
    ["URLs", "https://a "],
    ["at signs", "a@"],
    ["names of mail servers", "a@b."],
    ["words after a label", "authorization: x "],
  ])("takes linear time for text that consists of %s", (_what, unit) => {
    const growth = growthOf((text) => {
      scanLeaks(text);
      inspectOutput(text, { maxLength: 1_000_000 });
      redactLogText(text);
    }, unit);
    expect(growth).toBeLessThan(MOST);
  });

  it("takes linear time for a stream in small chunks", () => {
    for (const unit of [
      "word ",
      "A",
      "AKIA",
      "Bearer ",
      "-----BEGIN PRIVATE KEY-----\n",
      "curl ",
      "key= ",
      "kind: Secret\n",
      "kind: Secret\ndata:\n  a: aHVudGVyMg==\n",
    ]) {
      const growth = growthOf((text) => {
        const guard = createLeakGuard();
        for (let at = 0; at < text.length; at += 64) guard.push(text.slice(at, at + 64));
        guard.flush();
      }, unit);
      expect(growth, unit).toBeLessThan(MOST);
    }
  });

  it.each([
    "echo x; ",
    "(",
    "$(",
    "`",
    "'",
    "{a,b}",
    "a|",
    "<<E\n",
    "if ",
    "case x in ",
    "f() { ",
    "$((",
    "\\",
    "x=$(echo ",
    "sudo ",
    "env -S ",
    "find . -exec ",
    "sh|",
    "echo|",
    "a&&",
  ])("takes linear time for a command that repeats %j", async (unit) => {
    const command = filled(unit, 16_000).slice(0, 16_000);
    await parseCommand("warm-up");
    const { user } = process.cpuUsage();
    const parsed = await parseCommand(command);
    classifyCommand(parsed);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});
