import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { describeCommands } from "../src/command-line.js";
import { startHost } from "../src/host/start.js";
import { EXIT } from "../src/shell/exit-code.js";
import { processTerminal } from "../src/shell/terminal.js";
import { COMMAND_LOCKS, type CommandLock } from "./support/command-locks.js";
import { runCommand } from "./support/command-run.js";

const PLUGIN = `export default { id: "greeter", register(api) {
  api.registerTool({ name: "greet", description: "Greets.", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "hello" }] }) });
} };`;
const MANIFEST = {
  id: "greeter",
  entry: "index.mjs",
  configSchema: { type: "object", additionalProperties: false, properties: {} },
  contracts: { tools: ["greet"] },
};

const folder = temporaryFolder("command-locks");
const state = join(folder.path, "state");
const environment = {
  PATH: process.env.PATH,
  HOME: folder.path,
  OPENCLAW_STATE_DIR: state,
  OPENCLAW_WORKSPACE_DIR: join(folder.path, "workspace"),
  OPENCLAW_KEYCHAIN: "off",
  ONE: "value",
};

/** Takes the lock until the end of the test, as another command does, which serves no HTTP. */
async function lockState() {
  const context = { terminal: processTerminal({}), environment };
  const host = await startHost({ isForCommand: true }, context, undefined);
  const release = () => host.stop("command");
  onTestFinished(release);
  return { release };
}

async function run(args: string) {
  const words = args.split(" ").map((word) => word.replace("{folder}", folder.path));
  return await runCommand(words, environment);
}

function ofKind<Lock extends CommandLock["lock"]>(wanted: Lock) {
  const isOfKind = (each: CommandLock): each is Extract<CommandLock, { lock: Lock }> =>
    each.lock === wanted;
  return Object.values(COMMAND_LOCKS).flat().filter(isOfKind);
}

/** Returns the names of the commands that do something: those without verbs, and groups that act themselves. */
function namesOf(command: Command, path: readonly string[] = []): string[] {
  const verbs = command.commands.flatMap((child) => namesOf(child, [...path, child.name()]));
  return verbs.length === 0 || path.join(" ") === "doctor" ? [path.join(" "), ...verbs] : verbs;
}

beforeAll(async () => {
  const files = {
    "plugin/openclaw.plugin.json": JSON.stringify(MANIFEST),
    "plugin/index.mjs": PLUGIN,
    "cases.json": JSON.stringify({ cases: [] }),
    "other.json": "{}",
  };
  for (const each of ["plugin", "workspace", "state"]) mkdirSync(join(folder.path, each));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  // A database exists, so that commands have something to open.
  expect(await run("gateway check")).toMatchObject({ exitCode: EXIT.ok });
});

afterAll(() => folder[Symbol.dispose]());

describe("commands and the lock of the state folder", { timeout: 300_000 }, () => {
  it("[HOST-600] each is classified", () => {
    const program = new Command("openclaw");
    describeCommands(program, { terminal: processTerminal({}), environment: {} }, () => undefined);
    expect(Object.keys(COMMAND_LOCKS).toSorted()).toEqual(namesOf(program).toSorted());
  });

  it("[HOST-600] those that change nothing in it work while another process has it", async () => {
    await lockState();
    const unexpected = [];
    for (const { args, exitCode } of ofKind("none")) {
      const ran = await run(args);
      if (ran.exitCode !== exitCode || ran.stderr.includes("state lock")) {
        unexpected.push({ args, exitCode: ran.exitCode, stderr: ran.stderr.slice(0, 300) });
      }
    }
    expect(unexpected).toEqual([]);
  });

  it("[HOST-600] the others name the process that has it, after 5 s", async () => {
    await lockState();
    const began = performance.now();
    const waiting = ofKind("waits").map(async ({ args }) => ({ args, ...(await run(args)) }));
    const unexpected = (await Promise.all(waiting)).filter(
      ({ exitCode, stderr }) =>
        exitCode !== EXIT.busy || !stderr.includes(`is held by process ${process.pid}`),
    );
    expect(unexpected).toEqual([]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(5000);
  });

  it("[HOST-600] those that host the agent name it at once", async () => {
    await lockState();
    for (const { args } of ofKind("hosts")) {
      const { exitCode, stderr } = await run(args);
      expect({ args, exitCode }).toEqual({ args, exitCode: EXIT.busy });
      expect(stderr, args).toContain(`process ${process.pid}`);
    }
  });

  it("[HOST-600] a command that waits continues when the lock is free", async () => {
    const lock = await lockState();
    const waiting = run("hooks approve hooks/hooks.json --yes");
    await lock.release();
    expect(await waiting).toMatchObject({ exitCode: EXIT.negative });
  });
});
