import { budgetSchema } from "@openclaw/agent";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false };
const nameOf = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** Accepted messages without an outcome, unless `inbox.maxBacklog` says otherwise. */
export const MAX_BACKLOG = 10_000;

/** Direct messages that share a session, unless `session.dmScope` says otherwise. */
export const DEFAULT_DM_SCOPE = "per-channel-peer";

/** Handling of a message that arrives during a turn, unless `session.queueMode` says otherwise. */
export const DEFAULT_QUEUE_MODE = "queue";

/** Schema of `inbox`: messages that were accepted. */
export const inboxConfigurationSchema = Type.Object(
  {
    maxBacklog: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: MAX_BACKLOG,
        description:
          "Maximum number of accepted messages without an outcome; further ones are rejected with RATE_LIMITED (HTTP 429) and a time to wait.",
      }),
    ),
  },
  { ...closed, description: "Messages that were accepted." },
);

/** Section `inbox`. */
export type InboxConfiguration = Static<typeof inboxConfigurationSchema>;

/** Seconds without use after which a session leaves memory: 7 days. */
export const DEFAULT_IDLE_SECONDS = 7 * 24 * 3600;

/** Schema of `session`: which messages share a conversation, and when a conversation ends. */
export const sessionConfigurationSchema = Type.Object(
  {
    dmScope: Type.Optional(
      Type.Enum(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
        default: DEFAULT_DM_SCOPE,
        description: "Direct messages that share a session.",
      }),
    ),
    queueMode: Type.Optional(
      Type.Enum(["queue", "collect", "steer", "interrupt", "reject"], {
        default: DEFAULT_QUEUE_MODE,
        description: "Handling of a message that arrives during a turn.",
      }),
    ),
    budget: Type.Optional(budgetSchema),
    idleTimeoutSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 10_000_000,
        default: DEFAULT_IDLE_SECONDS,
        description:
          "Seconds without use after which a session leaves memory, with a session_end whose reason is idle; its conversation stays stored. SESSION_IDLE_TIMEOUT_SECS overrides it.",
      }),
    ),
    reset: Type.Optional(
      Type.Object(
        {
          idleMinutes: Type.Optional(
            Type.Integer({
              minimum: 1,
              description:
                "Minutes without a message after which the next one starts a new conversation.",
            }),
          ),
          atHour: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 23,
              description: "Hour of the host's clock at which conversations end every day.",
            }),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: "Messages that share a conversation, and when it ends." },
);

/** Configuration `session`: which messages share a conversation, and when a conversation ends. */
export type SessionConfiguration = Static<typeof sessionConfigurationSchema>;

/** Schema of `bindings`, which assign messages to agents. */
export const bindingsSchema = Type.Array(
  Type.Object(
    {
      agentId: Type.String({ minLength: 1, description: "Agent that handles the messages." }),
      match: Type.Object(
        {
          channel: nameOf("Channel of the message."),
          accountId: nameOf("Account of the channel."),
          peer: nameOf("Sender of a direct message."),
          group: nameOf("Group of the message."),
        },
        closed,
      ),
    },
    closed,
  ),
  { description: "The first entry whose fields all match a message selects its agent." },
);

/** Entry of `bindings`, which assigns messages to an agent. */
export type Binding = Static<typeof bindingsSchema>[number];

/** Schemas of the routing settings in an agent's own section, `agents.<id>`. */
export const agentRouteSchemas = {
  default: Type.Optional(
    Type.Boolean({
      default: false,
      description: "True for the agent of messages that match no binding.",
    }),
  ),
  model: Type.Optional(
    Type.String({ minLength: 1, description: "Model of this agent's turns, as provider/model." }),
  ),
  instructions: Type.Optional(
    Type.String({
      description: "System prompt of this agent, instead of agents.defaults.instructions.",
    }),
  ),
  contextTokens: Type.Optional(
    Type.Integer({
      minimum: 1000,
      description:
        "Maximum number of tokens of this agent's conversations, instead of agents.defaults.contextTokens.",
    }),
  ),
  workspace: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Folder that the tools of this agent work in, in every session, instead of agents.defaults.workspace. A relative path starts at the folder of the configuration file.",
    }),
  ),
};
