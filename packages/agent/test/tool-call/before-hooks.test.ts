import type { TrustedToolPolicy } from "@openclaw/plugin-sdk/approvals";
import { describe, expect, it, vi } from "vitest";
import {
  answers,
  approver,
  type Guard,
  guards,
  judging,
  saying,
} from "../support/authorized-call.js";
import { fieldsOf, plugin, textOf, tool, turnHost } from "../support/turn-host.js";

type Evaluate = TrustedToolPolicy["evaluate"];

/** A bundled plugin of one trusted policy. */
function trusting(id: string, evaluate: Evaluate, changes: Partial<TrustedToolPolicy> = {}) {
  return plugin(id, (api) => {
    const description = "Judges calls.";
    api.registerTrustedToolPolicy({ id: `${id}-policy`, description, evaluate, ...changes });
  });
}

/** A host with trusted policies, and ordinary guards that were registered ahead of them. */
function evaluated(policies: Evaluate[], handlers: Guard[] = [], options = {}) {
  return judging([], {
    plugins: [
      ...guards(...handlers),
      ...policies.map((evaluate, index) => trusting(`trusted-${index + 1}`, evaluate)),
    ],
    ...options,
  });
}

describe("trusted policy", () => {
  it("[PLUG-037] [HOOK-043] runs before every ordinary handler, regardless of priority", async () => {
    const order: string[] = [];
    const { host } = await judging([], {
      plugins: [
        plugin("eager", (api) => {
          const handler = () => void order.push("ordinary");
          api.on("before_tool_call", handler, { priority: 1_000_000 });
        }),
        trusting("first", () => void order.push("first")),
        trusting("second", () => void order.push("second")),
      ],
    });
    await host.run();
    expect(order).toEqual(["first", "second", "ordinary"]);
    expect(await answers(host)).toEqual(["ran"]);
  });

  it.each<[string, ReturnType<Evaluate>, string]>([
    ["as a hook would", { block: true, blockReason: "not here" }, "Tool blocked: not here"],
    ["by a verdict", { allow: false, reason: "not now" }, "Tool blocked: not now"],
    [
      "by a verdict without a reason",
      { allow: false },
      'Tool blocked: the policy "trusted-1-policy" of plugin "trusted-1" does not allow it',
    ],
  ])(
    "[PLUG-037] [HOOK-043] blocks %s, and no ordinary handler receives the call",
    async (_how, answer, text) => {
      const ordinary = vi.fn<Guard>();
      const { host, execute } = await evaluated([() => answer], [ordinary]);
      await host.run();
      expect(ordinary).not.toHaveBeenCalled();
      expect(await answers(host)).toEqual([text]);
      expect(execute).not.toHaveBeenCalled();
      expect(await host.store.decisions.toolAuditLog.list()).toMatchObject([
        { tool: "work", decider: "plugin:trusted-1/trusted-1-policy" },
      ]);
    },
  );

  it.each<[string, Evaluate]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["returns an invalid result", () => "yes" as never],
    ["returns a verdict of the wrong type", () => ({ allow: "no" as never })],
  ])("[PLUG-037] [APPR-043] denies when it %s", async (_what, evaluate) => {
    const { host, execute } = await evaluated([evaluate]);
    await host.run();
    expect((await answers(host))[0]).toMatch(
      /^Tool blocked: plugin "trusted-1" guards this step and /,
    );
    expect(execute).not.toHaveBeenCalled();
  });

  it("[PLUG-037] leaves the decision to the other guards when it allows a call", async () => {
    const { host } = await evaluated(
      [() => ({ allow: true })],
      [saying({ block: true, blockReason: "no" })],
    );
    await host.run();
    expect(await answers(host)).toEqual(["Tool blocked: no"]);
  });

  it("[APPR-043] skips neither tool policy nor the tool's own approval when it allows a call", async () => {
    const go = () => ({ allow: true });
    const asking = await evaluated([go], [], { changes: { approval: "unless-granted" } });
    await asking.host.run();
    expect((await answers(asking.host))[0]).toContain("no approver reachable");

    const denied = await evaluated([go], [], { layers: [{ layer: "global", deny: ["work"] }] });
    await denied.host.run();
    expect((await answers(denied.host))[0]).toContain("is not allowed here (global: work)");
    expect([asking, denied].flatMap(({ execute }) => execute.mock.calls)).toEqual([]);
  });

  it("[APPR-043] denies on timeout", async () => {
    const entries = { "trusted-1": { hooks: { timeouts: { before_tool_call: 5 } } } };
    const { host, execute } = await evaluated([() => new Promise(() => {})], [], {
      config: { plugins: { entries } },
    });
    await host.run();
    expect((await answers(host))[0]).toMatch(
      /^Tool blocked: plugin "trusted-1" guards this step and /,
    );
    expect(execute).not.toHaveBeenCalled();
  });

  it("[PLUG-037] evaluates only the tools of its matcher, and can return a hook result", async () => {
    const guide = () => ({ guidance: "carefully" });
    const other = vi.fn<Evaluate>();
    const { host } = await judging([], {
      plugins: [
        trusting("other", other, { matcher: "exec" }),
        trusting("mine", guide, { matcher: ["exec", "work"] }),
      ],
    });
    await host.run();
    expect(other).not.toHaveBeenCalled();
    expect(await answers(host)).toEqual(['ran\n[Guidance of plugin "mine"]\ncarefully']);
  });

  it("shares one approval request with the ordinary handlers", async () => {
    const wish = (title: string, severity: "info" | "critical") => ({
      requireApproval: { title, description: "It may hurt.", severity },
    });
    const { host } = await evaluated(
      [() => wish("First?", "info")],
      [saying(wish("Second?", "critical"))],
    );
    const person = approver("allow-once");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ title: "First?", severity: "critical" }]);
    expect(await answers(host)).toEqual(["ran"]);
  });
});

describe("trusted policy, after a later one rewrote the arguments", () => {
  const rewriting: Evaluate = () => ({ params: { path: "rewritten" } });

  it("[HOOK-043] [TURN-031] runs again, and its block names the plugin that rewrote them", async () => {
    const { host, execute } = await evaluated([
      ({ params }) =>
        params.path === "rewritten" ? { allow: false, reason: "not there" } : undefined,
      rewriting,
    ]);
    await host.run();
    expect(await answers(host)).toEqual([
      'Tool blocked: not there (after plugin "trusted-2" rewrote the arguments)',
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("[D25] no longer waives the approval of the earlier call", async () => {
    const { host } = await evaluated(
      [
        ({ params }) =>
          params.path === "rewritten" ? undefined : { approval: "satisfied", reason: "harmless" },
        rewriting,
      ],
      [],
      { changes: { approval: "unless-granted" } },
    );
    const person = approver("deny");
    await host.run({ approver: person });
    expect(person.asked).toMatchObject([{ params: { path: "rewritten" } }]);
  });

  it("[HOOK-043] runs once when it received the final arguments", async () => {
    const seen: unknown[] = [];
    const { host } = await evaluated([
      rewriting,
      ({ params }) => {
        seen.push(fieldsOf(params));
        return undefined;
      },
    ]);
    await host.run();
    expect(seen).toEqual([{ path: "rewritten" }]);
  });
});

describe("trusted policy, after an ordinary handler rewrote the arguments", () => {
  const rewriting = saying({ params: { path: "rewritten" } });

  it("[PLUG-037] [HOOK-043] [HCR-008] [TURN-031] runs again, and its block names the plugin that rewrote them", async () => {
    const seen: unknown[] = [];
    const { host, execute, told } = await evaluated(
      [
        ({ params }) => {
          seen.push(fieldsOf(params));
          return params.path === "rewritten" ? { allow: false, reason: "not there" } : undefined;
        },
      ],
      [rewriting],
      { asked: [{ path: "asked" }] },
    );
    await host.run();
    expect(seen).toEqual([{ path: "asked" }, { path: "rewritten" }]);
    expect(await answers(host)).toEqual([
      'Tool blocked: not there (after plugin "guard-1" rewrote the arguments)',
    ]);
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([]);
  });

  it("[HOOK-043] withdraws its result for the earlier arguments", async () => {
    const { host } = await evaluated(
      [
        ({ params }) =>
          params.path === "rewritten"
            ? { guidance: "of the new" }
            : { guidance: "of the old", requireApproval: { title: "Old?", description: "Old." } },
      ],
      [rewriting],
    );
    await host.run();
    expect(await answers(host)).toEqual(['ran\n[Guidance of plugin "trusted-1"]\nof the new']);
  });

  it("[HOOK-043] denies the call when it would rewrite them again", async () => {
    const { host, execute } = await evaluated(
      [() => ({ params: { path: "its own" } })],
      [rewriting],
    );
    await host.run();
    expect(await answers(host)).toEqual([
      'Tool blocked: a trusted policy would change the arguments once more (after plugin "guard-1" rewrote the arguments)',
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("[HOOK-043] does not run again when they are unchanged", async () => {
    let asked = 0;
    const { host, execute } = await evaluated(
      [
        () => {
          asked += 1;
          return { params: { path: "settled" } };
        },
      ],
      [({ params }) => ({ params: { ...params } })],
    );
    await host.run();
    expect(asked).toBe(1);
    expect(execute.mock.calls[0]?.[1]).toEqual({ path: "settled" });
  });

  it("[TURN-032] [HCR-008] evaluates only arguments that policy and schema allow", async () => {
    const paramsSeen: unknown[] = [];
    const { host } = await evaluated(
      [({ params }) => void paramsSeen.push(params)],
      [saying({ params: { count: "many" } })],
    );
    await host.run();
    expect(paramsSeen).toEqual([{}]);
    expect((await answers(host))[0]).toMatch(/^Invalid parameters for work: \/count .*guard-1/);
  });
});

describe("facts of a call", () => {
  const shell = tool("shell", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
  const write = tool("write", {
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
    },
  });

  it("[TURN-033] [PLUG-037] derive command and paths again for each handler after a rewrite", async () => {
    const seen: unknown[] = [];
    const note = (who: string) => (event: Parameters<Guard>[0]) => {
      const { command, derivedPaths } = event;
      const programs = command?.commands.map(({ program }) => program);
      seen.push([who, programs ?? derivedPaths ?? "nothing"]);
    };
    const host = await turnHost({
      script: [
        {
          toolCalls: [
            { toolName: "shell", params: { command: "git status" } },
            { toolName: "write", params: { path: "a.md", content: "text" } },
          ],
        },
        { text: "done" },
      ],
      coreTools: [shell, write],
      plugins: [
        ...guards(
          note("before"),
          ({ toolName }) => ({
            params: toolName === "shell" ? { command: "ls | wc" } : { path: "b.md", content: "" },
          }),
          note("after"),
          ({ toolName }) => (toolName === "shell" ? { params: {} } : undefined),
          note("without"),
        ),
        trusting("policy", note("policy")),
      ],
    });
    await host.run();
    expect(seen).toEqual([
      ["policy", ["git"]],
      ["before", ["git"]],
      ["after", ["ls", "wc"]],
      ["without", "nothing"],
      ["policy", "nothing"],
      ["policy", ["a.md"]],
      ["before", ["a.md"]],
      ["after", ["b.md"]],
      ["without", ["b.md"]],
      ["policy", ["b.md"]],
    ]);
    expect((await host.toolResults()).map(textOf)).toEqual(["shell ran", "write ran"]);
  });
});
