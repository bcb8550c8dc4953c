import { type MovedPlugin, moveHostDatabase } from "@openclaw/gateway/upkeep";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";
import { counted } from "./counted.js";
import { databaseOwner, ownedDataPorts } from "./owner.js";

/** Options of `db migrate`. */
export interface MigrateOptions {
  to: "postgres" | "sqlite" | "libsql";
  url: string;
  dryRun?: boolean;
  without?: readonly string[];
  batch: number;
  json?: boolean;
}

/** Forms of URLs by engine. */
const FORMS = {
  postgres: { form: /^postgres(?:ql)?:/i, example: "postgres://<user>@<host>/<database>" },
  sqlite: { form: /^file:/i, example: "file:<path>" },
  libsql: { form: /^libsql:/i, example: "libsql:<path> or libsql://<host>?authToken=…" },
};

type Move = Awaited<ReturnType<typeof moveHostDatabase>>;

/** Table that differs, of the host or of a plugin. */
interface Difference {
  readonly name: string;
  readonly source: Move["tables"][number]["source"];
  readonly target: Move["tables"][number]["target"];
}

/**
 * Runs `openclaw db migrate`: copies every row of the host and of its plugins to another database and compares both
 * (SCALE-026, SCALE-640).
 * @param options - target and mode
 * @param context - terminal and environment
 */
export async function migrateCommand(
  { to, url, dryRun = false, without = [], batch, json = false }: MigrateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { form, example } = FORMS[to];
  if (!form.test(url)) {
    throw new UsageError(`--url is not a ${to} database: expected ${example}`);
  }
  const { terminal } = context;
  const move = await moveHostDatabase(await databaseOwner(context), {
    url,
    dryRun,
    batch,
    without,
    ports: await ownedDataPorts(context),
    onProgress({ table, copied, rows }) {
      if (!json) terminal.note(`${table}: ${copied} of ${rows}`);
    },
    onPluginProgress({ pluginId, table, copied }) {
      if (!json) terminal.note(`${pluginId}: ${table}: ${copied}`);
    },
  });
  const differences = differencesOf(move);
  const isEqual = differences.length === 0;
  const code = isEqual ? EXIT.ok : EXIT.negative;
  if (json) {
    terminal.print(JSON.stringify({ dryRun, isEqual, ...move }));
    return code;
  }
  if (dryRun) printPlan(move, terminal);
  else if (isEqual) printCopy(move, terminal);
  else printDifferences(differences, terminal);
  for (const plugin of move.plugins) noteStaying(plugin, terminal);
  return code;
}

function differencesOf({ tables, plugins }: Move): readonly Difference[] {
  const ofHost = tables.map((table) => ({ ...table, name: table.table }));
  const ofPlugins = plugins.flatMap((plugin) =>
    plugin.tables.map((table) => ({ ...table, name: `${plugin.pluginId}: ${table.table}` })),
  );
  return [...ofHost, ...ofPlugins].filter(({ isEqual }) => !isEqual);
}

function printPlan({ counts, plugins }: Move, terminal: Terminal): void {
  const planned = plugins.filter(({ outcome }) => outcome === "planned");
  printRows(
    [
      ...counts.map(({ table, rows }) => [`  ${table}`, String(rows)]),
      ...planned.flatMap(({ pluginId, counts: tables }) => [
        [`${pluginId} (plugin)`, ""],
        ...tables.map(({ table, rows }) => [`  ${table}`, String(rows)]),
      ]),
    ],
    terminal,
  );
  const rows = rowsOf(counts) + planned.reduce((sum, plugin) => sum + rowsOf(plugin.counts), 0);
  terminal.print(`${counted(rows, "row")} would be copied; nothing was written.`);
}

function printCopy({ counts, plugins }: Move, terminal: Terminal): void {
  terminal.print(
    `Copied ${counted(rowsOf(counts), "row")} of ${counted(counts.length, "table")}; counts and checksums match.`,
  );
  for (const { pluginId, outcome, counts: tables, kept } of plugins) {
    if (outcome !== "moved") continue;
    terminal.print(
      `Copied ${counted(rowsOf(tables), "row")} of plugin ${pluginId}; counts and checksums match.`,
    );
    if (kept !== undefined) terminal.print(`Its earlier databases are kept in ${kept}.`);
  }
  terminal.print(
    "To use the copy, set store.url in openclaw.json to its URL. The source is unchanged.",
  );
}

function printDifferences(differences: readonly Difference[], terminal: Terminal): void {
  printRows(
    differences.map(({ name, source, target }) => [
      `  ${name}`,
      String(source.rows),
      String(target.rows),
      source.checksum.slice(0, 12),
      target.checksum.slice(0, 12),
    ]),
    terminal,
    { titles: ["  table", "rows", "copied", "checksum", "copy's checksum"] },
  );
  terminal.print("The tables above differ. Do not use the copy: empty the target and copy again.");
}

function noteStaying({ pluginId, outcome, databases }: MovedPlugin, { note }: Terminal): void {
  if (outcome === "left-behind") {
    note(
      `openclaw: ${counted(databases.length, "database")} of plugin ${pluginId} left behind: it begins without data in the target`,
    );
  } else if (outcome === "in-place") {
    note(
      `openclaw: ${counted(databases.length, "database")} of plugin ${pluginId} not copied: the target uses the same file`,
    );
  }
}

function rowsOf(counts: readonly { readonly rows: number }[]): number {
  return counts.reduce((sum, { rows }) => sum + rows, 0);
}
