import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclawProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const HANGING = `
export default {
  register(api) {
    api.on("gateway_pre_stop", () => new Promise(() => {}));
  },
};
`;

const REFUSING = `
export default {
  register(api) {
    api.on("gateway_pre_start", () => { throw new Error("the licence has expired"); }, { mode: "fail-closed" });
  },
};
`;

describe("gateway process that cannot start", () => {
  it("[GW-001] [HOST-002] names the step and the cause, and exits with 78 for the configuration and 1 otherwise", async () => {
    using place = emptyPlace();
    place.writeState({ "openclaw.json": "{ gateway: { prot: 1 } }" });
    const invalid = await openclawProcess(["run", "--port", "0"], place);
    expect(invalid.exitCode).toBe(78);
    expect(invalid.stderr).toContain('the start failed at the step "configuration"');
    expect(invalid.stderr).toContain("gateway.prot");
    place.writeState({ "openclaw.json": "{}" });
    place.installPlugin("guard", REFUSING);
    const refused = await openclawProcess(["gateway", "run", "--port", "0"], place);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('the start failed at the step "gateway_pre_start"');
    expect(refused.stderr).toContain("the licence has expired");
  });

  it("[GW-001] uses the folder, the file and the address of its options", async () => {
    using place = emptyPlace();
    using other = emptyPlace();
    place.writeWorkspace({ "other.json": "{ agents: { defaults: { model: 'demo/echo' } } }" });
    const args = ["--config", "other.json", "--state-dir", other.state, "--bind", "127.0.0.1"];
    // The helper reads the token of the state folder that the option names; the variable names another one.
    const environment = { OPENCLAW_STATE_DIR: place.state };
    const { workspace } = place;
    const there = { workspace, state: other.state, environment };
    await using gateway = await startGatewayProcess(there, args);
    expect(gateway.output().stdout).toContain("demo/echo (agents.defaults.model");
    expect(existsSync(join(other.state, "openclaw.db"))).toBe(true);
    expect(existsSync(join(place.state, "openclaw.db"))).toBe(false);
    const wrong = await openclawProcess(["run", "--bind", "everywhere"], place);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("IP address")]);
  });
});

describe("gateway process that is stopped", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)(
    "[GW-009] [HOST-026] exits at once with a second %s, while a plugin blocks the stop",
    async (signal, status) => {
      using place = emptyPlace();
      place.installPlugin("hangs", HANGING);
      await using gateway = await startGatewayProcess(place);
      process.kill(gateway.pid, signal);
      await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
      expect(await gateway.end(signal)).toBe(status);
    },
  );
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}
