import type { ModelServerReplySource } from "@openclaw/platform-fakes";
import { describe, expect, it, vi } from "vitest";
import { SurfaceScene } from "../../src/surface-scene.js";

/** Accepts a request and never answers. */
const NEVER: ModelServerReplySource = ({ hungUp }) => ({
  text: "never",
  hold: { afterEvents: 0, until: hungUp },
});

const asked = (scene: SurfaceScene, count: number) =>
  vi.waitFor(() => expect(scene.model.requests).toHaveLength(count), 60_000);

describe("a provider that never answers", () => {
  it("[LLM-044] keeps a caller for 60 s, and the stream shows that it waits", async () => {
    await using scene = await SurfaceScene.open();
    scene.script(NEVER);
    const messages = [{ role: "user", content: "hello" }];
    const response = await scene.post("/v1/chat/completions", { messages, stream: true });
    const body = response.text();
    await asked(scene, 1);
    await scene.host.advance(60_000);
    const text = await body;
    expect(text).toContain("openai-compatible/large has not answered for 10 s, at most 60 s");
    expect(text).toContain("has not answered for 50 s");
    expect(text).toContain('"code":"model_timeout"');
    expect(text).toContain("models.failover.firstResponseMs");
    await scene.model.requests[0]?.hungUp;
  });

  it("[LLM-044] is reported on a channel, in the same time", async () => {
    await using scene = await SurfaceScene.open();
    scene.script(NEVER);
    const notice = scene.tell("hello");
    await asked(scene, 1);
    await scene.host.advance(60_000);
    expect((await notice)[0]).toContain("no response within 60 s");
  });

  it("[LLM-044] is replaced by the next model", async () => {
    await using scene = await SurfaceScene.open({ fallbacks: ["openai-compatible/spare"] });
    scene.script(NEVER, { text: "from the spare one" });
    const reply = scene.host.turn("hello");
    await asked(scene, 1);
    await scene.host.advance(60_000);
    expect((await reply).text).toBe("from the spare one");
  });
});
