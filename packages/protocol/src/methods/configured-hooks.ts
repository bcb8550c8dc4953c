import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const name = Type.String({
  minLength: 1,
  maxLength: 300,
  description: "Name of a configured hook; its source may be absent where the name is clear.",
});
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const configuredHook = Type.Object({
  name: Type.String({ description: "Name with its source, for example `config::no-secrets`." }),
  source: Type.String({ description: "File or key of the configuration that defines it." }),
  points: Type.Array(Type.String()),
  action: Type.String({ description: "For example `shell`." }),
  priority: Type.Number({ description: "Higher runs first." }),
  state: Type.String({
    description:
      "`active`, `disabled`, `invalid` when its definition has a mistake, or `unapproved` when its file has programs to approve.",
  }),
  reason: Type.Optional(
    Type.String({ description: "Why it is invalid or unapproved, with the next step." }),
  ),
  counts: Type.Object({
    matched: Type.Integer({ description: "Events that passed its filter." }),
    modified: Type.Integer(),
    blocked: Type.Integer(),
    failed: Type.Integer(),
  }),
});

const configuredHookDetails = Type.Object({
  ...configuredHook.properties,
  definition: record("Its definition, without secrets."),
  runs: Type.Array(record("A run."), { description: "Its last runs, newest first." }),
  deliveries: Type.Array(record("A delivery."), {
    description: "Its last deliveries, newest first, for a webhook.",
  }),
});

const hookApproval = Type.Object({
  file: Type.String(),
  hash: Type.String({ description: "SHA-256 of the content, in hex." }),
  commands: Type.Array(Type.String(), { description: "Programs that the file runs." }),
  approved: Type.Boolean(),
});

/** The methods of configured hooks (DHOOK-016). */
export const configuredHookMethods = methodTable(
  defineMethod({
    name: "hooks.configured",
    summary:
      "Lists the hooks that are written as configuration, and what prevents others (DHOOK-016).",
    params: Type.Object({}, closed),
    result: Type.Object({
      hooks: Type.Array(configuredHook),
      problems: Type.Array(Type.Object({ source: Type.String(), message: Type.String() })),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "hooks.describe",
    summary: "Returns a configured hook with its definition, last runs and deliveries (DHOOK-016).",
    params: Type.Object({ name }, closed),
    result: configuredHookDetails,
    errors: ["HOOK_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "hooks.enable",
    summary: "Enables a configured hook, also after a restart (DHOOK-016).",
    params: Type.Object({ name }, closed),
    result: configuredHook,
    errors: ["HOOK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "hooks.disable",
    summary: "Disables a configured hook, also after a restart (DHOOK-016).",
    params: Type.Object({ name }, closed),
    result: configuredHook,
    errors: ["HOOK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "hooks.test",
    summary: "Runs a configured hook with an event; its action has its effects (DHOOK-016).",
    params: Type.Object({ name, event: record("Fields of the event.") }, closed),
    result: Type.Object({ answer: record("Outcome, change or reason, and duration.") }),
    errors: ["HOOK_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "hooks.approve",
    summary:
      "Returns the programs that a hook file runs, and approves its content when the hash is given (DHOOK-014).",
    params: Type.Object(
      {
        file: Type.String({
          minLength: 1,
          maxLength: 4096,
          description: "Path, absolute or relative to the workspace.",
        }),
        hash: Type.Optional(
          Type.String({ pattern: "^[0-9a-f]{64}$", description: "Hash that was seen." }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      approval: Type.Optional(hookApproval),
    }),
    errors: [],
    scope: "operator.admin",
    effect: "write",
  }),
);

/** Hook that is written as configuration. */
export type ConfiguredHookSummary = Immutable<Static<typeof configuredHook>>;

/** A configured hook with its definition and last runs. */
export type ConfiguredHookDescription = Immutable<Static<typeof configuredHookDetails>>;
