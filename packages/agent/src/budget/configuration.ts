import { type ModelCapability, modelServerProblems, modelServersSchema } from "@openclaw/models";
import { type Static, type TProperties, Type } from "typebox";
import { Calendar } from "./calendar.js";

const closed = { additionalProperties: false };

/** With six decimals per million tokens, a token costs an integer number of picodollars, so that costs are exact. */
const PRICE = "^\\d{1,3}(?:\\.\\d{1,6})?$";

const price = (description: string) =>
  Type.String({
    pattern: PRICE,
    description: `${description}, in US dollars per million tokens, for example "2.50".`,
  });

const tokenPrices = {
  input: price("Price of input"),
  output: price("Price of output"),
  cacheRead: Type.Optional(price("Price of input that the provider had cached; default `input`")),
  cacheWrite: Type.Optional(
    price("Price of input that the provider stored in its cache; default `input`"),
  ),
} satisfies TProperties;

const tokens = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const CAPABILITIES = [
  "image",
  "pdf",
  "audio",
  "video",
  "reasoning",
  "tools",
  "structured-output",
] as const satisfies readonly ModelCapability[];

const cents = (period: string, override = "") =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description: `Maximum cost of all models in a ${period}, in US cents; 0 for no limit.${override}`,
    }),
  );

/** Properties of a model in the configuration. */
const knownModelSchema = Type.Object(
  {
    price: Type.Optional(
      Type.Object(
        {
          ...tokenPrices,
          above: Type.Optional(
            Type.Object(
              {
                inputTokens: Type.Integer({
                  minimum: 1,
                  description: "Number of input tokens above which these prices apply.",
                }),
                ...tokenPrices,
              },
              { ...closed, description: "Prices of requests with long input." },
            ),
          ),
        },
        closed,
      ),
    ),
    contextTokens: tokens("Maximum number of tokens of a conversation with its reply."),
    maxOutputTokens: tokens("Maximum number of tokens of a reply."),
    capabilities: Type.Optional(
      Type.Array(Type.Enum([...CAPABILITIES]), {
        description: "Input besides text, and features.",
      }),
    ),
  },
  closed,
);

/** Keys of the section `models` that describe models and limit their cost (LLM-029, LLM-031). */
export const modelCostSchemas = {
  providers: Type.Optional(modelServersSchema(knownModelSchema)),
  known: Type.Optional(
    Type.Record(Type.String(), knownModelSchema, {
      "x-key": "provider/model",
      description: "Prices and limits of models by name; they replace those of the built-in table.",
    }),
  ),
  budget: Type.Optional(
    Type.Object(
      {
        maxCostPerDayCents: cents("day", " MAX_COST_PER_DAY_CENTS overrides it."),
        maxCostPerMonthCents: cents("month"),
        maxActionsPerHour: Type.Optional(
          Type.Integer({
            minimum: 0,
            default: 0,
            description:
              "Maximum number of model calls in an hour; 0 for no limit. MAX_ACTIONS_PER_HOUR overrides it.",
          }),
        ),
        timeZone: Type.Optional(
          Type.String({
            default: "UTC",
            description: "Time zone whose days and months count, for example Europe/Berlin.",
          }),
        ),
      },
      { ...closed, description: "Limits of the cost of all models together." },
    ),
  ),
};

/** Keys of the section `models` that describe models and limit their cost. */
export type ModelCostConfiguration = {
  readonly [Key in keyof typeof modelCostSchemas]?: Static<(typeof modelCostSchemas)[Key]>;
};

/** Problem in these keys. */
export interface ModelCostProblem {
  /** Keys from the root. */
  readonly path: readonly string[];
  readonly message: string;
  readonly suggestion: string;
}

/**
 * Returns the problems that the schemas cannot express: names of models and time zones.
 * @param configuration - keys that match their schemas
 */
export function modelCostProblems({
  known = {},
  budget = {},
  providers = {},
}: ModelCostConfiguration): readonly ModelCostProblem[] {
  const problems: ModelCostProblem[] = Object.keys(known).flatMap((name) =>
    /^[^/]+\/./.test(name)
      ? []
      : [
          {
            path: ["models", "known", name],
            message: `"${name}" is not the name of a model`,
            suggestion: "write it as provider/model, for example openai/gpt-5",
          },
        ],
  );
  problems.push(...modelServerProblems(providers));
  const { timeZone = "UTC" } = budget;
  if (!isZone(timeZone)) {
    problems.push({
      path: ["models", "budget", "timeZone"],
      message: `the time zone "${timeZone}" does not exist`,
      suggestion: "use a name of the IANA database, for example Europe/Berlin or UTC",
    });
  }
  return problems;
}

/**
 * Returns what the configuration says of models by name, those of named servers too (LLM-660).
 * @param configuration - keys that match their schemas
 */
export function configuredModels({
  known = {},
  providers = {},
}: ModelCostConfiguration = {}): NonNullable<ModelCostConfiguration["known"]> {
  const ofServers = Object.entries(providers).flatMap(([id, { models = {} }]) =>
    Object.entries(models).map(([model, properties]) => [`${id}/${model}`, properties] as const),
  );
  return { ...Object.fromEntries(ofServers), ...known };
}

function isZone(name: string): boolean {
  try {
    new Calendar(name);
    return true;
  } catch {
    return false;
  }
}
