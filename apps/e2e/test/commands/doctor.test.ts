import { chmodSync, mkdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  readonly hint?: string;
}

/** Runs doctor and returns its checks by name. */
async function examine(
  place: Place,
  ...args: string[]
): Promise<{ exitCode: number | null; repaired: string[]; checks: Map<string, Check> }> {
  const { stdout, exitCode } = await openclaw(["doctor", "--json", ...args], place);
  const { checks, repaired } = JSON.parse(stdout) as { checks: Check[]; repaired: string[] };
  return { exitCode, repaired, checks: new Map(checks.map((check) => [check.name, check])) };
}

describe("openclaw doctor", () => {
  it("[GW-046] [HOST-036] checks a fresh installation: runtime, files, configuration, database, secrets, port, plugins and model", async () => {
    using place = emptyPlace({ OPENCLAW_PORT: "0" });
    place.writeState({ "openclaw.json": "{}" });
    chmodSync(join(place.state, "openclaw.json"), 0o600);
    const { exitCode, checks } = await examine(place);
    expect(exitCode).toBe(0);
    for (const name of [
      "runtime",
      "state",
      "state-mode",
      "file-mode",
      "disk",
      "clock",
      "config",
      "database",
      "secrets",
      "port",
      "plugin:openai",
      "model",
    ]) {
      expect(checks.get(name), name).toMatchObject({ status: "ok" });
    }
    expect(checks.get("sandbox")?.status).not.toBe("fail");
    const { stdout } = await openclaw(["doctor"], place);
    expect(stdout).toMatch(/^ok {3}runtime: Node\.js/m);
    expect(stdout).toMatch(/\d+ ok, \d+ warnings, 0 failures\n$/);
  });

  it("[GW-046] [HOST-036] repairs permissions with --fix, prints each repair, and exits with 3 while a failure remains", async () => {
    using place = emptyPlace({ OPENCLAW_PORT: "0" });
    place.writeState({ "openclaw.json": '{ agents: { defaults: { model: "openai/gpt-4o" } } }' });
    place.installPlugin("broken", "throw new Error('not today');");
    place.installPlugin("strict", "export default { id: 'strict', register() {} };", {
      id: "strict",
      configSchema: { type: "object", required: ["key"], properties: { key: { type: "string" } } },
    });
    const file = join(place.state, "openclaw.json");
    chmodSync(file, 0o644);
    chmodSync(place.state, 0o755);
    const before = await examine(place);
    expect(before.exitCode).toBe(3);
    expect(before.checks.get("state-mode")).toMatchObject({
      status: "warn",
      hint: `run \`chmod 700 ${place.state}\``,
    });
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const { exitCode, repaired, checks } = await examine(place, "--fix");
    expect(exitCode).toBe(3);
    expect(repaired).toEqual([`chmod 700 ${place.state} (was 755)`, `chmod 600 ${file} (was 644)`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(place.state).mode & 0o777).toBe(0o700);
    expect(checks.get("state-mode")?.status).toBe("ok");
    expect(checks.get("plugin:broken")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("not today"),
    });
    expect(checks.get("plugin:strict")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("key"),
    });
    expect(checks.get("model")).toMatchObject({
      status: "fail",
      hint: expect.stringContaining("OPENAI_API_KEY"),
    });
  });

  it("[GW-046] reports every error of the configuration with the validator of config validate", async () => {
    using place = emptyPlace();
    place.writeState({ "openclaw.json": "{ tolls: {},\n  logging: { level: 'loud' } }" });
    const { stdout, exitCode } = await openclaw(["doctor", "--json"], place);
    expect(exitCode).toBe(3);
    const { checks } = JSON.parse(stdout) as { checks: Check[] };
    const messages = checks.filter(({ name }) => name === "config").map(({ message }) => message);
    const validated = await openclaw(["config", "validate"], place);
    expect(validated.exitCode).toBe(78);
    const errors = validated.stderr
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^error: /, ""));
    expect(messages).toEqual(errors);
    expect(errors).toHaveLength(2);
  });

  it("[HOST-036] finds a taken port, a missing secret and a damaged database", async () => {
    using place = emptyPlace();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    place.writeState({
      "openclaw.json": `{ gateway: { port: ${port}, auth: { token: "\${secret:GATE}" } } }`,
      "openclaw.db": "this is not a database, but it is long enough to be read as one".repeat(200),
    });
    const { exitCode, checks } = await examine(place);
    server.close();
    expect(exitCode).toBe(3);
    expect(checks.get("port")).toMatchObject({
      status: "fail",
      message: expect.stringContaining(String(port)),
    });
    expect(checks.get("database")?.status).toBe("fail");
    expect(checks.get("secrets")?.status).toBe("fail");
  });

  it("[HOST-036] calls the model once with --deep", async () => {
    using place = emptyPlace({ OPENCLAW_PORT: "0" });
    const { checks, exitCode } = await examine(place, "--deep");
    expect(exitCode).toBe(0);
    expect(checks.get("model")?.message).toBe("demo/echo answered");
  });

  it("[GW-046] describes the running gateway and its plugins", async () => {
    using place = emptyPlace();
    mkdirSync(place.state, { recursive: true });
    await using gateway = await startGateway(place);
    const { checks, exitCode } = await examine(place);
    expect(exitCode).toBe(0);
    expect(checks.get("gateway")?.message).toContain(gateway.url);
    expect(checks.has("port")).toBe(false);
    expect(checks.get("plugin:openai")?.status).toBe("ok");
  });
});
