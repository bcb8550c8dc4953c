import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { runHookHandler } from "./run-hook-handler.js";

const closed = { additionalProperties: false };
const name = { minLength: 1, maxLength: 200 };

const hookPlugin = Type.Object({
  pluginId: Type.String(),
  handlers: Type.Integer({ description: "Number of its active handlers." }),
  fired: Type.Integer({ description: "Number of calls of its handlers." }),
});

const percentiles = {
  p50Ms: Type.Number({ description: "Median duration of the timed calls; 0 without one." }),
  p99Ms: Type.Number({ description: "99th percentile of the durations." }),
};

const hookSummary = Type.Object({
  hook: Type.String(),
  kind: Type.String({
    description: "Use of the handlers' results: observe, rewrite, decide, claim or sync.",
  }),
  step: Type.String({
    description: "Step of the host's pipelines at which the hook fires, for example `X4`.",
  }),
  phase: Type.Optional(Type.String({ description: "Lifecycle phase of the hook, if it has one." })),
  handlers: Type.Integer({ description: "Number of active handlers." }),
  dispatched: Type.Integer({ description: "Number of times the hook fired." }),
  failed: Type.Integer({ description: "Number of failed calls of handlers." }),
  timeouts: Type.Integer({ description: "Failed calls that took longer than their deadline." }),
  ...percentiles,
  description: Type.String(),
  plugins: Type.Array(hookPlugin, {
    description: "Plugins with active handlers, in the order in which their first handler runs.",
  }),
  rewrites: Type.Array(
    Type.Object({ field: Type.String(), pluginIds: Type.Array(Type.String()) }),
    {
      description:
        "Fields of the event that handlers of more than one plugin have changed, for example `params.command`.",
    },
  ),
});

const handlerIdentity = {
  pluginId: Type.String(),
  label: Type.Optional(
    Type.String({ description: "Name of the handler, for example of a configured hook." }),
  ),
  source: Type.String(),
  stage: Type.String(),
  priority: Type.Number(),
  fired: Type.Integer({ description: "Number of calls." }),
  failed: Type.Integer({ description: "Number of calls that failed." }),
  timeouts: Type.Integer({ description: "Failed calls that took longer than its deadline." }),
  ...percentiles,
  rewrote: Type.Array(Type.String(), {
    description: "Fields of the event that its results have changed.",
  }),
};

const hookHandler = Type.Union([
  Type.Object({
    ...handlerIdentity,
    runs: Type.Literal(true),
    mode: Type.String(),
    deadlineMs: Type.Optional(
      Type.Number({ description: "Absent when the host does not wait for the handler." }),
    ),
    deadlineFrom: Type.Optional(
      Type.String({ description: "Level of the configuration that sets the deadline." }),
    ),
  }),
  Type.Object({
    ...handlerIdentity,
    runs: Type.Literal(false),
    reason: Type.String({ description: "Reason why the handler would not run." }),
  }),
]);

const tracedDispatch = Type.Object({
  hook: Type.String(),
  kind: Type.String(),
  at: Type.Number({ description: "Start, in milliseconds since the epoch." }),
  durationMs: Type.Number(),
  outcome: Type.String({
    description: "For example `completed`, `terminal`, `denied` or `failed`.",
  }),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  handlers: Type.Array(runHookHandler),
});

/** The hook methods. */
export const hookMethods = methodTable(
  defineMethod({
    name: "hooks.list",
    summary: "Lists the hooks of the catalog with their plugins and counts (HOOK-050).",
    params: Type.Object({}, closed),
    result: Type.Object({ hooks: Type.Array(hookSummary) }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "hooks.show",
    summary: "Returns one hook with its handlers in the order in which they run (HOOK-051).",
    params: Type.Object(
      {
        hook: Type.String(name),
        channel: Type.Optional(
          Type.String({ ...name, description: "Channel to evaluate the scopes of handlers for." }),
        ),
        agentId: Type.Optional(
          Type.String({ ...name, description: "Agent to evaluate the scopes of handlers for." }),
        ),
        toolName: Type.Optional(
          Type.String({ ...name, description: "Tool to evaluate the scopes of handlers for." }),
        ),
      },
      closed,
    ),
    result: Type.Object({ ...hookSummary.properties, order: Type.Array(hookHandler) }),
    errors: ["HOOK_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "hooks.trace",
    summary:
      "Returns the dispatches of hooks in a run, in order, with the start, the result, the changes and the retries of each handler, without secrets and blocked text (GW-027).",
    params: Type.Object({ runId: Type.String(name) }, closed),
    result: Type.Object({
      runId: Type.String(),
      dispatches: Type.Array(tracedDispatch),
    }),
    errors: ["RUN_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
);

/** Hook of the catalog, with its counts so far (HOOK-050). */
export type HookSummary = Immutable<Static<typeof hookSummary>>;

/** Handlers of one plugin for a hook (TURN-058). */
export type HookPlugin = Immutable<Static<typeof hookPlugin>>;

/** Handler, with the reason when it would not run (HOOK-051). */
export type HookHandler = Immutable<Static<typeof hookHandler>>;
