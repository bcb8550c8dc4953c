import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import { watchResources } from "@openclaw/plugin-loader";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { messageText } from "@openclaw/plugin-sdk/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HostOptions, openHost } from "../../src/host/host.js";
import { openCommandPlugins } from "../../src/plugins/command-line.js";
import { reportOpenResources } from "../../src/plugins/open-resources.js";
import { stateFolderAt } from "../../src/state/folder.js";
import { openLog } from "../../src/state/log.js";
import { message, openTestStore } from "../support/host.js";
import { scriptedProvider } from "../support/scripted-provider.js";

async function testHost(
  register: (api: OpenClawPluginApi) => void,
  script: ModelScript = () => ({ text: "ok" }),
  parts: Partial<HostOptions> = {},
  plugins: object = {},
) {
  let api: OpenClawPluginApi | undefined;
  const model = createScriptedModel(script);
  const store = await openTestStore();
  const host = await openHost({
    version: "1.0.0",
    configuration: {
      value: { agents: { defaults: { model: "scripted/script" } }, plugins },
      file: undefined,
      warnings: [],
      locate: () => undefined,
    },
    workspaceDir: import.meta.dirname,
    bundledExtensions: [],
    inlinePlugins: [
      {
        id: "guard",
        register(given) {
          api = given;
          register(given);
        },
      },
    ],
    providers: [scriptedProvider(model)],
    environment: {},
    state: stateFolderAt("/nowhere"),
    log: openLog(undefined, { level: "silent" }),
    store,
    ...parts,
  });
  await host.serve(0);
  onTestFinished(() => host.close("command"));
  if (api === undefined) throw new Error("the plugin was not loaded");
  return { api, host, store, model };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "capabilities-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe("models and agents of a host, for plugins", () => {
  it("[PLUG-041] [LLM-030] answer questions outside a turn, with the settings of the request, and are counted", async () => {
    const asked: unknown[] = [];
    const { api, store } = await testHost(
      () => {},
      ({ prompt }) => {
        asked.push(prompt);
        return { text: "four", usage: { input: 9, output: 1 } };
      },
    );
    const answer = await api.runtime.llm?.complete({
      system: "Be brief.",
      messages: [
        { role: "user", content: "1+1" },
        { role: "assistant", content: "2" },
        { role: "user", content: "2+2" },
      ],
    });
    expect(answer).toMatchObject({ text: "four", model: "scripted/script", provider: "scripted" });
    expect(JSON.stringify(asked)).toMatch(/Be brief\..*1\+1.*2\+2/);
    const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const counted = await store.spending.sums({ ...period, groupBy: "agent" });
    expect(counted).toMatchObject([{ key: "main", calls: 1, input: 9, output: 1 }]);
  });

  it("[MEM-045] embed texts with the model of the host, and get its name with the version", async () => {
    const { api } = await testHost(() => {});
    const { embeddings } = api.runtime;
    expect(await embeddings?.model()).toEqual({ model: "local/embeddings-en-v2", isLocal: true });
    const answer = await embeddings?.embed({ texts: ["a cat", "..."], dimensions: 32 });
    expect(answer).toMatchObject({ model: "local/embeddings-en-v2", dimensions: 32, tokens: 2 });
    expect(answer?.embeddings).toEqual([
      { vector: expect.any(Float32Array) },
      { vector: new Float32Array(32) },
    ]);
    await expect(embeddings?.embed({ texts: [1] as never })).rejects.toMatchObject({
      code: "PLUGIN_REGISTRATION_INVALID",
    });
    await expect(embeddings?.model("none/such")).rejects.toMatchObject({ code: "MODEL_NOT_FOUND" });
  });

  it("[PLUG-041] speak text with the configured provider, and no secret", async () => {
    const asked: object[] = [];
    let result = { audioBuffer: new Uint8Array([1, 2]), fileExtension: ".MP3" };
    const { api } = await testHost((given) =>
      given.registerSpeechProvider({
        id: "voice",
        async synthesize({ text, target, voice }) {
          asked.push({ text, target, voice });
          if (text === "silence") throw new Error("the service is away");
          return { ...result, voiceCompatible: false };
        },
      }),
    );
    const { speech } = api.runtime;
    expect(speech?.unavailable()).toBeUndefined();
    expect(await speech?.synthesize({ text: "Hello.", voice: "alto" })).toEqual({
      ...{ audio: new Uint8Array([1, 2]), mimeType: "audio/mpeg", fileExtension: ".mp3" },
      provider: "voice",
    });
    await speech?.synthesize({ text: "Hi.", target: "voice-note" });
    expect(asked).toEqual([
      { text: "Hello.", target: "audio-file", voice: "alto" },
      { text: "Hi.", target: "voice-note", voice: undefined },
    ]);
    const failure = async (text: string) =>
      speech?.synthesize({ text }).then(
        () => "spoken",
        ({ code, message }) => `${code} ${message}`,
      );
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(await failure(`The key is ${secret}`)).toMatch(/^SPEECH_FAILED .*found a secret/);
    expect(await failure(" ")).toContain("it is empty");
    expect(await failure("x".repeat(4097))).toContain("the limit is 4096");
    expect(asked).toHaveLength(2);
    expect(await failure("silence")).toBe(
      "SPEECH_FAILED the text was not spoken: the service is away",
    );
    result = { ...result, fileExtension: ".xyz" };
    expect(await failure("again")).toContain('returned the format ".xyz"');
  });

  it("[PLUG-041] find out that no provider speaks", async () => {
    const { api } = await testHost(() => {});
    const { speech } = api.runtime;
    expect(speech?.unavailable()).toBe("no plugin registers a speech provider");
    await expect(speech?.synthesize({ text: "Hello." })).rejects.toMatchObject({
      code: "SPEECH_FAILED",
      message: expect.stringContaining("no plugin registers a speech provider"),
    });
    await expect(speech?.synthesize({ text: 5 } as never)).rejects.toMatchObject({
      code: "PLUGIN_REGISTRATION_INVALID",
    });
  });

  it("[PLUG-041] run turns in sessions, with the plugin's injections and the hooks of a message", async () => {
    const seen: unknown[] = [];
    const { api } = await testHost(
      (given) => {
        given.on("before_prompt_build", (_event, { trigger, messageProvider, senderIsOwner }) => {
          seen.push([trigger, messageProvider, senderIsOwner]);
        });
      },
      ({ prompt }) => ({ text: JSON.stringify(prompt).includes("tea is ready") ? "told" : "ok" }),
    );
    const { agent, subagent, system } = api.runtime;
    expect(
      await agent.runEmbeddedPiAgent?.({ prompt: "hello", sessionId: "call 1" }),
    ).toMatchObject({ payloads: [{ text: "ok" }] });
    expect(await agent.runEmbeddedPiAgent?.({ prompt: "hello", disableTools: true })).toMatchObject(
      { payloads: [{ text: "ok" }] },
    );
    expect(await subagent?.run({ task: "do", sessionKey: "agent:main:side" })).toMatchObject({
      status: "completed",
      sessionKey: "agent:main:side",
      text: "ok",
    });
    const side = { sessionKey: "agent:main:side" };
    system.enqueueSystemEvent?.("tea is ready", { ...side, contextKey: "tea" });
    // Stored after the event, which gives no receipt.
    const again = { ...side, text: "and cake", idempotencyKey: "after" };
    expect(await api.enqueueNextTurnInjection(again)).toMatchObject({ enqueued: true });
    const started = await subagent?.run({ message: "again", sessionKey: "agent:main:side" });
    expect(await subagent?.waitForRun({ runId: started?.runId ?? "" })).toEqual({ status: "ok" });
    const { messages = [] } =
      (await subagent?.getSessionMessages({ sessionKey: "agent:main:side" })) ?? {};
    expect(messages.map(messageText)).toEqual(["do", "ok", "again", "told"]);
    // A person's message and that of a plugin have one trigger; the surface is in messageProvider.
    expect(seen).toEqual(Array.from({ length: 3 }, () => ["user", "api", false]));
  });

  it("[PLUG-113] read and delete sessions that the plugin started, and delete no others", async () => {
    const { api, host, store } = await testHost(() => {});
    const { subagent } = api.runtime;
    await host.receive(message("a person's"));
    for (const sessionKey of ["my notes", "agent:main:side", "agent:main:main"]) {
      await subagent?.run({ task: "do", sessionKey });
    }
    const textsOf = async (sessionKey: string) => {
      const found = await subagent?.getSessionMessages({ sessionKey });
      return found?.messages.map(messageText);
    };
    expect(await textsOf("my notes")).toEqual(["do", "ok"]);
    await subagent?.deleteSession({ sessionKey: "my notes" });
    await subagent?.deleteSession({ sessionKey: "agent:main:side" });
    expect(await textsOf("my notes")).toEqual([]);
    expect(await store.sessions.get("agent:main:side")).toBeUndefined();
    for (const sessionKey of ["agent:main:main", "main"]) {
      await expect(subagent?.deleteSession({ sessionKey })).rejects.toMatchObject({
        code: "PLUGIN_SESSION_DENIED",
        message: expect.stringContaining('may not delete session "agent:main:main"'),
      });
    }
    expect(await textsOf("agent:main:main")).toEqual(["a person's", "ok", "do", "ok"]);
    await expect(subagent?.deleteSession({ sessionKey: "my notes" })).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
  });

  it("[PLUG-105] tells hooks that a person's message triggered the turn, on any surface", async () => {
    const seen: unknown[] = [];
    const { host } = await testHost((api) => {
      api.on("before_prompt_build", (_event, { trigger, messageProvider }) => {
        seen.push([trigger, messageProvider]);
      });
    });
    for (const channel of ["api", "terminal", "pager"]) {
      await host.receive({ ...message("hello"), channel });
    }
    expect(seen).toEqual(["api", "terminal", "pager"].map((channel) => ["user", channel]));
  });

  it("[PLUG-041] [GW-007] change the configuration file through the checks of an edit", async () => {
    const file = join(folder(), "openclaw.json");
    writeFileSync(file, '{\n  // keep\n  logging: { level: "info" },\n}\n');
    const { api } = await testHost(() => {}, undefined, { configurationFile: file });
    const { config } = api.runtime;
    await config.mutateConfigFile?.((draft) => {
      draft.logging = { level: "debug" };
    });
    expect(readFileSync(file, "utf8")).toMatch(/\/\/ keep[\s\S]*level"?: "debug"/);
    const wrong = config.writeConfigFile?.({ ...config.current(), logging: { level: "loud" } });
    await expect(wrong).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(readFileSync(file, "utf8")).not.toContain("loud");
  });
});

describe("registrations that the host acts on", () => {
  it("[PLUG-056] tool result middleware replaces results before models, hooks and clients see them", async () => {
    const seen: string[] = [];
    const { host } = await testHost(
      (api) => {
        api.registerTool({
          name: "work",
          description: "Works.",
          parameters: { type: "object", properties: {} },
          execute: () => "raw result",
        });
        api.registerAgentToolResultMiddleware(({ result }) => {
          const [part] = result.content;
          const text = part?.type === "text" ? part.text.toUpperCase() : "";
          return { result: { content: [{ type: "text", text }] } };
        });
        api.registerAgentToolResultMiddleware(() => {
          throw new Error("broken");
        });
        api.on("after_tool_call", ({ result }) => void seen.push(JSON.stringify(result)));
      },
      ({ prompt }) =>
        JSON.stringify(prompt).includes("RAW RESULT")
          ? { text: "seen" }
          : { toolCalls: [{ toolName: "work", params: {} }] },
    );
    expect(await host.receive(message("go"))).toMatchObject({ status: "replied", text: "seen" });
    await expect.poll(() => seen).toEqual([expect.stringContaining("RAW RESULT")]);
  });

  it("[PLUG-056] the context engine in the slot selects the conversation, and is told of each turn", async () => {
    const ended: number[] = [];
    const prompts: string[] = [];
    const { host } = await testHost(
      (api) => {
        api.registerContextEngine("last", () => ({
          assemble: ({ messages }) => ({
            messages: messages.slice(-1),
            systemPromptAddition: "ENGINE NOTE",
          }),
          afterTurn: ({ messages, prePromptMessageCount }) =>
            void ended.push(messages.length - prePromptMessageCount),
        }));
        api.registerContextEngine("other", () => {
          throw new Error("not in the slot");
        });
      },
      ({ prompt }) => {
        prompts.push(JSON.stringify(prompt));
        return { text: `answer ${prompts.length}` };
      },
      {},
      { slots: { contextEngine: "last" } },
    );
    for (const text of ["first", "second", "third"]) await host.receive(message(text));
    const [, , third = ""] = prompts;
    expect(third).toContain("ENGINE NOTE");
    expect(third).toContain("answer 2");
    expect(third).not.toContain("answer 1");
    expect(ended).toEqual([2, 2, 2]);
  });

  it("[PLUG-056] an engine that fails leaves the conversation as it is", async () => {
    const { host } = await testHost(
      (api) =>
        api.registerContextEngine("guard", () => ({
          assemble: () => {
            throw new Error("broken");
          },
        })),
      undefined,
      {},
      { slots: { contextEngine: "guard" } },
    );
    expect(await host.receive(message("hello"))).toMatchObject({ status: "replied", text: "ok" });
  });

  it("[PLUG-117] an engine that cannot read a session's transcript is told of the session once, and selects", async () => {
    const told: string[] = [];
    const { host } = await testHost(
      (api) =>
        api.registerContextEngine("guard", () => ({
          bootstrap: ({ sessionKey }) => {
            told.push(sessionKey);
            throw new TypeError('The "path" argument must be of type string');
          },
          assemble: () => ({ messages: [], systemPromptAddition: "ENGINE NOTE" }),
        })),
      ({ prompt }) => ({ text: JSON.stringify(prompt).includes("ENGINE NOTE") ? "noted" : "no" }),
      {},
      { slots: { contextEngine: "guard" } },
    );
    const to = { sessionKey: "agent:main:main" };
    for (const text of ["one", "two"]) {
      expect(await host.receive(message(text, to))).toMatchObject({ text: "noted" });
    }
    expect(told).toEqual(["agent:main:main"]);
  });

  it("[PLUG-056] a compaction provider writes the summary instead of the model", async () => {
    const { host } = await testHost(
      (api) =>
        api.registerCompactionProvider({
          id: "brief",
          summarize: ({ messages }) => `IN SHORT ${messages.length}`,
        }),
      ({ prompt }) => ({ text: JSON.stringify(prompt).includes("IN SHORT 2") ? "short" : "long" }),
    );
    const to = { sessionKey: "agent:main:main" };
    for (const text of ["one", "two", "three"]) await host.receive(message(text, to));
    await host.sessions.compact("agent:main:main", new AbortController().signal);
    expect(await host.receive(message("four", to))).toMatchObject({ text: "short" });
  });

  it("[PLUG-035] runs a plugin's command on the command line, with its configuration", async () => {
    const state = folder();
    const place = join(state, "extensions", "voice");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "openclaw.plugin.json"), '{ "id": "voice" }');
    writeFileSync(
      join(place, "index.mjs"),
      `export function register(api) {
        api.registerCli(({ program, config }) => {
          program.command("voice").description("Calls.").command("call <number>")
            .action((number) => { globalThis.openclawTestCall = [number, config.plugins.entries.voice.config.key]; });
        }, { descriptors: [{ name: "voice", description: "Calls." }] });
      }`,
    );
    const plugins = await openCommandPlugins({
      version: "1.0.0",
      configuration: {
        value: { plugins: { entries: { voice: { config: { key: "own" } } } } },
        file: undefined,
        warnings: [],
        locate: () => undefined,
      },
      stateDir: state,
      workspaceDir: folder(),
      bundledExtensions: [],
    });
    onTestFinished(() => plugins.close());
    expect(plugins.commands).toEqual(["voice"]);
    const named: string[] = [];
    let run: (...args: unknown[]) => void = () => undefined;
    const program = {
      command: (name: string) => {
        named.push(name);
        return program;
      },
      description: () => program,
      action: (action: typeof run) => {
        run = action;
        return program;
      },
    };
    expect(await plugins.register("voice", program as never)).toBe(true);
    expect(await plugins.register("other", program as never)).toBe(false);
    expect(named).toEqual(["voice", "call <number>"]);
    run("123");
    expect(Reflect.get(globalThis, "openclawTestCall")).toEqual(["123", "own"]);
    Reflect.deleteProperty(globalThis, "openclawTestCall");
  });
});

describe("resources that plugins leave open", () => {
  it("[PLUG-104] are named with their plugin until they close", async () => {
    const watch = watchResources();
    onTestFinished(() => watch.stop());
    const server = createServer();
    const { host } = await testHost(() => {});
    const child = host.plugins.callPlugin("guard", () => {
      server.listen(0);
      return spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" });
    });
    onTestFinished(() => void child.kill());
    await new Promise((resolve) => server.once("listening", resolve));
    const lines: string[] = [];
    const logger = { warn: (line: string) => void lines.push(line) };
    reportOpenResources(watch.open(), logger as never);
    expect(lines).toEqual([
      expect.stringMatching(
        /^plugin "guard" left open at the stop: (?=.*server on port \d+)(?=.*child process \d+ )/,
      ),
    ]);
    await new Promise((resolve) => server.close(resolve));
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    expect(watch.open()).toEqual([]);
  });
});
