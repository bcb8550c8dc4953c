import {
  type BudgetState,
  budgetCalendar,
  budgetStates,
  budgetText,
  makeSingleCall,
} from "@openclaw/agent";
import { defined, startOfText, usdText } from "@openclaw/foundation";
import {
  type ModelHealthSnapshot,
  ModelTable,
  type ResolvedModel,
  streamModel,
} from "@openclaw/models";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import { type GatewayMethodResult, modelMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";
import { type DescribedProvider, describeProviders } from "./model-providers.js";

/** Dependencies of {@link createModelMethods}. */
export interface ModelMethodDependencies {
  readonly host: Pick<Host, "services" | "model" | "router">;
  readonly store: Store;
}

type KnownModel = GatewayMethodResult<"models.list">["models"][number];
type Budget = GatewayMethodResult<"models.status">["budgets"][number];

const TEST_PROMPT = "Reply with the word OK.";
/** Enough for a model that reasons before it replies. */
const TEST_OUTPUT_TOKENS = 256;
const TEST_INPUT_TOKENS = 20;
const TEST_TIMEOUT_MS = 60_000;
/** Characters of the reply that a test returns. */
const MOST_TEXT = 200;

/**
 * Creates the methods about the models of a gateway (GW-029).
 * @param dependencies - host and store
 */
export function createModelMethods({
  host,
  store,
}: ModelMethodDependencies): MethodRegistry<typeof modelMethods> {
  const table = () => host.services.modelTable ?? new ModelTable();
  const agents = () =>
    host.router.agentIds.map((agentId) => {
      const model = host.router.modelOf(agentId);
      const fallbacks = [...(host.services.fallbacksOf?.(agentId, model) ?? [])];
      fallbacks.sort((one, other) => one.priority - other.priority);
      return { agentId, model, fallbacks: fallbacks.map(({ ref }) => ref) };
    });
  return MethodRegistry.of(modelMethods, {
    "models.list": async () => {
      const providers = await describeProviders(host);
      const models = providers.flatMap((provider) => knownModels(provider, table()));
      return { providers: [...providers], models, agents: agents() };
    },
    "models.status": async () => {
      const { ref, source, paid } = host.model;
      const budgets = host.services.budgets ?? {};
      return {
        model: knownModel(ref, ref, table()),
        source,
        paid,
        isDemo: isDemo(ref),
        agents: agents(),
        timeZone: budgetCalendar(budgets).zone,
        budgets: (await allBudgets(host, store)).map(budgetOf),
        ...healthOf(host.services.modelChain.health.snapshot()),
      };
    },
    "models.test": async ({ model = host.model.ref }, { signal }) => {
      const resolved = await host.services.models.resolve(model);
      return await testModel(resolved, host, signal);
    },
  });
}

/** Returns the models that a provider suggests and those that are known of it, its default one first. */
function knownModels(provider: DescribedProvider, table: ModelTable): KnownModel[] {
  const { id, defaultModel, models } = provider;
  const known = table.modelsOf(id).map((model) => `${id}/${model}`);
  const refs = new Set([defaultModel, ...models, ...known].filter((ref) => ref !== `${id}/`));
  return [...refs].map((ref) => knownModel(ref, defaultModel, table));
}

function knownModel(ref: string, defaultModel: string, table: ModelTable): KnownModel {
  const slash = ref.indexOf("/");
  const provider = ref.slice(0, slash);
  const known = table.find(provider, ref.slice(slash + 1)) ?? {};
  const { name, price, contextTokens, maxOutputTokens, capabilities, source, date } = known;
  return {
    model: ref,
    provider,
    isDefault: ref === defaultModel,
    ...defined({ name, price, contextTokens, maxOutputTokens, source, date }),
    ...defined({ capabilities: capabilities && [...capabilities] }),
  };
}

/** Returns the models that failed and the providers, as far as requests were sent to them. */
function healthOf({
  models,
  providers,
}: ModelHealthSnapshot): Pick<GatewayMethodResult<"models.status">, "failing" | "providers"> {
  return {
    failing: models
      .filter(({ consecutiveFailures }) => consecutiveFailures > 0)
      .map(({ ref, consecutiveFailures, cooldownUntil, lastError }) => ({
        model: ref,
        failures: consecutiveFailures,
        ...defined({ cooldownUntil, errorCode: lastError?.code }),
      })),
    providers: providers.map(({ provider, breaker, consecutiveFailures, opensInMs }) => ({
      provider,
      breaker,
      failures: consecutiveFailures,
      ...defined({ opensInMs }),
    })),
  };
}

/** Returns the budgets of the host, and that of each agent. */
async function allBudgets(
  host: ModelMethodDependencies["host"],
  store: Store,
): Promise<readonly BudgetState[]> {
  const { agent, host: shared } = host.services.budgets ?? {};
  const states = [...(await budgetStates({ host: shared }, { agentId: "" }, store))];
  for (const agentId of host.router.agentIds) {
    const own = await budgetStates({ agent }, { agentId }, store);
    states.push(...own.map((state) => ({ ...state, subject: `agent ${agentId}` })));
  }
  return states;
}

function budgetOf(state: BudgetState): Budget {
  const { subject, setting, spent, resetsAt } = state;
  const { unit } = spent.limit;
  const used = BigInt(spent.used);
  const maximum = BigInt(spent.limit.maximum);
  const amount = (value: bigint) => (unit === "cost" ? usdText(value) : String(value));
  return {
    subject,
    setting,
    unit,
    used: amount(used),
    maximum: amount(maximum),
    percent: Number((used * 100n) / maximum),
    ...defined({ resetsAt }),
    text: budgetText(state),
  };
}

/** Calls a model once, without repetition: a wrong key is one failed request. */
async function testModel(
  model: ResolvedModel,
  { services, router }: ModelMethodDependencies["host"],
  signal: AbortSignal,
): Promise<GatewayMethodResult<"models.test">> {
  const [agentId = ""] = router.agentIds;
  const size = { input: TEST_INPUT_TOKENS, maxOutput: TEST_OUTPUT_TOKENS };
  const request = {
    messages: [
      {
        role: "user" as const,
        content: [{ type: "text" as const, text: TEST_PROMPT }],
        timestamp: services.now(),
      },
    ],
    tools: [],
    maxOutputTokens: TEST_OUTPUT_TOKENS,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TEST_TIMEOUT_MS)]),
  };
  const tested = await makeSingleCall(services, { caller: { agentId }, model, size }, async () => {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    let firstTokenMs: number | undefined;
    let text = "";
    let usage: Usage = {};
    for await (const event of streamModel(model.model, request)) {
      firstTokenMs ??= elapsed();
      if (event.type === "text") text += event.delta;
      if (event.type === "finish") usage = event.usage;
    }
    return { text, usage, durationMs: elapsed(), ...defined({ firstTokenMs }) };
  });
  const text = startOfText(tested.text.trim(), MOST_TEXT);
  return { ...tested, model: model.ref, isDemo: isDemo(model.ref), text };
}

function isDemo(ref: string): boolean {
  return ref.startsWith("demo/");
}
