import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { HOOK_GROUPS } from "../../src/catalog/catalog.js";
import { HOOK_CATALOG, phaseOf, renderHook, renderHookReference } from "../../src/index.js";

const ROOT = join(import.meta.dirname, "../../../..");
const page = renderHookReference();

/** Parses the page of one hook. */
function readBack(name: (typeof HOOK_NAMES)[number]) {
  const section = renderHook(name);
  const facts = section.split("\n").find((line) => line.startsWith("**")) ?? "";
  return {
    summary: section.split("\n")[0],
    kind: /^\*\*(\w+)\*\*/.exec(facts)?.[1],
    step: /step ([^·]+) ·/.exec(facts)?.[1]?.trim(),
    deadline: /deadline (none|\d+ s)/.exec(facts)?.[1],
    failure: /failures (\w+)/.exec(facts)?.[1],
    phase: /phase `([^`]+)`/.exec(facts)?.[1],
    alias: /alias `([^`]+)`/.exec(facts)?.[1],
    eventFields: fieldsOf(section, "event field"),
    resultFields: fieldsOf(section, "result field"),
    context: /^Context: (.*)\.$/m.exec(section)?.[1] ?? "",
  };
}

/** `name` or `name?` to type, of the table with a heading. */
function fieldsOf(section: string, heading: string): Record<string, string> {
  const table = section.split(`| ${heading} |`)[1]?.split("\n\n")[0] ?? "";
  const rows = [...table.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)];
  return Object.fromEntries(rows.map(([, name, type]) => [name, type?.replaceAll("\\|", "|")]));
}

function expectedFields(fields: Readonly<Record<string, { type: string; required: boolean }>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, required }]) => [
      required ? name : `${name}?`,
      type,
    ]),
  );
}

describe("renderHookReference", () => {
  // That these values agree with the HookMap type is proven by the compiler: see catalog.test-d.ts.
  it.each(HOOK_NAMES)(
    "[HCR-002] shows the catalog's data of %s, which matches the types",
    (name) => {
      const entry = HOOK_CATALOG[name];
      const deadline = "deadlineMs" in entry ? `${entry.deadlineMs / 1000} s` : "none";
      expect(readBack(name)).toMatchObject({
        summary: entry.summary,
        kind: entry.kind,
        step: entry.step,
        deadline,
        failure: entry.failure,
        phase: phaseOf(name)?.phase,
        alias: phaseOf(name)?.alias,
        eventFields: expectedFields(entry.event),
        resultFields: "result" in entry ? expectedFields(entry.result) : {},
      });
      const { context } = readBack(name);
      for (const [field, type] of Object.entries(expectedFields(entry.context))) {
        expect(context).toContain(`\`${field}: ${type}\``);
      }
    },
  );

  it("[HCR-002] lists each hook once, in its group, with a link to its page", () => {
    const overview = page.split(/^## /m).find((text) => text.startsWith("All hooks\n")) ?? "";
    const [, ...groups] = overview.split(/^### /m);
    expect(
      groups.map((text) => ({
        title: text.split("\n")[0],
        names: [...text.matchAll(/^\| \[`(\w+)`\]\(hooks\/\1\.md\)/gm)].map(([, name]) => name),
      })),
    ).toEqual(HOOK_GROUPS.map(({ title, names }) => ({ title, names })));
  });

  it("[HCR-002] equals the committed page", async () => {
    expect(await readFile(join(ROOT, "docs/reference/hooks.md"), "utf8")).toBe(page);
  });

  it("[LIFE-033] distinguishes the two ends of a request, as the doc comment of the aliases does", async () => {
    const source = await readFile(
      join(ROOT, "packages/plugin-sdk/src/hooks/lifecycle-phases.ts"),
      "utf8",
    );
    const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export const LIFECYCLE_ALIASES/.exec(
      source,
    )?.[0];
    for (const text of [page, comment]) {
      expect(text).toMatch(/`postRequest`[\s\S]{0,80}`?agent_end`?/);
      expect(text).toMatch(/`postRequestIngress`[\s\S]{0,80}`request_post`/);
    }
    expect(page).toMatch(/once per inbound\s+message when its outcome is known/);
  });
});
