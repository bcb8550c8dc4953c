import type { GatewayMethodResult } from "@openclaw/protocol";
import { setCommand } from "../configuration/change-commands.js";
import { withGatewayMethods } from "../host/methods.js";
import { runText, stateText } from "../routines/lines.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { timeOf } from "../shell/table.js";

/** Option of the commands that print. */
interface Format {
  json?: boolean;
}

/**
 * Runs `openclaw heartbeat status`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function heartbeatStatusCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const status = await withGatewayMethods(context, (call) => call("heartbeat.status", {}), "reads");
  if (json) terminal.print(JSON.stringify(status));
  else for (const line of statusLines(status)) terminal.print(line);
  return EXIT.ok;
}

/**
 * Runs `openclaw heartbeat run`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function runHeartbeatCommand(
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const ended = await withGatewayMethods(context, (call) => call("heartbeat.run", {}));
  terminal.print(json ? JSON.stringify(ended) : ended.text);
  return ended.run?.state === "failed" ? EXIT.error : EXIT.ok;
}

/**
 * Runs `openclaw heartbeat enable` and `disable`.
 * @param verb - the change
 * @param options - format
 * @param context - terminal and environment
 */
export async function switchHeartbeatCommand(
  verb: "enable" | "disable",
  { json = false }: Format,
  context: CommandContext,
): Promise<ExitCode> {
  const terminal = json ? { ...context.terminal, print: () => undefined } : context.terminal;
  const value = String(verb === "enable");
  const code = await setCommand("heartbeat.enabled", value, {}, { ...context, terminal });
  if (code !== EXIT.ok) return code;
  if (verb === "enable") {
    await withGatewayMethods(context, (call) => call("heartbeat.enable", {}));
  }
  if (json) return await heartbeatStatusCommand({ json }, context);
  if (verb === "disable") return EXIT.ok;
  const { enabled } = await withGatewayMethods(
    context,
    (call) => call("heartbeat.status", {}),
    "reads",
  );
  if (!enabled) {
    context.terminal.print(
      "The heartbeat is still off: the environment variable HEARTBEAT_ENABLED takes precedence.",
    );
  }
  return EXIT.ok;
}

function statusLines(status: GatewayMethodResult<"heartbeat.status">): readonly string[] {
  const { enabled, intervalSeconds, agentId, timezone, channel, to, quietHours } = status;
  const { routine, waits } = status;
  const off = "off; `openclaw heartbeat enable` turns it on";
  const on = routine === undefined ? "on, from the start of the gateway" : stateText(routine);
  return [
    `Heartbeat: ${enabled ? on : off}`,
    `Every: ${intervalSeconds} s, agent ${agentId}`,
    `Results: ${channel === undefined ? "each channel on which the operator wrote" : [channel, to].filter(Boolean).join(" ")}`,
    ...(quietHours === undefined
      ? []
      : [`Quiet hours: ${quietHours.from} to ${quietHours.to} ${timezone}`]),
    ...(waits === undefined ? [] : [`Now it would call no model: ${waits}`]),
    ...(routine?.lastRun === undefined
      ? []
      : [`Last run: ${timeOf(routine.lastRun.plannedAt)} ${runText(routine.lastRun)}`]),
  ];
}
