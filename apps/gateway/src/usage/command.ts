import { defined, displayUsd, parseUsd } from "@openclaw/foundation";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { findRunningGateway } from "../host/running-gateway.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printRows } from "../shell/table.js";

type Group = GatewayMethodResult<"usage.query">["groups"][number];
type Parameters = GatewayMethodParameters<"usage.query">;
type UsageGroup = NonNullable<Parameters["groupBy"]>;

/** Values that the counted calls have. */
export type UsageFilter = NonNullable<Parameters["filter"]>;

/** Options of `openclaw usage`. */
export interface UsageOptions {
  readonly by: UsageGroup;
  /** Milliseconds since the epoch; 30 days ago when absent. */
  readonly since?: number;
  readonly filter?: UsageFilter;
  readonly split?: "day" | "month";
  readonly csv?: boolean;
  readonly json?: boolean;
}

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Runs `openclaw usage`: prints calls, tokens and cost of models, of the running gateway or of the stored data.
 * @param options - group, period and format
 * @param context - terminal and environment
 */
export async function usageCommand(
  { by, since, filter, split, csv = false, json = false }: UsageOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const to = Date.now();
  const query = {
    ...{ groupBy: by, from: since ?? to - PERIOD_MS, to },
    ...defined({ filter, splitBy: split }),
  };
  if (csv) {
    terminal.print((await table(query, context)).trimEnd());
    return EXIT.ok;
  }
  const { groups, total } = await sum(query, context);
  if (json) {
    terminal.print(JSON.stringify({ by, from: query.from, to, groups, total }));
  } else if (groups.length === 0) {
    terminal.print("No model was called in this period.");
  } else {
    const own = groups.some(({ toolCostUsd }) => toolCostUsd !== undefined);
    printRows(
      groups.map(({ key, count, inputTokens, outputTokens, cacheReadTokens, ...group }) => [
        ...[count, inputTokens, cacheReadTokens, outputTokens].map(String),
        costText(group),
        ...(own ? [displayUsd(parseUsd(group.toolCostUsd ?? "0") ?? 0n)] : []),
        key === "" ? "(none)" : key,
      ]),
      terminal,
      { titles: ["calls", "input", "cached", "output", "cost", ...(own ? ["tool cost"] : []), by] },
    );
    const estimated = groups.reduce((total, { estimatedCalls }) => total + estimatedCalls, 0);
    if (estimated > 0) {
      terminal.print(
        `about: the cost of ${estimated} ${estimated === 1 ? "call" : "calls"} is an estimate, because the price of the model or its tokens are not known. Set the price with models.known in the configuration.`,
      );
    }
  }
  return EXIT.ok;
}

function costText({ costUsd, estimatedCalls }: Pick<Group, "costUsd" | "estimatedCalls">): string {
  return `${estimatedCalls > 0 ? "about " : ""}${displayUsd(parseUsd(costUsd) ?? 0n)}`;
}

type Query = Pick<Parameters, "filter" | "splitBy"> &
  Required<Pick<Parameters, "from" | "to" | "groupBy">>;

async function sum(
  query: Query,
  context: CommandContext,
): Promise<GatewayMethodResult<"usage.query">> {
  const running = await findRunningGateway(context.environment);
  return running?.http === undefined
    ? (await stored(query, context)).report
    : await running.http.client.call("usage.query", query);
}

async function table(query: Query, context: CommandContext): Promise<string> {
  const running = await findRunningGateway(context.environment);
  return running?.http === undefined
    ? (await stored(query, context)).table
    : (await running.http.client.call("usage.export", query)).content;
}

async function stored(query: Query, context: CommandContext) {
  // The code that opens databases is loaded only when no gateway runs.
  const [{ storedUsage }, { databaseOwner }, { loadOperatorConfiguration }] = await Promise.all([
    import("@openclaw/gateway/upkeep"),
    import("../database/owner.js"),
    import("../configuration.js"),
  ]);
  const { value } = await loadOperatorConfiguration(context.environment);
  const timeZone = value.models?.budget?.timeZone ?? "UTC";
  return await storedUsage({ ...query, timeZone }, await databaseOwner(context));
}
