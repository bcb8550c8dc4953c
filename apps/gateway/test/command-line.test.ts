import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { Command, CommanderError } from "commander";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeCommands, runCommandLine } from "../src/command-line.js";
import { commandOutputs } from "../src/output/schemas.js";
import { ABSENT_COMMANDS } from "../src/shell/absent-commands.js";
import { processTerminal, type Terminal } from "../src/shell/terminal.js";
import { adviceFor } from "../src/shell/unknown-command.js";
import { runCommand } from "./support/command-run.js";
import { createScreen } from "./support/screen.js";

/** Commands that run until they are stopped, that ask for each value, or that a command of a plugin does. */
const WITHOUT_JSON = [
  ...["run", "gateway run", "plugins dev", "plugins init", "worker", "claude-bridge"],
  "tool install",
];

/** Runs a command with an empty state. */
async function run(args: readonly string[]) {
  const state = temporaryFolder();
  onTestFinished(() => state[Symbol.dispose]());
  return await runCommand(args, {
    OPENCLAW_STATE_DIR: state.path,
    OPENCLAW_WORKSPACE_DIR: state.path,
  });
}

function leaves(
  command: Command,
  path: readonly string[] = [],
): { name: string; command: Command }[] {
  if (command.commands.length === 0) return [{ name: path.join(" "), command }];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

describe("command line", () => {
  const program = new Command("openclaw");
  describeCommands(program, { terminal: processTerminal({}), environment: {} }, () => undefined);
  const all = leaves(program);

  it("[GW-044] [HOST-030] has --json on every command that ends", () => {
    const without = all.filter(
      ({ command }) => !command.options.some(({ long }) => long === "--json"),
    );
    expect(without.map(({ name }) => name)).toEqual(WITHOUT_JSON);
  });

  it("[GW-044] publishes a schema of the output of each of them, and no other", () => {
    const withJson = all.map(({ name }) => name).filter((name) => !WITHOUT_JSON.includes(name));
    const groups = ["doctor"];
    expect(Object.keys(commandOutputs).sort()).toEqual([...withJson, ...groups].sort());
  });

  it("[WASM-508] installs a tool by the plugin that runs components, and names it when it is missing", async () => {
    const { exitCode, stderr } = await run(["tool", "install", "letters.wasm"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("openclaw plugins install @openclaw/wasm");
  });

  it("[GW-282] describes every command and each of its arguments", () => {
    for (const { name, command } of all) {
      expect(command.description(), name).toMatch(/^\S.{8,}/);
      for (const argument of command.registeredArguments) {
        expect(argument.description, `${name} ${argument.name()}`).not.toBe("");
      }
    }
  });

  it("[GW-282] wraps its help at the width of the terminal, and names the commands of plugins", async () => {
    const helps = await Promise.all(
      [[], ["channels"], ["onboard"], ["db", "migrate"]].map((words) => run([...words, "--help"])),
    );
    for (const { stdout } of helps) {
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
    expect(helps[0]?.stdout).toContain(
      "Commands of plugins: guards, lobster, mcp, memory, nearai;",
    );
  });

  it.each(["\u0003", "\u0004"])(
    "[GW-283] ends with 130 and no error for %j at a prompt",
    async (key) => {
      using folder = temporaryFolder();
      const environment = { OPENCLAW_STATE_DIR: folder.path, HOME: folder.path };
      const { terminal } = createScreen();
      let notes = "";
      const asking: Terminal = {
        ...terminal,
        note(line) {
          notes += line;
        },
        openInput() {
          const keyboard = new PassThrough();
          const output = new PassThrough();
          output.once("data", () => keyboard.write(key));
          return createInterface({ input: keyboard, output, terminal: true });
        },
      };
      expect(await runCommandLine(["secrets", "delete", "TOKEN"], environment, asking)).toBe(130);
      expect(notes).toBe("");
    },
  );

  it("[GW-461] has advice only for commands that it does not have, with commands and pages that exist", () => {
    const names = new Set<string>();
    const collect = (command: Command, path: readonly string[]) => {
      names.add(path.join(" "));
      for (const child of command.commands) collect(child, [...path, child.name()]);
    };
    collect(program, []);
    const optionsOf = (name: string) =>
      all
        .find((each) => each.name === name)
        ?.command.options.flatMap(({ short, long }) => [short, long]);
    for (const [absent, advice] of Object.entries(ABSENT_COMMANDS)) {
      expect(names, absent).not.toContain(absent);
      for (const [, command = "", option] of advice.matchAll(
        /`openclaw ([a-z ]+?)(?: (-[a-z-]+)[^`]*)?`/g,
      )) {
        const isKnown = names.has(command) || names.has(command.replace(/ \S+$/, ""));
        expect(isKnown, `${absent}: ${advice}`).toBe(true);
        if (option !== undefined) expect(optionsOf(command), advice).toContain(option);
      }
      for (const [page] of advice.matchAll(/docs\/[\w/-]+\.md/g)) {
        expect(existsSync(new URL(`../../../${page}`, import.meta.url)), page).toBe(true);
      }
    }
  });

  it.each([
    [["schedule"], /`openclaw cron` runs tasks on a schedule/],
    [["dashboard"], /`openclaw console` opens/],
    [["node"], /nodes\.md/],
    [["job"], /`openclaw jobs` lists/],
    [["gateway", "start"], /`openclaw gateway run`/],
    [["pluginz", "list"], /did you mean plugins\?/],
    [["plugins", "lst"], /did you mean list\?/],
    [["status", "--jsn"], /did you mean --json\?/],
  ])("[GW-461] gives advice for the unknown words %j", (args, advice) => {
    const option = args.find((word) => word.startsWith("--js"));
    const error =
      option === undefined
        ? new CommanderError(1, "commander.unknownCommand", "error: unknown command")
        : new CommanderError(1, "commander.unknownOption", `error: unknown option '${option}'`);
    expect(adviceFor(program, args, error)).toMatch(advice);
  });

  it("[GW-461] prints one suggestion, also in the error of --json", async () => {
    const { exitCode, stdout, stderr } = await run(["gateway", "stauts", "--json"]);
    expect(exitCode).toBe(2);
    expect(stderr.match(/did you mean/gi)).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { kind: "invalid", message: "unknown command 'stauts'; did you mean status?" },
    });
  });

  it("[GW-461] suggests nothing for a word that resembles nothing", async () => {
    const { exitCode, stderr } = await run(["gateway", "xyzzyq"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("unknown command 'xyzzyq'");
    expect(stderr).not.toMatch(/did you mean/i);
  });

  it("describes every command and option", () => {
    for (const { name, command } of all) {
      expect(command.description(), name).not.toBe("");
      for (const option of command.options)
        expect(option.description, `${name} ${option.flags}`).not.toBe("");
    }
  });
});
