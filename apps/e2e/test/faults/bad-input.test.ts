import { once } from "node:events";
import { createServer } from "node:net";
import { startChatServer } from "@openclaw/platform-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { type GatewayProcess, openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

describe("invalid plugin", () => {
  const broken = {
    "syntax-error": { code: "export default {{{", says: "index.ts" },
    "throwing-register": {
      code: 'export default () => { throw new Error("no network today"); };',
      says: "no network today",
    },
    "wrong-id": { code: "export default () => {};", says: "id", manifest: { id: 7 } },
  };

  it.each(Object.entries(broken))(
    "is named and does not stop the others: a %s",
    async (id, fault) => {
      using place = emptyPlace();
      place.installPlugin(id, fault.code, "manifest" in fault ? fault.manifest : { id });
      place.installPlugin("healthy", "export default () => {};");
      const chat = await openclaw(["chat", "-m", "what time is it"], place);
      expect(chat.exitCode).toBe(0);
      expect(chat.stdout).toMatch(/\d:\d/);
      const noted = chat.stderr.split("\n").filter((line) => line.includes(id));
      expect(noted).toHaveLength(1);
      expect(noted[0]).toContain(fault.says);
    },
  );
});

describe("invalid configuration", () => {
  const broken = [
    ["a syntax error", "{ gateway: { port: 18789, }", /openclaw\.json:\d+:\d+/, "JSON5"],
    ["an unknown key", "{ gatway: {} }", /openclaw\.json:1:3 gatway/, 'did you mean "gateway"?'],
    [
      "a wrong type",
      '{ gateway: { port: "high" } }',
      /openclaw\.json:1:14 gateway\.port/,
      "integer",
    ],
    [
      "a bad policy",
      '{ tools: { allow: ["a"], alsoAllow: ["b"] } }',
      /openclaw\.json:1/,
      "alsoAllow",
    ],
  ] as const;

  it.each(broken)(
    "with %s is rejected with exit code 78, location and next step",
    async (_, text, place_, says) => {
      using place = emptyPlace();
      place.writeState({ "openclaw.json": text });
      for (const args of [
        ["config", "validate"],
        ["chat", "-m", "hello"],
        ["gateway", "run"],
      ]) {
        const result = await openclaw(args, place);
        expect(result.exitCode, args.join(" ")).toBe(78);
        expect(result.stderr).toMatch(place_);
        expect(result.stderr).toContain(says);
        expect(result.stderr).not.toContain("    at ");
      }
    },
  );
});

describe("host that cannot start", () => {
  it("names the taken port", async () => {
    using place = emptyPlace();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const result = await openclawProcess(["gateway", "run", "--port", String(port)], place);
    other.close();
    expect(result.exitCode).toBe(75);
    expect(result.stderr).toContain(`port ${port}`);
    expect(result.stderr).toContain("--port");
  });

  it("names the gateway that already uses the state folder", async () => {
    using place = emptyPlace();
    await using gateway = await startGateway(place);
    const second = await openclawProcess(["gateway", "run", "--port", "0"], place);
    expect(second.exitCode).toBe(75);
    expect(second.stderr).toContain(String(gateway.pid));
  });

  it("names the state folder that it cannot create", async () => {
    using place = emptyPlace();
    place.writeState({ blocked: "a file" });
    const result = await openclawProcess(["gateway", "run", "--port", "0"], {
      ...place,
      environment: { OPENCLAW_STATE_DIR: `${place.state}/blocked/state` },
    });
    expect(result.exitCode).toBe(77);
    expect(result.stderr).toContain(`${place.state}/blocked/state`);
    expect(result.stderr).toContain("OPENCLAW_STATE_DIR");
  });

  it("names an unknown model and the nearest one", async () => {
    using place = emptyPlace();
    const result = await openclaw(["chat", "--model", "dem/echo", "-m", "hello"], place);
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toContain("dem/echo");
    expect(result.stderr).toContain("demo");
  });
});

describe("failing provider", () => {
  const apiKey = "test-key";
  const resources = new AsyncDisposableStack();
  let server: Awaited<ReturnType<typeof startChatServer>>;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    server = await startChatServer([], { apiKey });
    resources.defer(() => server.close());
    const place = resources.use(
      emptyPlace({ LLM_BASE_URL: server.baseURL, LLM_API_KEY: apiKey, LLM_MODEL: "large" }),
    );
    place.writeState({ "openclaw.json": "{ models: { retry: { retries: 0 } } }" });
    gateway = resources.use(await startGateway(place));
  });
  afterAll(() => resources[Symbol.asyncDispose]());

  const faults = [
    ["answers 500", { status: 500, message: "the model is down" }],
    ["answers garbage", { text: "hello", fault: { afterEvents: 1, kind: "garbage" as const } }],
    [
      "breaks the connection off",
      { text: "hello there", fault: { afterEvents: 1, kind: "reset" as const } },
    ],
  ] as const;

  it.each(faults)(
    "fails the turn with one error when it %s, and the next message is answered",
    async (user, fault) => {
      server.reply(fault, { text: "All is well again." });
      const ask = (content: string) =>
        fetch(`${gateway.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${gateway.token}`, "content-type": "application/json" },
          body: JSON.stringify({ model: "openclaw", user, messages: [{ role: "user", content }] }),
        });
      const failed = await ask("first question");
      expect(failed.status).toBeGreaterThanOrEqual(500);
      const { error } = (await failed.json()) as { error: { message: string; code: string } };
      expect(error.message).not.toBe("");
      expect(error.message).not.toContain(apiKey);
      expect(error.code).toMatch(/^model_/);

      const answered = await ask("second question");
      expect(answered.status).toBe(200);
      expect(JSON.stringify(await answered.json())).toContain("All is well again.");
      // The message whose turn failed is still part of the conversation.
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("first question");
    },
  );
});
