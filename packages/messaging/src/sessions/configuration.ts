import { budgetSchema } from "@openclaw/agent";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1 });

/** Schema of `session`: which messages share a conversation, and when one ends. */
export const sessionConfigurationSchema = Type.Object(
  {
    dmScope: Type.Optional(
      Type.Enum(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
        description: "Who shares a session in direct messages; default per-channel-peer.",
      }),
    ),
    queueMode: Type.Optional(
      Type.Enum(["queue", "collect", "steer", "interrupt", "reject"], {
        description: "What happens to a message that arrives during a turn; default queue.",
      }),
    ),
    budget: Type.Optional(budgetSchema),
    reset: Type.Optional(
      Type.Object(
        {
          idleMinutes: Type.Optional(
            Type.Integer({
              minimum: 1,
              description: "A message after that long without one begins a new conversation.",
            }),
          ),
          atHour: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 23,
              description: "A conversation ends at this hour of the host's clock, every day.",
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Which messages share a conversation, and when one ends: `session`. */
export type SessionConfiguration = Static<typeof sessionConfigurationSchema>;

/** Schema of `bindings`: which agent a message is for. */
export const bindingsSchema = Type.Array(
  Type.Object(
    {
      agentId: name,
      match: Type.Object(
        {
          channel: Type.Optional(name),
          accountId: Type.Optional(name),
          peer: Type.Optional(name),
          group: Type.Optional(name),
        },
        closed,
      ),
    },
    closed,
  ),
  { description: "The first entry whose every field matches a message names its agent." },
);

/** Which agent a message is for: one entry of `bindings`. */
export type Binding = Static<typeof bindingsSchema>[number];

/** What the gateway reads of an agent's own section, `agents.<id>`. */
export const agentRouteSchemas = {
  default: Type.Optional(
    Type.Boolean({ description: "This agent gets the messages that no binding names." }),
  ),
  model: Type.Optional(
    Type.String({ minLength: 1, description: "provider/model of this agent's turns." }),
  ),
};
