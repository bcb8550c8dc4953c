import type { PluginChange, PluginNote } from "@openclaw/protocol";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";

type UpdateChanges = NonNullable<PluginChange["update"]>;

/** Number of files of each kind that a list shows. */
const SHOWN_FILES = 20;

/**
 * Prints the result of a change of plugins.
 * @param change - result from the host
 * @param options - format, the ID of a plugin that was uninstalled, and whether a plugin is installed
 */
export function reportChange(
  change: PluginChange,
  {
    json = false,
    removed,
    isNew = false,
  }: { readonly json?: boolean; readonly removed?: string; readonly isNew?: boolean },
  { terminal }: CommandContext,
): ExitCode {
  const { plugin, addedPermissions = [], replaced = [] } = change;
  const isAwaiting = addedPermissions.length > 0;
  // A plugin that failed to reload keeps its previous version; the command still failed.
  const failed = isAwaiting || change.outcome === "kept" || plugin?.status === "error";
  if (json) {
    terminal.print(JSON.stringify(change));
    return failed ? EXIT.negative : EXIT.ok;
  }
  printNotes(change.diagnostics, terminal);
  if (change.update !== undefined) printUpdate(change.update, terminal);
  if (isAwaiting) {
    terminal.print(
      isNew
        ? "Not installed: the bundle starts programs or reaches hosts, for which it needs your consent."
        : "Not updated: the new version requests additional permissions.",
    );
    terminal.print("Accept them with --accept.");
  } else if (removed !== undefined) {
    terminal.print(`Removed "${removed}" with its files, settings and data.`);
  } else {
    terminal.print(`${outcomeOf(change)}: ${stateOf(plugin)}.`);
  }
  for (const id of replaced) terminal.print(`"${id}" is off, because its slot was given away.`);
  return failed ? EXIT.negative : EXIT.ok;
}

/**
 * Prints how an update differs from the installed version: executable files and permissions (PLUG-081).
 * @param update - differences
 * @param terminal - terminal to print to
 */
export function printUpdate({ files, permissions }: UpdateChanges, { print }: Terminal): void {
  const changed = [
    ...marked("+", files.added),
    ...marked("~", files.changed),
    ...marked("-", files.removed),
  ];
  if (changed.length > 0) print("Executable files that differ:");
  for (const line of changed) print(line);
  const differing = [...marked("+", permissions.added), ...marked("-", permissions.removed)];
  if (differing.length > 0) print("Permissions that differ:");
  for (const line of differing) print(line);
}

function marked(mark: string, names: readonly string[]): string[] {
  const lines = names.slice(0, SHOWN_FILES).map((name) => `  ${mark} ${name}`);
  const rest = names.length - SHOWN_FILES;
  return rest > 0 ? [...lines, `  ${mark} ${rest} more; --json lists all`] : lines;
}

/**
 * Describes whether a change took effect, and how long it took.
 * @param change - result from the host
 */
export function outcomeOf({ outcome, generation, durationMs }: PluginChange): string {
  const result = outcome === "kept" ? "Not changed, still generation" : "Generation";
  return `${result} ${generation} after ${durationMs.toFixed(0)} ms`;
}

function stateOf(plugin: PluginChange["plugin"]): string {
  if (plugin === undefined) return "all plugins are as configured";
  const { id, status, reason } = plugin;
  if (status === "error") return `"${id}" is installed and does not run`;
  const state = `"${id}" is ${status}${reason === undefined ? "" : ` (${reason})`}`;
  return reason !== undefined && ENABLED_BY_COMMAND.has(reason)
    ? `${state}; \`openclaw plugins enable ${id}\` turns it on`
    : state;
}

/** Reasons of a disabled plugin that no operator chose; the others name a line of the configuration. */
const ENABLED_BY_COMMAND: ReadonlySet<string> = new Set([
  "default-off",
  "slot-taken",
  "workspace-default",
]);

/**
 * Prints warnings and errors about plugins.
 * @param notes - notes of a change or a plugin
 * @param terminal - terminal; notes go to standard error
 */
export function printNotes(notes: readonly PluginNote[], { note }: Terminal): void {
  for (const { level, message, hint } of notes) {
    if (level === "info") continue;
    note(`${level}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
  }
}
