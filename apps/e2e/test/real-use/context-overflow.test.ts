import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at, SurfaceScene } from "../../src/surface-scene.js";

let scene: SurfaceScene;
beforeAll(async () => {
  scene = await SurfaceScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

const said = () => scene.model.requests.map(({ body }) => JSON.stringify(body.messages));

describe("a conversation that the provider finds too long", () => {
  it.each([
    [400, "Invalid request: Your request exceeded model token limit: 131072"],
    [413, "Request Entity Too Large"],
    [400, "Range of input length should be [1, 129024]"],
    [500, "the request exceeds the available context size, try increasing it"],
  ])("[LLM-200] is compacted and sent once more after HTTP %i: %s", async (status, message) => {
    await scene.host.runCommand("/new");
    scene.script({ text: "first answer" }, { text: "second answer" });
    await scene.host.turn("first question");
    await scene.host.turn("second question");
    scene.script({ status, message }, { text: "It fits now." });
    expect((await scene.host.turn("third question")).text).toBe("It fits now.");
    const [long, short] = said();
    expect(long).toContain("first question");
    expect(short).not.toContain("first question");
    expect(short).toContain("second answer");
    expect(short).toContain("third question");
  });

  it("[LLM-200] [LLM-202] ends the turn with the provider's numbers when it cannot be shorter", async () => {
    scene.script({ status: 400, message: "Your request exceeded model token limit: 131072" });
    const [reply] = await scene.tell("a very long message");
    expect(reply).toContain("Your request exceeded model token limit: 131072");
    expect(reply).toContain("shorten the conversation");
    expect(scene.model.requests).toHaveLength(1);
  });

  it("[LLM-200] is not one with too many tokens per minute, which is not sent again", async () => {
    const message = "Rate limit reached on tokens per min (TPM): Limit 30000, Requested 45000";
    scene.script({ status: 429, message });
    const response = await scene.post("/v1/chat/completions", {
      messages: [{ role: "user", content: "hello" }],
    });
    expect(response.status).toBe(429);
    expect(at(await response.json(), "error", "code")).toBe("model_rate_limited");
    expect(scene.model.requests).toHaveLength(1);
  });
});
