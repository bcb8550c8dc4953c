import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw sessions`: the conversations that are stored.
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeSessionCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const sessions = program
    .command("sessions")
    .description("look at, move and delete conversations");
  const commands = () => import("./commands.js");
  sessions
    .command("list")
    .description("list sessions, the most recently used first")
    .option("--agent <id>", "those of this agent")
    .addOption(limitOption("--limit <n>", "how many at most", 50))
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listSessionsCommand(options, context));
    });
  sessions
    .command("show")
    .description("show a session and the last messages of its conversation")
    .argument("<key>", "for example agent:main:main")
    .addOption(limitOption("--last <n>", "how many messages", 10))
    .option("--json", "print session and messages as JSON")
    .action(async (key, options) => {
      end(await (await commands()).showSessionCommand(key, options, context));
    });
  sessions
    .command("delete")
    .description("delete a session with all that belongs to it")
    .argument("<key>", "for example agent:main:main")
    .option("--json", "print what was deleted as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 deleted, 4 no such session, 75 a turn of it has not ended.",
    )
    .action(async (key, options) => {
      end(await (await commands()).deleteSessionCommand(key, options, context));
    });
  sessions
    .command("export")
    .description("write a session as one JSON document")
    .argument("<key>", "for example agent:main:main")
    .option(
      "-o, --output <file>",
      "into this file, which is not there yet, instead of standard output",
    )
    .action(async (key, options) => {
      end(await (await commands()).exportSessionCommand(key, options, context));
    });
  sessions
    .command("import")
    .description("add a session from what `sessions export` wrote")
    .argument("<file>", "the document, - for standard input")
    .option("--as <key>", "under this key, with ids of its own")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 added, 3 no such document, or the session is there already.",
    )
    .action(async (file, options) => {
      end(await (await commands()).importSessionCommand(file, options, context));
    });
}

function limitOption(flags: string, description: string, standard: number): Option {
  return new Option(flags, description).default(standard).argParser((text: string) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= 100_000) return limit;
    throw new InvalidArgumentError("a number is whole, from 1 to 100000.");
  });
}
