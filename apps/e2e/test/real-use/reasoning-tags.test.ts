import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SurfaceScene } from "../../src/surface-scene.js";

let scene: SurfaceScene;
beforeAll(async () => {
  scene = await SurfaceScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

const REPLIES: readonly (readonly [what: string, said: string, shown: string])[] = [
  [
    "a mention in prose",
    "Put it between <think> and </think>, or <reasoning> and the end.",
    "Put it between <think> and </think>, or <reasoning> and the end.",
  ],
  [
    "a tag in code",
    "Write `<think>` or:\n```\n<thinking>\nx\n</thinking>\n```\nDone.",
    "Write `<think>` or:\n```\n<thinking>\nx\n</thinking>\n```\nDone.",
  ],
  ["an unclosed tag", "<think>\nI never stop", "<think>\nI never stop"],
  ["other tags", "<final>42</final>", "<final>42</final>"],
  ["a block", "<THINK>They greet me.</THINK>\n\nHello.", "Hello."],
  ["a block in the middle", "One.\n<thinking>and</thinking>\nTwo.", "One.\n\nTwo."],
];

describe("a reply with reasoning tags", () => {
  it.each(REPLIES)("[LLM-037] is the same on every surface: %s", async (_what, said, shown) => {
    scene.script({ text: said }, { text: said }, { text: said }, { text: said });
    expect(await scene.completed("hello")).toBe(shown);
    expect(await scene.streamed("hello")).toBe(shown);
    expect(await scene.responded("hello")).toEqual([shown]);
    expect((await scene.host.turn("hello")).text).toBe(shown);
  });
});
