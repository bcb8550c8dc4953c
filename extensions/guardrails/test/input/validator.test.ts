import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../src/configuration/settings.js";
import { inputRules, inputSchema, inputValidator } from "../../src/input/guard.js";
import { InputValidator } from "../../src/input/validator.js";
import { documentedQuality } from "../support/documented-quality.js";
import { hostRuntime } from "../support/host-runtime.js";
import { installGuard } from "../support/installed-guard.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface InputCase {
  readonly id: string;
  readonly invalid: boolean;
  readonly text?: string;
  readonly tool?: string;
  readonly params?: Record<string, unknown>;
  readonly attachments?: readonly AttachmentMeta[];
  readonly settings?: object;
}

const cases = labelledCases<InputCase>("input");

describe("input_validator", () => {
  it("[DHOOK-045] has the documented precision and recall on the labelled cases", async () => {
    const { patterns } = await hostRuntime();
    expect(cases.filter(({ invalid }) => invalid)).toHaveLength(50);
    expect(cases).toHaveLength(100);
    const rejected = new Set<string>();
    for (const { id, text = "", tool, params = {}, attachments, settings = {} } of cases) {
      const rules = await inputRules(
        settingsOf("input_validator", inputSchema, settings),
        patterns,
      );
      const validator = new InputValidator(rules);
      const problems =
        tool === undefined ? validator.message(text, attachments) : validator.params(params);
      if (problems.length > 0) rejected.add(id);
    }
    const quality = qualityOf(
      cases,
      ({ invalid }) => invalid,
      ({ id }) => rejected.has(id),
    );
    expect(quality).toEqual({ precision: 1, recall: 1, missed: [], false: [] });
    expect(documentedQuality("input_validator")).toEqual(["100 %", "100 %"]);
  });

  it("[DHOOK-040] blocks what is too long, in a wrong language or script, or against a pattern, and names the field", async () => {
    const guard = await installGuard(inputValidator, {
      maxLength: 60,
      languages: ["en"],
      scripts: ["Latin"],
      require: ["^#"],
      forbid: ["(?i)secret plan"],
      attachments: { types: ["image/*"], maxBytes: 100 },
    });
    const problems = async (content: string, attachments: AttachmentMeta[] = []) =>
      (await guard.fire("message_receiving", { content, attachments }))?.cancelReason ?? "";
    expect(await problems("# hello")).toBe("");
    expect(await problems(`# ${"a".repeat(60)}`)).toContain(
      "content has 62 characters, more than 60",
    );
    expect(await problems("# wo ist der Bahnhof, bitte sehr?")).toContain(
      "content is in the language de; accepted are en",
    );
    expect(await problems("# файл")).toContain(
      "content has the letter ф, which is of no accepted script",
    );
    expect(await problems("hello")).toContain("content does not match ^#");
    expect(await problems("# the Secret Plan")).toContain(
      "content matches (?i)secret plan, which is forbidden",
    );
    expect(
      await problems("# a", [{ name: "a.pdf", mimeType: "application/pdf", bytes: 101 }]),
    ).toContain(
      "attachments[0].bytes is 101, more than 100; attachments[0].mimeType is application/pdf, which is none of image/*",
    );
    const verdict = await guard.fire("message_receiving", { content: "hello" });
    expect(verdict?.reply).toBe("Your message was not processed: content does not match ^#.");
    expect(
      await guard.fire("before_tool_call", { params: { a: ["x", "my secret plan"] } }),
    ).toEqual({
      block: true,
      blockReason: "input_validator: params.a.1 matches (?i)secret plan, which is forbidden",
    });
    expect(guard.counts).toMatchObject({ blocked: 8, failed: 0 });
  });

  it("[DHOOK-040] warns instead of blocking", async () => {
    const guard = await installGuard(inputValidator, { action: "warn", maxLength: 3 });
    expect(await guard.fire("message_receiving", { content: "hello" })).toBeUndefined();
    expect(await guard.fire("before_tool_call", { params: { path: "a\u0000" } })).toBeUndefined();
    expect(guard.logs.map(({ level, message }) => [level, message])).toEqual([
      ["warn", "input_validator: content has 5 characters, more than 3"],
      ["warn", "input_validator: params.path has a control character (U+0000 at character 2)"],
    ]);
    expect(guard.counts).toMatchObject({ seen: 2, blocked: 0 });
  });

  it.each([
    [{ languages: ["xx"] }, /languages has xx, which cannot be recognised/],
    [{ scripts: ["Klingon"] }, /scripts has Klingon, which is not a script of Unicode/],
    [{ forbid: ["(a"] }, /forbid\[0\]:/],
    [{ maxLength: 0 }, /maxLength must be/],
  ])("rejects the configuration %j", async (settings, message) => {
    await expect(installGuard(inputValidator, settings)).rejects.toThrow(message);
  });
});
