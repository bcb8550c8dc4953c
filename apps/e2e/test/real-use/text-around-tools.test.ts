import { describe, expect, it } from "vitest";
import { at, SurfaceScene, type SurfaceSceneOptions } from "../../src/surface-scene.js";

const open = (options: SurfaceSceneOptions = {}) =>
  SurfaceScene.open({ files: { "note.txt": "a note" }, ...options });

const call = {
  toolCalls: [{ id: "c1", name: "read", arguments: JSON.stringify({ path: "note.txt" }) }],
};
const REPLIES = [
  { text: "Let me look that up…", ...call },
  { text: "One more place.", ...call },
  { text: "It says: a note." },
];
const TEXTS = ["Let me look that up…", "One more place.", "It says: a note."];
const ALL = TEXTS.join("\n\n");

const MESSAGE = { max_tokens: 99, messages: [{ role: "user", content: "read it" }] };

async function messageText(scene: SurfaceScene): Promise<unknown> {
  return at(await (await scene.post("/v1/messages", MESSAGE)).json(), "content", 0, "text");
}

async function streamedMessageText(scene: SurfaceScene): Promise<string> {
  const response = await scene.post("/v1/messages", { ...MESSAGE, stream: true });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => at(JSON.parse(line.slice(6)), "delta", "text") ?? "").join("");
}

describe("text around tool calls", () => {
  it("[TURN-201] is part of the reply on every surface", async () => {
    await using scene = await open();
    scene.script(...REPLIES, ...REPLIES, ...REPLIES, ...REPLIES, ...REPLIES);
    expect(await scene.completed("read it")).toBe(ALL);
    expect(await scene.streamed("read it")).toBe(ALL);
    expect(await scene.responded("read it")).toEqual(TEXTS);
    expect((await scene.host.turn("read it")).text).toBe(ALL);
    expect(await scene.tell("read it")).toEqual([ALL]);
  });

  it.each([
    ["blank text", [{ text: " \n", ...call }, { text: "Done." }], ["Done."]],
    ["invisible text", [{ text: "\u200b", ...call }, { text: "Done." }], ["Done."]],
    [
      "no text between",
      [{ text: "First.", ...call }, call, { text: "Done." }],
      ["First.", "Done."],
    ],
    ["the same text", [{ text: "Same.", ...call }, { text: "Same." }], ["Same.", "Same."]],
    [
      "a beginning",
      [{ text: "Hello", ...call }, { text: "Hello world" }],
      ["Hello", "Hello world"],
    ],
    [
      "reasoning in tags",
      [{ text: "<think>a</think>First.", ...call }, { text: "<think>b</think>Done." }],
      ["First.", "Done."],
    ],
    ["an empty reply", [{ text: "First.", ...call }, {}, { text: "Done." }], ["First.", "Done."]],
  ])("[TURN-201] is the same on every surface: %s", async (_what, replies, texts) => {
    await using scene = await open();
    const all = texts.join("\n\n");
    const next = () => scene.script(...replies);
    next();
    expect(await scene.completed("read it")).toBe(all);
    next();
    expect(await scene.streamed("read it")).toBe(all);
    next();
    expect(await scene.responded("read it")).toEqual(texts);
    next();
    expect(await messageText(scene)).toBe(all);
    next();
    expect(await streamedMessageText(scene)).toBe(all);
    next();
    expect(await scene.tell("read it")).toEqual([all]);
  });

  it("[TURN-201] is left out on a channel that shows the last text only", async () => {
    await using scene = await open({ telegram: { reply: "last" } });
    scene.script(...REPLIES, ...REPLIES);
    expect(await scene.tell("read it")).toEqual(["It says: a note."]);
    expect(await scene.completed("read it")).toBe(ALL);
  });
});
