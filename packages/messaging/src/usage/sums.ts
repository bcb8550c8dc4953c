import { addedCost, calendarOf } from "@openclaw/agent";
import { usdText } from "@openclaw/foundation";
import type { UsageCost } from "@openclaw/plugin-sdk/tools";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { SpendingSum, Store } from "@openclaw/store";
import { StoreArgumentError } from "@openclaw/store/errors";

/** Period, kind of groups, and the time zone of days and months. */
export type UsageQuery = Required<GatewayMethodParameters<"usage.query">>;

/** Calls, tokens and cost of one agent, session, job, model, tool, day or month. */
export type UsageGroup = GatewayMethodResult<"usage.query">["groups"][number];

/** Rows that are read at once, so that other work runs in between. */
const PAGE = 500;

/**
 * Sums the model calls of a period by agent, session, job, model, tool, day or month.
 * @param query - period and groups
 * @param store - calls of models, and the journals of turns for the tools
 * @throws StoreArgumentError when the time zone does not exist
 */
export async function sumUsage(
  query: UsageQuery,
  store: Pick<Store, "spending" | "turns">,
): Promise<UsageGroup[]> {
  const { from, to, groupBy, timeZone } = query;
  switch (groupBy) {
    case "tool":
      return byTokens(await sumTools(query, store));
    case "day":
    case "month": {
      const calendar = calendarIn(timeZone);
      const length = groupBy === "day" ? "2026-01-31".length : "2026-01".length;
      const quarters = await store.spending.sums({ from, to, groupBy: "quarter" });
      const keyed = quarters.map((sum) => ({
        ...sum,
        key: calendar.dateOf(Number(sum.key)).slice(0, length),
      }));
      return joined(keyed).map(groupOf);
    }
    default:
      return byTokens((await store.spending.sums({ from, to, groupBy })).map(groupOf));
  }
}

function calendarIn(timeZone: string) {
  try {
    return calendarOf(timeZone);
  } catch {
    const expected = "the name of a time zone, such as Europe/Berlin";
    throw new StoreArgumentError("usage.query", "timeZone", expected, timeZone);
  }
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
  return byTokens(sums.map(groupOf));
}

function groupOf({
  key,
  calls,
  input,
  output,
  cacheRead,
  cost,
  estimatedCalls,
}: SpendingSum): UsageGroup {
  return {
    key,
    count: calls,
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadTokens: cacheRead,
    costUsd: usdText(cost),
    estimatedCalls,
  };
}

/** Adds sums with the same key; they are in the order of time. */
function joined(sums: readonly SpendingSum[]): SpendingSum[] {
  const groups = new Map<string, SpendingSum>();
  for (const sum of sums) {
    const before = groups.get(sum.key);
    groups.set(
      sum.key,
      before === undefined
        ? sum
        : {
            key: sum.key,
            calls: before.calls + sum.calls,
            input: before.input + sum.input,
            output: before.output + sum.output,
            cacheRead: before.cacheRead + sum.cacheRead,
            cacheWrite: before.cacheWrite + sum.cacheWrite,
            cost: before.cost + sum.cost,
            estimatedCalls: before.estimatedCalls + sum.estimatedCalls,
          },
    );
  }
  return [...groups.values()];
}

function byTokens(groups: readonly UsageGroup[]): UsageGroup[] {
  return groups.toSorted((one, other) => other.totalTokens - one.totalTokens);
}

/** Sums the calls whose reply calls a tool, from the journals of turns. */
async function sumTools(
  { from, to }: UsageQuery,
  store: Pick<Store, "turns">,
): Promise<UsageGroup[]> {
  const groups = new Map<string, UsageGroup & { readonly cost: UsageCost }>();
  let after: { runId: string; seq: number } | undefined;
  for (;;) {
    const page = await store.turns.usage.modelCalls({ from, to, after, limit: PAGE });
    for (const { step } of page) {
      if (step.kind !== "model-answered") continue;
      const { usage = {}, content } = step.message;
      const { input = 0, output = 0, total = input + output, cacheRead = 0 } = usage;
      const tools = content.flatMap((part) => (part.type === "toolCall" ? [part.toolName] : []));
      for (const key of new Set(tools)) {
        const before = groups.get(key);
        const cost = addedCost(before?.cost, usage.cost ?? NO_COST);
        groups.set(key, {
          key,
          count: (before?.count ?? 0) + 1,
          inputTokens: (before?.inputTokens ?? 0) + input,
          outputTokens: (before?.outputTokens ?? 0) + output,
          totalTokens: (before?.totalTokens ?? 0) + total,
          cacheReadTokens: (before?.cacheReadTokens ?? 0) + cacheRead,
          costUsd: cost.usd,
          estimatedCalls: (before?.estimatedCalls ?? 0) + (usage.cost?.estimated ? 1 : 0),
          cost,
        });
      }
    }
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  const ofTools = await sumToolCosts({ from, to }, store);
  for (const key of ofTools.keys()) {
    if (!groups.has(key)) groups.set(key, { ...UNUSED, key, cost: NO_COST });
  }
  return [...groups.values()].map(({ cost: _cost, ...group }) => {
    const toolCost = ofTools.get(group.key);
    return toolCost === undefined ? group : { ...group, toolCostUsd: toolCost.usd };
  });
}

/** Sums what calls of tools cost themselves, by tool; of tools that report no cost there is no sum. */
async function sumToolCosts(
  { from, to }: Pick<UsageQuery, "from" | "to">,
  store: Pick<Store, "turns">,
): Promise<ReadonlyMap<string, UsageCost>> {
  const costs = new Map<string, UsageCost>();
  let after: { runId: string; seq: number } | undefined;
  for (;;) {
    const page = await store.turns.usage.toolAnswers({ from, to, after, limit: PAGE });
    for (const { step } of page) {
      if (step.kind !== "tool-answered" || step.message.cost === undefined) continue;
      const { toolName, cost } = step.message;
      costs.set(toolName, addedCost(costs.get(toolName), cost));
    }
    after = page.at(-1);
    if (page.length < PAGE) return costs;
  }
}

/** Group of a tool that no model called. */
const UNUSED = {
  count: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  costUsd: "0",
  estimatedCalls: 0,
};

const NO_COST: UsageCost = { usd: "0", estimated: false };
