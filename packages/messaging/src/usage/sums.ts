import { calendarOf } from "@openclaw/agent";
import { usdText } from "@openclaw/foundation";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { SpendingFilter, Store } from "@openclaw/store";
import { StoreArgumentError } from "@openclaw/store/errors";
import { added, addTo, type GroupSum, NOTHING, type PeriodOf, type UsageSum } from "./group-sum.js";
import { sumTools } from "./tools.js";

type Parameters = GatewayMethodParameters<"usage.query">;

/** Period, kind of groups, filter, and the time zone of days and months. */
export type UsageQuery = Required<Omit<Parameters, "filter" | "splitBy">> &
  Pick<Parameters, "filter" | "splitBy">;

/** Groups of model calls, and the sum of them all. */
export type UsageReport = GatewayMethodResult<"usage.query">;

/** Calls, tokens and cost of one agent, session, job, model, sender, tool, day or month. */
export type UsageGroup = UsageReport["groups"][number];

/**
 * Sums the model calls of a period by agent, session, job, model, sender, tool, day or month.
 * @param query - period, filter and groups
 * @param store - calls of models, and the journals of turns for the tools
 * @throws StoreArgumentError when the time zone does not exist
 */
export async function sumUsage(
  query: UsageQuery,
  store: Pick<Store, "spending" | "turns">,
): Promise<UsageReport> {
  const { from, to, groupBy, timeZone, splitBy } = query;
  const filter = filterOf(query);
  const periodOf = splitBy === undefined ? undefined : periodsIn(timeZone, splitBy);
  if (groupBy === "tool") {
    const { groups, costs } = await sumTools({ from, to, filter, periodOf }, store);
    const all = await store.spending.sums({ from, to, filter, groupBy: "agent" });
    return {
      groups: byTokens(
        groups.map(([key, sum]) => {
          const cost = costs.get(key);
          const group = groupOf(key, sum, periodOf);
          return cost === undefined ? group : { ...group, toolCostUsd: cost.usd };
        }),
      ),
      total: figuresOf(all.reduce(added, NOTHING)),
    };
  }
  const isPeriod = groupBy === "day" || groupBy === "month";
  const keyOf = isPeriod ? periodsIn(timeZone, groupBy) : undefined;
  const sums = await store.spending.sums({
    ...{ from, to, filter },
    groupBy: isPeriod ? "quarter" : groupBy,
    byQuarter: periodOf !== undefined,
  });
  const groups = new Map<string, GroupSum>();
  for (const { key, quarter, ...sum } of sums) {
    addTo(groups, keyOf?.(Number(key)) ?? key, sum, periodOf?.(Number(quarter)));
  }
  const listed = [...groups].map(([key, sum]) => groupOf(key, sum, periodOf));
  return {
    groups: isPeriod ? listed.toSorted(byKey) : byTokens(listed),
    total: figuresOf(sums.reduce(added, NOTHING)),
  };
}

/**
 * Sums the calls of one incarnation of a session by model.
 * @param sessionId - UUID of the incarnation
 * @param store - calls of models
 */
export async function sumByModel(
  sessionId: string,
  store: Pick<Store, "spending">,
): Promise<UsageGroup[]> {
  const always = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const sums = await store.spending.sums({ ...always, sessionId, groupBy: "model" });
  return byTokens(sums.map(({ key, ...sum }) => ({ key, ...figuresOf(sum) })));
}

function filterOf({ filter }: UsageQuery): SpendingFilter {
  const { agentId, sessionKey, jobId, model, sender } = filter ?? {};
  return { agent: agentId, session: sessionKey, job: jobId, model, sender };
}

/** Returns the days or months of a time zone; the calendar is asked once for each quarter of an hour. */
function periodsIn(timeZone: string, unit: "day" | "month"): PeriodOf {
  const calendar = calendarIn(timeZone);
  const length = unit === "day" ? "2026-01-31".length : "2026-01".length;
  const known = new Map<number, string>();
  return (at) => {
    const quarter = at - (at % QUARTER_HOUR_MS);
    const found = known.get(quarter) ?? calendar.dateOf(quarter).slice(0, length);
    known.set(quarter, found);
    return found;
  };
}

/** Every time zone begins its days at a multiple of it. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

function calendarIn(timeZone: string) {
  try {
    return calendarOf(timeZone);
  } catch {
    const expected = "the name of a time zone, such as Europe/Berlin";
    throw new StoreArgumentError("usage.query", "timeZone", expected, timeZone);
  }
}

function groupOf(key: string, { whole, periods }: GroupSum, periodOf?: PeriodOf): UsageGroup {
  const group = { key, ...figuresOf(whole) };
  if (periodOf === undefined) return group;
  const listed = [...periods].map(([period, sum]) => ({ key: period, ...figuresOf(sum) }));
  return { ...group, periods: listed.toSorted(byKey) };
}

function figuresOf({
  calls,
  input,
  output,
  cacheRead,
  cost,
  estimatedCalls,
}: UsageSum): UsageReport["total"] {
  return {
    count: calls,
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadTokens: cacheRead,
    costUsd: usdText(cost),
    estimatedCalls,
  };
}

function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1;
}

function byTokens(groups: readonly UsageGroup[]): UsageGroup[] {
  return groups.toSorted((one, other) => other.totalTokens - one.totalTokens);
}
