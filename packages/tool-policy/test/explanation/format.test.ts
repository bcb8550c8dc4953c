import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  formatExplanation,
  type KeyPath,
  type PolicyContext,
} from "../../src/index.js";
import { configured } from "../support/compiled-policy.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const locate = (path: KeyPath) => ({ file: "openclaw.yaml", line: 10 + path.length, column: 1 });
const guest: PolicyContext = { ...OWNER, senderIsOwner: false };

describe("formatExplanation", () => {
  const policy = configured({ tools: { profile: "coding", deny: ["exec", "read"] } }, { locate });

  it("[POL-031] writes a line per layer, the deciding rule with its place, and the flip", () => {
    const lines = formatExplanation(policy.explain(core("exec"), OWNER)).split("\n");
    expect(lines).toEqual([
      "exec is denied",
      '✓ profile  allow         allow group:runtime (profile "coding")',
      "· provider silent        (no provider rules)",
      "✗ global   deny          deny exec",
      "· agent    silent        (no agent rules)",
      "· group    silent        (not in a group)",
      "· sandbox  silent        (not sandboxed)",
      "· subagent silent        (not a subagent)",
      "decided by global: deny exec at openclaw.yaml:13 tools.deny",
      "to allow it in openclaw.yaml:",
      '  tools.deny: ["read"]',
      expect.stringMatching(/^pd_[0-9a-f]{20}$/),
    ]);
  });

  it("[POL-031] writes the flip of an allowed tool", () => {
    const text = formatExplanation(policy.explain(core("edit"), OWNER));
    expect(text).toContain("edit is allowed\n");
    expect(text).toContain(
      "decided by profile: allow group:fs at built-in, overridden by tools.profiles.coding.allow",
    );
    expect(text).toContain('to deny it in openclaw.yaml:\n  tools.deny: ["exec","read","edit"]');
  });

  it("[POL-031] has no escape codes unless color is requested", () => {
    const explanation = policy.explain(core("exec"), OWNER);
    const plain = formatExplanation(explanation);
    const coloured = formatExplanation(explanation, { color: true });
    expect(plain).not.toContain("\u001b");
    expect(formatExplanation(explanation, { color: false })).toBe(plain);
    expect(coloured).toContain("\u001b[31m✗ global");
    expect(coloured).toContain("\u001b[32m✓ profile");
    expect(coloured).toContain("\u001b[90m· agent");
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  it("writes the results of caps, opt-in and default", () => {
    const open = compilePolicy([], { default: "allow" });
    expect(formatExplanation(open.explain(core("cron"), guest))).toContain(
      "✗ owner    only owners may use it\ndecided by owner: owners only\nto allow it:\n  1. ask as an owner; only owners may use this tool\n",
    );
    expect(formatExplanation(open.explain(core("exec"), { ...OWNER, toolsAllow: [] }))).toContain(
      '✗ run      not in toolsAllow\ndecided by run: not in toolsAllow\nto allow it:\n  1. name "exec" in toolsAllow of the run\n',
    );
    const sync = plugin("sync", "sync", { optional: true });
    expect(formatExplanation(open.explain(sync, OWNER))).toContain(
      '✗ optional not opted in\ndecided by optional: no entry names the tool, its plugin or group:plugins\nto allow it:\n  global.alsoAllow: ["sync"]\n',
    );
    const opted = compilePolicy([{ layer: "agent", allow: ["sync"] }]);
    expect(formatExplanation(opted.explain(sync, OWNER))).toContain(
      "✓ optional opted in by agent allow sync\n",
    );
    expect(formatExplanation(open.explain(core("exec"), OWNER))).toContain(
      "decided by tools.default: allow\n",
    );
  });

  it("writes implied rules, missing locations, approvals and tools that no entry can name", () => {
    const implied = compilePolicy([{ layer: "global", deny: ["write"] }]);
    expect(formatExplanation(implied.explain(core("edit"), OWNER))).toContain(
      "decided by global: deny write (implied by write) at global.deny\n",
    );
    const bound = { ...OWNER, subagentDepth: 1, parentPolicy: [] };
    expect(formatExplanation(implied.explain(core("exec"), bound))).toContain(
      "✗ subagent deny-unlisted not in parentPolicy (the parent agent was denied it)\ndecided by subagent: not in parentPolicy\n",
    );
    const group = { ...OWNER, groupId: "g" };
    const asking = compilePolicy([{ layer: "group", requireApproval: ["exec"] }]);
    expect(formatExplanation(asking.explain(core("exec"), group))).toContain(
      "\nevery call needs approval\n",
    );
    const unnamed = formatExplanation(implied.explain(core("group:\u0007"), OWNER));
    expect(unnamed).toMatch(/^group:\\u0007 is allowed\n/);
    expect(unnamed).not.toContain("to deny it");
  });

  it("writes a file without a line when the line is unknown", () => {
    const source = { file: "a.yaml", key: "tools" };
    const unplaced = compilePolicy([{ layer: "global", deny: ["exec"], source }]);
    expect(formatExplanation(unplaced.explain(core("exec"), OWNER))).toContain(
      "decided by global: deny exec at a.yaml tools.deny\n",
    );
  });
});
