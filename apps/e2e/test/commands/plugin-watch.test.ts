import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openclawProcess, startWatchingProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

const pluginNaming = (tool: string) => `
  export default {
    id: "guard",
    register(api) {
      api.registerTool({
        name: "${tool}", description: "Does it.", parameters: { type: "object", properties: {} },
        execute: async () => ({ content: [] }),
      });
    },
  };
`;

function placeWithPlugin() {
  const place = emptyPlace();
  place.writeWorkspace({
    "guard/openclaw.plugin.json": '{ "id": "guard", "entry": "index.ts" }',
    "guard/index.ts": pluginNaming("first"),
  });
  return place;
}

describe("plugin in development", () => {
  it("[PLUG-089] has its own state folder, which the printed commands name", async () => {
    using place = placeWithPlugin();
    const own = join(place.workspace, "guard/.openclaw-state");
    const here = { ...place, environment: { OPENCLAW_STATE_DIR: "" } };
    await using watching = startWatchingProcess(here, ["plugins", "dev", "guard"]);
    await watching.says(/watching /);
    expect(existsSync(join(own, "openclaw.db"))).toBe(true);
    expect(existsSync(join(place.state, ".openclaw"))).toBe(false);
    expect(watching.output().stdout).toContain(`OPENCLAW_STATE_DIR='${own}' `);
    const chat = await openclawProcess(["chat", "-m", "what time is it"], {
      ...place,
      environment: { OPENCLAW_STATE_DIR: own },
    });
    expect(chat.exitCode).toBe(0);
    expect(await watching.end("SIGTERM")).toBe(0);
    // What the gateway wrote into the folder is not part of the plugin.
    const installed = await openclawProcess(["plugins", "install", "./guard"], place);
    expect(installed.exitCode).toBe(0);
    expect(existsSync(join(place.state, "extensions/guard/index.ts"))).toBe(true);
    expect(existsSync(join(place.state, "extensions/guard/.openclaw-state"))).toBe(false);
  });

  it.each([
    ["plugins dev", ["plugins", "dev", "guard"]],
    ["gateway run --watch", ["gateway", "run", "--port", "0", "--plugin", "guard", "--watch"]],
  ])("[PLUG-062] is reloaded by %s when one of its files changes", async (_command, args) => {
    using place = placeWithPlugin();
    await using watching = startWatchingProcess(place, args);
    await watching.says(/watching /);
    expect(watching.output().stdout).toMatch(/guard: loaded\n {2}toolNames: first\n/);

    place.writeWorkspace({ "guard/index.ts": pluginNaming("second") });
    await watching.says(
      /index\.ts changed\nGeneration 2 after \d+ ms\nguard: loaded\n {2}toolNames: second\n/,
    );

    place.writeWorkspace({ "guard/index.ts": "export default {\n  id: (\n};" });
    await watching.says(/Not changed, still generation 2[\s\S]*toolNames: second/);
    // The two streams are separate pipes.
    await vi.waitFor(() => expect(watching.output().stderr).toMatch(/guard\/index\.ts:\d/));
    expect(await watching.end("SIGTERM")).toBe(0);
  });
});
