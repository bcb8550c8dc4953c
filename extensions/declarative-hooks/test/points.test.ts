import { join } from "node:path";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk/plugin-entry";
import { sampleEvent } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";
import { POINTS } from "../src/points/point.js";
import { hostWith, inbound } from "./support/host.js";

const append = (name: string, text: string, fields: object = {}) => ({
  ...{ name, points: ["beforeInbound"], append: text },
  ...fields,
});

/** A hook of the section whose numbers are priorities of the catalog. */
const ordered = (name: string, text: string, fields: object = {}) => ({
  ...{ name, points: ["beforeInbound"], action: { type: "inline", append: text } },
  ...fields,
});

/** A plugin that notes what observers see, how messages end, and the runs. */
function observer(seen: string[], ends: string[] = [], runs: string[] = []): PluginDefinition {
  return {
    id: "observer",
    register(api: OpenClawPluginApi) {
      api.on("message_received", ({ content }) => void seen.push(content));
      api.on("request_post", ({ outcome }) => void ends.push(outcome));
      api.on("transform_response", ({ runId }) => void runs.push(runId));
    },
  };
}

const tool = (calls: unknown[], mcpServer?: string): PluginDefinition => ({
  id: "note",
  register(api) {
    api.registerTool({
      name: "note",
      description: "Keeps a note.",
      ...(mcpServer === undefined ? {} : { mcpServer }),
      parameters: {
        type: "object",
        required: ["text"],
        properties: { text: { type: "string", maxLength: 20 } },
      },
      execute(_id, params) {
        calls.push(params);
        return "kept";
      },
    });
  },
});

describe("beforeInbound", () => {
  it("[DHOOK-002] changes content, and blocks a message before observers, parser and model, with an answer or silently", async () => {
    const seen: string[] = [];
    const ends: string[] = [];
    const { host } = await hostWith(
      {
        rules: [
          append("mark", " (checked)", { filter: { pattern: "please" } }),
          {
            name: "no-bombs",
            points: ["beforeInbound"],
            when: "bomb",
            rejectReason: "no bombs here",
          },
          {
            name: "quiet",
            points: ["beforeInbound"],
            when: "spam",
            rejectReason: "spam",
            silent: true,
          },
        ],
      },
      { neighbours: [observer(seen, ends)], model: [{ text: "of course" }] },
    );
    const changed = await host.turn("help please");
    expect(changed.text).toBe("of course");
    expect(JSON.stringify(host.modelRequests)).toContain("help please (checked)");
    expect(seen).toEqual(["help please (checked)"]);

    for (const text of ["/status bomb", "a bomb"]) {
      const stopped = await host.turn(text);
      expect(stopped.text).toBe("no bombs here");
    }
    expect((await host.turn("spam")).text).toBe("");
    await expect.poll(() => ends).toEqual(["queued", "cancelled", "cancelled", "cancelled"]);
    expect(host.modelRequests).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  it("[DHOOK-010] [DHOOK-017] gives each hook, by named or numbered priority, the content of the one before, and stops at once with reason and name", async () => {
    const { host, set } = await hostWith({
      rules: [
        append("second", "2"),
        append("first", "1", { priority: "high" }),
        append("last", "3", { priority: "low" }),
      ],
    });
    expect(await host.fire("message_receiving", inbound("x"))).toEqual({ content: "x123" });
    const { host: numbered } = await hostWith({
      hooks: [
        ordered("none", "5"),
        ordered("negative", "7", { priority: -51 }),
        ordered("low", "6", { priority: "low" }),
        ordered("small", "4", { priority: 1 }),
        ordered("between", "2", { priority: 60 }),
        ordered("high", "3", { priority: "high" }),
        ordered("above", "1", { priority: 101 }),
      ],
      rules: [append("converted", "8", { priority: 90 })],
    });
    expect(await numbered.fire("message_receiving", inbound("x"))).toEqual({
      content: "x12345867",
    });
    const { host: other, set: hooks } = await hostWith({
      rules: [
        {
          name: "stop",
          points: ["beforeInbound"],
          when: ".",
          rejectReason: "enough",
          priority: "high",
        },
        append("later", "!"),
      ],
    });
    expect(await other.fire("message_receiving", inbound("x"))).toEqual({
      ...{ cancel: true, cancelReason: "enough (hook config::stop)", reply: "enough" },
    });
    expect((await hooks.show("later"))?.counts.matched).toBe(0);
    expect((await set.show("last"))?.counts.modified).toBe(1);
  });
});

describe("beforeOutbound", () => {
  it("[DHOOK-003] changes and blocks what is sent, replies of the model and of commands alike", async () => {
    const { host } = await hostWith(
      {
        rules: [
          {
            name: "mask",
            points: ["beforeOutbound"],
            replacements: [{ pattern: "badger", replacement: "***" }],
          },
          {
            name: "hold",
            points: ["beforeOutbound"],
            when: "weasel|Workspace:",
            rejectReason: "held",
          },
        ],
      },
      { model: [{ text: "a badger" }, { text: "a weasel" }] },
    );
    await host.turn("one");
    expect(host.sent.map(({ text }) => text)).toEqual(["a ***"]);
    await host.turn("two");
    await host.runCommand("/status");
    expect(host.sent).toHaveLength(1);
    const stops = host.trace.filter(
      ({ hook, outcome }) => hook === "message_sending" && outcome === "terminal",
    );
    expect(stops).toHaveLength(2);
    expect(
      await host.fire("message_sending", sampleEvent("message_sending", { content: "weasel" })),
    ).toEqual({
      ...{ cancel: true, cancelReason: "held (hook config::hold)" },
    });
  });
});

describe("beforeToolCall", () => {
  it.each([
    ["built-in and plugin tools", undefined],
    ["built-in tools and those of MCP servers", "notes"],
  ])(
    "[DHOOK-004] changes and blocks calls of %s, and checks changed parameters again",
    async (_, mcpServer) => {
      const calls: unknown[] = [];
      const { host } = await hostWith(
        {
          rules: [
            {
              ...{ name: "mask", points: ["beforeToolCall"] },
              replacements: [
                { pattern: "secret", replacement: "***" },
                { pattern: "long", replacement: "x".repeat(30) },
              ],
            },
            {
              name: "no-host",
              points: ["before_tool_call"],
              when: "forbidden",
              rejectReason: "not that",
            },
          ],
        },
        { neighbours: [tool(calls, mcpServer)] },
      );
      expect((await host.callTool("note", { text: "a secret" })).isError).toBe(false);
      expect(calls).toEqual([{ text: "a ***" }]);
      const stopped = await host.callTool("note", { text: "forbidden" });
      expect(stopped.isError).toBe(true);
      expect(stopped.text).toContain("not that (hook config::no-host)");
      expect((await host.callTool("echo", { message: "forbidden" })).isError).toBe(true);
      expect((await host.callTool("note", { text: "long" })).text).toMatch(/text/);
      expect(calls).toHaveLength(1);
    },
  );

  it("[DHOOK-004] asks for approval of the changed parameters, and sees an approved call once", async () => {
    const { host, set } = await hostWith(
      {
        rules: [
          {
            name: "safe",
            points: ["beforeToolCall"],
            replacements: [{ pattern: "--force", replacement: "--dry-run" }],
          },
        ],
      },
      { answer: () => "allow-once" },
    );
    await host.callTool("exec", { command: "echo push --force" });
    expect(JSON.stringify(host.questions)).toContain("echo push --dry-run");
    expect(JSON.stringify(host.questions)).not.toContain("--force");
    expect((await set.show("safe"))?.counts.matched).toBe(1);
  });

  it("[DHOOK-018] fails closed at tool calls and open elsewhere, unless its mode says otherwise", async () => {
    const failing = (name: string, point: string, fields: object = {}) => ({
      ...{ name, points: [point], action: { type: "shell", argv: ["/no/such/program"] } },
      ...fields,
    });
    const calls: unknown[] = [];
    const hooks = {
      hooks: [
        failing("closed", "beforeToolCall", { filter: { tool: "echo" } }),
        failing("open", "beforeToolCall", { filter: { tool: "note" }, mode: "open" }),
        failing("inbound", "beforeInbound", { filter: { sender: "ada" } }),
        failing("strict", "beforeInbound", { filter: { sender: "bob" }, mode: "closed" }),
      ],
      rules: [append("after", "!", { priority: "low" })],
    };
    const { host } = await hostWith(hooks, { neighbours: [tool(calls)] });
    expect((await host.callTool("echo", { message: "x" })).isError).toBe(true);
    expect((await host.callTool("note", { text: "x" })).isError).toBe(false);
    expect(await host.fire("message_receiving", inbound("x", "ada"))).toEqual({ content: "x!" });
    expect(await host.fire("message_receiving", inbound("x", "bob"))).toMatchObject({
      cancel: true,
    });
  });
});

describe("sessions and responses", () => {
  it("[DHOOK-005] only observe starts and ends of sessions, and report other answers", async () => {
    const rule = {
      name: "nosy",
      points: ["onSessionStart", "onSessionEnd"],
      when: "",
      rejectReason: "no",
    };
    const { host, set } = await hostWith(
      { rules: [rule] },
      { model: [{ text: "hello" }, { text: "again" }] },
    );
    expect((await host.turn("hi")).text).toBe("hello");
    await host.runCommand("/new");
    await expect.poll(async () => (await set.list()).problems.length).toBe(2);
    const { problems } = await set.list();
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("answered block at onSessionStart, where it has no effect"),
      expect.stringContaining("answered block at onSessionEnd, where it has no effect"),
    ]);
    expect(host.logs.some(({ message }) => message.includes("has no effect"))).toBe(true);
    expect((await host.turn("more")).text).toBe("again");
  });

  it("[DHOOK-006] changes a final reply once, before delivery hooks, and cannot block it", async () => {
    const { host, set } = await hostWith(
      {
        rules: [
          { name: "sign", points: ["transformResponse"], append: " -- bot" },
          {
            name: "stop",
            points: ["transformResponse"],
            when: "hello",
            rejectReason: "no",
            priority: "low",
          },
          { name: "out", points: ["beforeOutbound"], prepend: "> " },
        ],
      },
      { model: [{ text: "hello" }] },
    );
    await host.turn("hi");
    expect(host.sent.map(({ text }) => text)).toEqual(["> hello -- bot"]);
    expect((await set.show("sign"))?.counts.matched).toBe(1);
    const order = host.trace.map(({ hook }) => hook);
    expect(order.indexOf("transform_response")).toBeLessThan(order.indexOf("message_sending"));
    expect((await set.list()).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("answered block at transformResponse"),
    ]);
  });

  it("[DHOOK-007] gives path, type and size of a recording, channel and sender to the first hook with a text, and cannot block", async () => {
    const shell = (name: string, command: string, priority: string) => ({
      ...{ name, points: ["transcribeAudio"], priority, timeoutMs: 20_000 },
      action: { type: "shell", command },
    });
    const { host, set } = await hostWith(
      {
        hooks: [
          shell("no", "exit 2", "system"),
          shell("none", "true", "high"),
          shell("words", "printf 'said '; cat", "normal"),
          shell("later", "echo another", "low"),
        ],
      },
      { model: [{ text: "heard" }], files: { "note.ogg": "OggS, as it were" } },
    );
    const path = join(host.workspaceDir, "note.ogg");
    const attachment = { name: "note.ogg", path, mimeType: "audio/ogg", bytes: 16 };
    const reply = await host.receive({
      ...{ channel: "telegram", senderId: "ada", text: "listen", attachments: [attachment] },
    });
    expect(reply.text).toBe("heard");
    const prompt = JSON.stringify(host.modelRequests[0]?.prompt.at(-1));
    const transcript = /\[Transcript of note\.ogg\] said (\{[^}]*\})/.exec(
      prompt.replaceAll('\\"', '"'),
    )?.[1];
    expect(JSON.parse(transcript ?? "")).toMatchObject({
      ...{ point: "transcribeAudio", hook: "config::words", path, mime: "audio/ogg", size: 16 },
      ...{ channel: "telegram", sender: "ada" },
    });
    expect((await set.show("later"))?.counts.matched).toBe(0);
    expect((await set.list()).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("answered block at transcribeAudio, where it has no effect"),
    ]);
  });
});

interface TracedRun {
  readonly dispatches: readonly {
    readonly hook: string;
    readonly handlers: readonly { readonly label?: string; readonly durationMs?: number }[];
  }[];
}

describe("every run", () => {
  it("[DHOOK-012] [DHOOK-019] is traced at each point with hook, match, duration, outcome and a diff without secrets", async () => {
    const secret = "AKIAIOSFODNN7EXAMPLE";
    const runs: string[] = [];
    const calls: unknown[] = [];
    const points = Object.keys(POINTS);
    const reveal = (point: string) => ({
      ...{ name: `reveal-${point}`, points: [point] },
      replacements: [{ pattern: `${point}!`, replacement: secret }],
    });
    const { host, set } = await hostWith(
      {
        rules: [
          ...points.map(reveal),
          ...points.map((point) => ({
            ...{ name: `skipped-${point}`, points: [point], when: "", rejectReason: "no" },
            filter: { sender: "nobody" },
          })),
          { name: "words", points: ["transcribeAudio"], template: `the key ${secret}` },
        ],
      },
      {
        neighbours: [observer([], [], runs), tool(calls)],
        model: [
          { toolCalls: [{ toolName: "note", params: { text: "beforeToolCall!" } }] },
          { text: "transformResponse! beforeOutbound!" },
        ],
      },
    );
    await host.turn("beforeInbound!");
    const traceOf = async (runId: string | undefined): Promise<TracedRun> => {
      const body = JSON.stringify({ runId });
      const response = await host.request("/api/v1/hooks/trace", { method: "POST", body });
      return (await response.json()) as TracedRun;
    };
    const { dispatches } = await traceOf(runs[0]);
    const changed = [
      ["beforeInbound", "/content"],
      ["beforeToolCall", "/params/text"],
      ["transformResponse", "/content"],
      ["beforeOutbound", "/content"],
    ] as const;
    for (const [point, path] of changed) {
      const dispatch = dispatches.find(({ hook }) => hook === POINTS[point]);
      const shown = JSON.stringify(dispatch);
      expect(dispatch?.handlers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            label: `config::reveal-${point}`,
            outcome: "ok",
            durationMs: expect.any(Number),
            patch: [expect.objectContaining({ op: "replace", path })],
          }),
          expect.objectContaining({
            label: `config::skipped-${point}`,
            outcome: "skipped-condition",
          }),
        ]),
      );
      expect(shown).toContain("[REDACTED");
      expect(shown).not.toContain(secret);
      expect((await set.show(`reveal-${point}`))?.runs).toEqual([
        { at: expect.any(String), point, outcome: "modify", durationMs: expect.any(Number) },
      ]);
    }
    expect(JSON.stringify(dispatches)).not.toContain(secret);

    // These change no event: a session has no content, and a transcript is a result.
    await host.runCommand("/new");
    await host.fire("transcribe_audio", sampleEvent("transcribe_audio", {}));
    for (const point of ["onSessionStart", "onSessionEnd", "transcribeAudio"] as const) {
      await expect
        .poll(() => host.trace.filter(({ hook }) => hook === POINTS[point]).length)
        .toBeGreaterThan(0);
      const dispatch = host.trace.find(({ hook }) => hook === POINTS[point]);
      expect(dispatch?.handlers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            label: `config::reveal-${point}`,
            durationMs: expect.any(Number),
          }),
          expect.objectContaining({
            label: `config::skipped-${point}`,
            outcome: "skipped-condition",
          }),
        ]),
      );
      const shown = (await set.show(`reveal-${point}`))?.runs[0];
      expect(shown).toMatchObject({ point, outcome: "continue", durationMs: expect.any(Number) });
    }
    expect(dispatches.map(({ hook }) => hook)).toContain("session_start");
  });
});
