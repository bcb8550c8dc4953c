import { resolve } from "node:path";
import {
  backupHostDatabase,
  hostDatabaseStatus,
  restoreHostDatabase,
} from "@openclaw/gateway/upkeep";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { sizeOf } from "../shell/size.js";
import { printRows, timeOf } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { counted } from "./counted.js";
import { databaseOwner } from "./owner.js";

/**
 * Runs `openclaw db status`: prints the location and the migrations of the database (SCALE-025).
 * @param options - format
 * @param context - terminal and environment
 */
export async function databaseStatusCommand(
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const status = await hostDatabaseStatus(await databaseOwner(context));
  const { migrations, copyingFrom, lost } = status;
  const isSound = migrations.every(({ state }) => state === "applied" || state === "pending");
  const isWhole = copyingFrom === undefined && lost === undefined;
  const code = isSound && isWhole ? EXIT.ok : EXIT.negative;
  if (json) {
    terminal.print(JSON.stringify(status));
    return code;
  }
  const size = status.bytes === undefined ? "" : `, ${sizeOf(status.bytes)}`;
  terminal.print(`${status.name} (${status.dialect}${size})`);
  if (!status.exists) terminal.print("No database yet; the first start creates it.");
  if (copyingFrom !== undefined) {
    terminal.print(
      `The copy from ${copyingFrom} is incomplete: run the same \`db migrate\` command again.`,
    );
  }
  if (lost !== undefined) terminal.note(`openclaw: ${lost}`);
  printRows(
    migrations.map(({ name, state, appliedAt }) => [
      `  ${name}`,
      state,
      appliedAt === undefined ? "" : timeOf(appliedAt),
    ]),
    terminal,
  );
  if (migrations.some(({ state }) => state === "changed")) {
    terminal.note(
      "openclaw: a migration that was applied differs from the one in this version; start the version that wrote this database",
    );
  }
  if (migrations.some(({ state }) => state === "unknown")) {
    terminal.note(
      "openclaw: a newer version wrote this database; start that version, or restore a backup",
    );
  }
  return code;
}

/**
 * Runs `openclaw db backup`: writes the database to a file (SCALE-028).
 * @param file - path that the operator gave
 * @param options - format
 * @param context - terminal and environment
 */
export async function backupCommand(
  file: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const outcome = await backupHostDatabase(await databaseOwner(context), resolve(file));
  if (json) terminal.print(JSON.stringify(outcome));
  if (outcome.kind === "command") {
    if (!json) printServerCommand("backs up", outcome.command, terminal);
    return EXIT.negative;
  }
  if (json) return EXIT.ok;
  terminal.print(`Backed up to ${outcome.file} (${sizeOf(outcome.bytes)}).`);
  if (outcome.pluginDatabases > 0) {
    const databases = counted(outcome.pluginDatabases, "database");
    terminal.print(
      `Also backed up ${databases} of plugins to ${outcome.file}.plugins; keep both together.`,
    );
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw db restore`: replaces the database with a backup (SCALE-028).
 * @param file - path that the operator gave
 * @param options - consent and format
 * @param context - terminal and environment
 */
export async function restoreCommand(
  file: string,
  { yes, json = false }: { yes?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const question = `Replace the database with ${resolve(file)}?`;
  if (!(await confirmed(question, { yes, json }, terminal))) return EXIT.negative;
  const outcome = await restoreHostDatabase(await databaseOwner(context), resolve(file));
  if (json) terminal.print(JSON.stringify(outcome));
  if (outcome.kind === "command") {
    if (!json) printServerCommand("restores", outcome.command, terminal);
    return EXIT.negative;
  }
  if (json) return EXIT.ok;
  terminal.print(`Restored ${outcome.database}.`);
  if (outcome.pluginDatabases > 0) {
    terminal.print(`Also restored ${counted(outcome.pluginDatabases, "database")} of plugins.`);
  }
  if (outcome.kept !== undefined) terminal.print(`Previous database kept at ${outcome.kept}`);
  return EXIT.ok;
}

function printServerCommand(verb: string, command: string, { print }: Terminal): void {
  print(
    `The database is on PostgreSQL, which ${verb} it with a separate program; nothing was done. Run:`,
  );
  print(`  ${command}`);
}
