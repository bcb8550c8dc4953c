import { readFileSync } from "node:fs";
import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import { HOOK_NAMES, isHookName } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../../docs/author/hooks.md", import.meta.url), "utf8");
const section = page.split("## Names of the same thing\n")[1]?.split("\n## ")[0] ?? "";
const [events = "", results = ""] = section.split("Results that stop");
const namesIn = (text: string) => [...text.matchAll(/`(\w+)/g)].flatMap(([, name]) => name ?? []);

/** The hooks that a table lists for each field. */
function listedIn(table: string, cells: RegExp): Map<string, Set<string>> {
  const listed = new Map<string, Set<string>>();
  for (const [, fields = "", hooks = ""] of table.matchAll(cells)) {
    for (const field of namesIn(fields)) {
      listed.set(field, new Set([...(listed.get(field) ?? []), ...namesIn(hooks)]));
    }
  }
  return listed;
}

/** The hooks that have a field in their event or result. */
function hooksWith(part: "event" | "result", field: string): string[] {
  return HOOK_NAMES.filter((name) => {
    const entry: { readonly event: object; readonly result?: object } = HOOK_CATALOG[name];
    return Object.hasOwn(entry[part] ?? {}, field);
  });
}

describe("table of equivalent field names", () => {
  it("lists exactly the hooks whose event has one of the fields", () => {
    const listed = listedIn(events, /(`\w+`) \(((?:`\w+`(?:, )?)+)\)/g);
    expect(listed.size).toBeGreaterThan(30);
    // Among the hooks with a run, only those of subagents refer to the run of another session.
    listed.delete("runId");
    for (const [field, hooks] of listed) {
      expect([...hooks].toSorted(), field).toEqual(hooksWith("event", field).toSorted());
    }
  });

  it("lists only hooks that accept the result", () => {
    const listed = listedIn(results, /^\| [^|]*\| (.*) \| (`.*`) \|$/gm);
    expect([...listed.keys()]).toEqual(
      expect.arrayContaining(["block", "cancel", "handled", "skip"]),
    );
    for (const [field, hooks] of listed) {
      for (const hook of hooks) {
        expect(isHookName(hook), hook).toBe(true);
        expect(hooksWith("result", field), `${field} of ${hook}`).toContain(hook);
      }
    }
  });
});
