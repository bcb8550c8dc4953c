import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openComponent } from "../src/testing/index.js";

const example = (name: string) =>
  fileURLToPath(new URL(`../examples/${name}/${name}.wasm`, import.meta.url));

describe("example components", () => {
  it("[WASM-513] [WASM-001] the unit converter needs no capability", async () => {
    await using converter = await openComponent(example("unit-converter"));
    expect(converter.permissions).toEqual([]);
    expect(converter.prepared.tool?.schema).toMatchObject({ required: ["value", "from", "to"] });
    const convert = async (value: number, from: string, to: string) =>
      (await converter.execute({ value, from, to })).value;
    for (const [value, from, to, result] of [
      [3, "mi", "km", 4.828032],
      [100, "C", "F", 212],
      [0, "K", "C", -273.15],
      [2, "lb", "g", 907.18474],
      [1e-3, "mm", "km", 1e-9],
    ] as const) {
      const output = JSON.stringify({ value: result, unit: to });
      expect(await convert(value, from, to)).toMatchObject({ output });
    }
    expect(await convert(1, "km", "kg")).toMatchObject({
      error: "km is a unit of length, and kg one of mass",
    });
    const [one, other] = [await converter.execute({}), await converter.execute({})];
    expect(one.value).toMatchObject({
      error: expect.stringMatching(/^unknown unit; known are mm/),
    });
    expect(one.fuel).toBe(other.fuel);
  });

  it("[WASM-513] [WASM-027] the tool for issues sends its credential to GitHub only, and does not see it", async () => {
    let body: unknown = [{ number: 7, title: 'A "quoted" title', user: { login: "alice" } }];
    let status = 200;
    await using issues = await openComponent(example("open-issues"), {
      secrets: { github_token: "token-of-github" },
      respond: () => Response.json(body, { status }),
    });
    expect(issues.permissions).toEqual([
      "requests: GET https://api.github.com/repos/",
      "secret github_token: sent as bearer token to api.github.com",
    ]);
    const list = async (repository: string) =>
      (await issues.execute({ repository, count: 5 })).value;
    expect(await list("openclaw/openclaw")).toMatchObject({
      output: JSON.stringify([{ number: 7, title: 'A "quoted" title', author: "alice" }]),
    });
    const [request] = issues.requests;
    expect(request?.url).toBe(
      "https://api.github.com/repos/openclaw/openclaw/issues?state=open&per_page=5",
    );
    expect(request?.headers.get("authorization")).toBe("Bearer token-of-github");
    body = { message: "token-of-github is wrong" };
    for (const [code, text] of [
      [404, "does not exist, or the token may not read it"],
      [500, "GitHub answered with the status 500"],
    ] as const) {
      status = code;
      expect(await list("a/b")).toMatchObject({ error: expect.stringContaining(text) });
    }
    // A path that leaves the prefix is refused before anything is sent.
    expect(await list("../../user")).toMatchObject({
      error:
        "the request failed: PathNotAllowed: the capabilities of the component do not allow this request",
    });
    expect(issues.requests).toHaveLength(3);
  });

  it("[WASM-513] [WASM-004] the letterbox brings letters to the agent, and answers to a URL", async () => {
    await using letterbox = await openComponent(example("letterbox"), {
      respond: () => new Response(null, { status: 204 }),
    });
    const config = JSON.stringify({ reply_url: "https://letters.example.com/answers" });
    expect((await letterbox.call("onStart", config)).value).toMatchObject({
      displayName: "Letterbox",
      httpEndpoints: [{ path: "/webhook/letterbox", methods: ["POST"], requireSecret: true }],
    });
    const post = (body: object) =>
      letterbox.call("onHttpRequest", {
        ...{ method: "POST", path: "/webhook/letterbox", headersJson: "{}", queryJson: "{}" },
        ...{ body: Buffer.from(JSON.stringify(body)), secretValidated: true },
      });
    const received = await post({ from: "alice", text: "Grüße \u{1f600}", thread: "t1" });
    expect(received.value).toMatchObject({ status: 202 });
    expect(received.emitted).toMatchObject([
      {
        ...{ userId: "alice", content: "Grüße \u{1f600}", threadId: "t1" },
        metadataJson: '{"to":"alice"}',
      },
    ]);
    expect((await post({ from: "alice" })).value).toMatchObject({ status: 400 });
    // What is quoted is twice as long, and is quoted once more on its way back.
    const long = 'say "\\n"\n'.repeat(700);
    const kept = await post({ from: long, text: long, thread: long });
    expect(kept.emitted).toMatchObject([{ userId: long, content: long, threadId: long }]);
    await letterbox.call("onRespond", {
      ...{ messageId: "0", content: long, threadId: long, metadataJson: '{"to":"alice"}' },
    });
    expect(await letterbox.requests.shift()?.json()).toMatchObject({ thread: long, text: long });
    await letterbox.call("onRespond", {
      ...{ messageId: "1", content: "Hello", threadId: "t1", metadataJson: '{"to":"alice"}' },
    });
    const [answer] = letterbox.requests;
    expect(await answer?.json()).toEqual({ to: "alice", thread: "t1", text: "Hello" });
    await expect(letterbox.call("onStart", "{}")).resolves.toMatchObject({ emitted: [] });
    await letterbox.call("onShutdown");
    expect(letterbox.logs).toEqual(["info: the letterbox is closed"]);
  });
});
