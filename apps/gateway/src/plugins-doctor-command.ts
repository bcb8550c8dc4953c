import type { HookSummary, PluginNote, PluginSummary } from "@openclaw/client";
import type { CommandContext } from "./command-line.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { withGatewayMethods } from "./gateway-methods.js";
import type { Terminal } from "./terminal.js";

/** One finding, with the next step where something is not as it should be. */
interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly subject: string;
  readonly message: string;
  readonly fix?: string;
}

const STATUS_OF_LEVEL = { warn: "warn", error: "fail" } as const;

/**
 * `openclaw plugins doctor`: what is wrong with plugins, each with its fix; in a running gateway also the
 * hooks with handlers that have never fired (HOOK-050).
 * @param id - one plugin; all of them when absent
 * @param options - `json`
 * @param context - terminal and environment
 */
export async function doctorCommand(
  id: string | undefined,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const findings = await withGatewayMethods(context, async (call, { isRunning }) => {
    if (id !== undefined) {
      const plugin = await call("plugins.inspect", { id });
      return [plugin].flatMap((each) => examine(each, plugin.diagnostics));
    }
    const { plugins, diagnostics } = await call("plugins.list", {});
    const ids = new Set(plugins.map((plugin) => plugin.id));
    const { hooks } = isRunning ? await call("hooks.list", {}) : { hooks: [] };
    return [
      ...plugins.flatMap((plugin) => examine(plugin, diagnostics)),
      ...diagnostics
        .filter(({ pluginId }) => pluginId === undefined || !ids.has(pluginId))
        .flatMap((note) => findingOf("plugins", note)),
      ...hooks.flatMap(neverFired),
    ];
  });
  const failed = findings.some(({ status }) => status === "fail");
  if (json) context.terminal.print(JSON.stringify({ passed: !failed, findings }));
  else for (const finding of findings) printFinding(finding, context.terminal);
  return failed ? EXIT.negative : EXIT.ok;
}

function examine(plugin: PluginSummary, diagnostics: readonly PluginNote[]): Finding[] {
  const { id, status, reason } = plugin;
  const own = diagnostics
    .filter(({ pluginId }) => pluginId === id)
    .flatMap((note) => findingOf(id, note));
  if (own.length > 0) return own;
  if (status === "error") return [{ status: "fail", subject: id, message: reason ?? "it failed" }];
  const message = reason === undefined ? status : `${status} (${reason})`;
  return [{ status: "ok", subject: id, message }];
}

function findingOf(subject: string, { level, message, hint }: PluginNote): Finding[] {
  if (level === "info") return [];
  const fix = hint === undefined ? {} : { fix: hint };
  return [{ status: STATUS_OF_LEVEL[level], subject, message, ...fix }];
}

function neverFired({ hook, handlers, dispatched }: HookSummary): Finding[] {
  if (handlers === 0 || dispatched > 0) return [];
  return [
    {
      status: "warn",
      subject: hook,
      message: `${handlers} ${handlers === 1 ? "handler waits" : "handlers wait"} for it, and it has not fired since the start`,
      fix: `openclaw hooks show ${hook}`,
    },
  ];
}

function printFinding({ status, subject, message, fix }: Finding, terminal: Terminal): void {
  const { colors, print } = terminal;
  const colour = { ok: colors.green, warn: colors.yellow, fail: colors.red }[status];
  print(`${colour(status.padEnd(4))} ${subject}: ${message}`);
  if (fix !== undefined) print(`     ${colors.dim(`fix: ${fix}`)}`);
}
