import { defined } from "@openclaw/foundation";
import type { PluginNote, PluginSummary } from "@openclaw/protocol";
import { withGatewayMethods } from "../host/methods.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";

/** Result of one check, with the fix when it found a problem. */
interface Finding {
  readonly status: "ok" | "note" | "warn" | "fail";
  readonly subject: string;
  readonly message: string;
  readonly fix?: string;
}

const STATUS_OF_LEVEL = { info: "note", warn: "warn", error: "fail" } as const;
const NEVER_FIRED = "handler-never-fired";
const SHOWN_NOTES: ReadonlySet<string> = new Set([NEVER_FIRED, "permission-undeclared"]);

/**
 * Runs `openclaw plugins doctor`: reports problems of plugins and how to fix them; in a running gateway also
 * hooks whose handlers have never run (HOOK-050).
 * @param id - plugin ID; undefined checks all plugins
 * @param options - format
 * @param context - terminal and environment
 */
export async function doctorCommand(
  id: string | undefined,
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const findings = await withGatewayMethods(
    context,
    async (call, { isRunning }) => {
      const examined = await call("plugins.doctor", defined({ id }));
      // In a host that was started only for this command, no handler has run yet.
      const diagnostics = examined.diagnostics.filter(
        ({ code }) => isRunning || code !== NEVER_FIRED,
      );
      const ids = new Set(examined.plugins.map((plugin) => plugin.id));
      return [
        ...examined.plugins.flatMap((plugin) => examine(plugin, diagnostics)),
        ...diagnostics
          .filter(({ pluginId }) => pluginId === undefined || !ids.has(pluginId))
          .flatMap((note) => findingOf("plugins", note)),
      ];
    },
    "reads",
  );
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
  if (own.some((finding) => finding.status !== "note")) return own;
  if (status === "error")
    return [{ status: "fail", subject: id, message: reason ?? "failed to load" }];
  const message = reason === undefined ? status : `${status} (${reason})`;
  return [{ status: "ok", subject: id, message }, ...own];
}

function findingOf(subject: string, { level, code, message, hint }: PluginNote): Finding[] {
  if (level === "info" && !SHOWN_NOTES.has(code)) return [];
  const fix = defined({ fix: hint });
  return [{ status: STATUS_OF_LEVEL[level], subject, message, ...fix }];
}

function printFinding({ status, subject, message, fix }: Finding, terminal: Terminal): void {
  const { colors, print } = terminal;
  const colour = { ok: colors.green, note: colors.dim, warn: colors.yellow, fail: colors.red }[
    status
  ];
  print(`${colour(status.padEnd(4))} ${subject}: ${message}`);
  if (fix !== undefined) print(`     ${colors.dim(`fix: ${fix}`)}`);
}
