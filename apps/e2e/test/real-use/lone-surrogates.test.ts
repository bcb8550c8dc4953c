import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { wellFormed } from "@openclaw/foundation";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { openStore } from "@openclaw/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SurfaceScene } from "../../src/surface-scene.js";

/** Half of an emoji, which is not valid in UTF-8; strict providers and the server of the tests reject it. */
const HALF = "\ud83d";
const OTHER_HALF = "\ude00";
const FACE = HALF + OTHER_HALF;

const broken = definePluginEntry({
  id: "broken",
  register(api) {
    api.registerTool({
      name: "look",
      description: `Looks around ${HALF}.`,
      parameters: { type: "object", properties: { [`at${HALF}`]: { type: "string" } } },
      execute: () => ({
        content: [{ type: "text", text: `a view ${HALF}` }],
        details: { [`key${HALF}`]: `value ${HALF}` },
      }),
    });
    api.registerTool({
      name: "fall",
      description: "Falls.",
      parameters: { type: "object" },
      execute() {
        throw new Error(`fell ${HALF}`);
      },
    });
    api.on("before_prompt_build", () => ({ appendContext: `context ${HALF}` }));
  },
});

let scene: SurfaceScene;
beforeAll(async () => {
  scene = await SurfaceScene.open({ neighbours: [broken] });
});
afterAll(() => scene[Symbol.asyncDispose]());

const call = (name: string, rawArguments: string) => ({
  toolCalls: [{ id: `c${HALF}`, name, arguments: rawArguments }],
});

/** Expects that the session still works, whatever it contains by now. */
async function expectWhole(session: SurfaceScene = scene): Promise<void> {
  session.script({ text: "Still here." });
  expect((await session.host.turn("and now?")).text).toBe("Still here.");
}

/** Runs a host with the store of a file. */
async function withStore(file: string, work: (scene: SurfaceScene) => Promise<void>) {
  const store = await openStore({ file });
  const opened = await SurfaceScene.open({ store });
  try {
    await work(opened);
  } finally {
    await opened[Symbol.asyncDispose]();
    await store.close();
  }
}

describe("half of a character", () => {
  it("[LLM-203] [TURN-202] in a message does not break the session", async () => {
    scene.script({ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" });
    expect((await scene.host.turn(`hello ${HALF}`)).text).toBe("one");
    const content = `hello ${HALF}`;
    expect(await scene.completed(content)).toBe("two");
    expect(await scene.responded(content)).toEqual(["three"]);
    expect(await scene.tell(content)).toEqual(["four"]);
    const last = JSON.stringify(scene.model.requests.at(-1)?.body.messages);
    expect(last).toContain("hello \ufffd");
    await expectWhole();
  });

  it("[LLM-203] in names, captions, earlier messages and results of a client does not break the request", async () => {
    scene.script({ text: "fine" }, { text: "fine" });
    const response = await scene.post("/v1/chat/completions", {
      user: `user ${HALF}`,
      stop: [`stop ${HALF}`],
      messages: [
        { role: "system", content: `system ${HALF}` },
        { role: "user", content: "weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "c1",
              type: "function",
              function: { name: "weather", arguments: `{"city": "${"\\ud83d"}"}` },
            },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: `rain ${HALF}` },
        { role: "user", content: [{ type: "text", text: `caption ${HALF}` }] },
      ],
      tools: [
        {
          type: "function",
          function: { name: "weather", description: `Weather ${HALF}`, parameters: {} },
        },
      ],
    });
    expect(response.status).toBe(200);
    await expectWhole();
  });

  it("[LLM-203] [TURN-202] in the output, details and failure of a tool, and in the arguments of a model, does not break the session", async () => {
    scene.script(call("look", '{"at": "\\ud83d"}'), call("fall", "{}"), call(`no${HALF}ne`, "{}"), {
      text: `done ${HALF}`,
    });
    expect((await scene.host.turn("look")).text).toBe("done \ufffd");
    const sent = scene.model.requests.map(({ text }) => text).join("\n");
    expect(sent).toContain("a view \ufffd");
    expect(sent).toContain("fell \ufffd");
    expect(sent).toContain("context \ufffd");
    await expectWhole();
  });

  it("[TURN-202] in a reply does not reach a channel", async () => {
    scene.script({ text: `reply ${HALF}` });
    expect(await scene.tell("hello")).toEqual(["reply \ufffd"]);
  });

  it("[TURN-202] from a hook that rewrites replies does not reach a client or a channel", async () => {
    const rewriting = definePluginEntry({
      id: "rewriting",
      register(api) {
        api.on("transform_response", ({ content }) => ({ content: `${content} ${HALF}` }));
        api.on("message_sending", ({ content }) => ({ content: `${content} ${OTHER_HALF}` }));
        api.registerCommand({
          name: "half",
          description: "Answers with half of a character.",
          handler: () => ({ text: HALF }),
        });
      },
    });
    await using rewritten = await SurfaceScene.open({ neighbours: [rewriting] });
    rewritten.script(...Array.from({ length: 4 }, () => ({ text: "reply" })));
    const expected = "reply \ufffd \ufffd";
    expect(await rewritten.completed("hello")).toBe(expected);
    expect(await rewritten.responded("hello")).toEqual([expected]);
    expect(await rewritten.tell("hello")).toEqual([expected]);
    expect((await rewritten.host.turn("hello")).text).toBe(expected);
    expect((await rewritten.host.runCommand("/half")).text).toBe("\ufffd \ufffd");
  });

  it("[TURN-890] is not made by a stream that divides a character", async () => {
    // The server sends six code units at a time, so that some parts end within a character.
    const text = `a ${FACE} b `.repeat(20).trim();
    const requests = [
      ["/v1/chat/completions", { messages: [{ role: "user", content: "hello" }] }],
      ["/v1/responses", { input: "hello" }],
      ["/v1/messages", { max_tokens: 99, messages: [{ role: "user", content: "hello" }] }],
    ] as const;
    for (const [path, body] of requests) {
      scene.script({ text, thinking: text });
      const lines = (await (await scene.post(path, { ...body, stream: true })).text()).split("\n");
      const events = lines
        .filter((line) => line.startsWith("data: {"))
        .map((line) => line.slice(6));
      expect(events.length).toBeGreaterThan(5);
      for (const event of events) expect(wellFormed(JSON.parse(event))).toEqual(JSON.parse(event));
    }
    scene.script({ text });
    expect(await scene.streamed("hello")).toBe(text);
  });

  it("[TURN-202] that an earlier version stored is repaired when the session is read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "half-"));
    const file = join(folder, "state.db");
    await withStore(file, async (before) => {
      before.script(call("session_status", '{"sessionKey": "MARK"}'), { text: "MARK" });
      await before.host.turn("MARK");
    });
    const database = new DatabaseSync(file, { timeout: 10_000 });
    database.exec("update transcript set message = replace(message, 'MARK', '\\ud83d')");
    const rows = database.prepare("select message from transcript").all();
    expect(JSON.stringify(rows)).toContain("ud83d");
    database.close();
    await withStore(file, async (after) => {
      await expectWhole(after);
      expect(after.model.requests[0]?.text).toContain("\ufffd");
    });
    await rm(folder, { recursive: true });
  });
});
