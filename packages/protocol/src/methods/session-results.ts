import { Type } from "typebox";

/** Handling of a message that arrives during a turn. */
export const queueMode = Type.Enum(["queue", "collect", "steer", "interrupt", "reject"]);

/** State of a turn. */
export const runState = Type.Enum([
  "queued",
  "running",
  "awaiting_approval",
  "completed",
  "failed",
  "interrupted",
  "blocked",
]);

/** Session as shown in lists; times are milliseconds since the epoch. */
export const sessionRow = Type.Object(
  {
    sessionKey: Type.String({ description: "Full key, for example `agent:main:main`." }),
    sessionId: Type.String({ description: "ID of its current conversation." }),
    agentId: Type.String(),
    channel: Type.Optional(Type.String({ description: "Channel of its first message." })),
    label: Type.Optional(Type.String()),
    model: Type.Optional(
      Type.String({ description: "Model chosen for the session, `provider/model`." }),
    ),
    queueMode: Type.Optional(queueMode),
    verbose: Type.Optional(
      Type.Boolean({ description: "True if details of each turn are shown, `/debug`." }),
    ),
    pinned: Type.Optional(
      Type.Boolean({ description: "True for one that operators keep at the top of lists." }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: "True for one that operators put away; it works as before." }),
    ),
    createdAt: Type.Number(),
    updatedAt: Type.Number({ description: "Time of its last use." }),
    messageCount: Type.Integer({ description: "Messages of its current conversation." }),
    tokens: Type.Integer({
      description: "Tokens that models have used in its current conversation.",
    }),
    costUsd: Type.String({
      description: "Cost of its current conversation: US dollars as a decimal number, exact.",
    }),
    state: Type.Optional(
      Type.Enum(runState.enum, {
        description: "State of the last turn of its current conversation; absent without a turn.",
      }),
    ),
    lastMessage: Type.Optional(
      Type.String({
        description: "Beginning of the message that this turn answers; absent when it was erased.",
      }),
    ),
    pluginExtensions: Type.Array(
      Type.Object({
        pluginId: Type.String(),
        namespace: Type.String(),
        value: Type.Unknown({ description: "Public view of the value." }),
        version: Type.Integer({ description: "Grows with each change, for `expectedVersion`." }),
      }),
      { description: "Values that plugins keep with the session (TURN-050)." },
    ),
  },
  { title: "SessionRow" },
);

/** State of a conversation (SUB-024). */
export const threadState = Type.Enum([
  "Idle",
  "Processing",
  "AwaitingApproval",
  "Completed",
  "Interrupted",
]);

/** Messages and estimated tokens of a conversation. */
export const conversationSize = Type.Object({ messages: Type.Integer(), tokens: Type.Integer() });

/** Outcome of an undo or redo. */
export const movedHistory = Type.Object({
  moved: Type.Boolean({ description: "False when there was nothing to take or to bring back." }),
  text: Type.Optional(
    Type.String({ description: "Beginning of the message that started the turn." }),
  ),
  effects: Type.Array(Type.String(), {
    description: "Lines about tool calls of the turn whose effects remain; empty without any.",
  }),
  undo: Type.Integer({ description: "Number of turns that can be taken back now." }),
  redo: Type.Integer({ description: "Number of turns that can be brought back now." }),
});
