import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const MOST_ITEMS = 1000;
const ID = "ID from `queue dead`, for example reply:01J…";

/**
 * Adds `openclaw queue`: the queues of work, and what failed for good (SCALE-014).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeQueueCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const queue = program
    .command("queue")
    .description("show the work that waits, and run or discard work that failed for good");
  const commands = () => import("./commands.js");
  queue
    .command("list")
    .description("list the queues with the work that runs or waits, and the work that failed")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listQueuesCommand(options, context));
    });
  queue
    .command("dead")
    .description("list the work that failed for good, the oldest first")
    .option("--queue <name>", "only the work of this queue")
    .addOption(limitOption())
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).deadItemsCommand(options, context));
    });
  queue
    .command("requeue")
    .description("let work that failed run again; a reply is sent with the parts after it")
    .argument("<id>", ID)
    .option("--json", "print the item as JSON")
    .addHelpText("after", "\nExit codes: 0 it runs again, 4 no such item, or its channel is off.")
    .action(async (id, options) => {
      end(await (await commands()).requeueCommand(id, options, context));
    });
  queue
    .command("discard")
    .description("give work up that failed")
    .argument("<id>", ID)
    .option("--json", "print the item as JSON")
    .addHelpText("after", "\nExit codes: 0 it is given up, 4 no such item.")
    .action(async (id, options) => {
      end(await (await commands()).discardCommand(id, options, context));
    });
}

function limitOption(): Option {
  return new Option("--limit <n>", "maximum number of items (default 100)").argParser((text) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_ITEMS) return limit;
    throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_ITEMS}.`);
  });
}
