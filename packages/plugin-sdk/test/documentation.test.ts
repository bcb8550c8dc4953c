import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK_NAMES } from "../src/index.js";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const sources = globSync("src/**/*.ts", { cwd: root }).map(read);
/** Sources of the package that the SDK bundles. */
const bundled = globSync("../foundation/src/{,content/,display/}*.ts", { cwd: root }).map(read);
const typeTests = globSync("test/**/*.test-d.ts", { cwd: root }).map(read).join("\n");

/** Sources of the entry points. */
const entryPoints = globSync("src/*.ts", { cwd: root }).map(read).join("\n");

/** Names that a module exports by lists. */
function exportedNames(source: string): string[] {
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((item) => /(\w+)\s*$/.exec(item)?.[1] ?? []),
  );
}

/** Counts the accepted and rejected uses of a call in the type tests. */
function uses(call: string): { accepted: number; rejected: number } {
  const lines = typeTests.split("\n");
  let accepted = 0;
  let rejected = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.includes(call)) continue;
    // The directive stands in front of the statement, or of what is wrong within it.
    const length = lines.slice(index + 1).findIndex((next) => /^ {2,4}(\S.*|\}\);)$/.test(next));
    const statement = lines.slice(index - 1, index + 1 + length).join("\n");
    if (statement.includes("@ts-expect-error")) rejected += 1;
    else accepted += 1;
  }
  return { accepted, rejected };
}

describe("the types", () => {
  it.each([...HOOK_NAMES])(
    "[SDK-018] have an accepted and a rejected use of the hook %s",
    (hook) => {
      const { accepted, rejected } = uses(`api.on("${hook}"`);
      expect(accepted).toBeGreaterThan(0);
      expect(rejected).toBeGreaterThan(0);
    },
  );

  const methods = sources.flatMap((source) =>
    [...source.matchAll(/^ {2}(register[A-Z]\w+)[<(]/gm)].flatMap(([, name]) => name ?? []),
  );
  it.each([...new Set(methods)])(
    "[SDK-018] have an accepted and a rejected use of %s",
    (method) => {
      const { accepted, rejected } = uses(`.${method}(`);
      expect(accepted).toBeGreaterThan(0);
      expect(rejected).toBeGreaterThan(0);
    },
  );

  it("[SDK-018] document each exported name", () => {
    const names = exportedNames(entryPoints);
    expect(names.length).toBeGreaterThan(250);
    const undocumented = names.filter((name) => {
      const declared = new RegExp(
        `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n(?://[^\\n]*\\n)*export (?:abstract |async )?(?:class|function\\*?|const|interface|type) ${name}\\b`,
      );
      const comments = [...sources, ...bundled].flatMap(
        (source) => declared.exec(source)?.[1] ?? [],
      );
      // One sentence at least, before any tag.
      return !comments.some((text) => /^[\s*]*[A-Z`][^@]{8,}?[.:]/.test(text));
    });
    expect(undocumented).toEqual([]);
  });
});

describe("names of the first documents", () => {
  it("[SDK-014] exist: an event, a result and a context for every hook, and the older names", () => {
    const names = new Set(exportedNames(entryPoints));
    const pascal = (hook: string) =>
      hook.replace(/(?:^|_)([a-z])/g, (_part, letter: string) => letter.toUpperCase());
    const expected = [
      ...HOOK_NAMES.flatMap((hook) =>
        ["Event", "Result", "Context"].map((part) => `PluginHook${pascal(hook)}${part}`),
      ),
      "BeforeToolCallResult",
      "BeforeAgentFinalizeRetry",
      "PluginApprovalResolution",
      "PluginHookGatewayCronJob",
      "PluginHookGatewayCronDeliveryStatus",
      "OpenClawPluginApi",
      "OpenClawConfig",
      "AnyAgentTool",
      "AgentToolResult",
    ];
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
  });

  it("[SDK-014] refer to the hook that they are named after", () => {
    const source = read("src/hooks/aliases.ts").toLowerCase().replaceAll(/\s+/g, " ");
    for (const hook of HOOK_NAMES) {
      for (const part of ["Event", "Result", "Context"]) {
        expect(source).toContain(
          `export type pluginhook${hook.replaceAll("_", "")}${part.toLowerCase()} = hook${part.toLowerCase()}<"${hook}">;`,
        );
      }
    }
  });
});
