import { describe, expect, it } from "vitest";
import { at, SurfaceScene } from "../../src/surface-scene.js";

const HOUR = 3_600_000;

describe("a provider that states an absurd wait", () => {
  it.each([
    ["retry-after", "1895878029"],
    ["retry-after", "1895878029000"],
    ["retry-after", "Fri, 31 Dec 2083 23:59:59 GMT"],
    ["retry-after", "99999999"],
    ["retry-after-ms", "1895878029000"],
  ])("[LLM-019] [LLM-201] is called again within the hour: %s %s", async (name, value) => {
    await using scene = await SurfaceScene.open({ fallbacks: ["openai-compatible/spare"] });
    scene.script(
      { status: 429, message: "slow down", headers: { [name]: value } },
      { text: "from the spare one" },
      { text: "from the spare one" },
      { text: "from the preferred one" },
    );
    expect((await scene.host.turn("one")).text).toBe("from the spare one");
    await scene.host.advance(HOUR - 60_000);
    expect((await scene.host.turn("two")).text).toBe("from the spare one");
    await scene.host.advance(60_000);
    expect((await scene.host.turn("three")).text).toBe("from the preferred one");
    const asked = scene.model.requests.map(({ body }) => body.model);
    expect(asked).toEqual(["large", "spare", "spare", "large"]);
  });

  it("[LLM-201] is reported to clients with a wait of at most a day", async () => {
    await using scene = await SurfaceScene.open();
    scene.script({
      ...{ status: 429, message: "slow down", headers: { "retry-after": "1895878029" } },
    });
    const messages = [{ role: "user", content: "hello" }];
    const response = await scene.post("/v1/chat/completions", { messages });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
    expect(at(await response.json(), "error", "message")).toContain("try again in 86400 s");
  });
});
