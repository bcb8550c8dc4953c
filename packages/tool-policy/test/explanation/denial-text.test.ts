import { describe, expect, it } from "vitest";
import {
  compilePolicy,
  denialText,
  type PolicyContext,
  type PolicyLayer,
} from "../../src/index.js";
import { core, OWNER, plugin } from "../support/decision-input.js";

const source = { file: "/home/ann/openclaw.yaml", key: "tools.deny", line: 4, column: 2 };

function textFor(layers: readonly PolicyLayer[], tool = core("exec"), context = OWNER): string {
  return denialText(compilePolicy(layers).explain(tool, context));
}

describe("denialText", () => {
  it("[POL-029] names tool, layer and rule", () => {
    expect(textFor([{ layer: "agent", deny: ["group:runtime"] }])).toBe(
      "Tool exec is not allowed here (agent: group:runtime)",
    );
    expect(textFor([{ layer: "profile", allow: ["read"] }], core("Bash"))).toBe(
      "Tool Bash is not allowed here (profile: not in the allow list)",
    );
  });

  it("[POL-029] names every other kind of denial", () => {
    const guest: PolicyContext = { ...OWNER, senderIsOwner: false };
    expect(textFor([], core("cron"), guest)).toBe(
      "Tool cron is not allowed here (owner: owners only)",
    );
    expect(textFor([], core("exec"), { ...OWNER, runAllow: [] })).toBe(
      "Tool exec is not allowed here (run: not in the run's tool list)",
    );
    expect(textFor([], plugin("sync", "sync", { optional: true }))).toBe(
      "Tool sync is not allowed here (optional: not enabled)",
    );
    const { decidedBy } = compilePolicy([], { default: "deny" }).decide(core("exec"), OWNER);
    expect(denialText({ tool: "exec", decidedBy })).toBe(
      "Tool exec is not allowed here (default: deny)",
    );
  });

  it("[POL-029] reveals neither file nor key", () => {
    const text = textFor([{ layer: "global", deny: [{ value: "exec", source }], source }]);
    expect(text).toBe("Tool exec is not allowed here (global: exec)");
  });

  it("[POL-029] escapes characters of a rule that change the text direction", () => {
    const layers: PolicyLayer[] = [{ layer: "global", deny: ["plugin:a\u202eb"] }];
    expect(textFor(layers, plugin("sync", "a\u202eb"))).toBe(
      "Tool sync is not allowed here (global: plugin:a\\u202eb)",
    );
  });

  it("escapes control characters", () => {
    const text = textFor([{ layer: "global", deny: ["*"] }], core("a\u001b[2J\nb\u202ec"));
    expect(text).toBe("Tool a\\u001b[2J\\u000ab\\u202ec is not allowed here (global: *)");
  });
});
