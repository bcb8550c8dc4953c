import { nearestName } from "@openclaw/foundation";
import type { Command, CommanderError } from "commander";
import { ABSENT_COMMANDS } from "./absent-commands.js";

/**
 * Returns advice for a word or an option that the parser does not know (GW-461): what OpenClaw has instead of a missing
 * part, else the nearest name.
 * @param program - the program with all commands
 * @param args - arguments without the program's name
 * @param error - error of the parser
 * @returns one sentence; undefined without advice
 */
export function adviceFor(
  program: Command,
  args: readonly string[],
  { code, message }: CommanderError,
): string | undefined {
  const { command, path, rest } = commandOf(program, args);
  if (code === "commander.unknownOption") {
    const [, given = ""] = /'(-[^']*)'/.exec(message) ?? [];
    const options = [...command.options, ...program.options];
    return suggestion(
      nearestName(
        given,
        options.flatMap(({ long }) => long ?? []),
      ),
    );
  }
  const [word] = rest;
  if (word === undefined || (code !== "commander.unknownCommand" && !isGroup(command))) {
    return undefined;
  }
  const absent = [...path, word].join(" ");
  if (Object.hasOwn(ABSENT_COMMANDS, absent)) return ABSENT_COMMANDS[absent];
  return suggestion(nearestName(word, command.commands.flatMap(namesOf)));
}

function suggestion(nearest: string | undefined): string | undefined {
  return nearest && `did you mean ${nearest}?`;
}

function isGroup({ commands }: Command): boolean {
  return commands.length > 0;
}

function namesOf(command: Command): readonly string[] {
  return [command.name(), ...command.aliases()];
}

function commandOf(program: Command, args: readonly string[]) {
  let command = program;
  const path: string[] = [];
  for (const word of args) {
    const next = command.commands.find((each) => namesOf(each).includes(word));
    if (next === undefined) break;
    path.push(word);
    command = next;
  }
  return { command, path, rest: args.slice(path.length) };
}
