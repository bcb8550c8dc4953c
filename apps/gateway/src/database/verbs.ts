import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw db`: status, backup, restore and migration of the database.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeDatabaseCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const database = program.command("db").description("inspect, back up and migrate the database");
  const commands = () => import("./commands.js");
  database
    .command("status")
    .description("show the location of the database and its migrations")
    .option("--json", "print the status as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 usable by this version, 3 changed, newer or incompletely copied.",
    )
    .action(async (options) => {
      end(await (await commands()).databaseStatusCommand(options, context));
    });
  database
    .command("backup")
    .description("write the database to a file; the gateway may be running")
    .argument("<file>", "path of a file that does not exist yet")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 written, 3 not written (on a server, where the command to run is printed).",
    )
    .action(async (file, options) => {
      end(await (await commands()).backupCommand(file, options, context));
    });
  database
    .command("restore")
    .description("replace the database with a backup; the gateway must be stopped")
    .argument("<file>", "file that `db backup` wrote")
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print the outcome as JSON")
    .action(async (file, options) => {
      end(await (await commands()).restoreCommand(file, options, context));
    });
  database
    .command("migrate")
    .description(
      "copy all data, also that of plugins, to another database and compare the two; the gateway must be stopped",
    )
    .addOption(
      new Option("--to <engine>", "engine of the other database")
        .choices(["postgres", "sqlite", "libsql"])
        .makeOptionMandatory(),
    )
    .requiredOption(
      "--url <url>",
      "postgres://<user>@<host>/<database>, file:<path>, libsql:<path> or libsql://<host>",
    )
    .option("--dry-run", "count the rows of the gateway and of each plugin without writing")
    .option(
      "--without <plugin>",
      "leave the data of a plugin behind; repeat it for more plugins",
      (plugin: string, before: readonly string[] = []) => [...before, plugin],
    )
    .addOption(
      new Option("--batch <rows>", "rows per transaction").default(1000).argParser(readBatch),
    )
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 both are equal, 3 they differ (the tables are printed) or nothing was copied. An interrupted copy resumes when the command runs again.",
    )
    .action(async (options) => {
      const { migrateCommand } = await import("./migrate-command.js");
      end(await migrateCommand(options, context));
    });
}

function readBatch(text: string): number {
  const rows = Number(text);
  if (Number.isInteger(rows) && rows >= 1 && rows <= 10_000) return rows;
  throw new InvalidArgumentError("expected an integer from 1 to 10000.");
}
