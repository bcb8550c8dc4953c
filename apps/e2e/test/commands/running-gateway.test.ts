import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import type { GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

let place: Place;
let gateway: GatewayProcess;

const PLUGIN = `export default { id: "greeter", register(api) {
  api.registerTool({ name: "greet", description: "Greets.", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "hello" }] }) });
} };`;

beforeAll(async () => {
  place = emptyPlace();
  place.writeWorkspace({
    "package.json": '{ "version": "9.9.9" }',
    "greeter/openclaw.plugin.json": JSON.stringify({ id: "greeter", entry: "index.ts" }),
    "greeter/index.ts": PLUGIN,
  });
  gateway = await startGateway(place, ["--plugin", join(place.workspace, "greeter")]);
});

afterAll(async () => {
  await gateway?.end("SIGTERM");
  place?.[Symbol.dispose]();
});

describe("commands while a gateway is running", () => {
  it("[GW-008] chat shows the tools and the reply of the gateway, and ends with its exit code", async () => {
    const chat = await openclaw(["chat", "-m", "read package.json"], place);
    expect(chat.exitCode).toBe(0);
    expect(chat.stdout).toContain("9.9.9");
    expect(chat.stderr).toMatch(/→ read \{"path":"package\.json"\}\n✓ read \(\d+ ms\)/);
    const json = await openclaw(["chat", "--json", "-m", "what time is it"], place);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      text: expect.stringMatching(/\d:\d/),
    });
    const odd = await openclaw(["chat", "--model", "demo/ecko", "-m", "hello"], place);
    expect(odd.exitCode).toBe(1);
    expect(odd.stderr).toContain("demo/ecko");
  });

  it("[GW-950] chat with a plugin names the ways to load it, since the gateway hosts the agent", async () => {
    const { exitCode, stderr } = await openclaw(["chat", "--plugin", "x", "-m", "hello"], place);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("a gateway is running (process ");
    expect(stderr).toMatch(/end it with `\S.* gateway stop` and repeat this command/);
    expect(stderr).toMatch(/or pass them to `\S.* gateway run`/);
  });

  it("[GW-951] config patch says how a file is passed when its argument is not JSON5", async () => {
    const { exitCode, stderr } = await openclaw(["config", "patch", "patch.json5"], place);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("pipe a file: `config patch - < patch.json5`");
  });

  it("[GW-026] plugins list describes the gateway, not the process of the command", async () => {
    const list = async () => {
      const { stdout } = await openclaw(["plugins", "list", "--json"], place);
      return JSON.parse(stdout) as { generation: number };
    };
    const before = await list();
    // Only the gateway was given the plugin.
    expect(before).toMatchObject({
      plugins: expect.arrayContaining([
        expect.objectContaining({ id: "greeter", status: "loaded", enabled: true }),
      ]),
    });
    expect((await openclaw(["plugins", "reload"], place)).exitCode).toBe(0);
    expect((await list()).generation).toBe(before.generation + 1);
    const read = await openclaw(["plugins", "inspect", "greeter", "--json"], place);
    expect(JSON.parse(read.stdout)).toMatchObject({ registered: { toolNames: ["greet"] } });
  });

  it("[GW-043] gateway call calls a method with JSON, and prints its result as JSON", async () => {
    const read = await openclaw(
      ["gateway", "call", "chat.history", '{"sessionKey":"main"}'],
      place,
    );
    expect(read.exitCode).toBe(0);
    expect(JSON.parse(read.stdout)).toMatchObject({ sessionKey: "agent:main:main" });
    expect(read.stdout.split("\n").length).toBeGreaterThan(5);
    const call = ["gateway", "call", "chat.send", "-", "--json", "--idempotency-key", "one"];
    const input = '{"sessionKey":"main","text":"hello"}';
    const sent = await openclaw(call, { ...place, input });
    const again = await openclaw(call, { ...place, input });
    expect(sent.stdout).toMatch(/^\{"messageId":.*\}\n$/);
    expect(JSON.parse(again.stdout)).toMatchObject({
      messageId: (JSON.parse(sent.stdout) as { messageId: string }).messageId,
    });
    const changed = await openclaw(call, { ...place, input: input.replace("hello", "bye") });
    expect(changed.exitCode).toBe(3);
    expect(changed.stderr).toContain("idempotency key");
  });

  it.each([
    [["chat.histry"], 4, "did you mean chat.history?"],
    [["chat.history", "{}"], 2, "sessionKey"],
    [["chat.history", "{"], 2, "not usable as JSON"],
    [["chat.history", "[]"], 2, "must be a JSON object"],
  ])("[GW-044] gateway call %j ends with %i", async (args, exitCode, says) => {
    const result = await openclaw(["gateway", "call", ...args], place);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(says);
  });

  it("[GW-044] gateway call ends with 69 without a gateway", async () => {
    using empty = emptyPlace();
    const result = await openclaw(["gateway", "call", "plugins.list"], empty);
    expect(result.exitCode).toBe(69);
    expect(result.stderr).toContain("openclaw gateway run");
  });
});
