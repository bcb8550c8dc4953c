import { defined } from "@openclaw/foundation";
import { HOOK_NAMES } from "@openclaw/plugin-sdk";
import type { HookHandler } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { printConfiguredHooks, showConfiguredHookCommand } from "./configured-commands.js";

/**
 * Runs `openclaw hooks list`: prints the hooks that have handlers, with their step and call counts.
 * @param options - `all` includes every hook of the catalog
 * @param context - terminal and environment
 */
export async function listHooksCommand(
  { all = false, json = false }: { all?: boolean; json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { print, colors } = context.terminal;
  const [{ hooks }, configured] = await withGatewayMethods(
    context,
    (call) => Promise.all([call("hooks.list", {}), call("hooks.configured", {})]),
    "reads",
  );
  const shown = all ? hooks : hooks.filter(({ handlers }) => handlers > 0);
  if (json) {
    print(
      JSON.stringify({ hooks: shown, configured: configured.hooks, problems: configured.problems }),
    );
    return EXIT.ok;
  }
  const width = Math.max(0, ...shown.map(({ hook }) => hook.length));
  const steps = Math.max(0, ...shown.map(({ step }) => step.length));
  for (const { hook, kind, step, handlers, dispatched, failed, plugins, rewrites } of shown) {
    const failures = failed === 0 ? "" : colors.red(`, ${failed} failed`);
    const count = `${handlers} ${handlers === 1 ? "handler" : "handlers"}`;
    print(
      `${hook.padEnd(width)}  ${step.padEnd(steps)}  ${kind.padEnd(7)} ${count.padEnd(11)} fired ${dispatched}${failures}`,
    );
    for (const plugin of plugins) {
      print(colors.dim(`  ${plugin.pluginId}: ${plugin.handlers}, called ${plugin.fired}`));
    }
    for (const { field, pluginIds } of rewrites) {
      print(colors.yellow(`  ${field} is rewritten by ${pluginIds.join(" and ")}`));
    }
  }
  if (shown.length === 0) print("No plugin handles a hook; use --all to list the catalog.");
  printConfiguredHooks(configured, context.terminal);
  return EXIT.ok;
}

/**
 * Runs `openclaw hooks show`: prints the handlers of a hook in the order in which they run (HOOK-051).
 * @param hook - name in the catalog, or of a configured hook
 * @param options - agent, channel and tool that handler scopes are matched against, and format
 * @param context - terminal and environment
 */
export async function showHookCommand(
  hook: string,
  {
    agent,
    channel,
    tool,
    json = false,
  }: {
    agent?: string;
    channel?: string;
    tool?: string;
    json?: boolean;
  },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  if (!(HOOK_NAMES as readonly string[]).includes(hook)) {
    return await showConfiguredHookCommand(hook, { json }, context);
  }
  const shown = await withGatewayMethods(
    context,
    (call) =>
      call("hooks.show", {
        hook,
        ...defined({ agentId: agent, channel, toolName: tool }),
      }),
    "reads",
  );
  if (json) {
    terminal.print(JSON.stringify(shown));
    return EXIT.ok;
  }
  terminal.print(`${terminal.colors.bold(shown.hook)} (${shown.kind}): ${shown.description}`);
  terminal.print(`  step ${shown.step}, fired ${shown.dispatched}, failed ${shown.failed}`);
  for (const handler of shown.order) printHandler(handler, terminal);
  if (shown.order.length === 0) terminal.print("  no handlers");
  return EXIT.ok;
}

function printHandler(handler: HookHandler, { print, colors }: Terminal): void {
  const { pluginId, label, priority, stage, source } = handler;
  const named = label === undefined ? pluginId : `${pluginId} ${label}`;
  const place = `${named} (priority ${priority}${stage === "policy" ? ", policy stage" : ""})`;
  if (!handler.runs) {
    print(`  ${colors.dim("·")} ${place}: ${handler.reason}`);
    return;
  }
  const { mode, deadlineMs, deadlineFrom, fired, p50Ms, p99Ms, rewrote } = handler;
  const deadline = deadlineMs === undefined ? "" : `, ${deadlineMs} ms (${deadlineFrom})`;
  const times = fired === 0 ? "" : `, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const changes = rewrote.length === 0 ? "" : `, rewrote ${rewrote.join(", ")}`;
  print(`  ${colors.green("✓")} ${place}: ${mode}${deadline}, called ${fired}${times}${changes}`);
  print(colors.dim(`      ${source}`));
}
