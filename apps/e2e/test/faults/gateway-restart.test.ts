import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

/** Writes each hook with the reason that it was given. */
const PLUGIN = `import { appendFileSync } from "node:fs";
export default { id: "witness", register(api) {
  for (const name of ["gateway_pre_start", "gateway_pre_stop", "session_end", "gateway_stop"]) {
    api.on(name, ({ reason }) => appendFileSync(process.env.WITNESS_FILE, name + " " + reason + "\\n"));
  }
} };`;

describe("gateway restart", () => {
  it("[GW-380] [HCR-015] replaces the process in its place, and plugins receive the reason restart", async () => {
    const folder = emptyPlace();
    onTestFinished(() => folder[Symbol.dispose]());
    folder.writeWorkspace({
      "witness/openclaw.plugin.json": JSON.stringify({ id: "witness", entry: "index.ts" }),
      "witness/index.ts": PLUGIN,
    });
    const file = join(folder.workspace, "witness.log");
    const place = { ...folder, environment: { ...folder.environment, WITNESS_FILE: file } };
    const idle = await openclaw(["gateway", "restart", "--json"], place);
    expect(idle).toMatchObject({ exitCode: 3, stderr: "" });
    expect(JSON.parse(idle.stdout)).toEqual({ restarted: false, running: false });

    const plugin = join(folder.workspace, "witness");
    const gateway = await startGatewayProcess(place, ["--plugin", plugin]);
    onTestFinished(async () => void (await gateway.end("SIGKILL")));
    expect((await openclaw(["chat", "-m", "hello"], place)).exitCode).toBe(0);
    const restart = await openclaw(["gateway", "restart", "--json"], place);
    expect(JSON.parse(restart.stdout)).toEqual({ restarted: true, pid: gateway.pid });
    expect((await openclaw(["chat", "-m", "hello again"], place)).exitCode).toBe(0);
    expect((await openclaw(["gateway", "stop"], place)).exitCode).toBe(0);
    expect(readFileSync(file, "utf8").trim().split("\n")).toEqual([
      "gateway_pre_start boot",
      "gateway_pre_stop restart",
      "session_end restart",
      "gateway_stop restart",
      "gateway_pre_start restart",
      "gateway_pre_stop signal",
      "gateway_stop signal",
    ]);
  });
});
