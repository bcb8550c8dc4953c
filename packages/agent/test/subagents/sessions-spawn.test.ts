import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it } from "vitest";
import type { SubagentSpawn, Subagents, TurnRequest } from "../../src/index.js";
import { plugin, type TurnHostOptions, textOf, tool, turnHost } from "../support/turn-host.js";

/** Subagents that are recorded and never run. */
function notedChildren(changes: Partial<Subagents> = {}) {
  const spawned: SubagentSpawn[] = [];
  const subagents: Subagents = {
    limits: { maxDepth: 2, maxChildren: 8 },
    agentIds: ["main", "research"],
    modelOf: () => "scripted/script",
    spawn: async (spawn) => {
      spawned.push(spawn);
      return { status: "spawned", runId: `child-${spawned.length}` };
    },
    stop: async () => true,
    ...changes,
  };
  return { subagents, spawned };
}

/** Runs a turn whose model spawns a subagent, and returns the result of the call. */
async function spawn(
  params: JsonObject,
  options: TurnHostOptions & { children?: ReturnType<typeof notedChildren> } = {},
  request: Partial<TurnRequest> = {},
) {
  const { children = notedChildren(), ...rest } = options;
  const call = { toolName: "sessions_spawn", params, toolCallId: "call" };
  const host = await turnHost({
    script: [{ toolCalls: [call] }, { text: "done" }],
    subagents: children.subagents,
    ...rest,
  });
  await host.run({ runId: "run-1", ...request });
  const [result] = await host.toolResults();
  return { ...children, host, result, said: textOf(result) };
}

describe("sessions_spawn", () => {
  it("[TURN-064] passes on task, agent, label, model, tools and timeout, and returns the subagent's session and run", async () => {
    const params = {
      task: "count the files",
      agentId: "research",
      label: "counter",
      model: "scripted/other",
      tools: ["read"],
      timeoutMs: 60_000,
    };
    const { spawned, said, result } = await spawn(params);
    expect(result?.isError).toBe(false);
    const { task, agentId, label, tools, timeoutMs } = params;
    expect(spawned).toEqual([
      {
        parent: { runId: "run-1", sessionKey: "agent:main:main" },
        origin: expect.objectContaining({ senderId: "me", senderIsOwner: true }),
        sessionKey: expect.stringMatching(
          /^agent:research:subagent:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        depth: 1,
        parentTools: ["sessions_spawn", "subagents"],
        model: "scripted/other",
        trace: expect.any(Object),
        ...{ task, agentId, label, tools, timeoutMs },
      },
    ]);
    expect(JSON.parse(said)).toEqual({
      status: "accepted",
      childSessionKey: spawned[0]?.sessionKey,
      runId: "child-1",
    });
  });

  it("[TURN-052] limits the subagent to the tools that its parent may call at that moment", async () => {
    const { spawned } = await spawn(
      { task: "x" },
      {
        coreTools: [tool("read"), tool("write"), tool("exec")],
        layers: [
          {
            layer: "global",
            deny: [{ value: "exec", source: { key: "tools.deny" } }],
            source: { key: "tools" },
          },
        ],
        plugins: [
          plugin("narrow", (api) => {
            api.on("before_prompt_build", () => ({
              toolsAllow: ["read", "exec", "sessions_spawn"],
            }));
          }),
        ],
      },
    );
    expect(spawned[0]?.parentTools).toEqual(["read", "sessions_spawn"]);
  });

  it("returns the same subagent for the same call of a turn, and another for any other call", async () => {
    const key = async (params: JsonObject, request: Partial<TurnRequest> = {}) =>
      (await spawn(params, {}, request)).spawned[0]?.sessionKey;
    const first = await key({ task: "x" });
    expect(await key({ task: "x" })).toBe(first);
    expect(await key({ task: "y" })).not.toBe(first);
    expect(await key({ task: "x" }, { runId: "run-2" })).not.toBe(first);
  });

  it("[TURN-052] is denied by a hook with the hook's text, before a subagent exists", async () => {
    const events: unknown[] = [];
    const { spawned, said, result } = await spawn(
      { task: "x" },
      {
        plugins: [
          plugin("guard", (api) => {
            api.on("subagent_spawning", (event) => {
              events.push(event);
              return { status: "error", error: "not on a Sunday" };
            });
            api.on("subagent_spawned", (event) => void events.push(event));
          }),
        ],
      },
    );
    expect(result?.isError).toBe(true);
    expect(said).toContain("not on a Sunday");
    expect(spawned).toEqual([]);
    expect(events).toEqual([expect.objectContaining({ mode: "run", threadRequested: false })]);
  });

  it("[HCR-003] is denied when a `fail-closed` handler fails", async () => {
    const failing = plugin("guard", (api) => {
      const fail = () => {
        throw new Error("broken");
      };
      api.on("subagent_spawning", fail, { mode: "fail-closed" });
    });
    const { spawned, result, said } = await spawn({ task: "x" }, { plugins: [failing] });
    expect(result?.isError).toBe(true);
    expect(said).toContain('plugin "guard" guards this step and failed');
    expect(spawned).toEqual([]);
  });

  it("[TURN-052] reports the limits of nesting and of running subagents", async () => {
    const bounds = { depth: 2, parentTools: ["sessions_spawn"] };
    const deep = await spawn({ task: "x" }, {}, { subagent: bounds });
    expect(deep.said).toContain("at most 2 deep");
    const children = notedChildren({ spawn: async () => ({ status: "full" }) });
    const full = await spawn({ task: "x" }, { children });
    expect(full.said).toContain("already has 8 running subagents");
  });

  it.each<[string, JsonObject, string]>([
    ["too long a task", { task: "x".repeat(32 * 1024 + 1) }, "at most 32768"],
    ["an unknown agent", { task: "x", agentId: "reserch" }, "Known agents: research"],
    ["an unknown model", { task: "x", model: "nobody/none" }, "nobody"],
    ["too little time", { task: "x", timeoutMs: 1 }, "Invalid parameters"],
    ["no task", {}, "Invalid parameters"],
    ["a parameter that is none", { task: "x", mode: "session" }, "Invalid parameters"],
  ])("does not spawn a subagent with %s", async (_what, params, words) => {
    const { spawned, said, result } = await spawn(params);
    expect(result?.isError).toBe(true);
    expect(said).toContain(words);
    expect(spawned).toEqual([]);
  });

  it("is not offered by a host without subagents", async () => {
    const host = await turnHost();
    await host.run();
    expect(host.requests[0]?.tools ?? []).toEqual([]);
  });
});
