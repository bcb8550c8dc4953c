import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import { createTestHost, message, SESSION, type TestHostOptions } from "../../support/host.js";

/** Creates a host, and returns it with a function that sends a message and returns the text of the reply. */
async function conversation(options: TestHostOptions = {}) {
  const host = await createTestHost(options);
  const say = async (text: string, rest: Parameters<typeof message>[1] = {}) => {
    const outcome = await host.flow.receive(message(text, rest), {});
    return "text" in outcome ? outcome.text : outcome.status;
  };
  /** Returns the text of each message of the conversation. */
  const texts = async () => {
    const session = await host.store.sessions.get(SESSION);
    const entries = await host.store.messages.transcript.load(session?.sessionId ?? "");
    return entries.map(({ message: { content } }) =>
      content.map((part) => (part.type === "text" ? part.text : part.type)).join(),
    );
  };
  return { host, say, texts };
}

const echo: TestHostOptions = {
  script: ({ prompt }) => {
    const text = JSON.stringify(prompt.at(-1)?.content);
    return { text: `re ${/"text":"([^"]*)"/.exec(text)?.[1] ?? ""}` };
  },
};

describe("commands", () => {
  it("[SUB-016] [SUB-017] answers the system commands without a model", async () => {
    const { host, say } = await conversation();
    expect(await say("/ping")).toBe("pong");
    expect(await say("/version")).toBe("OpenClaw 1.2.3, plugin API 1.0.0");
    const help = await say("/help");
    for (const { name } of host.commands.list()) expect(help).toContain(`/${name}`);
    expect(await say("/tools")).toContain("  subagents: List the subagents");
    expect(await say("/debug")).toContain("are shown");
    expect((await host.store.sessions.get(SESSION))?.verbose).toBe(true);
    expect(await say("/debug")).toContain("are hidden");
    expect((await host.store.sessions.get(SESSION))?.verbose).toBeUndefined();
    expect(host.asked()).toEqual([]);
  });

  it("[SUB-017] shows details of each turn in a session in which /debug is on", async () => {
    const { host, say } = await conversation();
    const notices: string[] = [];
    const ask = () =>
      host.flow.receive(message("hello"), { onNotice: (text) => void notices.push(text) });
    await ask();
    await say("/debug");
    await ask();
    expect(notices).toEqual([expect.stringMatching(/^Turn [0-9a-f-]{36}: completed, stop, /)]);
    await say("/debug");
    await ask();
    expect(notices).toHaveLength(1);
  });

  it("[SUB-014] answers an unknown command with the nearest names, and passes on paths", async () => {
    const { host, say } = await conversation();
    expect(await say("/undp")).toContain('"/undo"');
    expect(await say("/models x")).toBe("Nothing was done: write /model [provider/model].");
    expect(await say("/undo 2")).toBe("Nothing was done: /undo takes no argument.");
    expect(host.asked()).toEqual([]);
    expect(await say("/usr/bin/env is what?")).toBe("ok");
    expect(await say(" /undp")).toBe("ok");
    expect(host.asked()).toHaveLength(2);
  });

  it("[SUB-014] passes unknown commands to the model if the operator wants it", async () => {
    const { host, say } = await conversation({ unknownCommands: "model" });
    expect(await say("/undp")).toBe("ok");
    expect(await say("/")).toBe("ok");
    expect(await say("/ping")).toBe("pong");
    expect(host.asked()).toHaveLength(2);
  });

  it("[SUB-018] shows the model, and changes it only to one that a provider serves", async () => {
    const { host, say } = await conversation();
    expect(await say("/model")).toContain("scripted/script");
    const unknown = await say("/model nobody/none");
    expect(unknown).toMatch(/was not changed: .*scripted/s);
    // The models that exist are listed once.
    expect(unknown?.match(/known:/gi)).toHaveLength(1);
    expect(unknown?.match(/scripted/g)).toHaveLength(1);
    expect((await host.store.sessions.get(SESSION))?.model).toBeUndefined();
    expect(await say("/model scripted/script")).toContain("from now on");
    expect((await host.store.sessions.get(SESSION))?.model).toBe("scripted/script");
  });

  it("[SUB-031] [SUB-032] takes turns back one after another, and brings them back", async () => {
    const { say, texts } = await conversation(echo);
    for (const text of ["one", "two", "three"]) await say(text);
    expect(await say("/undo")).toContain('Undone: "three"');
    expect(await texts()).toEqual(["one", "re one", "two", "re two"]);
    expect(await say("/undo")).toContain('Undone: "two"');
    expect(await say("/redo")).toBe('Brought back: "two"');
    expect(await say("/redo")).toBe('Brought back: "three"');
    expect(await say("/redo")).toBe("Nothing to redo.");
    expect(await texts()).toEqual(["one", "re one", "two", "re two", "three", "re three"]);
    await say("/undo");
    await say("four");
    expect(await say("/redo")).toBe("Nothing to redo.");
    expect(await texts()).toEqual(["one", "re one", "two", "re two", "four", "re four"]);
    for (const _turn of "123") await say("/undo");
    expect(await say("/undo")).toBe("Nothing to undo.");
    expect(await texts()).toEqual([]);
  });

  it("[SUB-030] [SUB-033] lists a checkpoint before each turn, and returns to one of them", async () => {
    const { say, texts } = await conversation(echo);
    for (const text of ["one", "two", "three"]) await say(text);
    const list = await say("/resume");
    const turns = [...list.matchAll(/^ +[0-9a-f-]{36} .*before "(\w+)"$/gm)].map(
      ([, text]) => text,
    );
    expect(turns.toSorted()).toEqual(["one", "three", "two"]);
    const id = /([0-9a-f-]{36}) .*before "two"/.exec(list)?.[1] ?? "";
    expect(await say("/resume 6f1c2f0e-0d7c-4c0f-9b5e-0a1b2c3d4e5f")).toContain("no such");
    expect(await texts()).toHaveLength(6);
    expect(await say(`/resume ${id}`)).toContain('before: "two"');
    expect(await texts()).toEqual(["one", "re one"]);
    expect(await say("/redo")).toBe("Nothing to redo.");
  });

  it("[SUB-034] empties the conversation and keeps its session", async () => {
    const ended: string[] = [];
    const register = (api: OpenClawPluginApi) => {
      api.on("session_end", () => void ended.push("session_end"));
      api.on("before_reset", () => void ended.push("before_reset"));
    };
    const { host, say, texts } = await conversation({ ...echo, register });
    await say("one");
    await say("two");
    await say("/undo");
    const before = await host.store.sessions.get(SESSION);
    expect(await say("/clear")).toBe("The conversation is empty now.");
    expect((await host.store.sessions.get(SESSION))?.sessionId).toBe(before?.sessionId);
    expect(await texts()).toEqual([]);
    expect(await say("/redo")).toBe("Nothing to redo.");
    expect(await say("/undo")).toBe("Nothing to undo.");
    expect(ended).toEqual([]);
  });

  it("[SUB-035] names the tool calls whose effects remain", async () => {
    const { say } = await conversation({
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "tool"
          ? { text: "done" }
          : { toolCalls: [{ toolName: "launch", params: { site: "north" } }] },
      register: (api) =>
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object", properties: { site: { type: "string" } } },
          execute: () => "launched",
        }),
    });
    expect(await say("go")).toBe("done");
    expect(await say("/undo")).toBe(
      [
        'Undone: "go"',
        "The effects of these tool calls remain:",
        '  launch {"site":"north"}',
        "Use /redo to bring it back.",
      ].join("\n"),
    );
  });

  it.each([
    { when: "names a call that failed", block: false, isNamed: true },
    { when: "does not name a call that a plugin blocked", block: true, isNamed: false },
  ])("[SUB-035] $when", async ({ block, isNamed }) => {
    const { say } = await conversation({
      script: ({ prompt }) =>
        prompt.at(-1)?.role === "tool"
          ? { text: "done" }
          : { toolCalls: [{ toolName: "launch", params: {} }] },
      register: (api) => {
        api.on("before_tool_call", () => (block ? { block, blockReason: "not today" } : undefined));
        api.registerTool({
          name: "launch",
          description: "launches",
          parameters: { type: "object" },
          execute: () => {
            throw new Error("broken");
          },
        });
      },
    });
    await say("go");
    const reply = await say("/undo");
    expect(reply.includes("launch {} (failed, may have had effects)")).toBe(isNamed);
    expect(reply.includes("effects")).toBe(isNamed);
  });

  it("[SUB-023] continues another conversation under a new session ID", async () => {
    const starts: unknown[] = [];
    const { host, say, texts } = await conversation({
      ...echo,
      register: (api) => api.on("session_start", (event) => void starts.push(event)),
    });
    await say("one");
    const first = (await host.store.sessions.get(SESSION))?.sessionId ?? "";
    await say("/new");
    await say("two");
    expect(await say("/threads")).toContain(first);
    expect(await say(`/thread ${first}`)).toContain('Continued the conversation "one"');
    expect(await texts()).toEqual(["one", "re one"]);
    const continued = await host.store.sessions.get(SESSION);
    expect(continued?.sessionId).not.toBe(first);
    expect(starts.at(-1)).toMatchObject({ reason: "resume", resumedFrom: first });
    await say("three");
    expect(await say("/undo")).toContain("three");
    expect(await say("/undo")).toContain("one");
    expect(await say("/redo")).toContain("one");
    // The ID of the conversation leads to its newest state.
    expect(await say(`/thread ${first}`)).toBe("This is the current conversation.");
    const other = { sessionKey: "agent:main:other" };
    expect(await say(`/thread ${first}`, other)).toContain("no such conversation");
  });

  it("[SUB-020] stops the host only for an owner, once the reply is stored", async () => {
    const stopped: number[] = [];
    const { host, say } = await conversation({ quit: () => void stopped.push(1) });
    const stranger = { senderIsOwner: false, senderId: "stranger" };
    expect(await say("/quit", stranger)).toBe("Only an owner can stop the host.");
    expect(stopped).toEqual([]);
    expect(await say("/quit")).toBe("Stopping.");
    expect(stopped).toEqual([1]);
    expect(await host.store.messages.inbox.inState("received")).toEqual([]);
    const unstoppable = await conversation();
    expect(await unstoppable.say("/quit")).toContain("cannot be stopped");
    expect(await unstoppable.say("/help")).not.toContain("/quit");
  });

  it("summarises and suggests without changing the conversation", async () => {
    const { host, say, texts } = await conversation(echo);
    expect(await say("/summarize")).toBe("The conversation is empty.");
    await say("one");
    expect(await say("/summarize")).toContain("one");
    expect(await say("/suggest")).toContain("one");
    expect(await texts()).toEqual(["one", "re one"]);
    expect(host.asked()).toHaveLength(3);
  });

  it("[SUB-039] leaves the conversation unchanged when it cannot be summarised, and reports it", async () => {
    const fired: string[] = [];
    let fails = false;
    const { host, say, texts } = await conversation({
      script: () => {
        if (fails) throw new Error("the model is down");
        return { text: "ok" };
      },
      register: (api) => {
        api.on("before_compaction", () => void fired.push("before"));
        api.on("after_compaction", () => void fired.push("after"));
      },
    });
    for (const text of "123456") await say(text);
    const before = await texts();
    fails = true;
    expect(await say("/compact")).toMatch(/^The conversation is unchanged, .*the model is down/s);
    expect(await texts()).toEqual(before);
    const { sessionId = "" } = (await host.store.sessions.get(SESSION)) ?? {};
    expect(await host.store.messages.compactions.latest(sessionId)).toBeUndefined();
    fails = false;
    expect(await say("/compact")).toMatch(/^Compacted /);
    expect(fired).toEqual(["before", "before", "after"]);
  });

  it("[SUB-047] passes a message through the inbound hooks, the commands and then inspection", async () => {
    const steps: string[] = [];
    const { host, say } = await conversation({
      register(api) {
        api.on("message_receiving", ({ content }) => {
          steps.push(`receiving ${content}`);
          return content === "hidden" ? { content: "/where" } : undefined;
        });
        api.on("message_received", ({ content }) => void steps.push(`received ${content}`));
        api.on("inbound_claim", ({ content }) => {
          steps.push(`claim ${content}`);
          return content === "/ping" ? { handled: true, reply: { text: "claimed" } } : undefined;
        });
        api.on("before_prompt_build", () => void steps.push("turn"));
        api.registerCommand({
          name: "where",
          description: "Says where it ran.",
          acceptsArgs: true,
          handler() {
            steps.push("command");
            return { text: "here" };
          },
        });
      },
    });
    expect(await say("hidden")).toBe("here");
    expect(steps).toEqual(["receiving hidden", "received /where", "claim /where", "command"]);
    expect(await say("/ping")).toBe("claimed");
    // Inspection rejects this text, which a command accepts.
    const odd = `nul ${String.fromCharCode(0)}`;
    expect(await say(`/where ${odd}`)).toBe("here");
    expect(await say(odd)).toContain("failed");
    steps.length = 0;
    expect(await say("hello")).toBe("ok");
    expect(steps).toEqual(["receiving hello", "received hello", "claim hello", "turn"]);
    expect(host.asked()).toHaveLength(1);
  });

  it("[SUB-038] compacts all but five exchanges", async () => {
    const { host, say } = await conversation(echo);
    for (const text of ["1", "2", "3", "4", "5"]) await say(text);
    expect(await say("/compact")).toContain("Nothing was compacted");
    await say("6");
    expect(await say("/compact")).toContain("Compacted 12 messages to 11");
    const { sessionId = "" } = (await host.store.sessions.get(SESSION)) ?? {};
    expect(await host.store.messages.compactions.latest(sessionId)).toMatchObject({ upToSeq: 2 });
    // The summary belongs to the state that the undo takes back.
    await say("/undo");
    expect(await host.store.messages.compactions.latest(sessionId)).toBeUndefined();
    await say("/redo");
    expect(await host.store.messages.compactions.latest(sessionId)).toMatchObject({ upToSeq: 2 });
  });
});

describe("commands of plugins", () => {
  it("[PLUG-033] [SUB-013] run before the model, and appear in /help and in the list", async () => {
    const seen: unknown[] = [];
    const { host, say } = await conversation({
      register(api) {
        api.registerCommand({
          name: "deploy",
          description: "Deploy the site.",
          acceptsArgs: true,
          handler: (context) => {
            seen.push(context);
            return { text: `deployed ${context.args ?? "nothing"}` };
          },
        });
        api.registerCommand({
          name: "open",
          description: "Open to everyone.",
          requireAuth: false,
          handler: () => ({ text: "opened", continueAgent: true }),
        });
      },
    });
    expect(await say("/Deploy  To Prod")).toBe("deployed To Prod");
    expect(seen).toEqual([
      expect.objectContaining({
        args: "To Prod",
        commandBody: "/Deploy  To Prod",
        senderIsOwner: true,
        isAuthorizedSender: true,
        sessionKey: SESSION,
      }),
    ]);
    expect(host.asked()).toEqual([]);
    expect(await say("/help")).toContain("/deploy [arguments]: Deploy the site. (plugin guard)");
    expect(await say("/help deploy")).toContain("Deploy the site.");
    expect(host.commands.list()).toContainEqual(
      expect.objectContaining({ name: "deploy", pluginId: "guard" }),
    );
    const stranger = { senderIsOwner: false, senderId: "stranger" };
    expect(await say("/deploy", stranger)).toBe(
      "You may not use /deploy. Ask an owner of this host.",
    );
    expect(await say("/open now")).toBe("/open takes no arguments. Send /open alone.");
    expect(await say("/open", stranger)).toBe("ok");
    expect(host.asked()).toHaveLength(1);
  });

  it("reports a handler that fails, without its error", async () => {
    const { host, say } = await conversation({
      register: (api) =>
        api.registerCommand({
          name: "broken",
          description: "Fails.",
          handler() {
            throw new Error("the secret cause");
          },
        }),
    });
    expect(await say("/broken")).toBe(
      'The command /broken of plugin "guard" failed. The log of the host has the cause.',
    );
    expect(host.lines.join()).toContain("the secret cause");
  });

  it("[PLUG-033] [SUB-048] cannot take the names of built-in commands", async () => {
    for (const name of ["undo", "reset", "jobs", "approve", "threads", "y"]) {
      const { host, say } = await conversation({
        register: (api) =>
          api.registerCommand({
            name,
            description: "Takes a name.",
            handler: () => ({ text: "!" }),
          }),
      });
      expect(host.plugins.current.commands, name).toEqual([]);
      expect(host.plugins.current.diagnostics.map(({ message: text }) => text).join()).toContain(
        name,
      );
      expect(await say(`/${name}`)).not.toBe("!");
    }
  });
});
