import { createManualClock, type ManualClock } from "@openclaw/foundation";
import {
  type ChainNotice,
  type ChainSettings,
  createScriptedModel,
  DEFAULT_CHAIN_SETTINGS,
  type LanguageModelV4,
  type ModelAttempt,
  type ModelCandidate,
  ModelChain,
  ModelHealth,
  type ModelScript,
} from "../../src/index.js";
import { collect, request } from "./collect.js";

/** Changes of some settings. */
export type SettingChanges = {
  readonly [Section in keyof ChainSettings]?: Partial<ChainSettings[Section]>;
};

/** Settings with changes. */
export function chainSettings({ timeoutMs, ...changes }: SettingChanges = {}): ChainSettings {
  const { retry, failover, breaker } = DEFAULT_CHAIN_SETTINGS;
  return {
    timeoutMs: timeoutMs === undefined ? DEFAULT_CHAIN_SETTINGS.timeoutMs : Number(timeoutMs),
    retry: { ...retry, ...changes.retry },
    failover: { ...failover, ...changes.failover },
    breaker: { ...breaker, ...changes.breaker },
  };
}

/** One request of each model is all that its settings allow. */
export const NO_RETRIES: SettingChanges = { retry: { retries: 0 } };

/** Steps of a script that fail. */
export const DOWN = { error: { status: 503, message: "overloaded" } };
export const OK = { text: "fine" };

/** A candidate with a scripted model, and the number of its requests. */
export function candidate(
  ref: string,
  script: ModelScript | LanguageModelV4,
  options: { readonly priority?: number } = {},
): ModelCandidate & { readonly calls: () => number } {
  const slash = ref.indexOf("/");
  const provider = ref.slice(0, slash);
  const modelId = ref.slice(slash + 1);
  const isModel = typeof script === "object" && "doStream" in script;
  const inner = isModel ? script : createScriptedModel(script, { provider, modelId });
  let calls = 0;
  const model: LanguageModelV4 = {
    ...inner,
    provider,
    modelId,
    doStream(asked) {
      calls += 1;
      return inner.doStream(asked);
    },
  };
  const resolved = { ref, provider, modelId, model, paid: false };
  return {
    ref,
    provider,
    priority: options.priority ?? 0,
    resolve: async () => resolved,
    calls: () => calls,
  };
}

/** A chain with a clock that tests move. */
export function testChain(
  changes: SettingChanges = {},
  {
    health,
    clock = createManualClock(1_000_000),
  }: { health?: ModelHealth; clock?: ManualClock } = {},
) {
  const kept = health ?? new ModelHealth(clock, () => 0);
  const settings = chainSettings(changes);
  const chain = new ModelChain({ health: kept, settings, clock, random: () => 0.5 });
  const notices: ChainNotice[] = [];

  /** Sends a request and moves the clock until it ends. */
  async function ask(
    candidates: readonly ModelCandidate[],
    options: { readonly signal?: AbortSignal; readonly attempts?: ModelAttempt[] } = {},
  ): Promise<string> {
    const asked = chain.run(
      { candidates, signal: options.signal, onNotice: (notice) => void notices.push(notice) },
      async (attempt) => {
        options.attempts?.push(attempt);
        const events = await collect(attempt.events(request()));
        const text = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
        return `${attempt.model.ref}: ${text}`;
      },
    );
    return await settled(clock, asked);
  }
  return { chain, health: kept, clock, settings, notices, ask };
}

/** Moves a clock in small steps until work settles. */
export async function settled<Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  work.then(end, end);
  for (let step = 0; !isSettled && step < 20_000; step += 1) {
    // Work that needs no timer comes first.
    for (let turn = 0; !isSettled && turn < 3; turn += 1) await clock.advanceAndSettle(0);
    if (!isSettled) await clock.advanceAndSettle(50);
  }
  return await work;
}
