import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-run.js";

const PLUGIN = `module.exports = { id: "own", register(api) { api.registerCommand({ name: "own", description: "Own.", handler: () => ({ text: "" }) }); } };`;

/** What a configuration may name without having it, and the line that says so. */
const MISSING: readonly (readonly [what: string, agents: object, line: string])[] = [
  ["a provider", { defaults: { model: "nowhere/model" } }, "nowhere/model"],
  [
    "a harness",
    { defaults: { model: "codex/gpt", agentRuntime: { id: "codex" } } },
    'agent harness "codex"',
  ],
];

describe("commands without a running gateway", () => {
  it.each(MISSING)(
    "[PLUG-841] inspect and install plugins while %s is missing, and say it",
    async (_what, agents, line) => {
      const folder = temporaryFolder();
      onTestFinished(() => folder[Symbol.dispose]());
      folder.write({
        "state/openclaw.json": JSON.stringify({ agents }),
        "own/openclaw.plugin.json": JSON.stringify({ id: "own", contracts: { commands: ["own"] } }),
        "own/package.json": JSON.stringify({
          ...{ name: "own", version: "1.0.0", main: "index.cjs" },
          openclaw: { extensions: ["./index.cjs"] },
        }),
        "own/index.cjs": PLUGIN,
      });
      const environment = {
        ...{ OPENCLAW_STATE_DIR: join(folder.path, "state"), OPENCLAW_KEYCHAIN: "off" },
        PATH: process.env.PATH,
      };
      const run = (...args: readonly string[]) => runCommand(args, environment);
      const inspected = await run("plugins", "inspect", "telegram");
      expect(inspected).toMatchObject({ exitCode: 0 });
      expect(inspected.stdout).toContain("(telegram): ");
      expect(inspected.stderr).toContain(line);
      const installed = await run("plugins", "install", join(folder.path, "own"), "--yes");
      expect(installed).toMatchObject({ exitCode: 0 });
      expect((await run("plugins", "inspect", "own", "--json")).stdout).toContain('"id":"own"');
      const compatible = await run("plugins", "compat", join(folder.path, "own"));
      expect(compatible).toMatchObject({ exitCode: 0 });
      // A start still needs it.
      expect((await run("gateway", "check")).exitCode).not.toBe(0);
    },
  );
});
