import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";
import { failures, secrets, warnings } from "./configuration.js";

// Settings name secrets.
export { secretMethods } from "./secrets.js";

const closed = { additionalProperties: false };
const path = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 32,
  description: 'Keys from the root, for example `["agents", "clerk", "model"]`.',
});

/** The methods of the settings in the database, which take precedence over the configuration file (HOST-007). */
export const settingMethods = methodTable(
  defineMethod({
    name: "settings.list",
    summary: "Lists the settings of the database (HOST-007).",
    params: Type.Object({}, closed),
    result: Type.Object({
      settings: Type.Array(
        Type.Object({
          path,
          value: Type.Unknown({ description: "JSON value." }),
          source: Type.String({ description: "Command or file that stored it." }),
          updatedAt: Type.Integer({
            minimum: 0,
            description: "Time of the last change, in milliseconds since the epoch.",
          }),
        }),
      ),
    }),
    errors: [],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "settings.set",
    summary:
      "Changes settings of the database. They are checked with the configuration file before they are written, and a running gateway applies them at once (HOST-013). Literal secrets are stored encrypted, and the settings refer to them (GW-901).",
    params: Type.Object(
      {
        changes: Type.Array(
          Type.Object(
            {
              path,
              value: Type.Optional(
                Type.Unknown({
                  description: "JSON value; absent removes the settings at and below the path.",
                }),
              ),
            },
            closed,
          ),
          { minItems: 1, maxItems: 100 },
        ),
        source: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: "Command that makes the change; `settings.set` when absent.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      applied: Type.Array(Type.String(), { description: "Keys that were applied, dotted." }),
      pending: Type.Array(Type.String(), {
        description: "Keys that take effect at the next start of the gateway, dotted.",
      }),
      failures,
      secrets,
      warnings,
      problem: Type.Optional(
        Type.String({ description: "Why the gateway did not apply the stored settings." }),
      ),
    }),
    errors: ["CONFIG_INVALID", "CONFIG_REJECTED"],
    scope: "operator.admin",
    effect: "write",
  }),
);
