import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadParser } from "../../src/engine/core.js";
import { LobsterError } from "../../src/errors.js";
import { readRequest } from "../../src/request/parameters.js";
import { resolveFolder, resolveWorkflowFile } from "../../src/request/paths.js";
import { checkWorkflow } from "../../src/workflow/check.js";
import { parseWorkflow } from "../../src/workflow/document.js";
import { planPipeline, planWorkflow } from "../../src/workflow/plan.js";
import { GENERATED_TIMEOUT_MS, generatedCases } from "../support/generated-cases.js";

const LONGEST_MS = 1000;
const MOST_BYTES = 262_144;
const timeout = GENERATED_TIMEOUT_MS;
const parsePipeline = await loadParser();

/** Fails for every error but one that tells the caller what is wrong with the input. */
function rejected(error: unknown): void {
  if (!(error instanceof LobsterError) || error.type !== "parse_error") throw error;
}

/** Runs work, and returns its processor time in milliseconds, which other load on the machine does not affect. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  try {
    work();
  } catch (error) {
    rejected(error);
  }
  const after = process.threadCpuUsage();
  return (after.user - before.user + after.system - before.system) / 1000;
}

/** Parses a pipeline as those who plan one do: what the engine finds wrong with it is an error of the file. */
const parsed = (pipeline: string) => {
  try {
    return parsePipeline(pipeline);
  } catch (error) {
    throw new LobsterError("parse_error", String(error));
  }
};

const check = (text: string) => {
  const document = parseWorkflow(text, "f.yaml");
  checkWorkflow(document, "f.yaml");
  planWorkflow(document.value, parsed);
};

/** Examples of the documentation, which generated files are made from. */
const EXAMPLES = new URL("../../../../docs/examples/lobster/", import.meta.url);
const FILES = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith(".lobster"))
  .map((name) => readFileSync(new URL(name, EXAMPLES), "utf8"));

const KEYS = [
  ...["steps", "id", "run", "pipeline", "parallel", "branches", "for_each", "approval", "input"],
  ...["workflow", "workflow_args", "args", "env", "retry", "when", "stdin", "cost_limit", "name"],
  ...["__proto__", "constructor", "toString"],
];

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.constantFrom("$a.json", "$a.approved", "a | b", "exec ls | approve", "other.yaml"),
    fc.double(),
    fc.constantFrom(null, true, false),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("tree"), { maxKeys: 5 }),
  ),
}));

/** Strings that are put into files. */
const PIECE = fc.oneof(
  fc.constantFrom(
    ..."- |: |\n|\n  |\t|[|]|{|}|&a |*a|!!map |!x |<<: |? |#|---\n|...\n|%YAML 9\n|>-\n|'|\"|\\|\u2028|\ufeff|\0".split(
      "|",
    ),
    "| ",
  ),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(...KEYS.map((key) => `${key}: `)),
);

/** A file in which parts are removed, repeated and replaced. */
const changedFile = fc
  .record({
    file: fc.constantFrom(...FILES),
    changes: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(40),
        times: fc.nat(3),
        piece: PIECE,
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ file, changes }) =>
    changes.reduce((text, { at, length, times, piece }) => {
      const start = Math.floor(at * text.length);
      const part = text.slice(start, start + length).repeat(times);
      return text.slice(0, start) + part + piece + text.slice(start + length);
    }, file),
  );

const workflowFile = fc.oneof(
  { arbitrary: changedFile, weight: 4 },
  { arbitrary: tree.map((value) => JSON.stringify(value)), weight: 3 },
  { arbitrary: fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join("")), weight: 2 },
  { arbitrary: fc.string(), weight: 1 },
);

describe("generated workflow files", () => {
  it("[LOB-035] are rejected for a pipeline with an open quote", () => {
    const text = 'steps:\n  - id: a\n    pipeline: >\n      exec --prompt "open\n';
    expect(() => check(text)).toThrow(
      expect.objectContaining({ type: "parse_error", message: expect.stringMatching(/quote/) }),
    );
  });

  it("[LOB-035] reads any workflow file, or rejects it with a reason, in less than a second", {
    timeout,
  }, () => {
    fc.assert(
      fc.property(workflowFile, (text) => {
        expect(timeOf(() => check(text))).toBeLessThan(LONGEST_MS);
      }),
      generatedCases(2000),
    );
    expect(({} as { steps?: unknown }).steps).toBeUndefined();
  });

  it.each([
    ["opened lists", "["],
    ["opened objects", "{a: "],
    ["lists in lists", "- "],
    ["keys of keys", "a: "],
    ["question marks", "? "],
    ["repeated keys", "a: 1\n"],
    ["flow keys", "{a,b,c,"],
    ["tags", "!!map "],
    ["anchors", "&a "],
    ["quotes", "'\""],
    ["backslashes", '"\\'],
    ["documents", "---\n"],
    ["comments", "#\n"],
    ["tabs", "\t"],
  ])("[LOB-035] of 256 KiB are rejected in less than a second: %s", (_name, piece) => {
    const text = piece.repeat(Math.floor(MOST_BYTES / piece.length));
    expect(timeOf(() => check(text))).toBeLessThan(LONGEST_MS);
  });

  it("[LOB-035] with 20,000 keys, 12,000 steps or many aliases are rejected in less than a second", () => {
    const lines = (count: number, line: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => line(index)).join("\n");
    const alias = (index: number) =>
      `a${index}: &a${index} [${Array(9)
        .fill(index === 0 ? "x" : `*a${index - 1}`)
        .join(",")}]`;
    for (const text of [
      lines(20_000, (index) => `k${index}: 1`),
      `steps:\n${lines(12_000, (index) => `  - {id: s${index}}`)}`,
      lines(9, alias),
      lines(500, (index) => `${" ".repeat(index)}a:`),
    ]) {
      expect(timeOf(() => check(text))).toBeLessThan(LONGEST_MS);
    }
  });
});

describe("generated pipelines", () => {
  const WORDS = [
    ...["exec", "|", "'", '"', "\\", "--json", "where", "a=b", " ", "{{", "\n", "approve", "ask"],
    ...["--", "--shell", "-", "|", "||", "$a.json", "llm.invoke", "openclaw.invoke --tool x"],
  ];
  const pipeline = fc.oneof(
    fc.string(),
    fc
      .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 4 })), { maxLength: 40 })
      .chain((words) => fc.constantFrom("", " ").map((between) => words.join(between))),
  );

  it("[LOB-035] reads any pipeline, or rejects it with a reason, in less than a second", {
    timeout,
  }, () => {
    fc.assert(
      fc.property(pipeline, (given) => {
        const read = () => {
          try {
            planPipeline(parsePipeline(given));
          } catch (error) {
            expect(String(error)).toMatch(/Unclosed quote|Empty|escape/i);
          }
        };
        expect(timeOf(read)).toBeLessThan(LONGEST_MS);
      }),
      generatedCases(2000),
    );
  });

  it.each(["a|", "'a'", "\\", "a ", "--a ", "a=b ", "\"'", "a"])(
    "[LOB-035] of 16 KiB are read in less than a second: %j",
    (piece) => {
      const text = piece.repeat(Math.floor(16_384 / piece.length));
      const read = () => {
        try {
          parsePipeline(text);
        } catch (error) {
          expect(String(error)).toMatch(/Unclosed quote|Empty|escape/i);
        }
      };
      expect(timeOf(read)).toBeLessThan(LONGEST_MS);
    },
  );
});

describe("generated parameters", () => {
  it("[LOB-035] are accepted or rejected with a field", { timeout }, () => {
    const text = fc.string();
    const given = fc.record(
      {
        action: fc.constantFrom("run", "resume"),
        ...{ pipeline: text, filePath: text, argsJson: text, token: text, approvalId: text },
        ...{ approve: fc.boolean(), cancel: fc.boolean(), response: fc.jsonValue() },
      },
      { requiredKeys: ["action"] },
    );
    fc.assert(
      fc.property(given, (parameters) => {
        try {
          readRequest(parameters as Parameters<typeof readRequest>[0], { maxPipelineChars: 50 });
        } catch (error) {
          rejected(error);
        }
      }),
      generatedCases(1000),
    );
  });

  it("[LOB-005] [LOB-035] never name a folder or file outside the workspace", {
    timeout,
  }, async () => {
    const place = mkdtempSync(join(tmpdir(), "lobster-paths-"));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const workspace = join(place, "workspace");
    mkdirSync(join(workspace, "sub"), { recursive: true });
    mkdirSync(join(place, "workspace-2"));
    symlinkSync("..", join(workspace, "up"));
    symlinkSync("../workspace-2", join(workspace, "beside"));
    symlinkSync("sub", join(workspace, "inside"));
    const parts = ["..", ".", "/", "up", "beside", "inside", "sub", "\\", "~", "%2e%2e", "a.yaml"];
    const path = fc
      .array(fc.constantFrom(...parts, "workspace", "workspace-2", "\0"), { maxLength: 6 })
      .chain((words) => fc.constantFrom("/", "", "\\").map((between) => words.join(between)));
    const inside = (found: string) => {
      expect(found === workspace || found.startsWith(`${workspace}/`)).toBe(true);
    };
    await fc.assert(
      fc.asyncProperty(path, async (given) => {
        await resolveFolder(workspace, given).then(inside, rejected);
        await resolveWorkflowFile(workspace, workspace, given).then(inside, rejected);
      }),
      generatedCases(1000),
    );
  });
});
