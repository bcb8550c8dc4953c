import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { findRunningGateway } from "../host/running-gateway.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";

type UsageGroup = NonNullable<GatewayMethodParameters<"usage.query">["groupBy"]>;

/** Options of `openclaw usage`. */
export interface UsageOptions {
  readonly by: UsageGroup;
  /** Milliseconds since the epoch; 30 days ago when absent. */
  readonly since?: number;
  readonly json?: boolean;
}

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Runs `openclaw usage`: prints the tokens of ended turns, of the running gateway or of the stored data.
 * @param options - group, period and format
 * @param context - terminal and environment
 */
export async function usageCommand(
  { by, since, json = false }: UsageOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const to = Date.now();
  const query = { groupBy: by, from: since ?? to - PERIOD_MS, to };
  const groups = await sum(query, context);
  if (json) {
    terminal.print(JSON.stringify({ by, from: query.from, to, groups }));
  } else if (groups.length === 0) {
    terminal.print("No turns ended in this period.");
  } else {
    const counted = by === "model" || by === "tool" ? "calls" : "turns";
    printRows(
      groups.map(({ key, count, inputTokens, outputTokens, totalTokens }) => [
        ...[count, inputTokens, outputTokens, totalTokens].map(String),
        key,
      ]),
      terminal,
      { titles: [counted, "input", "output", "total", by] },
    );
  }
  return EXIT.ok;
}

async function sum(
  query: Required<GatewayMethodParameters<"usage.query">>,
  context: CommandContext,
): Promise<GatewayMethodResult<"usage.query">["groups"]> {
  const running = await findRunningGateway(context.environment);
  if (running?.http === undefined) {
    // The code that opens databases is loaded only when no gateway runs.
    const [{ storedUsage }, { databaseOwner }] = await Promise.all([
      import("@openclaw/gateway/upkeep"),
      import("../database/owner.js"),
    ]);
    return storedUsage(query, await databaseOwner(context));
  }
  return (await running.http.client.call("usage.query", query)).groups;
}
