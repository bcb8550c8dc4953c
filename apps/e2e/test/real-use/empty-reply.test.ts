import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { platformHost } from "../../src/proxies/platform-host.js";
import { PLATFORMS } from "../../src/proxies/platforms.js";
import { at, SurfaceScene } from "../../src/surface-scene.js";

let scene: SurfaceScene;
beforeAll(async () => {
  scene = await SurfaceScene.open({
    config: { tools: { allow: ["message", "read"] } },
    files: { "note.txt": "a note" },
  });
});
afterAll(() => scene[Symbol.asyncDispose]());

const EMPTY = [
  ["no text", {}],
  ["reasoning only", { thinking: "They greet me." }],
  ["white space only", { text: "\n \n" }],
  ["tags only", { text: "<think>They greet me.</think>" }],
  ["invisible characters only", { text: "\ufeff\u200b\u2800\u00ad\u3164\u202e" }],
] as const;

const call = (name: string, params: object) => ({
  toolCalls: [{ id: "c1", name, arguments: JSON.stringify(params) }],
});

describe("a model that gives an empty reply", () => {
  it.each(EMPTY)("[TURN-200] is asked once more: %s", async (_what, empty) => {
    scene.script(empty, { text: "Hello." }, empty, { text: "Hello." }, empty, { text: "Hello." });
    expect(await scene.completed("hello")).toBe("Hello.");
    expect(await scene.streamed("hello")).toBe("Hello.");
    expect(await scene.tell("hello")).toEqual(["Hello."]);
    expect(scene.model.requests).toHaveLength(6);
  });

  it.each(EMPTY)(
    "[TURN-200] fails the turn, and every surface reports it: %s",
    async (_what, empty) => {
      scene.script(...Array.from({ length: 12 }, () => empty));
      const messages = [{ role: "user", content: "hello" }];
      const completion = await scene.post("/v1/chat/completions", { messages });
      expect(completion.status).toBe(502);
      expect(at(await completion.json(), "error", "code")).toBe("empty_reply");
      const streamed = await scene.post("/v1/chat/completions", { messages, stream: true });
      expect(await streamed.text()).toContain('"code":"empty_reply"');
      const response = await scene.post("/v1/responses", { input: "hello" });
      expect(response.status).toBe(502);
      expect(at(await response.json(), "error", "code")).toBe("empty_reply");
      const body = { max_tokens: 99, messages };
      const message = await scene.post("/v1/messages", body);
      expect(message.status).toBe(502);
      expect(at(await message.json(), "error", "message")).toContain("gave no text");
      const events = await (await scene.post("/v1/messages", { ...body, stream: true })).text();
      expect(events).toContain("gave no text");
      expect(events).not.toContain("text_delta");
      const [notice] = await scene.tell("hello");
      expect(notice).toContain("gave no text");
      expect(notice).toContain("EMPTY_REPLY");
      expect(scene.model.requests).toHaveLength(12);
    },
  );

  it("[TURN-200] is asked once more after tool calls", async () => {
    scene.script(call("read", { path: "note.txt" }), {}, { text: "It says: a note." });
    expect(await scene.tell("read the note")).toEqual(["It says: a note."]);
    scene.script(call("read", { path: "note.txt" }), {}, {});
    expect((await scene.tell("read the note"))[0]).toContain("EMPTY_REPLY");
  });

  it("[TURN-200] may be silent after it wrote with the message tool", async () => {
    scene.script(call("message", { action: "send", text: "By tool." }), {});
    expect(await scene.tell("hello")).toEqual(["By tool."]);
    // The turn asks the model once more after the tool.
    await vi.waitFor(() => expect(scene.model.requests).toHaveLength(2));
    scene.script({ text: "Next." });
    expect(await scene.tell("hello")).toEqual(["Next."]);
    expect(scene.telegram.sent.filter(({ text }) => text.includes("EMPTY_REPLY"))).toHaveLength(
      EMPTY.length + 1,
    );
  });
});

it.each(Object.entries(PLATFORMS))(
  "[TURN-200] a person on %s is told of an empty reply",
  async (_name, startPlatform) => {
    const host = platformHost();
    const platform = await startPlatform(host.inbound);
    await host.start(platform, { model: [{ text: "" }, { text: "\u200b" }] });
    expect(await platform.exchange()).toContain("gave no text");
  },
);
