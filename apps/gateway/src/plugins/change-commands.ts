import { defined } from "@openclaw/foundation";
import type {
  CallMethod,
  GatewayMethodResult,
  GatewayMethods,
  PluginChange,
} from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import { agrees, confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printNotes, printUpdate, reportChange } from "./change-report.js";

/** Options common to the commands that change plugins. */
export interface ChangeOptions {
  json?: boolean;
  /** Operator's decision on conversation access; undefined prompts at an interactive terminal. */
  conversation?: boolean;
  /** Agrees to every question: slot, conversation access, and permissions that a version adds. */
  yes?: boolean;
}

/** Runs `openclaw plugins install`. */
export function installCommand(
  specifier: string,
  options: ChangeOptions & { force?: boolean; accept?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { conversation, force = false, yes = false, accept = yes } = options;
  return withGatewayMethods(context, async (call) => {
    const install = (isAccepted: boolean) =>
      call("plugins.install", {
        ...{ specifier, cwd: process.cwd(), force, accept: isAccepted },
        ...defined({ allowConversation: conversation }),
      });
    const change = await install(accept);
    const isAsked = (change.addedPermissions ?? []).length > 0 && context.terminal.isInteractive;
    if (isAsked && change.update !== undefined) printUpdate(change.update, context.terminal);
    const isAgreed = isAsked && (await agrees(context.terminal, "Allow this, and install it?"));
    const answered = isAgreed ? await install(true) : change;
    const settled = await settle(answered, options, call, context);
    return reportChange(settled, { ...options, isNew: true }, context);
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
    return reportChange(await settle(change, options, call, context), options, context);
  });
}

/** Runs `openclaw plugins disable`. */
export function disableCommand(
  id: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    reportChange(await call("plugins.disable", { id }), options, context),
  );
}

/** Runs `openclaw plugins reload`. */
export function reloadCommand(
  id: string | undefined,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    reportChange(await call("plugins.reload", defined({ id })), options, context),
  );
}

/** Runs `openclaw plugins update`. */
export function updateCommand(
  id: string,
  options: ChangeOptions & { accept?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) => {
    const { yes = false, accept = yes } = options;
    const change = await call("plugins.update", { id, accept });
    const added = change.addedPermissions ?? [];
    if (added.length === 0 || !context.terminal.isInteractive)
      return reportChange(change, options, context);
    if (change.update !== undefined) printUpdate(change.update, context.terminal);
    const agreed = await agrees(
      context.terminal,
      "The new version requests these additional permissions. Install it?",
    );
    const answered = agreed ? await call("plugins.update", { id, accept: true }) : change;
    return reportChange(answered, options, context);
  });
}

/** Runs `openclaw plugins accept`. */
export function acceptCommand(
  id: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withGatewayMethods(context, async (call) =>
    reportChange(await call("plugins.accept", { id }), options, context),
  );
}

/** Runs `openclaw plugins uninstall`. A plugin that cannot be removed is reported before any question. */
export function uninstallCommand(
  id: string,
  options: ChangeOptions & { yes?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  return withGatewayMethods(context, async (call) => {
    const { installedFrom } = await call("plugins.inspect", { id });
    const question = `Remove plugin "${id}" with its files and settings?`;
    if (installedFrom !== undefined && !(await confirmed(question, options, terminal))) {
      return EXIT.negative;
    }
    return reportChange(
      await call("plugins.uninstall", { id }),
      { ...options, removed: id },
      context,
    );
  });
}

/** Runs `openclaw plugins inspect`. */
export function inspectCommand(
  id: string,
  { json = false }: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  return withGatewayMethods(
    context,
    async (call) => {
      const plugin = await call("plugins.inspect", { id });
      if (json) {
        print(JSON.stringify(plugin));
        return EXIT.ok;
      }
      const { name, version = "", origin, status, reason, diagnostics } = plugin;
      const isLimited = diagnostics.some(({ code }) => code === "sdk-parts-missing");
      print(
        `${colors.bold(name)} ${version} (${plugin.id}): ${status}${isLimited ? ", limited" : ""}${reason === undefined ? "" : `, ${reason}`}`,
      );
      print(`  from   ${origin}, ${plugin.source}`);
      if (plugin.loadMs !== undefined) {
        print(
          `  loaded in ${plugin.loadMs.toFixed(1)} ms, registered in ${(plugin.registerMs ?? 0).toFixed(1)} ms`,
        );
      }
      for (const line of isolationLines(plugin)) print(`  ${line}`);
      for (const [kind, names] of Object.entries(plugin.registered))
        print(`  ${kind}: ${names.join(", ")}`);
      for (const { hook, priority, fired, failed, active, reason: inactive } of plugin.hooks) {
        const state = active ? `fired ${fired}, failed ${failed}` : `inactive: ${inactive}`;
        print(`  on ${hook} (priority ${priority}): ${state}`);
      }
      printNotes(plugin.diagnostics, context.terminal);
      return EXIT.ok;
    },
    "reads",
  );
}

/** Returns where the code of a plugin runs, and which of its permissions bind all of it (PLUG-052). */
function isolationLines({
  isolation,
  permissions,
}: Pick<GatewayMethodResult<"plugins.inspect">, "isolation" | "permissions">): string[] {
  const { tier = "none", enforced = [] } = isolation ?? {};
  const declared = Object.keys(permissions).filter((kind) => !enforced.includes(kind));
  return [
    ...(tier === "none"
      ? []
      : [`runs in ${tier === "worker" ? "a thread" : "a separate process"}`]),
    ...(enforced.length === 0 ? [] : [`permissions enforced: ${enforced.join(", ")}`]),
    ...(declared.length === 0 ? [] : [`permissions declared: ${declared.join(", ")}`]),
  ];
}

/** Asks for what a new plugin needs from the operator: the slot of its kind, and conversation access. */
async function settle(
  change: PluginChange,
  options: ChangeOptions,
  call: CallMethod<GatewayMethods>,
  context: CommandContext,
): Promise<PluginChange> {
  const placed = await offerSlot(change, options, call, context);
  return askForConsent(placed, options, call, context);
}

/** Offers a plugin the slot of its kind while no plugin has it (PLUG-084). */
async function offerSlot(
  change: PluginChange,
  { yes = false }: ChangeOptions,
  call: CallMethod<GatewayMethods>,
  { terminal }: CommandContext,
): Promise<PluginChange> {
  const { freeSlot, plugin } = change;
  if (freeSlot === undefined || plugin === undefined) return change;
  const { id } = plugin;
  if (yes) return call("plugins.enable", { id });
  if (!terminal.isInteractive) {
    terminal.note(
      `openclaw: "${id}" needs the slot "${freeSlot}", which is free; turn it on with \`openclaw plugins enable ${id}\``,
    );
    return change;
  }
  const question = `"${id}" needs the slot "${freeSlot}", which is free. Use "${id}" for it?`;
  return (await agrees(terminal, question)) ? call("plugins.enable", { id }) : change;
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
  if (options.yes === true) {
    return call("plugins.enable", { id: plugin.id, allowConversation: true });
  }
  if (!terminal.isInteractive) {
    terminal.note(
      `openclaw: handlers of "${plugin.id}" that read whole conversations stay inactive: ${consentNeeded.join(", ")}. Allow them with --allow-conversation or --yes, or decline with --no-conversation.`,
    );
    return change;
  }
  const question = `Allow "${plugin.id}" to read whole conversations (${consentNeeded.join(", ")})?`;
  const allowConversation = await agrees(terminal, question);
  return call("plugins.enable", { id: plugin.id, allowConversation });
}
