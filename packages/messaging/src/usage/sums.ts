import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";

/** Period, and the kind of groups. */
export type UsageQuery = Required<GatewayMethodParameters<"usage.query">>;

/** Tokens of one agent, session, model, tool or day. */
export type UsageGroup = GatewayMethodResult<"usage.query">["groups"][number];

/** Model calls to sum. */
interface ModelCalls extends Pick<UsageQuery, "from" | "to"> {
  readonly sessionId?: string | undefined;
}

/** Rows that are read at once, so that other work runs in between. */
const PAGE = 500;

/** Token counts of one turn or model call. */
interface Tokens {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly total?: number | undefined;
}

/** Sums of tokens by key. */
class UsageSums {
  readonly #groups = new Map<string, UsageGroup>();

  add(key: string, { input = 0, output = 0, total = input + output }: Tokens): void {
    const before = this.#groups.get(key) ?? NOTHING;
    this.#groups.set(key, {
      key,
      count: before.count + 1,
      inputTokens: before.inputTokens + input,
      outputTokens: before.outputTokens + output,
      totalTokens: before.totalTokens + total,
    });
  }

  sorted(byDay: boolean): UsageGroup[] {
    return [...this.#groups.values()].sort((one, other) =>
      byDay ? (one.key < other.key ? -1 : 1) : other.totalTokens - one.totalTokens,
    );
  }
}

const NOTHING = { count: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/**
 * Sums the tokens of a period by agent, session, model, tool or day.
 * @param query - period and groups
 * @param store - turns and their journals
 */
export async function sumUsage(
  query: UsageQuery,
  store: Pick<Store, "turns">,
): Promise<UsageGroup[]> {
  const sums = new UsageSums();
  const { groupBy } = query;
  if (groupBy === "model" || groupBy === "tool") await sumModelCalls(query, groupBy, store, sums);
  else await sumTurns(query, groupBy, store, sums);
  return sums.sorted(groupBy === "day");
}

/**
 * Sums the tokens of one incarnation of a session by model, as far as its journals are kept.
 * @param sessionId - UUID of the incarnation
 * @param store - turns and their journals
 */
export async function sumByModel(
  sessionId: string,
  store: Pick<Store, "turns">,
): Promise<UsageGroup[]> {
  const sums = new UsageSums();
  await sumModelCalls({ from: 0, to: Number.MAX_SAFE_INTEGER, sessionId }, "model", store, sums);
  return sums.sorted(false);
}

async function sumTurns(
  { from, to }: UsageQuery,
  groupBy: "agent" | "session" | "day",
  store: Pick<Store, "turns">,
  sums: UsageSums,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const page = await store.turns.usage.ended({ from, to, after, limit: PAGE });
    for (const { agentId, sessionKey, endedAt, usage } of page) {
      const keys = { agent: agentId, session: sessionKey, day: dayOf(endedAt) };
      sums.add(keys[groupBy], usage);
    }
    after = page.at(-1)?.runId;
    if (page.length < PAGE) return;
  }
}

async function sumModelCalls(
  calls: ModelCalls,
  groupBy: "model" | "tool",
  store: Pick<Store, "turns">,
  sums: UsageSums,
): Promise<void> {
  const models = new Map<string, string>();
  let after: { runId: string; seq: number } | undefined;
  for (;;) {
    const page = await store.turns.usage.modelCalls({ ...calls, after, limit: PAGE });
    for (const { step } of page) {
      if (step.kind === "model-requested") models.set(step.callId, step.model);
      if (step.kind !== "model-answered") continue;
      const { provider, model, usage = {}, content } = step.message;
      const known = models.get(step.callId) ?? `${provider}/${model}`;
      models.delete(step.callId);
      const tools = content.flatMap((part) => (part.type === "toolCall" ? [part.toolName] : []));
      for (const key of groupBy === "model" ? [known] : new Set(tools)) sums.add(key, usage);
    }
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
