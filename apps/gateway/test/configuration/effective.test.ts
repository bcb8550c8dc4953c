import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { presentSetup } from "../../src/onboard/present.js";
import { runJson } from "../support/command-run.js";

const CLERK = "workspace-of-the-clerk";

/** Creates an installation whose database contradicts its file. */
async function installation(file: object, settings: Readonly<Record<string, unknown>>) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const stateDir = join(folder.path, "state");
  folder.write({ "state/openclaw.json": JSON.stringify(file) });
  const environment = {
    OPENCLAW_STATE_DIR: stateDir,
    OPENCLAW_KEYCHAIN: "off",
    PATH: process.env.PATH,
  };
  const run = async (...args: readonly string[]) => {
    const { exitCode, values } = await runJson([...args], environment);
    return { exitCode, value: values[0] };
  };
  for (const [key, value] of Object.entries(settings)) {
    expect(await run("config", "set", "--db", key, textOf(value))).toMatchObject({ exitCode: 0 });
  }
  return { environment, run, folder };
}

/** Returns a value as the command line takes it. */
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Commands with a value of the file, another one of the database, and the expected output. */
const COMMANDS: readonly (readonly [
  command: string,
  file: object,
  settings: Readonly<Record<string, unknown>>,
  expected: { readonly exitCode?: number; readonly value: unknown },
])[] = [
  [
    "config get agents.defaults.model",
    { agents: { defaults: { model: "demo/of-the-file" } } },
    { "agents.defaults.model": "demo/echo" },
    { value: "demo/echo" },
  ],
  [
    "config validate",
    {},
    { "tools.deny": ["payroll_transfer"] },
    {
      value: {
        warnings: [expect.objectContaining({ key: expect.stringContaining("tools.deny") })],
      },
    },
  ],
  [
    "status",
    { agents: { defaults: { model: "demo/of-the-file" } } },
    { "agents.defaults.model": "demo/echo" },
    { value: { model: "demo/echo" } },
  ],
  [
    "plugins list",
    { plugins: { entries: { telegram: { enabled: true } } } },
    { "plugins.entries.telegram.enabled": false },
    {
      value: {
        plugins: expect.arrayContaining([
          expect.objectContaining({ id: "telegram", enabled: false }),
        ]),
      },
    },
  ],
  [
    "doctor",
    {},
    { "tools.deny": ["payroll_transfer"] },
    {
      value: {
        checks: expect.arrayContaining([
          expect.objectContaining({
            name: "config",
            status: "warn",
            message: expect.stringContaining("payroll_transfer"),
          }),
        ]),
      },
    },
  ],
  [
    "doctor sandbox",
    { tools: { exec: { sandbox: "auto" } } },
    { "tools.exec.sandbox": "off" },
    { value: expect.objectContaining({ active: false }) },
  ],
  [
    "approvals check ls",
    { plugins: { entries: { approvals: { enabled: true } } } },
    { "plugins.entries.approvals.enabled": false },
    { value: expect.objectContaining({ outcome: "asks" }) },
  ],
  [
    "secrets delete KEPT",
    {},
    { "plugins.entries.openai.config.apiKey": "${secret:KEPT}" },
    { exitCode: 3, value: { deleted: false, usedBy: "plugins.entries.openai.config.apiKey" } },
  ],
];

describe("commands without a running gateway", () => {
  it.each(COMMANDS)(
    "[HOST-007] [GW-840] take the settings of the database over the file: %s",
    async (command, file, settings, expected) => {
      const { run } = await installation(file, settings);
      const { exitCode, value } = await run(...command.split(" "));
      if (typeof expected.value === "object") expect(value).toMatchObject(Object(expected.value));
      else expect(value).toBe(expected.value);
      if (expected.exitCode !== undefined) expect(exitCode).toBe(expected.exitCode);
    },
  );

  it("[HOST-007] [GW-840] trust the workspace that the database gives an agent", async () => {
    const { run, folder } = await installation({}, {});
    const workspace = join(folder.path, CLERK);
    mkdirSync(workspace);
    expect(await run("config", "set", "--db", "agents.clerk.workspace", workspace)).toMatchObject({
      exitCode: 0,
    });
    expect((await run("trust", "--agent", "clerk")).value).toMatchObject({ dir: workspace });
  });

  it("[HOST-007] [GW-840] begin a repeated setup with the model of the database, and variables win over both", async () => {
    const { environment, run } = await installation(
      { agents: { defaults: { model: "ollama/of-the-file" } } },
      { "agents.defaults.model": "openai/of-the-database" },
    );
    expect((await presentSetup(environment)).answers).toEqual({
      provider: "openai",
      model: "of-the-database",
    });
    const { value } = await loadOperatorConfiguration({
      ...environment,
      GATEWAY_HOST: "127.0.0.2",
    });
    expect(value).toMatchObject({
      gateway: { bind: "127.0.0.2" },
      agents: { defaults: { model: "openai/of-the-database" } },
    });
    expect((await run("status")).value.model).toBe("openai/of-the-database");
    const withVariable = await runJson(["status"], { ...environment, LLM_BACKEND: "anthropic" });
    expect(withVariable.values[0].model).toBe("anthropic");
  });

  it("[GW-840] need no database", async () => {
    const { run } = await installation({ agents: { defaults: { model: "demo/echo" } } }, {});
    expect((await run("status")).value.model).toBe("demo/echo");
  });
});
