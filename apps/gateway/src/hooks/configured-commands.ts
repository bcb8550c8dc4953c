import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import type {
  ConfiguredHookDescription,
  ConfiguredHookSummary,
  GatewayMethodResult,
} from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { readJsonObject } from "../shell/json-argument.js";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";

/**
 * Prints the hooks that are written as configuration, and the problems of their sources (DHOOK-016).
 * @param configured - hooks and problems
 * @param terminal - terminal of the command
 */
export function printConfiguredHooks(
  { hooks, problems }: GatewayMethodResult<"hooks.configured">,
  { print, colors }: Terminal,
): void {
  if (hooks.length > 0) print("\nConfigured hooks");
  const width = Math.max(0, ...hooks.map(({ name }) => name.length));
  for (const hook of hooks) {
    const { name, points, action } = hook;
    print(`  ${name.padEnd(width)}  ${stateOf(hook, colors)}  ${action} at ${points.join(", ")}`);
    print(colors.dim(`    ${countsOf(hook)}`));
  }
  for (const { source, message } of problems) print(colors.yellow(`! ${source}: ${message}`));
}

/**
 * Prints a configured hook with its definition, runs and deliveries (DHOOK-016, DHOOK-030).
 * @param name - name of the hook
 * @param options - format
 * @param context - terminal and environment
 */
export async function showConfiguredHookCommand(
  name: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  const hook = await withGatewayMethods(
    context,
    (call) => call("hooks.describe", { name }),
    "reads",
  );
  if (json) {
    print(JSON.stringify(hook));
    return EXIT.ok;
  }
  print(
    `${colors.bold(hook.name)}: ${stateOf(hook, colors)}, ${hook.action}, priority ${hook.priority}`,
  );
  print(`  points   ${hook.points.join(", ")}`);
  print(`  source   ${hook.source}`);
  if (hook.reason !== undefined) print(`  reason   ${colors.yellow(hook.reason)}`);
  print(`  counts   ${countsOf(hook)}`);
  print(`  defined  ${JSON.stringify(hook.definition)}`);
  printRows("runs", hook.runs, context.terminal);
  printRows("deliveries", hook.deliveries, context.terminal);
  return EXIT.ok;
}

/**
 * Enables or disables a configured hook (DHOOK-016).
 * @param verb - new state
 * @param name - name of the hook
 * @param options - format
 * @param context - terminal and environment
 */
export async function switchHookCommand(
  verb: "enable" | "disable",
  name: string,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  const hook = await withGatewayMethods(context, (call) => call(`hooks.${verb}`, { name }));
  if (json) print(JSON.stringify(hook));
  else print(`${hook.name} is ${stateOf(hook, colors)}.`);
  return EXIT.ok;
}

/**
 * Runs a configured hook with an event (DHOOK-016).
 * @param name - name of the hook
 * @param options - event and format
 * @param context - terminal and environment
 * @throws UsageError when the event is not a JSON object
 */
export async function testConfiguredHookCommand(
  name: string,
  { input = "{}", json = false }: { input?: string; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  if ((HOOK_NAMES as readonly string[]).includes(name)) {
    throw new UsageError(
      `"${name}" is a hook of the catalog: add --plugin <path> to call the handlers of a plugin, or name a configured hook`,
    );
  }
  const { print, colors } = context.terminal;
  const event = { ...(await readJsonObject(input, "--input")) };
  const { answer } = await withGatewayMethods(context, (call) =>
    call("hooks.test", { name, event }),
  );
  const { outcome, hook, point, ...rest } = answer;
  if (json) print(JSON.stringify(answer));
  else {
    print(`${String(hook)} at ${String(point)}: ${colors.bold(String(outcome))}`);
    for (const [key, value] of Object.entries(rest)) {
      print(`  ${key.padEnd(10)} ${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
  }
  return outcome === "error" || outcome === "skipped" ? EXIT.negative : EXIT.ok;
}

/**
 * Approves the programs of a hook file (DHOOK-014).
 * @param file - path of the file
 * @param options - confirmation and format
 * @param context - terminal and environment
 */
export async function approveHookFileCommand(
  file: string,
  { yes = false, json = false }: { yes?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print } = context.terminal;
  return await withGatewayMethods(context, async (call) => {
    const { approval } = await call("hooks.approve", { file });
    if (approval === undefined) {
      if (json) print(JSON.stringify({ approved: false }));
      else print(`${file} is not a hook file of the workspace with programs; nothing to approve.`);
      return EXIT.negative;
    }
    if (!json) {
      print(`${approval.file} (SHA-256 ${approval.hash.slice(0, 16)}…) runs:`);
      for (const command of approval.commands) print(`  ${command}`);
    }
    const { hash } = approval;
    if (!approval.approved) {
      if (!(await confirmed("Approve this content?", { yes, json }, context.terminal))) {
        return EXIT.negative;
      }
      await call("hooks.approve", { file, hash });
    }
    if (json) print(JSON.stringify({ ...approval, approved: true }));
    else print("Approved. A change of the file needs a new approval.");
    return EXIT.ok;
  });
}

function stateOf({ state }: ConfiguredHookSummary, colors: Terminal["colors"]): string {
  return state === "active" ? colors.green(state) : colors.yellow(state);
}

function countsOf({ counts, source }: ConfiguredHookSummary): string {
  const { matched, modified, blocked, failed } = counts;
  return `matched ${matched}, modified ${modified}, blocked ${blocked}, failed ${failed} (${source})`;
}

function printRows(
  label: string,
  rows: ConfiguredHookDescription["runs"],
  { print, colors }: Terminal,
): void {
  if (rows.length > 0) print(`  ${label}`);
  for (const row of rows) print(colors.dim(`    ${JSON.stringify(row)}`));
}
