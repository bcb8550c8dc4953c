import { realpathSync } from "node:fs";
import { join } from "node:path";
import { instructionsOf } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type HostOptions, openHost } from "../../src/host/host.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { gate, message, openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

function configured(defaults: { model?: string; instructions?: string }) {
  return {
    value: { agents: { defaults } },
    file: undefined,
    warnings: [],
    locate: () => undefined,
  };
}

async function testHost(
  register: (api: OpenClawPluginApi) => void,
  script: ModelScript = () => ({ text: "ok" }),
  parts: Partial<HostOptions> = {},
) {
  const model = createScriptedModel(script);
  const store = await openTestStore();
  const host = await openHost({
    version: "1.0.0",
    configuration: configured({ model: "scripted/script" }),
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [{ id: "guard", register }],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store,
    ...parts,
  });
  return { host, store };
}

describe("openHost", () => {
  it("notifies plugins of its start and its end, and serves in between", async () => {
    const seen: unknown[] = [];
    const { host } = await testHost((api) => {
      api.on("gateway_pre_start", ({ reason }) => void seen.push(["pre_start", reason]));
      api.on("gateway_start", ({ port }) => void seen.push(["start", port]));
      api.on("gateway_pre_stop", ({ reason }) => void seen.push(["pre_stop", reason]));
      api.on("gateway_stop", ({ reason }) => void seen.push(["stop", reason]));
    });
    expect(seen).toEqual([["pre_start", "boot"]]);
    expect(await host.serve(4711)).toBe(0);
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(["start", 4711]));
    expect(await host.receive(message("hello"))).toMatchObject({ status: "replied", text: "ok" });
    await host.close("signal", async () => void seen.push("listener closed"));
    expect(seen.slice(2)).toEqual([["pre_stop", "signal"], "listener closed", ["stop", "signal"]]);
  });

  it("lets a running turn finish while it stops, and accepts no new messages", async () => {
    const [asked, model] = [gate(), gate()];
    const { host } = await testHost(
      () => {},
      () => {
        asked.pass();
        return { text: "in time", waitFor: model.passed };
      },
    );
    await host.serve(0);
    const reply = host.receive(message("hello"));
    await asked.passed;
    const stopping = gate();
    const closed = host.close("command", async () => stopping.pass());
    await stopping.passed;
    await expect(host.receive(message("late"))).rejects.toMatchObject({
      code: "MESSAGE_REFUSED",
      reason: "stopping",
    });
    model.pass();
    expect(await reply).toMatchObject({ status: "replied", text: "in time" });
    await closed;
  });

  it("[TURN-056] runs turns of different sessions concurrently, up to the configured number", async () => {
    const doors = [gate(), gate(), gate()];
    const asked: string[] = [];
    const { host } = await testHost(
      () => {},
      ({ prompt }) => {
        const [, index = ""] = /session (\d)/.exec(JSON.stringify(prompt)) ?? [];
        asked.push(index);
        const door = doors[Number(index)];
        return { text: "ok", ...(door === undefined ? {} : { waitFor: door.passed }) };
      },
      {
        configuration: {
          ...configured({}),
          value: { agents: { defaults: { model: "scripted/script" }, maxConcurrentTurns: 2 } },
        },
      },
    );
    await host.serve(0);
    const replies = doors.map((_, index) =>
      host.receive(message(`session ${index}`, { sessionKey: `agent:main:s${index}` })),
    );
    await vi.waitFor(() => expect(asked).toEqual(["0", "1"]));
    doors[1]?.pass();
    expect(await replies[1]).toMatchObject({ status: "replied" });
    await vi.waitFor(() => expect(asked).toEqual(["0", "1", "2"]));
    doors[2]?.pass();
    expect(await replies[2]).toMatchObject({ status: "replied" });
    doors[0]?.pass();
    expect(await replies[0]).toMatchObject({ status: "replied" });
    await host.close("command");
  });

  it("runs programs for its plugins, and tells plugins whether verbose logging is on", async () => {
    const seen: unknown[] = [];
    const level = { value: { logging: { level: "debug" as const } } };
    const { host } = await testHost(
      (api) => {
        api.on("gateway_pre_start", async () => {
          const command = [process.execPath, "-p", "String(process.env.SECRET_TOKEN)"];
          const ran = await api.runtime.system.runCommandWithTimeout?.(command, 60_000);
          seen.push(ran?.stdout.trim(), api.runtime.logging.shouldLogVerbose());
        });
      },
      undefined,
      {
        configuration: { ...configured({}), ...level },
        environment: { PATH: process.env.PATH, SECRET_TOKEN: "s3cret" },
      },
    );
    expect(seen).toEqual(["undefined", true]);
    await host.close("command");
  });

  it("closes although a plugin's stop hook fails", async () => {
    const { host } = await testHost((api) => {
      for (const hook of ["gateway_pre_stop", "gateway_stop"] as const) {
        api.on(hook, () => Promise.reject(new Error("not now")), { mode: "fail-closed" });
      }
    });
    await host.serve(0);
    await host.close("signal");
    await expect(host.receive(message("late"))).rejects.toMatchObject({ reason: "stopping" });
  });
});

describe("model of a host", () => {
  const backend = { LLM_BACKEND: "scripted" };

  it.each([
    ["the flag", "demo/echo", { model: "scripted/script" }, backend, "demo/echo"],
    ["the configuration", undefined, { model: "demo/echo" }, {}, "demo/echo"],
    ["LLM_BACKEND", undefined, {}, backend, "scripted/script"],
    [
      "LLM_BACKEND before another provider",
      undefined,
      { model: "demo/echo" },
      backend,
      "scripted/script",
    ],
    [
      "a configured model of the provider of LLM_BACKEND",
      undefined,
      { model: "scripted/other" },
      backend,
      "scripted/other",
    ],
    ["nothing", undefined, {}, { LLM_BACKEND: "" }, "scripted/script"],
  ])("[HOST-007] [GW-004] is chosen by %s", async (_, flag, defaults, environment, chosen) => {
    const { host } = await testHost(() => {}, undefined, {
      configuration: configured(defaults),
      environment,
      ...(flag === undefined ? {} : { model: flag }),
    });
    expect(host.model.ref).toBe(chosen);
    await host.close("command");
  });

  it("[GW-058] receives the configured instructions, those of its agent before those of every agent", async () => {
    let asked = "";
    const { host } = await testHost(
      () => {},
      ({ prompt }) => {
        asked = JSON.stringify(prompt);
        return { text: "ok" };
      },
      {
        configuration: configured({
          model: "scripted/script",
          instructions: "Speak like a pirate.",
        }),
      },
    );
    await host.serve(0);
    await host.receive(message("hello"));
    expect(asked).toContain("Speak like a pirate.");
    await host.close("command");
    const configuration = {
      agents: { defaults: { instructions: "all" }, work: { instructions: "work" } },
    };
    expect(["main", "work", "constructor"].map((id) => instructionsOf(configuration, id))).toEqual([
      "all",
      "work",
      "all",
    ]);
  });
});

describe("workspace of an agent", () => {
  it("[GW-058] is where its tools work and its instructions come from, also for a subagent that another agent started", async () => {
    using folder = temporaryFolder("workspaces");
    folder.write({
      "all/here.txt": "folder of the others",
      "notes/here.txt": "folder of notes",
      "notes/AGENTS.md": "Rules of notes.",
    });
    const notes = realpathSync(join(folder.path, "notes"));
    const prompts: string[] = [];
    const agents = { defaults: { model: "scripted/script" }, notes: { workspace: "notes" } };
    const { host } = await testHost(
      () => {},
      ({ prompt }) => {
        const asked = JSON.stringify(prompt.at(-1));
        prompts.push(JSON.stringify(prompt));
        if (asked.includes("delegate")) {
          const params = { task: "read it", agentId: "notes" };
          return { toolCalls: [{ toolName: "sessions_spawn", params }] };
        }
        return asked.includes("read it")
          ? { toolCalls: [{ toolName: "read", params: { path: "here.txt" } }] }
          : { text: "done" };
      },
      {
        workspaceDir: join(folder.path, "all"),
        isTrusted: (path) => path === notes,
        configuration: {
          ...configured({}),
          file: join(folder.path, "openclaw.json"),
          value: { agents },
        },
      },
    );
    await host.serve(0);
    await host.receive(message("read it"));
    expect(prompts.join()).toContain("folder of the others");
    expect(prompts.join()).not.toContain("Rules of notes.");
    prompts.length = 0;
    await host.receive(message("read it", { sessionKey: "agent:notes:main", agentId: "notes" }));
    expect(prompts.join()).toContain("folder of notes");
    expect(prompts.join()).not.toContain("folder of the others");
    expect(prompts[0]).toContain("Rules of notes.");
    expect(prompts[0]).toContain(`Your workspace is ${notes}`);
    prompts.length = 0;
    await host.receive(message("delegate", { sessionKey: "agent:main:other" }));
    await vi.waitFor(() => expect(prompts.join()).toContain("folder of notes"));
    expect(prompts.join()).not.toContain("folder of the others");
    await host.close("command");
  });
});

describe("Host.close with slow work", () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ["signal", "shutdown"],
    ["restart", "restart"],
  ] as const)(
    "[HCR-015] reports the end of every open session on %s and takes at most 20 seconds, whatever plugins do",
    async (reason, told) => {
      const [asked, never] = [gate(), new Promise<never>(() => {})];
      const ends: unknown[] = [];
      vi.useFakeTimers({
        toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
      });
      const { host } = await testHost(
        (api) => {
          for (const hook of ["gateway_pre_stop", "gateway_stop"] as const) {
            api.on(hook, () => never, { timeoutMs: 600_000 });
          }
          api.on("session_end", async ({ sessionKey, reason }) => {
            ends.push([sessionKey, reason]);
            await never;
          });
        },
        ({ prompt }) => {
          if (!JSON.stringify(prompt).includes("hang")) return { text: "ok" };
          asked.pass();
          return { waitFor: never };
        },
      );
      await host.serve(0);
      await host.receive(message("hello"));
      const hanging = host.receive(message("hang", { sessionKey: "agent:main:other" }));
      await asked.passed;
      let isClosed = false;
      const startedAt = performance.now();
      const closed = host.close(reason).then(() => {
        isClosed = true;
      });
      while (!isClosed && performance.now() - startedAt < 60_000) {
        await vi.advanceTimersByTimeAsync(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await closed;
      expect(performance.now() - startedAt).toBeLessThanOrEqual(20_100);
      expect(ends).toEqual([
        ["agent:main:main", told],
        ["agent:main:other", told],
      ]);
      expect(await hanging).toMatchObject({ status: "interrupted" });
    },
  );

  it("suspends turns after 10 seconds, notifies their callers, and leaves the turns to the next start", async () => {
    const asked = gate();
    const { host, store } = await testHost(
      () => {},
      () => {
        asked.pass();
        return { waitFor: new Promise(() => {}) };
      },
    );
    await host.serve(0);
    const reply = host.receive(message("hello"));
    await asked.passed;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isClosed = false;
    const closed = host.close("signal").then(() => {
      isClosed = true;
    });
    // The stop waits once it has set its timer.
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    const outcome = await reply;
    expect(outcome).toMatchObject({ status: "interrupted" });
    await closed;
    const runId = "runId" in outcome ? (outcome.runId ?? "") : "";
    expect(await store.turns.get(runId)).toMatchObject({ state: "running" });
    const steps = (await store.turns.journal.load(runId)).map(({ step }) => step.kind);
    expect(steps).toContain("model-requested");
    expect(steps).not.toContain("turn-concluded");
  });
});
