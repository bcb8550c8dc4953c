import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { queueMode } from "./session-results.js";

const closed = { additionalProperties: false };
const count = Type.Integer();

/** The methods about the running gateway (GW-029). */
export const hostMethods = methodTable(
  defineMethod({
    name: "host.health",
    summary:
      "Returns whether the gateway is ready, with the result of each check, as `/readyz` does.",
    params: Type.Object({}, closed),
    result: Type.Object({
      ready: Type.Boolean(),
      checks: Type.Array(
        Type.Object({
          name: Type.String(),
          ok: Type.Boolean(),
          detail: Type.Optional(Type.String()),
          isRequired: Type.Optional(
            Type.Boolean({ description: "False for a check that readiness does not depend on." }),
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "host.status",
    summary: "Describes the running gateway: version, uptime, model, agents, plugins and work.",
    params: Type.Object({}, closed),
    result: Type.Object({
      version: Type.String(),
      startedAt: Type.Number({ description: "Milliseconds since the epoch." }),
      uptimeMs: Type.Number(),
      database: Type.Object({ dialect: Type.String(), name: Type.String() }),
      model: Type.String({ description: "Model of agents without a configured one." }),
      workspaceDir: Type.String({
        description: "Folder in which sessions work that no local chat opened in another one.",
      }),
      queueMode: Type.Enum(queueMode.enum, {
        description:
          "Handling of messages that arrive during a turn, in sessions that do not set it.",
      }),
      configuration: Type.Object({
        files: Type.Array(Type.String(), {
          description: "Main file and included ones; empty when the defaults apply.",
        }),
        variables: Type.Array(Type.String(), {
          description: "Environment variables that give settings.",
        }),
        pending: Type.Array(Type.String(), {
          description: "Keys that take effect at the next start, dotted.",
        }),
        notice: Type.Optional(
          Type.String({
            description: "Problem with the files, or keys that wait for a restart.",
          }),
        ),
      }),
      agents: Type.Array(Type.String()),
      channels: Type.Array(Type.String()),
      generation: Type.Integer({ description: "Generation of the plugins." }),
      plugins: Type.Object({ loaded: count, disabled: count, failed: count }),
      turns: Type.Object({
        unfinished: Type.Integer({
          description: "Turns that are queued, running or waiting for approval.",
        }),
      }),
      pendingApprovals: count,
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "models.list",
    summary:
      "Lists the providers of models with their default models, and the models of the agents.",
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
      agents: Type.Array(Type.Object({ agentId: Type.String(), model: Type.String() })),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "usage.query",
    summary: "Sums the tokens of ended turns.",
    params: Type.Object(
      {
        from: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              "First end of a turn, in milliseconds since the epoch; default 30 days ago.",
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
          Type.Enum(["agent", "session", "model", "tool", "day"], {
            default: "day",
            description:
              "Default `day`, in UTC. `model` and `tool` count the model calls in the journals of turns, which are kept for `store.retention.journalDays`; `tool` sums the calls whose reply calls the tool.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      groups: Type.Array(
        Type.Object({
          key: Type.String({ description: "For example an agent, a session key or `2026-01-31`." }),
          count: Type.Integer({
            description: "Number of turns; of model calls with `model` and `tool`.",
          }),
          inputTokens: Type.Number(),
          outputTokens: Type.Number(),
          totalTokens: Type.Number(),
        }),
        { description: "Most tokens first; days in their order." },
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
);
