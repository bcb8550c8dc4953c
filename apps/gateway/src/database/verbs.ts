import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw db`: where the database stands, its backups, and its move to another engine.
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeDatabaseCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const database = program.command("db").description("look at, back up and move the database");
  const commands = () => import("./commands.js");
  database
    .command("status")
    .description("say where the database is, and which migrations it has")
    .option("--json", "print the status as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 as this version left it or older, 3 changed, newer or half copied.",
    )
    .action(async (options) => {
      end(await (await commands()).databaseStatusCommand(options, context));
    });
  database
    .command("backup")
    .description("write the database into a file, also while the gateway runs")
    .argument("<file>", "a file that is not there yet")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 written, 3 not written (on PostgreSQL: with the command that does it).",
    )
    .action(async (file, options) => {
      end(await (await commands()).backupCommand(file, options, context));
    });
  database
    .command("restore")
    .description("put a backup in the place of the database; the gateway must be stopped")
    .argument("<file>", "what `db backup` wrote")
    .option("--json", "print the outcome as JSON")
    .action(async (file, options) => {
      end(await (await commands()).restoreCommand(file, options, context));
    });
  database
    .command("migrate")
    .description("copy every row to another database and compare; the gateway must be stopped")
    .addOption(
      new Option("--to <engine>", "what the other database is")
        .choices(["postgres", "sqlite"])
        .makeOptionMandatory(),
    )
    .requiredOption("--url <url>", "postgres://<user>@<host>/<database>, or file:<path>")
    .option("--dry-run", "count the rows, write nothing")
    .addOption(
      new Option("--batch <rows>", "rows in one transaction").default(1000).argParser(readBatch),
    )
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 both are equal, 3 with a table of what differs. A copy that was cut off goes on.",
    )
    .action(async (options) => {
      end(await (await commands()).migrateCommand(options, context));
    });
}

function readBatch(text: string): number {
  const rows = Number(text);
  if (Number.isInteger(rows) && rows >= 1 && rows <= 10_000) return rows;
  throw new InvalidArgumentError("a batch has 1 to 10000 rows.");
}
