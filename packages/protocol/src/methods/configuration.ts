import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const baseHash = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "SHA-256 of the configuration that the change is based on, with its included files.",
});

/** Parts of reloaded plugins that do not work with a changed configuration. */
export const failures = Type.Array(
  Type.Object({
    plugin: Type.String(),
    message: Type.String(),
    hint: Type.Optional(Type.String({ description: "Next step of the operator." })),
  }),
  { description: "Parts of reloaded plugins that do not work with the new configuration." },
);

/** Names of the secrets that a change stored. */
export const secrets = Type.Optional(
  Type.Array(Type.String(), {
    description:
      "Secrets to which literal values of the change were moved, and which it refers to.",
  }),
);

/** Warnings about what a change names. */
export const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description:
      "Names in the change that nothing has yet, for example a plugin in `plugins.deny` that is not installed, each with the next step.",
  }),
);

/** Effect of a change on the running gateway. */
const outcome = {
  applied: Type.Array(Type.String(), { description: "Keys that were applied, dotted." }),
  reloaded: Type.Array(Type.String(), {
    description: "Plugins that were reloaded with their new settings.",
  }),
  pending: Type.Array(Type.String(), {
    description: "Keys that take effect at the next start of the gateway, dotted.",
  }),
  listener: Type.Optional(
    Type.String({
      description: "URL at which the listener was opened again, when its settings changed.",
    }),
  ),
  failures,
  problem: Type.Optional(
    Type.String({
      description:
        "Why the gateway did not apply the written configuration, for example a secret that is not stored.",
    }),
  ),
};

const path = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 32,
  description: 'Keys from the root, for example `["session", "queueMode"]`.',
});
const changes = Type.Array(
  Type.Object(
    {
      path,
      value: Type.Optional(Type.Unknown({ description: "JSON value; absent removes the key." })),
    },
    closed,
  ),
  { minItems: 1, maxItems: 100 },
);
const applies = Type.Enum(["hot", "plugin", "channel", "listener", "restart"], {
  description:
    "Way in which a running gateway applies a change of the key: to the next use, by reloading the plugin, by reconnecting the channel, by opening its listener again, or at its next start.",
});
const text = Type.String({
  maxLength: 1_000_000,
  description:
    "Content of the main file, JSON5. Marks such as `[REDACTED:0a1b2c3d]` stand for its secrets.",
});
const origin = {
  layer: Type.Enum(["environment", "database", "file", "default"]),
  origin: Type.String({
    description:
      "Place of the value: file, line and column, name of the variable, or command that stored it in the database.",
  }),
};

/** The configuration methods (GW-029). */
export const configurationMethods = methodTable(
  defineMethod({
    name: "config.get",
    summary:
      "Returns the content of the configuration file, with references as they are written and secrets replaced by `[REDACTED]`.",
    params: Type.Object({}, closed),
    result: Type.Object({
      value: Type.Unknown({ description: "Content of the file; an empty object without a file." }),
      baseHash,
      exists: Type.Boolean({ description: "False when there is no file and defaults apply." }),
    }),
    errors: ["CONFIG_INVALID"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "config.schema",
    summary:
      "Returns the JSON Schema of the configuration, merged with the schemas of the plugins, and the hints of plugins for consoles.",
    params: Type.Object({}, closed),
    result: Type.Object({
      schema: Type.Record(Type.String(), Type.Unknown()),
      uiHints: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: "`uiHints` of the manifests, by plugin.",
      }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "config.set",
    summary:
      "Changes the configuration file: comments and order stay, and the result is checked before it is written (GW-007). Literal secrets are stored encrypted, and the file refers to them (GW-901). The running gateway applies the difference at once, as after a change of the file (GW-006).",
    params: Type.Object(
      {
        baseHash,
        changes,
      },
      closed,
    ),
    result: Type.Object({
      baseHash,
      ...outcome,
      secrets,
      warnings,
    }),
    errors: [
      "CONFIG_INVALID",
      "CONFIG_REJECTED",
      "CONFIG_CONFLICT",
      "CONFIG_BUSY",
      "PLUGIN_NOT_FOUND",
    ],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "config.reload",
    summary:
      "Reads the configuration files now, and returns what the running gateway did with one version of them, also when it was applied earlier (GW-440).",
    params: Type.Object({ hash: baseHash }, closed),
    result: Type.Object(outcome),
    errors: ["PLUGIN_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
    idempotency: "repeatable",
  }),
  defineMethod({
    name: "config.explain",
    summary:
      "Returns every key that a variable, the database or a file sets, with its effective value, its origin, and the values that apply without it (GW-547).",
    params: Type.Object({}, closed),
    result: Type.Object({
      keys: Type.Array(
        Type.Object({
          path,
          ...origin,
          value: Type.Optional(
            Type.Unknown({ description: "Effective value; secrets are replaced by `[REDACTED]`." }),
          ),
          applies,
          shadowed: Type.Array(Type.Object({ ...origin, value: Type.Optional(Type.Unknown()) }), {
            description: "What applies without the value, nearest first.",
          }),
        }),
      ),
    }),
    errors: ["CONFIG_INVALID"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "config.preview",
    summary:
      "Returns what a change of the configuration would write and how the running gateway would apply it; it is checked as `config.set` and `config.write` check it, and nothing is written (GW-548).",
    params: Type.Union([
      Type.Object({ baseHash, changes }, closed),
      Type.Object({ baseHash, text }, closed),
    ]),
    result: Type.Object({
      diff: Type.String({
        description: "Unified diff of the files; secrets are replaced by marks.",
      }),
      keys: Type.Array(Type.Object({ path, applies }), {
        description: "Keys whose values would change.",
      }),
      warnings: Type.Array(Type.String(), {
        description: "Names in the change that nothing has yet, each with the next step.",
      }),
    }),
    errors: ["CONFIG_INVALID", "CONFIG_CONFLICT"],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "config.text",
    summary:
      "Returns the text of the main configuration file with its comments, for an editor. Secrets are replaced by marks, which `config.write` puts back (GW-549).",
    params: Type.Object({}, closed),
    result: Type.Object({
      text,
      baseHash,
      file: Type.String({ description: "Path of the file." }),
      included: Type.Array(Type.String(), { description: "Paths of the files that it includes." }),
    }),
    errors: ["CONFIG_INVALID"],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "config.write",
    summary:
      "Replaces the text of the main configuration file, as `openclaw config edit` does: it is checked before it is written, and the running gateway applies the difference at once (GW-549).",
    params: Type.Object({ baseHash, text }, closed),
    result: Type.Object({ baseHash, ...outcome, warnings }),
    errors: [
      "CONFIG_INVALID",
      "CONFIG_REJECTED",
      "CONFIG_CONFLICT",
      "CONFIG_BUSY",
      "PLUGIN_NOT_FOUND",
    ],
    scope: "operator.admin",
    effect: "write",
  }),
);
