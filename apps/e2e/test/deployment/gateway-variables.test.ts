import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import {
  openclawProcess,
  startGatewayProcess,
  startWatchingProcess,
} from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const TOKEN = "token-of-the-environment-42";

describe("variables of the gateway", () => {
  it("[CHAN-027] give address and token of the listener, and the token is neither printed nor logged", async () => {
    using place = emptyPlace({ GATEWAY_HOST: "127.0.0.2", GATEWAY_AUTH_TOKEN: TOKEN });
    // The helper reads the token file, which a gateway with a configured token does not need.
    place.writeState({ "gateway.token": `${"unused-".repeat(5)}\n` });
    await using gateway = await startGatewayProcess(place);
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    const models = (token: string) =>
      fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
    expect((await models(TOKEN)).status).toBe(200);
    expect((await models(gateway.token)).status).toBe(401);
    const shown = await openclawProcess(
      ["config", "get", "gateway.auth.token", "--explain"],
      place,
    );
    expect(shown.stdout).toContain("GATEWAY_AUTH_TOKEN");
    const { stdout, stderr } = gateway.output();
    const logs = globSync("**/*.{log,jsonl}", { cwd: place.state });
    expect(logs.length).toBeGreaterThan(0);
    const written = logs.map((file) => readFileSync(join(place.state, file), "utf8"));
    for (const text of [stdout, stderr, shown.stdout, shown.stderr, ...written]) {
      expect(text).not.toContain(TOKEN);
    }
  });

  it("[CHAN-027] open no listener with GATEWAY_ENABLED=false, and the gateway runs and is stopped", async () => {
    using place = emptyPlace({ GATEWAY_ENABLED: "false" });
    await using gateway = startWatchingProcess(place, ["gateway", "run", "--port", "0"]);
    await gateway.says(/gateway stop/);
    const { stdout } = gateway.output();
    expect(stdout).toContain("none, because gateway.enabled is false");
    expect(stdout).not.toContain("http://");
    const status = await openclaw(["status", "--json"], place);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: { pid: expect.any(Number) } });
    expect(JSON.parse(status.stdout).running).not.toHaveProperty("url");
    expect(existsSync(join(place.state, "openclaw.db"))).toBe(true);
    expect(await openclaw(["gateway", "stop"], place)).toMatchObject({ exitCode: 0 });
  });
});
