import { describe, expect, it } from "vitest";
import { SurfaceScene, type SurfaceSceneOptions } from "../../src/surface-scene.js";

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

  it("[TURN-201] is left out on a channel that shows the last text only", async () => {
    await using scene = await open({ telegram: { reply: "last" } });
    scene.script(...REPLIES, ...REPLIES);
    expect(await scene.tell("read it")).toEqual(["It says: a note."]);
    expect(await scene.completed("read it")).toBe(ALL);
  });
});
