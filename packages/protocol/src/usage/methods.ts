import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };

const usageQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "First time of a call, in milliseconds since the epoch; default 30 days ago.",
      }),
    ),
    to: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "End of the period, exclusive; default now.",
      }),
    ),
    groupBy: Type.Optional(
      Type.Enum(["agent", "session", "job", "model", "sender", "tool", "day", "month"], {
        default: "day",
        description:
          "Default `day`. Calls are kept for `store.retention.modelCallDays`. `sender` is that of the message whose turn made the call. `tool` sums the calls whose reply calls the tool, from the journals of turns, which are kept for `store.retention.journalDays`.",
      }),
    ),
    splitBy: Type.Optional(
      Type.Enum(["day", "month"], { description: "Sums each day or month of a group, too." }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          agentId: Type.Optional(Type.String()),
          sessionKey: Type.Optional(Type.String()),
          jobId: Type.Optional(Type.String()),
          model: Type.Optional(Type.String({ description: "`<provider>/<model>`." })),
          sender: Type.Optional(Type.String({ description: "`<channel>:<sender>`." })),
        },
        {
          ...closed,
          description:
            "Only calls with all of these keys of groups; an empty string selects calls that belong to none.",
        },
      ),
    ),
    timeZone: Type.Optional(
      Type.String({
        description:
          "Time zone of days and months, for example `Europe/Berlin`; default `models.budget.timeZone`.",
      }),
    ),
  },
  closed,
);

const usageFigures = {
  count: Type.Integer({ description: "Number of model calls." }),
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  totalTokens: Type.Number(),
  cacheReadTokens: Type.Number({
    description: "Part of the input that providers read from their caches.",
  }),
  costUsd: Type.String({ description: "US dollars as a decimal number, exact." }),
  estimatedCalls: Type.Integer({
    description:
      "Number of calls whose cost is an estimate, because the price or the tokens are not known.",
  }),
};

/** The methods that sum the calls of models, with tokens and cost (GW-029, UI-030). */
export const usageMethods = methodTable(
  defineMethod({
    name: "usage.query",
    summary: "Sums the model calls of a period with their tokens and cost.",
    params: usageQuery,
    result: Type.Object({
      groups: Type.Array(
        Type.Object({
          key: Type.String({
            description:
              "For example an agent, a session key, `telegram:4711` or `2026-01-31`; empty for calls that belong to none, as those of a removed session.",
          }),
          ...usageFigures,
          toolCostUsd: Type.Optional(
            Type.String({
              description:
                "With `groupBy: tool`, what the calls of the tool themselves cost, as the tool reported it: US dollars as a decimal number. With a filter, of the calls that the counted replies made.",
            }),
          ),
          periods: Type.Optional(
            Type.Array(
              Type.Object({ key: Type.String({ description: "Day or month." }), ...usageFigures }),
              { description: "With `splitBy`, the days or months with calls, in their order." },
            ),
          ),
        }),
        { description: "Most tokens first; days and months in their order." },
      ),
      total: Type.Object(usageFigures, {
        description:
          "Sum of the calls of the period that fit the filter. It is the sum of the groups, except with `groupBy: tool`: a reply may call several tools or none.",
      }),
    }),
    errors: ["STORE_ARGUMENT"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "usage.export",
    summary: "Returns the same sums as `usage.query` as a CSV file, with exact figures.",
    params: usageQuery,
    result: Type.Object({
      fileName: Type.String({ description: "Suggested name of the file." }),
      contentType: Type.String(),
      content: Type.String({
        description:
          "A row for each group, or with `splitBy` for each day or month of a group. A key that a spreadsheet would read as a formula has an apostrophe before it.",
      }),
    }),
    errors: ["STORE_ARGUMENT"],
    scope: "operator.read",
    effect: "read",
  }),
);
