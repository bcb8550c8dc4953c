import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };

const time = (description: string) =>
  Type.Number({ description: `${description}, in milliseconds since the epoch.` });

const dollars = (description: string) =>
  Type.String({ description: `${description}, in US dollars as a decimal number.` });

const tokenPrices = {
  input: dollars("Price of a million tokens of input"),
  output: dollars("Price of a million tokens of output"),
  cacheRead: Type.Optional(dollars("Price of a million tokens that the provider had cached")),
  cacheWrite: Type.Optional(
    dollars("Price of a million tokens that the provider stored in its cache"),
  ),
};

const usage = Type.Object({
  input: Type.Optional(Type.Number()),
  output: Type.Optional(Type.Number()),
  cacheRead: Type.Optional(Type.Number()),
  cacheWrite: Type.Optional(Type.Number()),
  reasoning: Type.Optional(Type.Number()),
  total: Type.Optional(Type.Number()),
  cost: Type.Optional(
    Type.Object({
      usd: dollars("Cost"),
      estimated: Type.Boolean({
        description: "True when the price or the number of tokens was not known.",
      }),
    }),
  ),
});

/** Model as `models.list` describes it; a property that is absent is not known. */
const knownModel = Type.Object({
  model: Type.String({ description: "`provider/model`." }),
  provider: Type.String(),
  name: Type.Optional(Type.String({ description: "Display name." })),
  isDefault: Type.Boolean({ description: "True for the default model of its provider." }),
  price: Type.Optional(
    Type.Object({
      ...tokenPrices,
      above: Type.Optional(
        Type.Object(
          { inputTokens: Type.Integer(), ...tokenPrices },
          { description: "Prices of requests with more input than this." },
        ),
      ),
    }),
  ),
  contextTokens: Type.Optional(Type.Integer()),
  maxOutputTokens: Type.Optional(Type.Integer()),
  capabilities: Type.Optional(Type.Array(Type.String())),
  source: Type.Optional(
    Type.String({ description: "URL of the source; absent for values of the configuration." }),
  ),
  date: Type.Optional(Type.String({ description: "Day of the source, as `2026-01-31`." })),
});

const agentModels = Type.Object({
  agentId: Type.String(),
  model: Type.String(),
  fallbacks: Type.Array(Type.String(), {
    description: "Models that are called, in this order, when the one before fails.",
  }),
});

const budget = Type.Object({
  subject: Type.String({ description: "For example `today` or `agent main`." }),
  setting: Type.String({ description: "Key in the configuration." }),
  unit: Type.Enum(["cost", "calls"]),
  used: Type.String({
    description: "US dollars, or calls, that are used or reserved, as a decimal number.",
  }),
  maximum: Type.String({ description: "US dollars, or calls, as a decimal number." }),
  percent: Type.Integer({ description: "Used part in percent, rounded down." }),
  resetsAt: Type.Optional(time("Time at which it counts from 0 again")),
  text: Type.String({ description: "The same as one line." }),
});

/** The methods about the models of a gateway (GW-029). */
export const modelMethods = methodTable(
  defineMethod({
    name: "models.list",
    summary:
      "Lists the providers of models, the models that are known of them, and the models of the agents.",
    params: Type.Object({}, closed),
    result: Type.Object({
      providers: Type.Array(
        Type.Object({
          id: Type.String(),
          label: Type.Optional(Type.String()),
          defaultModel: Type.String({ description: "`provider/model`." }),
          models: Type.Array(Type.String(), {
            description: "Models that the provider suggests; others may work too.",
          }),
          ready: Type.Boolean({ description: "False while a key or URL is missing." }),
          setup: Type.Optional(
            Type.String({ description: "How to set up a provider that is not ready." }),
          ),
          paid: Type.Boolean({ description: "True if calls cost the operator money." }),
        }),
      ),
      models: Type.Array(knownModel, {
        description:
          "Models that a provider suggests, and those of the built-in table and the configuration.",
      }),
      agents: Type.Array(agentModels),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "models.status",
    summary: "Describes the model in use, the reason of its choice, and the budgets.",
    params: Type.Object({}, closed),
    result: Type.Object({
      model: knownModel,
      source: Type.String({ description: "Setting that selected the model, never a key." }),
      paid: Type.Boolean({ description: "True if calls cost the operator money." }),
      isDemo: Type.Boolean({
        description: "True for the demo model, a scripted stand-in and not a language model.",
      }),
      agents: Type.Array(agentModels),
      timeZone: Type.String({ description: "Time zone of the days and months of budgets." }),
      budgets: Type.Array(budget),
      failing: Type.Array(
        Type.Object({
          model: Type.String({ description: "`provider/model`." }),
          failures: Type.Integer({ description: "Number of consecutive failures." }),
          cooldownUntil: Type.Optional(time("End of the time in which it is not called")),
          errorCode: Type.Optional(Type.String({ description: "Code of the last failure." })),
        }),
        { description: "Models whose last call failed." },
      ),
      providers: Type.Array(
        Type.Object({
          provider: Type.String(),
          breaker: Type.String({
            description:
              "State of the circuit breaker: `closed`, `open` while the provider is not called, or `half-open` while single requests test it.",
          }),
          failures: Type.Integer({ description: "Number of consecutive failures." }),
          opensInMs: Type.Optional(
            Type.Integer({ description: "Milliseconds until it is called again." }),
          ),
        }),
        { description: "Providers that were called since the start of the gateway." },
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "models.test",
    summary:
      "Calls a model once, without repetition, and returns time, tokens and cost. The call counts against the budgets.",
    params: Type.Object(
      {
        model: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Name of the model; default the model of agents without a configured one.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      model: Type.String({ description: "`provider/model`." }),
      isDemo: Type.Boolean({ description: "True for the demo model." }),
      text: Type.String({ description: "Beginning of the reply." }),
      firstTokenMs: Type.Optional(
        Type.Integer({ description: "Milliseconds until the first part of the reply." }),
      ),
      durationMs: Type.Integer({ description: "Milliseconds until the end of the reply." }),
      usage,
    }),
    errors: [
      "MODEL_NOT_FOUND",
      "MODEL_PROVIDER_NOT_READY",
      "MODEL_PROVIDER_FAILED",
      "MODEL_SPEC_UNSUPPORTED",
      "MODEL_API_UNSUPPORTED",
      "MODEL_BUDGET_EXHAUSTED",
      "MODEL_REQUEST_FAILED",
      "MODEL_RATE_LIMITED",
      "MODEL_AUTHENTICATION_FAILED",
      "MODEL_NOT_AVAILABLE",
      "MODEL_CONTEXT_LENGTH_EXCEEDED",
      "MODEL_REPLY_TOO_LARGE",
      "MODEL_INVALID_RESPONSE",
      "MODEL_CONNECTION_FAILED",
      "MODEL_TIMEOUT",
      "MODEL_ABORTED",
    ],
    scope: "operator.write",
    effect: "write",
    idempotency: "repeatable",
  }),
);
