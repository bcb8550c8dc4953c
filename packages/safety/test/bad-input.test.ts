import { describe, expect, it } from "vitest";
import {
  createLeakGuard,
  createSafetyRules,
  inspectInput,
  inspectOutput,
  inspectParameters,
  parseCommand,
  redactLeaks,
  redactLogFields,
  SafetyRulesError,
  scanLeaks,
} from "../src/index.js";

const AWS = "AKIAIOSFODNN7EXAMPLE";
const GITHUB = `ghp_${"Abc123Def456".repeat(3)}`;

describe("bad input", () => {
  it("keeps unpaired surrogates unchanged, and finds secrets next to them", () => {
    const text = `\ud83d lone \udc00 and ${AWS}\ud800`;
    const { content } = inspectOutput(text);
    expect(content).toBe("\ud83d lone \udc00 and [REDACTED]\ud800");
  });

  it("cuts a text of a hundred megabytes before it inspects it", () => {
    const text = `${AWS} ${"x y ".repeat(25_000_000)}${AWS}`;
    const { content, findings } = inspectOutput(text);
    expect(content.length).toBeLessThan(100_100);
    expect(content.startsWith("[REDACTED] x y")).toBe(true);
    expect(content.endsWith("exceeded maximum of 100000 bytes]")).toBe(true);
    expect(findings.map(({ rule }) => rule)).toEqual(["aws_access_key"]);
  });

  it("blocks parameters that are nested too deeply, and logs part of them", async () => {
    let nested: unknown = AWS;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    const { blocked, errors } = await inspectParameters({ nested });
    expect(blocked).toBe(true);
    expect(errors.map(({ code }) => code)).toEqual(["SuspiciousPattern"]);
    expect(JSON.stringify(redactLogFields({ nested }))).toContain("[TOO DEEP]");
    const circular: Record<string, unknown> = { note: AWS };
    circular.self = circular;
    expect(redactLogFields(circular)).toEqual({
      note: "[REDACTED_AWS_KEY]",
      self: "[CIRCULAR]",
    });
  });

  it.each([
    ["invisible characters", [...AWS].join("\u200b\u2060")],
    ["tag characters", [...AWS].join("\u{e0041}")],
    ["look-alikes", AWS.replaceAll("A", "\u0410").replaceAll("O", "\u041e")],
    [
      "full-width letters",
      [...AWS].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join(""),
    ],
    ["percent-encoding", [...AWS].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")],
    [
      "repeated percent-encoding",
      [...AWS].map((c) => `%25${c.charCodeAt(0).toString(16)}`).join(""),
    ],
    ["decimal entities", [...AWS].map((c) => `&#${c.charCodeAt(0)};`).join("")],
    ["hexadecimal entities", [...AWS].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join("")],
    ["base64", Buffer.from(`x ${AWS} y`).toString("base64")],
    [
      "entities, percent-encoding and invisible characters together",
      [...AWS].map((c) => `&#x25;${c.charCodeAt(0).toString(16)}`).join("\u200b"),
    ],
  ])(
    "[SAFE-020][SAFE-024] finds a key disguised by %s, and removes all of it",
    (_way, disguised) => {
      const text = `before ${disguised} after`;
      const { action, findings } = scanLeaks(text);
      expect(action).toBe("block");
      expect(findings.map(({ rule }) => rule)).toContain("aws_access_key");
      expect(redactLeaks(text, { context: "output" }).text).toBe("before [REDACTED] after");
    },
  );

  it("rejects a rule whose pattern could run without limit, and names the pattern", () => {
    const rule = {
      id: "endless",
      title: "endless",
      reason: "It never ends.",
      severity: "low",
      kind: "leak",
      examples: { match: ["aa!"], clean: ["b"] },
    } as const;
    const backReference = () => createSafetyRules({ added: [{ ...rule, pattern: "(a+)+\\1!" }] });
    expect(backReference).toThrow(SafetyRulesError);
    expect(backReference).toThrow(/added\[0\]\.pattern/);
    const rules = createSafetyRules({ added: [{ ...rule, pattern: "(a|aa)+!" }] });
    expect(scanLeaks("a".repeat(20_000), { rules }).findings).toEqual([]);
    expect(scanLeaks(`${"a".repeat(20_000)}!`, { rules }).findings).toHaveLength(1);
  });

  it("redacts a stream that is split inside a secret, a disguise or a character", () => {
    const text = `one ${GITHUB} two &#65;${AWS.slice(1)} three \u{1f600} four`;
    const guard = createLeakGuard();
    const shown =
      text
        .split("")
        .map((unit) => guard.push(unit))
        .join("") + guard.flush();
    expect(shown).toBe("one [REDACTED] two [REDACTED] three \u{1f600} four");
    const broken = createLeakGuard();
    expect(broken.push("one ")).toBe("one ");
    expect(broken.push(GITHUB)).toBe("");
    expect(broken.flush()).toBe("[REDACTED]");
  });

  it("reports or removes NUL in output, input, parameters and commands", async () => {
    expect(inspectOutput("a\0b")).toMatchObject({ content: "ab", modified: true });
    expect(inspectInput("a\0b").errors.map(({ code }) => code)).toEqual(["InvalidEncoding"]);
    expect((await inspectParameters({ path: "a\0b" })).blocked).toBe(true);
    expect((await parseCommand("ls\0rm")).complete).toBe(false);
  });

  it("returns an empty output unchanged", () => {
    expect(inspectOutput("")).toEqual({
      content: "",
      modified: false,
      needsReview: false,
      warnings: [],
      findings: [],
    });
  });
});
