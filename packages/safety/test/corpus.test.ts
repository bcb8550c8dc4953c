import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectInput, inspectOutput, redactLeaks, sanitizeText } from "../src/index.js";

function filesIn(folder: string): [name: string, text: string][] {
  const url = new URL(`corpus/${folder}/`, import.meta.url);
  return readdirSync(url).map((name) => [name, readFileSync(new URL(name, url), "utf8")]);
}

describe("benign corpus", () => {
  it.each(filesIn("benign"))("[SAFE-029] leaves benign text unchanged: %s", (_name, text) => {
    const { content, modified, warnings } = inspectOutput(text);
    expect(warnings).toEqual([]);
    expect(modified).toBe(false);
    expect(content).toBe(text);
    expect(sanitizeText(text)).toMatchObject({ content: text, modified: false });
    expect(redactLeaks(text, { context: "output" }).text).toBe(text);
    expect(inspectInput(text)).toMatchObject({ content: text, blocked: false });
  });
});

/** The name of a file consists of the rule that must find it, `--`, and the origin of the text. */
describe("attack corpus", () => {
  it.each(filesIn("attack"))(
    "finds an attack, and removes it from the output: %s",
    (name, text) => {
      const rule = `${name.split("--")[0]}`;
      const { content, modified, findings } = inspectOutput(text);
      expect(findings.map((finding) => finding.rule)).toContain(rule);
      expect(modified).toBe(true);
      const left = inspectOutput(content).findings.filter(
        (finding) => finding.rule === rule && finding.kind === "leak",
      );
      expect(left).toEqual([]);
    },
  );
});
