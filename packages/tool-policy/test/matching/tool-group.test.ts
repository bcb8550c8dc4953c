import { describe, expect, it } from "vitest";
import { compilePolicy, type PolicyGroup, type PolicyTool } from "../../src/index.js";
import { core, OWNER, plugin } from "../support/decision-input.js";
import { GROUPS } from "../support/vocabulary.js";

function denied(groups: readonly PolicyGroup[], entry: string, tool: PolicyTool): boolean {
  return !compilePolicy([{ layer: "global", deny: [entry] }], { groups }).decide(tool, OWNER)
    .allowed;
}

describe("built-in groups", () => {
  it.each([...GROUPS])("[POL-018] expand %s to its tools", (group, members) => {
    for (const member of members) {
      expect(denied([], group, core(member.replace("*", "anything")))).toBe(true);
    }
    expect(denied([], group, core("weather"))).toBe(false);
    expect(denied([], group.toUpperCase(), core(members[0]?.replace("*", "") ?? ""))).toBe(true);
  });

  it("[POL-018] expand an origin to all its tools", () => {
    const tools: PolicyTool[] = (["core", "plugin", "mcp", "wasm"] as const).map((origin) => ({
      ...core("weather"),
      origin,
    }));
    const held = (group: string) => tools.map((tool) => denied([], group, tool));
    expect(held("group:core")).toEqual([true, false, false, false]);
    expect(held("group:plugins")).toEqual([false, true, false, false]);
    expect(held("group:mcp")).toEqual([false, false, true, false]);
    expect(held("group:wasm")).toEqual([false, false, false, true]);
  });
});

describe("configured groups", () => {
  const groups: PolicyGroup[] = [
    { name: "Outer", members: ["group:inner", "cron"] },
    { name: "inner", members: ["web_*", "plugin:sky", "LS", "group:plugins"] },
  ];

  it("[POL-018] contain names, patterns, plugins and other groups", () => {
    for (const group of ["group:outer", "group:INNER", "group: inner"]) {
      expect(denied(groups, group, core("web_fetch"))).toBe(true);
      expect(denied(groups, group, core("list"))).toBe(true);
      expect(denied(groups, group, { ...plugin("a", "sky"), origin: "mcp" })).toBe(true);
      expect(denied(groups, group, plugin("a", "land"))).toBe(true);
      expect(denied(groups, group, core("exec"))).toBe(false);
    }
    expect(denied(groups, "group:outer", core("cron"))).toBe(true);
    expect(denied(groups, "group:inner", core("cron"))).toBe(false);
  });

  it("[POL-018] must not contain themselves", () => {
    const cyclic: PolicyGroup[] = [
      { name: "a", members: ["exec", "group:b"] },
      { name: "b", members: ["group:C", "group:unknown"] },
      {
        name: "c",
        members: [
          "read",
          {
            value: "group:a",
            source: { file: "openclaw.yaml", key: "tools.groups.c", line: 9, column: 7 },
          },
        ],
      },
      { name: "d", members: ["group:a"] },
    ];
    expect(() => compilePolicy([], { groups: cyclic })).toThrow(
      expect.objectContaining({
        problems: [
          {
            code: "POLICY_GROUP_CYCLE",
            file: "openclaw.yaml",
            key: "tools.groups.c",
            line: 9,
            column: 7,
            message: 'group "a" contains itself: a → b → c → a',
            suggestion: 'remove "group:a" from the members of group "c"',
          },
        ],
      }),
    );
    expect(() => compilePolicy([], { groups: [{ name: "x", members: ["group:x"] }] })).toThrow(
      /groups\.x: group "x" contains itself: x → x/,
    );
  });

  it("can share a member without a cycle", () => {
    const diamond: PolicyGroup[] = [
      { name: "top", members: ["group:left", "group:right"] },
      { name: "left", members: ["group:bottom"] },
      { name: "right", members: ["group:bottom"] },
      { name: "bottom", members: ["exec"] },
    ];
    expect(denied(diamond, "group:top", core("exec"))).toBe(true);
  });

  it("cannot have the name of a built-in group or of each other", () => {
    const problems = (given: readonly PolicyGroup[]) => {
      try {
        compilePolicy([], { groups: given });
        return [];
      } catch (error) {
        return String(error).split("\n").slice(1);
      }
    };
    expect(problems([{ name: "FS", members: ["exec"] }])).toEqual([
      '  groups.FS: bad entry: group "fs" ships with the product and cannot be redefined; choose another name, for example "my-fs" [POLICY_BAD_ENTRY]',
    ]);
    expect(problems([{ name: "group:Mine", members: ["exec"] }])).toEqual([
      '  groups.group:Mine: bad entry: a group is defined without "group:", got "group:Mine"; write "mine" [POLICY_BAD_ENTRY]',
    ]);
    expect(problems([{ name: " ", members: [] }])).toEqual([
      "  groups. : bad entry: group name: expected a name, got empty text; write a tool name, a pattern, group:<name> or plugin:<id> [POLICY_BAD_ENTRY]",
    ]);
    expect(
      problems([
        { name: "mine", members: ["exec"] },
        { name: "MINE", members: ["read"], source: { key: "tools.groups.MINE" } },
      ]),
    ).toEqual([
      '  tools.groups.MINE: group "mine" is defined twice; merge the two; names are case-insensitive [POLICY_BAD_VALUE]',
    ]);
  });
});
