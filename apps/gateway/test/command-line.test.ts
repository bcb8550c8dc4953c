import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { describeCommands } from "../src/command-line.js";
import { commandOutputs } from "../src/output/schemas.js";
import { processTerminal } from "../src/shell/terminal.js";

/** Commands that run until they are stopped, or that ask for each value. */
const WITHOUT_JSON = ["run", "gateway run", "plugins dev", "plugins init"];

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

  it("describes every command and option", () => {
    for (const { name, command } of all) {
      expect(command.description(), name).not.toBe("");
      for (const option of command.options)
        expect(option.description, `${name} ${option.flags}`).not.toBe("");
    }
  });
});
