import { describe, expect, it } from "vitest";
import { canonicalToolName, compilePolicy, type PolicyTool } from "../../src/index.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

function denied(entry: string, tool: PolicyTool): boolean {
  return !compilePolicy([{ layer: "global", deny: [entry] }]).decide(tool, OWNER).allowed;
}

function ruleFor(deny: readonly string[], tool: PolicyTool) {
  const { decidedBy } = compilePolicy([{ layer: "global", deny }]).decide(tool, OWNER);
  return decidedBy.kind === "layer" ? decidedBy : undefined;
}

describe("names and patterns", () => {
  it("[POL-016] are compared after trimming and in lower case", () => {
    expect(denied("  EXEC ", core("exec"))).toBe(true);
    expect(denied("exec", core(" Exec "))).toBe(true);
    expect(denied("WEB_*", core("web_fetch"))).toBe(true);
    expect(denied("exec", core("exec2"))).toBe(false);
  });

  it("[POL-016] are exact, or contain * and ?", () => {
    expect(denied("web_*", core("web_"))).toBe(true);
    expect(denied("w?b_*", core("web_fetch"))).toBe(true);
    expect(denied("web_?", core("web_fetch"))).toBe(false);
    expect(denied("*_fetch", core("web_fetch"))).toBe(true);
    expect(denied("web.fetch", core("web_fetch"))).toBe(false);
    expect(denied("web_fetch_more*", core("web_fetch"))).toBe(false);
  });
});

describe("aliases", () => {
  const pairs = [
    ["bash", "exec"],
    ["shell", "exec"],
    ["apply-patch", "apply_patch"],
    ["read_file", "read"],
    ["write_file", "write"],
    ["ls", "list"],
    ["list_dir", "list"],
  ] as const;

  it.each(pairs)("[POL-017] treat %s as %s, in tool and pattern", (alias, name) => {
    expect(canonicalToolName(alias.toUpperCase())).toBe(name);
    expect(denied(alias, core(name))).toBe(true);
    expect(denied(name, core(alias))).toBe(true);
    expect(denied(alias, core(alias))).toBe(true);
  });

  it("[POL-017] declared by a tool match that tool", () => {
    const tool = plugin("sky_report", "sky", { aliases: ["Forecast", "bash"] });
    expect(denied("forecast", tool)).toBe(true);
    expect(denied("shell", tool)).toBe(true);
    expect(denied("fore*", tool)).toBe(false);
  });
});

describe("plugin entries", () => {
  const tool = plugin("forecast", "Sky");

  it("[POL-019] match a bare id and plugin:<id>", () => {
    expect(denied("sky", tool)).toBe(true);
    expect(denied("plugin:SKY", tool)).toBe(true);
    expect(denied("plugin: sky", tool)).toBe(true);
    expect(denied("plugin:land", tool)).toBe(false);
    expect(denied("forecast", tool)).toBe(true);
    expect(denied("plugin:forecast", tool)).toBe(false);
  });

  it("[POL-019] give way to a tool of the same name", () => {
    const tools = [tool, core("sky")];
    const policy = compilePolicy([{ layer: "global", deny: ["sky"] }], { tools });
    expect(policy.decide(core("sky"), OWNER).allowed).toBe(false);
    expect(policy.decide(tool, OWNER).allowed).toBe(true);
    expect(policy.warnings).toMatchObject([
      { code: "POLICY_AMBIGUOUS_NAME", suggestion: expect.stringContaining('"plugin:sky"') },
    ]);
    expect(denied("exec", plugin("forecast", "exec"))).toBe(false);
    expect(denied("bash", plugin("forecast", "bash"))).toBe(false);
  });

  it("match tools of any origin that the plugin registered", () => {
    expect(denied("plugin:sky", { ...tool, origin: "wasm" })).toBe(true);
    expect(denied("plugin:sky", core("forecast"))).toBe(false);
  });
});

describe("write entry", () => {
  it("[POL-020] admits and denies edit and apply_patch too", () => {
    for (const name of ["edit", "apply_patch", "apply-patch"]) {
      const admitting = compilePolicy([{ layer: "global", allow: ["write"] }]);
      expect(admitting.decide(core(name), OWNER)).toMatchObject({
        allowed: true,
        decidedBy: { rule: "write", impliedBy: "write" },
      });
      expect(denied("write", core(name))).toBe(true);
      expect(denied("write_file", core(name))).toBe(true);
    }
    expect(denied("edit", core("write"))).toBe(false);
    expect(denied("writ?", core("edit"))).toBe(false);
  });

  it("[POL-020] does not override a denial of apply_patch", () => {
    const policy = compilePolicy([{ layer: "global", allow: ["write"], deny: ["apply_patch"] }]);
    expect(policy.decide(core("apply_patch"), OWNER).allowed).toBe(false);
    expect(policy.decide(core("edit"), OWNER).allowed).toBe(true);
  });

  it("[POL-020] implies the others through groups, shown only when no rule names the tool", () => {
    const groups = [{ name: "pen", members: ["write"] }];
    const policy = compilePolicy([{ layer: "global", deny: ["group:pen"] }], { groups });
    expect(policy.explain(core("edit"), OWNER).layers[2]).toMatchObject({
      rule: "group:pen",
      impliedBy: "write",
    });
    expect(ruleFor(["write", "group:fs"], core("edit"))).toMatchObject({ rule: "group:fs" });
    expect(ruleFor(["write", "group:fs"], core("edit"))).not.toHaveProperty("impliedBy");
  });
});

describe("reported entry", () => {
  it("is the tool's name, then its plugin, a group, a pattern and the implying rule", () => {
    const tool = plugin("edit", "sky");
    const entries = ["write", "e*", "group:plugins", "plugin:sky", "edit"];
    const named = entries.map((_, index) => ruleFor(entries.slice(0, index + 1), tool)?.rule);
    expect(named).toEqual(entries);
  });

  it("is the alphabetically first of equal entries", () => {
    expect(ruleFor(["shell", "exec", "bash"], core("exec"))?.rule).toBe("bash");
    expect(ruleFor(["web_f*", "w*", "*h"], core("web_fetch"))?.rule).toBe("*h");
    expect(ruleFor(["group:runtime", "group:core"], core("exec"))?.rule).toBe("group:core");
  });

  it("keeps its own location", () => {
    const at = (line: number) => ({ file: "openclaw.yaml", key: "tools.deny", line, column: 5 });
    const policy = compilePolicy([
      {
        layer: "global",
        deny: [
          { value: "read", source: at(3) },
          { value: "EXEC", source: at(4) },
        ],
      },
    ]);
    expect(policy.decide(core("exec"), OWNER).decidedBy).toEqual({
      kind: "layer",
      layer: "global",
      verdict: "deny",
      list: "deny",
      rule: "exec",
      source: at(4),
    });
  });
});
