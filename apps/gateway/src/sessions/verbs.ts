import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw sessions`: the stored conversations.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeSessionCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const sessions = program
    .command("sessions")
    .description("list, show, export, import and delete sessions");
  const commands = () => import("./commands.js");
  sessions
    .command("list")
    .description("list sessions, most recently used first")
    .option("--agent <id>", "only sessions of this agent")
    .addOption(limitOption("--limit <n>", "maximum number of sessions", 50))
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listSessionsCommand(options, context));
    });
  sessions
    .command("show")
    .description("show a session and the last messages of its conversation")
    .argument("<key>", "session key, for example agent:main:main")
    .addOption(limitOption("--last <n>", "number of messages", 10))
    .option("--json", "print session and messages as JSON")
    .action(async (key, options) => {
      end(await (await commands()).showSessionCommand(key, options, context));
    });
  sessions
    .command("delete")
    .description("delete a session and all its data")
    .argument("<key>", "session key, for example agent:main:main")
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 deleted, 3 not confirmed, 4 session not found, 75 a turn of the session is still running.",
    )
    .action(async (key, options) => {
      end(await (await commands()).deleteSessionCommand(key, options, context));
    });
  sessions
    .command("export")
    .description("write a session as one JSON document")
    .argument("<key>", "session key, for example agent:main:main")
    .option("-o, --output <file>", "write to this new file instead of standard output")
    .option("--json", "with --output, print the outcome as JSON; the session is JSON in any case")
    .action(async (key, options) => {
      end(await (await commands()).exportSessionCommand(key, options, context));
    });
  sessions
    .command("import")
    .description("add a session from a file that `sessions export` wrote")
    .argument("<file>", "file to read, or - for standard input")
    .option("--as <key>", "import under this key, with new IDs")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 imported, 3 not a session document, or the session already exists.",
    )
    .action(async (file, options) => {
      end(await (await commands()).importSessionCommand(file, options, context));
    });
}

function limitOption(flags: string, description: string, standard: number): Option {
  return new Option(flags, description).default(standard).argParser((text: string) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= 100_000) return limit;
    throw new InvalidArgumentError("expected an integer from 1 to 100000.");
  });
}
