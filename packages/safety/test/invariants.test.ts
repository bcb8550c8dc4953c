import { anyText } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  classifyCommand,
  detectCredentials,
  type Finding,
  inspectInput,
  inspectOutput,
  inspectParameters,
  parseCommand,
  redactLeaks,
  redactLogFields,
  redactLogText,
  SAFETY_RULES,
  scanHttpRequest,
  wrapExternalContent,
  wrapToolOutput,
} from "../src/index.js";

/** Secrets that are found anywhere, also when joined to a word. */
const SECRETS = [
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${"Abc123Def456".repeat(3)}`,
  `Bearer ${"Zyx987".repeat(5)}`,
  `-----BEGIN PRIVATE KEY-----\n${"MIIEow".repeat(6)}\n-----END PRIVATE KEY-----`,
];

/** Text with complete rules, parts of them, disguises, broken characters and plain text. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...SAFETY_RULES.flatMap(({ examples }) => examples.match)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...SAFETY_RULES.flatMap(({ examples }) => examples.clean)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...SECRETS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "\0",
      "\ud800",
      "\udc00",
      "\udb40",
      "\udb40\udc41",
      "\u200b",
      "\ufeff",
      "&#60;",
      "&#x7c;",
      "&amp;#124;",
      "&#99999999;",
      "%41",
      "%2541",
      "%",
      "\\",
      "[REDACTED]",
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      "system:",
      " obey",
      "<|",
      "|>",
      "\n",
    ),
  },
  { weight: 2, arbitrary: anyText({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
);
const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));

function expectSound(findings: readonly Finding[], source: string): void {
  for (const { range, preview } of findings) {
    expect(range[0]).toBeGreaterThanOrEqual(0);
    expect(range[1]).toBeGreaterThan(range[0]);
    expect(range[1]).toBeLessThanOrEqual(source.length);
    for (const secret of SECRETS) expect(preview).not.toContain(secret);
  }
}

describe("invariants for any text", () => {
  it("[SAFE-011] inspects output without an error, never empties it, and is idempotent", () => {
    fc.assert(
      fc.property(text, (source) => {
        const { content, findings, blocked, modified } = inspectOutput(source);
        expect(blocked?.stage).not.toBe("failure");
        expectSound(findings, source);
        if (source !== "") expect(content).not.toBe("");
        if (!modified) expect(content).toBe(source);
        expect(inspectOutput(content).content).toBe(content);
        if (blocked === undefined) return;
        expect(content).toBe("[Output blocked due to potential secret leakage]");
      }),
      { numRuns: 600 },
    );
  });

  it("[SAFE-011] inspects a cut output idempotently", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 256, max: 700 }), (source, maxLength) => {
        const { content, findings } = inspectOutput(source, { maxLength });
        expectSound(findings, source);
        for (const secret of SECRETS) expect(content).not.toContain(secret);
        expect(inspectOutput(content).content).toBe(content);
      }),
      { numRuns: 300 },
    );
  });

  it("removes secrets from outputs and logs, and reports them in inputs", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...SECRETS), text, (before, secret, after) => {
        const source = `${before} ${secret} ${after}`;
        const { text: redacted, findings } = redactLeaks(source, { context: "output" });
        expectSound(findings, source);
        expect(redacted).not.toContain(secret);
        expect(redactLeaks(redacted, { context: "output" }).text).toBe(redacted);
        const input = inspectInput(source);
        expectSound(input.findings, source);
        expect(input.content).toBe(source);
        if (!input.blocked) expect(input.findings).not.toEqual([]);
        expect(redactLogText(source)).not.toContain(secret);
        expect(JSON.stringify(redactLogFields({ note: source }))).not.toContain(
          JSON.stringify(secret).slice(1, -1),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("evaluates requests, parameters and commands without an error", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.json({ maxDepth: 4 }), async (source, json) => {
        scanHttpRequest({ url: source, headers: [[source, source]], body: source });
        detectCredentials({ url: source, headers: { [source]: source } });
        const { findings } = await inspectParameters({ command: source, other: JSON.parse(json) });
        for (const { range } of findings) expect(range[0]).toBeLessThan(range[1]);
        const parsed = await parseCommand(source);
        for (const { range } of parsed.commands) {
          expect(range[0]).toBeGreaterThanOrEqual(0);
          expect(range[1]).toBeLessThanOrEqual(source.length);
        }
        expect(["normal", "explicit", "injection", "blocked"]).toContain(
          classifyCommand(parsed).class,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("[SAFE-030][SAFE-032] wraps content with exactly one beginning and one end", () => {
    fc.assert(
      fc.property(text, (source) => {
        const wrapped = wrapToolOutput({ tool: source, content: source });
        expect(wrapped.match(/<\/tool_output/gi)).toHaveLength(1);
        const external = wrapExternalContent({ source, content: source });
        expect(external.split("--- BEGIN EXTERNAL CONTENT ---")).toHaveLength(2);
        expect(external.split("--- END EXTERNAL CONTENT ---")).toHaveLength(2);
      }),
      { numRuns: 200 },
    );
  });
});
