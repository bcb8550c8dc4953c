import { defined } from "@openclaw/foundation";
import type { CallMethod, GatewayMethods, PluginChange, PluginNote } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import { agrees, confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";

/** Options common to the commands that change plugins. */
export interface ChangeOptions {
  json?: boolean;
  /** Operator's decision on conversation access; undefined prompts at an interactive terminal. */
  conversation?: boolean;
}

/** Runs `openclaw plugins install`. */
export function installCommand(
  specifier: string,
  options: ChangeOptions & { force?: boolean; accept?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { conversation, force = false, accept = false } = options;
  return withGatewayMethods(context, async (call) => {
    const change = await call("plugins.install", {
      specifier,
      cwd: process.cwd(),
      force,
      accept,
      ...defined({ allowConversation: conversation }),
    });
    return report(await askForConsent(change, options, call, context), options, context);
  });
}

/** Runs `openclaw plugins enable`. */
export function enableCommand(
  id: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { conversation } = options;
  return withGatewayMethods(context, async (call) => {
    const consent = defined({ allowConversation: conversation });
    const change = await call("plugins.enable", { id, ...consent });
    return report(await askForConsent(change, options, call, context), options, context);
  });
}

/** Runs `openclaw plugins disable`. */
export function disableCommand(
  id: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    report(await call("plugins.disable", { id }), options, context),
  );
}

/** Runs `openclaw plugins reload`. */
export function reloadCommand(
  id: string | undefined,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    report(await call("plugins.reload", defined({ id })), options, context),
  );
}

/** Runs `openclaw plugins update`. */
export function updateCommand(
  id: string,
  options: ChangeOptions & { accept?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) => {
    const { accept = false } = options;
    const change = await call("plugins.update", { id, accept });
    const added = change.addedPermissions ?? [];
    if (added.length === 0 || !context.terminal.isInteractive)
      return report(change, options, context);
    for (const permission of added) context.terminal.print(`  + ${permission}`);
    const agreed = await agrees(
      context.terminal,
      "The new version requests these additional permissions. Install it?",
    );
    const answered = agreed ? await call("plugins.update", { id, accept: true }) : change;
    return report(answered, options, context);
  });
}

/** Runs `openclaw plugins uninstall`. */
export async function uninstallCommand(
  id: string,
  options: ChangeOptions & { yes?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const question = `Remove plugin "${id}" with its files and settings?`;
  if (!(await confirmed(question, options, context.terminal))) return EXIT.negative;
  return withGatewayMethods(context, async (call) =>
    report(await call("plugins.uninstall", { id }), options, context),
  );
}

/** Runs `openclaw plugins inspect`. */
export function inspectCommand(
  id: string,
  { json = false }: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  return withGatewayMethods(context, async (call) => {
    const plugin = await call("plugins.inspect", { id });
    if (json) {
      print(JSON.stringify(plugin));
      return EXIT.ok;
    }
    const { name, version = "", origin, status, reason } = plugin;
    print(
      `${colors.bold(name)} ${version} (${plugin.id}): ${status}${reason === undefined ? "" : `, ${reason}`}`,
    );
    print(`  from   ${origin}, ${plugin.source}`);
    if (plugin.loadMs !== undefined) {
      print(
        `  loaded in ${plugin.loadMs.toFixed(1)} ms, registered in ${(plugin.registerMs ?? 0).toFixed(1)} ms`,
      );
    }
    for (const [kind, names] of Object.entries(plugin.registered))
      print(`  ${kind}: ${names.join(", ")}`);
    for (const { hook, priority, fired, failed, active, reason: inactive } of plugin.hooks) {
      const state = active ? `fired ${fired}, failed ${failed}` : `inactive: ${inactive}`;
      print(`  on ${hook} (priority ${priority}): ${state}`);
    }
    printNotes(plugin.diagnostics, context.terminal);
    return EXIT.ok;
  });
}

/** Asks once for conversation access when the plugin's handlers require it (D29). */
async function askForConsent(
  change: PluginChange,
  options: ChangeOptions,
  call: CallMethod<GatewayMethods>,
  { terminal }: CommandContext,
): Promise<PluginChange> {
  const { consentNeeded = [], plugin } = change;
  if (consentNeeded.length === 0 || plugin === undefined || options.conversation !== undefined) {
    return change;
  }
  if (!terminal.isInteractive) {
    terminal.note(
      `openclaw: handlers of "${plugin.id}" that read whole conversations stay inactive: ${consentNeeded.join(", ")}. Allow them with --allow-conversation, or decline with --no-conversation.`,
    );
    return change;
  }
  const question = `Allow "${plugin.id}" to read whole conversations (${consentNeeded.join(", ")})?`;
  const allowConversation = await agrees(terminal, question);
  return call("plugins.enable", { id: plugin.id, allowConversation });
}

function report(
  change: PluginChange,
  { json = false }: ChangeOptions,
  { terminal }: CommandContext,
): ExitCode {
  const { plugin, addedPermissions = [] } = change;
  // A plugin that failed to reload keeps its previous version; the command still failed.
  const isBroken = plugin?.status === "error" || change.diagnostics.some(isError);
  const failed = isBroken || addedPermissions.length > 0;
  if (json) {
    terminal.print(JSON.stringify(change));
    return failed ? EXIT.negative : EXIT.ok;
  }
  printNotes(change.diagnostics, terminal);
  if (addedPermissions.length > 0) {
    terminal.print("Not updated: the new version requests additional permissions.");
    for (const permission of addedPermissions) terminal.print(`  + ${permission}`);
    terminal.print("Accept them with --accept.");
  } else {
    terminal.print(`${outcomeOf(change)}: ${stateOf(plugin)}.`);
  }
  return failed ? EXIT.negative : EXIT.ok;
}

function isError({ level }: PluginNote): boolean {
  return level === "error";
}

/**
 * Describes whether a change took effect, and how long it took.
 * @param change - result from the host
 */
export function outcomeOf({ generation, durationMs, diagnostics }: PluginChange): string {
  const outcome = diagnostics.some(isError) ? "Not changed, still generation" : "Generation";
  return `${outcome} ${generation} after ${durationMs.toFixed(0)} ms`;
}

function stateOf(plugin: PluginChange["plugin"]): string {
  if (plugin === undefined) return "all plugins are as configured";
  const reason = plugin.reason === undefined ? "" : ` (${plugin.reason})`;
  return `"${plugin.id}" is ${plugin.status}${reason}`;
}

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
