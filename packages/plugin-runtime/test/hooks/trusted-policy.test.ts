import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type {
  GrantReach,
  TrustedToolPolicy,
  TrustedToolVerdict,
} from "@openclaw/plugin-sdk/approvals";
import { describe, expect, it, vi } from "vitest";
import {
  containedNeedsOf,
  grantableNeedsOf,
  metNeedsOf,
  type PluginRuntime,
} from "../../src/index.js";
import { createFileHost } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

const CALL = { toolName: "exec", params: {} };
const CONTEXT = { callDepth: 0, toolName: "exec", toolCallId: "call-1" };
const HOSTED = { hostServices: { hosts: ["trustedToolPolicies"] } } as const;

const registering =
  (id: string, evaluate: TrustedToolPolicy["evaluate"] = () => undefined) =>
  (api: OpenClawPluginApi) =>
    api.registerTrustedToolPolicy({ id, description: "Judges calls.", evaluate });

const askPolicies = (runtime: PluginRuntime) =>
  runtime.hooks.detailed("before_tool_call", CALL, CONTEXT, { stage: "policy" });

const ask = (runtime: PluginRuntime) => runtime.hooks.decide("before_tool_call", CALL, CONTEXT);

function listed({ current }: PluginRuntime): string[] {
  return current.trustedToolPolicies.map(({ policy }) => policy.id);
}

const DENY = () => ({ allow: false, reason: "no" });

describe("api.registerTrustedToolPolicy", () => {
  it.each([
    ["a name", { id: "" }, "id"],
    ["a description", { description: 1 }, "description"],
    ["a function", { evaluate: "no" }, "evaluate"],
  ])("rejects a policy without %s", async (_what, changes, field) => {
    const { runtime } = createTestHost([
      plugin((api) => {
        const whole = { id: "rules", description: "Judges.", evaluate: () => undefined };
        api.registerTrustedToolPolicy({ ...whole, ...changes } as unknown as TrustedToolPolicy);
      }),
    ]);
    const { plugins } = await runtime.load();
    expect(JSON.stringify(plugins)).toContain(field);
    expect(listed(runtime)).toEqual([]);
  });

  it("[PLUG-037] accepts a policy of a bundled plugin without further conditions", async () => {
    const { runtime } = createTestHost([plugin(registering("rules", DENY))], {}, HOSTED);
    const { diagnostics } = await runtime.load();
    expect(diagnostics).toEqual([]);
    expect(listed(runtime)).toEqual(["rules"]);
    expect(await ask(runtime)).toEqual({ block: true, blockReason: "no" });
  });

  it("[PLUG-037] accepts a policy of an installed plugin that is enabled by name and declares it", async () => {
    const host = createFileHost(
      [
        {
          id: "installed",
          contracts: { trustedToolPolicies: ["rules"] },
          register: registering("rules", DENY),
        },
      ],
      { entries: { installed: { enabled: true } } },
      HOSTED,
    );
    const { diagnostics } = await host.runtime.load();
    expect(diagnostics).toEqual([]);
    expect(await ask(host.runtime)).toEqual({ block: true, blockReason: "no" });
  });

  it.each([
    [
      "that nobody enabled by name",
      { contracts: { trustedToolPolicies: ["rules"] } },
      {},
      "the operator has not enabled the plugin by name",
      "set plugins.entries.installed.enabled: true",
    ],
    [
      "that does not declare it",
      { contracts: { trustedToolPolicies: ["others"] } },
      { entries: { installed: { enabled: true } } },
      "its manifest does not declare the policy",
      'write into the manifest: "contracts": { "trustedToolPolicies": ["rules"] }',
    ],
  ])(
    "[PLUG-037] [APPR-043] omits a policy of an installed plugin %s, and loads the rest of the plugin",
    async (_what, manifest, plugins, reason, hint) => {
      const evaluate = vi.fn();
      const host = createFileHost(
        [
          {
            ...manifest,
            id: "installed",
            permissions: { hooks: ["before_tool_call"] },
            register(api) {
              registering("rules", evaluate)(api);
              api.on("before_tool_call", () => ({ guidance: "it loaded" }));
            },
          },
        ],
        plugins,
        HOSTED,
      );
      const { diagnostics } = await host.runtime.load();
      expect(diagnostics).toMatchObject([
        {
          level: "error",
          code: "trusted-policy-refused",
          pluginId: "installed",
          message: `trusted tool policy "rules" of plugin "installed" is left out: ${reason}`,
          hint,
        },
      ]);
      expect(listed(host.runtime)).toEqual([]);
      expect(await ask(host.runtime)).toEqual({ guidance: "it loaded" });
      expect(evaluate).not.toHaveBeenCalled();
    },
  );

  it("[PLUG-037] runs policies of bundled plugins first, then in load order", async () => {
    const order: string[] = [];
    const noting = (id: string) => registering(id, () => void order.push(id));
    const installed = (id: string) => ({
      id,
      contracts: { trustedToolPolicies: [`${id}-rules`] },
      register: noting(`${id}-rules`),
    });
    const host = createFileHost(
      [installed("a"), installed("b")],
      { entries: { a: { enabled: true }, b: { enabled: true } } },
      {
        ...HOSTED,
        inline: [
          plugin((api) => {
            noting("early")(api);
            setImmediate(() => noting("late")(api));
          }, "z"),
        ],
      },
    );
    await host.runtime.load();
    await new Promise((resolve) => setImmediate(resolve));
    await ask(host.runtime);
    expect(order).toEqual(["early", "late", "a-rules", "b-rules"]);
  });

  it("runs a policy once after a reload of its plugin, and never after it is disposed", async () => {
    let asked = 0;
    const counting = registering("rules", () => {
      asked += 1;
    });
    const { runtime } = createTestHost([plugin(counting)], {}, HOSTED);
    await runtime.load();
    await runtime.reload("guard");
    await ask(runtime);
    expect(asked).toBe(1);
    const registered = () => runtime.inspection.registrations().length;
    expect(registered()).toBe(1);
    await runtime.dispose();
    expect(registered()).toBe(0);
  });

  it("[PLUG-037] tells the caller of the dispatch which policies waive the approval, hidden from other handlers", async () => {
    const answer = () => ({ approval: "satisfied" as const, reason: "harmless" });
    const { runtime } = createTestHost([plugin(registering("rules", answer))], {}, HOSTED);
    await runtime.load();
    const details = await askPolicies(runtime);
    expect(details.result).toBeUndefined();
    expect(details.called).toMatchObject([{ owner: "guard", label: "rules", stage: "policy" }]);
    expect(metNeedsOf(details)).toEqual([
      { pluginId: "guard", policyId: "rules", reason: "harmless" },
    ]);
    expect(await ask(runtime)).toBeUndefined();
    expect(runtime.current.diagnostics).toEqual([]);
  });

  it("[APPR-021] reports which programs of a command a grant must cover, and that approval is still needed", async () => {
    const program = { program: "/bin/npm", arguments: ["test"], redirections: [] };
    const command = { pipelines: [{ after: ";" as const, programs: [program] }] };
    const grantable = { approval: "grantable" as const, reason: "no rule allows npm", command };
    const gathered = async (uncovered: readonly number[], reach?: readonly GrantReach[]) => {
      const answer = () => ({ ...grantable, uncovered, ...(reach && { reach }) });
      const { runtime } = createTestHost([plugin(registering("rules", answer))], {}, HOSTED);
      await runtime.load();
      const details = await askPolicies(runtime);
      return {
        result: details.result,
        met: metNeedsOf(details),
        grantable: grantableNeedsOf(details),
      };
    };
    expect(await gathered([0])).toMatchObject({
      result: undefined,
      met: [],
      grantable: [
        { pluginId: "guard", policyId: "rules", uncovered: [0], reach: ["sandbox"], command },
      ],
    });
    expect(await gathered([0], [2])).toMatchObject({ grantable: [{ reach: [2] }] });
    for (const wrong of [[], ["exact", 2], [0], ["all"]]) {
      expect(await gathered([0], wrong as GrantReach[])).toMatchObject({
        result: { block: true },
        grantable: [],
      });
    }
    for (const wrong of [[], [1], [-1], [0.5]]) {
      expect(await gathered(wrong)).toMatchObject({ result: { block: true }, grantable: [] });
    }
  });

  it("[APPR-261] notes the command that a policy lets run in a read-only sandbox, and what a grant covers elsewhere", async () => {
    const program = { program: "/bin/awk", arguments: ["1"], redirections: [] };
    const command = { pipelines: [{ after: ";" as const, programs: [program] }] };
    const noted = async (more: Partial<TrustedToolVerdict>) => {
      const answer = () => ({ approval: "contained" as const, reason: "it only reads", ...more });
      const { runtime } = createTestHost([plugin(registering("rules", answer))], {}, HOSTED);
      await runtime.load();
      const details = await askPolicies(runtime);
      const { result } = details;
      return {
        result,
        met: metNeedsOf(details),
        contained: containedNeedsOf(details),
        grantable: grantableNeedsOf(details),
      };
    };
    expect(await noted({})).toMatchObject({
      result: undefined,
      met: [],
      contained: [{ pluginId: "guard", policyId: "rules", reason: "it only reads" }],
      grantable: [],
    });
    expect(await noted({ command, uncovered: [0], reach: ["exact"] })).toMatchObject({
      contained: [{ command }],
      grantable: [{ command, uncovered: [0], reach: ["exact"] }],
    });
    for (const wrong of [{ reason: "" }, { command, uncovered: [1] }, { uncovered: [0] }]) {
      expect(await noted(wrong)).toMatchObject({ result: { block: true }, contained: [] });
    }
  });

  it("[PLUG-037] waits for the result of a policy that is any thenable", async () => {
    const answered = { allow: false, reason: "no", params: { command: "ls" } };
    // biome-ignore lint/suspicious/noThenProperty: a thenable that is not a promise is the point
    const answer = () => ({ then: (resolve: (value: object) => void) => resolve(answered) });
    const { runtime } = createTestHost(
      [plugin(registering("rules", answer as unknown as () => TrustedToolVerdict))],
      {},
      HOSTED,
    );
    await runtime.load();
    expect((await askPolicies(runtime)).result).toMatchObject({ block: true, blockReason: "no" });
  });

  it.each<[string, object]>([
    ["without a reason", { approval: "satisfied" }],
    ["with an empty reason", { approval: "satisfied", reason: " " }],
    ["with an unknown value", { approval: "granted", reason: "harmless" }],
  ])(
    "[PLUG-037] [APPR-043] denies when a policy waives the approval %s",
    async (_what, verdict) => {
      const answer = () => verdict as TrustedToolVerdict;
      const { runtime } = createTestHost([plugin(registering("rules", answer))], {}, HOSTED);
      await runtime.load();
      const details = await askPolicies(runtime);
      expect(details.result).toMatchObject({ block: true });
      expect(metNeedsOf(details)).toEqual([]);
    },
  );
});
