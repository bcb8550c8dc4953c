import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findingsIn } from "../../src/prose/findings.js";
import { codePassages, pagePassages } from "../../src/prose/passage.js";
import { PHRASES } from "../../src/prose/phrases.js";
import { proseFiles } from "../../src/prose/prose-files.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const foundIn = (text: string) =>
  findingsIn([{ kind: "documentation", text, line: 1 }], PHRASES).map(({ found }) => found);

describe("passages of a source file", () => {
  it("are comments, docstrings, test titles and strings of several words", () => {
    const source = [
      "// why it is so",
      "/** Returns the name. */",
      'const error = "No such file" + `in \u0024{folder} or below it`;',
      'describe.each([1])("the store of %s", () => {});',
      'it.skip(`keeps \u0024{row} for ever`, () => expect("a b").toBe(1));',
      'import x from "./no-prose.js";',
    ].join("\n");
    expect(codePassages("a.ts", source)).toEqual([
      { kind: "comment", text: "why it is so", line: 1 },
      { kind: "docstring", text: "Returns the name.", line: 2 },
      { kind: "message", text: "No such file", line: 3 },
      { kind: "message", text: " or below it", line: 3 },
      { kind: "title", text: "the store of %s", line: 4 },
      { kind: "title", text: " for ever", line: 5 },
      { kind: "message", text: "a b", line: 5 },
    ]);
  });

  it("require a file that can be parsed", () => {
    expect(() => codePassages("a.ts", "const = 1;")).toThrow("a.ts: ");
  });
});

describe("passages of a page", () => {
  it("are paragraphs without fences, inline code, link targets and HTML comments", () => {
    const page =
      "A [link](in-vain.md)\nand `anew`.\n```ts\nin vain\n```\n<!-- anew\n -->\n\nLast\nlines";
    expect(pagePassages(page)).toEqual([
      { kind: "documentation", text: "A [link]\nand `…`.", line: 1 },
      { kind: "documentation", text: "Last\nlines", line: 9 },
    ]);
  });
});

describe("prose check", () => {
  it.each([
    ["The file is no folder.", "is no"],
    ["It is written anew", "anew"],
    ["Nobody waits", "Nobody"],
    ["the turn goes\non", "goes on"],
    ["a question of its own", "question"],
    ["what became of it", "became of"],
    ["The audit is whole", "is whole"],
  ])("finds %j", (text, found) => {
    expect(foundIn(text)).toContain(found);
  });

  it.each([
    "There is no file, and it is no longer needed.",
    "UTF stands for Unicode Transformation Format.",
    "A child process that refuses to start.",
    "The connection refused by the server, the user's question.",
  ])("accepts %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it("finds docstrings that do not start with a verb or a noun, on the line of the phrase", () => {
    const source =
      "/** What a handler returns. */\n/**\n * Returns a name.\n * It stands here.\n */\n";
    expect(findingsIn(codePassages("a.ts", source), PHRASES)).toMatchObject([
      { line: 1, found: "What" },
      { line: 4, found: "stands" },
    ]);
  });
});

describe("files of the prose check", () => {
  it("are pages and code, without generated pages", () => {
    const files = proseFiles(root);
    expect(files).toEqual(expect.arrayContaining(["README.md", "apps/e2e/src/prose/passage.ts"]));
    expect(files).not.toContain("docs/contract.md");
    expect(files.some((file) => file.startsWith("docs/reference/hooks/"))).toBe(false);
  });
});
