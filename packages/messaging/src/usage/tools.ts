import { addedCost } from "@openclaw/agent";
import { parseUsd } from "@openclaw/foundation";
import type { UsageCost } from "@openclaw/plugin-sdk/tools";
import type { SpendingFilter, Store } from "@openclaw/store";
import { addTo, type GroupSum, NOTHING, type PeriodOf } from "./group-sum.js";

/** Rows that are read at once, so that other work runs in between. */
const PAGE = 500;

/** Period and filter of the calls of tools. */
interface ToolQuery {
  readonly from: number;
  readonly to: number;
  readonly filter: SpendingFilter;
  readonly periodOf?: PeriodOf | undefined;
}

type ModelCallStep = Awaited<ReturnType<Store["turns"]["usage"]["modelCalls"]>>[number];
type Position = Pick<ModelCallStep, "runId" | "seq">;

/** Sums by tool, and what the calls of the tools cost themselves. */
interface ToolSums {
  readonly groups: readonly (readonly [tool: string, sum: GroupSum])[];
  readonly costs: ReadonlyMap<string, UsageCost>;
}

/**
 * Sums the calls whose reply calls a tool, from the journals of turns.
 * @param query - period and filter
 * @param store - calls of models, and the journals
 */
export async function sumTools(
  { from, to, filter, periodOf }: ToolQuery,
  store: Pick<Store, "spending" | "turns">,
): Promise<ToolSums> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const groups = new Map<string, GroupSum>();
  const asked = new Set<string>();
  for await (const steps of pages((after) =>
    store.turns.usage.modelCalls({ from, to, after, limit: PAGE }),
  )) {
    const replies = steps.flatMap(({ step, ...position }) =>
      step.kind === "model-answered" ? [{ ...position, ...step }] : [],
    );
    const fitting = isFiltered
      ? await store.spending.fitting(
          replies.map(({ callId }) => callId),
          filter,
        )
      : undefined;
    for (const { runId, at, callId, message } of replies) {
      if (fitting?.has(callId) === false) continue;
      const calls = message.content.flatMap((part) => (part.type === "toolCall" ? [part] : []));
      for (const { toolCallId } of calls) asked.add(`${runId} ${toolCallId}`);
      const { input = 0, output = 0, cacheRead = 0, cost } = message.usage ?? {};
      const sum = {
        ...{ calls: 1, input, output, cacheRead, cost: parseUsd(cost?.usd ?? "0") ?? 0n },
        estimatedCalls: cost?.estimated === true ? 1 : 0,
      };
      for (const key of new Set(calls.map(({ toolName }) => toolName))) {
        addTo(groups, key, sum, periodOf?.(at));
      }
    }
  }
  const costs = await sumToolCosts({ from, to }, store, isFiltered ? asked : undefined);
  for (const key of costs.keys()) {
    if (!groups.has(key)) groups.set(key, { whole: NOTHING, periods: new Map() });
  }
  return { groups: [...groups], costs };
}

/** Sums what calls of tools cost themselves, by tool; of tools that report no cost there is no sum. */
async function sumToolCosts(
  { from, to }: Pick<ToolQuery, "from" | "to">,
  store: Pick<Store, "turns">,
  asked: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, UsageCost>> {
  const costs = new Map<string, UsageCost>();
  for await (const steps of pages((after) =>
    store.turns.usage.toolAnswers({ from, to, after, limit: PAGE }),
  )) {
    for (const { runId, step } of steps) {
      if (step.kind !== "tool-answered" || step.message.cost === undefined) continue;
      if (asked?.has(`${runId} ${step.toolCallId}`) === false) continue;
      const { toolName, cost } = step.message;
      costs.set(toolName, addedCost(costs.get(toolName), cost));
    }
  }
  return costs;
}

async function* pages(
  read: (after: Position | undefined) => Promise<readonly ModelCallStep[]>,
): AsyncGenerator<readonly ModelCallStep[]> {
  let after: Position | undefined;
  for (;;) {
    const page = await read(after);
    yield page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
