import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { openclawProcess } from "../../src/openclaw-process.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const GUARD = `
  import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
  export default definePluginEntry({
    id: "guard",
    register(api) {
      api.on("before_tool_call", () => ({ block: true, blockReason: "not today" }));
      api.on("llm_output", () => undefined);
    },
  });
`;
const MANIFEST = { id: "guard", version: "1.0.0", entry: "index.ts" };
const DECLARED = { contracts: { hooks: ["before_tool_call", "llm_output"] } };

function placeWithGuard(manifest: object = { ...MANIFEST, ...DECLARED }): Place {
  const place = emptyPlace();
  place.writeWorkspace({
    "guard/index.ts": GUARD,
    "guard/openclaw.plugin.json": JSON.stringify(manifest),
  });
  return place;
}

interface Listed {
  plugins: { id: string; enabled: boolean; origin: string }[];
}

async function listed(place: Place) {
  const { stdout } = await openclaw(["plugins", "list", "--json"], place);
  const { plugins } = JSON.parse(stdout) as Listed;
  return plugins.find(({ id }) => id === "guard");
}

describe("openclaw plugins", () => {
  it("[PLUG-046] install a folder, disable and enable it, show it and remove it, all without a gateway", async () => {
    using place = placeWithGuard();
    const installed = await openclaw(["plugins", "install", "./guard"], place);
    expect(installed.exitCode).toBe(0);
    expect(installed.stdout).toContain('"guard" is loaded');
    // No approver is present, so its conversation handler stays inactive.
    expect(installed.stderr).toContain("--allow-conversation");
    expect(await listed(place)).toMatchObject({ enabled: true, origin: "global" });
    expect(existsSync(join(place.state, "extensions/guard/index.ts"))).toBe(true);
    const agreed = await openclaw(["plugins", "install", "./guard", "--yes"], place);
    expect(agreed.stderr).not.toContain("--allow-conversation");
    const readable = await openclaw(["plugins", "inspect", "guard"], place);
    expect(readable.stdout).toMatch(/on llm_output \(priority 0\): fired 0/);
    await openclaw(["plugins", "enable", "guard", "--no-conversation"], place);

    const blocked = await openclaw(["chat", "-m", "what time is it"], place);
    expect(blocked.stderr).toContain("not today");

    const inspected = await openclaw(["plugins", "inspect", "guard"], place);
    expect(inspected.stdout).toMatch(/on llm_output \(priority 0\): inactive/);
    await openclaw(["plugins", "enable", "guard", "--allow-conversation"], place);
    const allowed = await openclaw(["plugins", "inspect", "guard"], place);
    expect(allowed.stdout).toMatch(/on llm_output \(priority 0\): fired 0/);

    const disabled = await openclaw(["plugins", "disable", "guard"], place);
    expect(disabled.stdout).toContain('"guard" is disabled (entry-disabled)');
    expect(await listed(place)).toMatchObject({ enabled: false });

    expect((await openclaw(["plugins", "uninstall", "guard"], place)).exitCode).toBe(2);
    expect((await openclaw(["plugins", "uninstall", "guard", "--yes"], place)).exitCode).toBe(0);
    expect(await listed(place)).toBeUndefined();
    expect(existsSync(join(place.state, "extensions/guard"))).toBe(false);
    expect(readFileSync(join(place.state, "openclaw.json"), "utf8")).not.toContain("guard");
  });

  it("call the running gateway, with the same outcome as without one", async () => {
    using place = placeWithGuard();
    await using gateway = await startGateway(place, ["--plugin", "guard"]);
    const unknown = await openclaw(["plugins", "inspect", "gard"], place);
    expect(unknown.exitCode).toBe(4);
    const chat = () => openclaw(["chat", "-m", "what time is it"], place);
    expect((await chat()).stdout).toContain("not today");

    place.writeWorkspace({ "guard/index.ts": GUARD.replace("not today", "not tomorrow") });
    const reloaded = await openclaw(["plugins", "reload", "guard"], place);
    expect(reloaded.stdout).toMatch(/^Generation 2 after \d+ ms: "guard" is loaded\.\n$/);
    expect((await chat()).stdout).toContain("not tomorrow");

    place.writeWorkspace({ "guard/index.ts": "syntax error (" });
    const broken = await openclaw(["plugins", "reload", "guard"], place);
    expect(broken.exitCode).toBe(3);
    expect(broken.stdout).toMatch(/^Not changed, still generation 2/);
    expect(broken.stderr).toMatch(/guard\/index\.ts:1/);
    expect((await chat()).stdout).toContain("not tomorrow");
    expect(gateway.pid).toBeGreaterThan(0);
  });

  it("[PLUG-044] fix-manifest writes the lines that doctor suggests", async () => {
    using place = placeWithGuard(MANIFEST);
    await openclaw(["plugins", "install", "./guard", "--allow-conversation"], place);
    const doctor = await openclaw(["plugins", "doctor", "guard"], place);
    expect(doctor.stdout).toContain("note guard: plugin");
    expect(doctor.stdout).toContain("fix: write into");
    const fixed = await openclaw(["plugins", "fix-manifest", "guard", "--json"], place);
    expect(JSON.parse(fixed.stdout)).toMatchObject({ written: true });
    const after = await openclaw(["plugins", "doctor", "guard"], place);
    expect(after.stdout).toBe("ok   guard: loaded\n");
    expect((await openclaw(["plugins", "fix-manifest", "openai"], place)).exitCode).toBe(2);
  });

  it("doctor fails when a plugin does not load, and names the fix", async () => {
    using place = emptyPlace();
    place.installPlugin("broken", 'import "nowhere-at-all";\nexport default {};');
    const { exitCode, stdout } = await openclaw(["plugins", "doctor"], place);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/fail broken: .*nowhere-at-all/);
    expect(stdout).toMatch(/fix: .+/);
  });

  it("[PLUG-124] list shows a plugin as broken that will not load, failed at the last start or was changed since its install", async () => {
    using place = placeWithGuard();
    await openclaw(["plugins", "install", "./guard", "--no-conversation"], place);
    place.installPlugin("broken", 'import "nowhere-at-all";\nexport default {};');
    const before = await openclaw(["plugins", "list"], place);
    expect(before.stdout).toMatch(
      /^broken +broken .*\n +it will not load: modules .* do not exist: "nowhere-at-all" \(index\.\w+:1\)/m,
    );
    expect((await openclaw(["chat", "-m", "what time is it"], place)).exitCode).toBe(0);
    place.writeState({ "extensions/guard/more.js": "" });
    const { stdout } = await openclaw(["plugins", "list"], place);
    expect(stdout).toMatch(/^broken +broken .*\n +it failed at the last start: .*nowhere-at-all/m);
    expect(stdout).toMatch(/^broken +guard .*\n +its files changed .* more\.js \(added\)/m);
    await openclaw(["plugins", "accept", "guard"], place);
    expect((await openclaw(["plugins", "list"], place)).stdout).toMatch(/^on +guard /m);
  });

  it("[PLUG-083] [PLUG-140] a new plugin that needs a missing part of the SDK stays installed, and an update to it keeps the version before", async () => {
    using place = placeWithGuard();
    const using = (use: string) =>
      place.writeWorkspace({
        "guard/index.ts": `import { setUp } from "openclaw/plugin-sdk/nowhere"; export const register = () => ${use};`,
      });
    const install = () => openclaw(["plugins", "install", "./guard"], place);
    using("setUp()");
    const first = await install();
    expect(first.exitCode).toBe(3);
    expect(first.stdout).toContain('"guard" is installed and does not run');
    expect(first.stderr).toMatch(
      /^error: .*its register stopped at .*index\.ts:1:\d+: it needs "setUp" of "openclaw\/plugin-sdk\/nowhere"/m,
    );
    using("setUp");
    const second = await install();
    expect(second.stdout).toContain('"guard" is loaded');
    expect(second.stderr).toContain('warn: plugin "guard" is limited');
    using("setUp()");
    expect((await install()).stderr).toContain(
      'plugin "guard" is not updated, and version 1.0.0 stays: ',
    );
    expect((await openclaw(["plugins", "list"], place)).stdout).toMatch(/^limited +guard /m);
  });

  it("[PLUG-141] list, inspect and doctor name the parts of the SDK that a plugin lacks, before and after its first load", async () => {
    using place = emptyPlace();
    place.installPlugin(
      "guard",
      'import { inspectCall } from "openclaw/plugin-sdk/nowhere";\nexport default (api) => api.on("before_tool_call", () => inspectCall());',
    );
    const before = await openclaw(["plugins", "list"], place);
    expect(before.stdout).toMatch(/^limited +guard /m);
    expect(before.stderr).toMatch(
      /^warn: plugin "guard" is limited: .*"openclaw\/plugin-sdk\/nowhere" \(index\.\w+:1\); what needs them fails/m,
    );
    const chat = await openclaw(["chat", "-m", "what time is it"], place);
    expect(chat.stderr).toContain(
      "openclaw: limited: guard: imports 1 part of the SDK that this host does not have (of nowhere); ",
    );
    expect(chat.stdout).not.toContain("iso");
    const after = await openclaw(["plugins", "list"], place);
    expect(after.stdout).toBe(before.stdout);
    expect(after.stderr).toBe(before.stderr);
    // In new processes, because a module that was loaded before does not miss its imports again.
    const inspected = await openclawProcess(["plugins", "inspect", "guard"], place);
    expect(inspected.stdout).toContain("(guard): loaded, limited");
    expect(inspected.stderr).toContain('"openclaw/plugin-sdk/nowhere"');
    const doctor = await openclawProcess(["plugins", "doctor", "guard"], place);
    expect(doctor.stdout).toMatch(/^warn guard: plugin "guard" is limited: /m);
  });

  it("[PLUG-086] a plugin of --plugin that does not load ends the command with its error", async () => {
    using place = placeWithGuard();
    place.writeWorkspace({ "guard/index.ts": 'import "nowhere-at-all";\nexport default {};' });
    for (const command of [
      ["chat", "-m", "what time is it"],
      ["gateway", "run", "--port", "0"],
    ]) {
      const ended = await openclaw([...command, "--plugin", "guard"], place);
      expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
      expect(ended.stderr).toMatch(/^openclaw: --plugin .*guard: .*nowhere-at-all.*; .+\n$/);
    }
  });

  it("uninstall reports an unknown plugin before it asks for a confirmation", async () => {
    using place = emptyPlace();
    const { exitCode, stderr } = await openclaw(["plugins", "uninstall", "nothing"], place);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('plugin "nothing" not found');
  });

  it("[SDK-041] init creates a plugin that try loads and runs", async () => {
    using place = emptyPlace();
    const made = await openclaw(["plugins", "init", "hello", "--yes"], place);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    const tried = await openclaw(["plugins", "try", "hello", "-m", "hi", "--json"], place);
    expect(JSON.parse(tried.stdout)).toMatchObject({
      id: "hello",
      registered: { tools: ["hello"] },
      reply: { status: "replied", text: expect.stringContaining('"hi"') },
    });
    expect((await openclaw(["plugins", "init", "hello", "--yes"], place)).exitCode).toBe(3);
    // Its own programs work without an install.
    const program = join(place.workspace, "hello/node_modules/.bin/openclaw");
    expect(execFileSync(program, ["--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+/);
    expect(made.stdout).not.toContain("npm install");
  });
});
