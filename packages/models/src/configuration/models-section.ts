import type { Clock } from "@openclaw/foundation";
import { type Static, Type } from "typebox";
import { ReplyCache } from "../reply/reply-cache.js";
import { type ChainSettings, DEFAULT_CHAIN_SETTINGS } from "../resilience/settings.js";

const DEFAULTS = DEFAULT_CHAIN_SETTINGS;
const DAY_MS = 86_400_000;
const CACHE_TTL_MS = 3_600_000;
const CACHE_ENTRIES = 1000;
const closed = { additionalProperties: false };

const milliseconds = (description: string, value: number, minimum = 1) =>
  Type.Optional(Type.Integer({ minimum, maximum: DAY_MS, default: value, description }));

const modelName = (description: string) =>
  Type.String({ pattern: "^[^/]+/.+$", description, examples: ["ollama/llama3"] });

/** Schema of a list of models that are called when a model fails (LLM-016). */
export const fallbacksSchema = Type.Array(
  Type.Union([
    modelName("Model as provider/model, of priority 0."),
    Type.Object(
      {
        model: modelName("Model as provider/model."),
        priority: Type.Optional(
          Type.Integer({
            minimum: -1000,
            maximum: 1000,
            default: 0,
            description:
              "Lower numbers are called first, equal ones in the order of the list. The preferred model has 0 and precedes the list.",
          }),
        ),
      },
      closed,
    ),
  ]),
  { maxItems: 32, description: "Models that are called when the preferred one fails." },
);

/** Schema of the section `models`. */
export const modelsSchema = Type.Object(
  {
    fallbacks: Type.Optional(
      Type.Record(Type.String(), fallbacksSchema, {
        "x-key": "provider/model",
        description:
          "Models that are called when this one fails, for agents that have no fallbacks.",
      }),
    ),
    timeoutMs: milliseconds(
      "Maximum time of a model call in milliseconds, with all repetitions and fallbacks.",
      DEFAULTS.timeoutMs,
    ),
    retry: Type.Optional(
      Type.Object(
        {
          retries: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 10,
              default: DEFAULTS.retry.retries,
              description: "Maximum number of repetitions of a failed request with the same model.",
            }),
          ),
          baseMs: milliseconds(
            "Wait before the first repetition in milliseconds; it doubles with each one and varies by 25 %.",
            DEFAULTS.retry.baseMs,
          ),
          maxWaitMs: milliseconds(
            "Longest wait in milliseconds; when a provider asks for more, the next model is called.",
            DEFAULTS.retry.maxWaitMs,
          ),
        },
        { ...closed, description: "Repetition of failed requests." },
      ),
    ),
    failover: Type.Optional(
      Type.Object(
        {
          maxFallbacks: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 32,
              default: DEFAULTS.failover.maxFallbacks,
              description: "Maximum number of further models that one call tries.",
            }),
          ),
          failureThreshold: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100,
              default: DEFAULTS.failover.failureThreshold,
              description: "Number of consecutive failures after which a model cools down.",
            }),
          ),
          cooldownMs: milliseconds(
            "First cooldown in milliseconds; it doubles with each further failure.",
            DEFAULTS.failover.cooldownMs,
          ),
          maxCooldownMs: milliseconds(
            "Longest cooldown in milliseconds.",
            DEFAULTS.failover.maxCooldownMs,
          ),
          strict: Type.Optional(
            Type.Boolean({
              default: DEFAULTS.failover.strict,
              description:
                "True fails at once when every model cools down; otherwise the one that is ready first is tried once.",
            }),
          ),
          firstResponseMs: milliseconds(
            "Time in milliseconds for the first part of a response; raise it for a slow local model.",
            DEFAULTS.failover.firstResponseMs,
          ),
        },
        { ...closed, description: "Change to another model after a failure." },
      ),
    ),
    breaker: Type.Optional(
      Type.Object(
        {
          failures: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1000,
              default: DEFAULTS.breaker.failures,
              description:
                "Number of consecutive failed requests after which a provider is not called.",
            }),
          ),
          recoveryMs: milliseconds(
            "Time in milliseconds until a single request tests the provider.",
            DEFAULTS.breaker.recoveryMs,
          ),
          successes: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100,
              default: DEFAULTS.breaker.successes,
              description:
                "Number of successful requests after which the provider is called as usual.",
            }),
          ),
        },
        { ...closed, description: "Circuit breaker of each provider." },
      ),
    ),
    cache: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(
            Type.Boolean({
              default: false,
              description: "True answers a repeated request without tools from memory.",
            }),
          ),
          ttlMs: milliseconds("Age in milliseconds at which a reply is dropped.", CACHE_TTL_MS),
          maxEntries: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              default: CACHE_ENTRIES,
              description:
                "Maximum number of replies; the one that was used least recently is dropped.",
            }),
          ),
        },
        { ...closed, description: "Cache of replies." },
      ),
    ),
    routing: Type.Optional(
      Type.Object(
        {
          simple: Type.Optional(
            modelName("Model of short messages without code and without a word such as implement."),
          ),
          complex: Type.Optional(
            modelName(
              "Model of messages with code, of 1000 or more characters, or with a word such as implement.",
            ),
          ),
        },
        {
          ...closed,
          description: "Models by the size of the message; no choice by size when absent.",
        },
      ),
    ),
  },
  { ...closed, description: "Calls of models: fallbacks, repetitions, cache and routing." },
);

/** The section `models`. */
export type ModelsConfiguration = Static<typeof modelsSchema>;

/** Model that is called when another one fails. */
export interface ModelFallback {
  /** `<provider id>/<model id>`. */
  readonly ref: string;
  /** Lower numbers are called first; that of the preferred model is 0. */
  readonly priority: number;
}

/**
 * Returns the settings of a chain: the configured ones, and the defaults of the others.
 * @param configuration - the section `models`
 */
export function chainSettings({
  timeoutMs = DEFAULTS.timeoutMs,
  retry,
  failover,
  breaker,
}: ModelsConfiguration = {}): ChainSettings {
  return {
    timeoutMs,
    retry: { ...DEFAULTS.retry, ...retry },
    failover: { ...DEFAULTS.failover, ...failover },
    breaker: { ...DEFAULTS.breaker, ...breaker },
  };
}

/**
 * Returns the fallbacks of a configured list.
 * @param configured - names, or names with a priority, as `fallbacksSchema` describes them
 * @returns undefined for a value that is not a list
 */
export function modelFallbacks(configured: unknown): ModelFallback[] | undefined {
  if (!Array.isArray(configured)) return undefined;
  return configured.flatMap((entry: unknown): ModelFallback[] => {
    if (typeof entry === "string") return [{ ref: entry, priority: 0 }];
    if (typeof entry !== "object" || entry === null || !("model" in entry)) return [];
    const { model } = entry;
    const priority = "priority" in entry && typeof entry.priority === "number" ? entry.priority : 0;
    return typeof model === "string" ? [{ ref: model, priority }] : [];
  });
}

/**
 * Returns the cache of replies; undefined unless the configuration enables it (LLM-033).
 * @param configuration - the section `models`
 * @param clock - monotonic clock
 */
export function replyCacheOf(
  { cache }: ModelsConfiguration = {},
  clock?: Pick<Clock, "now">,
): ReplyCache | undefined {
  if (cache?.enabled !== true) return undefined;
  const { ttlMs = CACHE_TTL_MS, maxEntries = CACHE_ENTRIES } = cache;
  return new ReplyCache({ ttlMs, maxEntries }, clock);
}
