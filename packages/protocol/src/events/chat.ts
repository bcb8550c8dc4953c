import { Type } from "typebox";
import { defineEvent } from "../definition/event.js";
import { wireErrorSchema } from "../wire/error.js";

const scope = "operator.read";

const turn = {
  sessionKey: Type.String({ description: "Full key of the session." }),
  runId: Type.String({ description: "ID of the turn." }),
};

const answered = {
  sessionKey: Type.String({ description: "Full key of the session." }),
  runId: Type.Optional(
    Type.String({ description: "ID of the turn; absent when no turn answered the message." }),
  ),
  messageId: Type.String({ description: "ID of the message, as `chat.send` returned it." }),
};

/** Events of a conversation, sent to the subscribers of its session (GW-024). */
export const chatEvents = {
  "chat.started": defineEvent({
    name: "chat.started",
    summary: "Sent when a turn starts, and when it resumes after a restart or an approval.",
    payload: Type.Object({
      ...turn,
      messageId: Type.String(),
      model: Type.String({ description: "Model of the turn, `provider/model`." }),
    }),
    scope,
    delivery: "durable",
  }),
  "chat.delta": defineEvent({
    name: "chat.delta",
    summary:
      "Previews text of a reply. `chat.final` contains the complete text, which may differ (TURN-028).",
    payload: Type.Object({
      ...turn,
      delta: Type.String({ description: "Text that follows the earlier previews." }),
    }),
    scope,
    delivery: "droppable",
  }),
  "chat.waiting": defineEvent({
    name: "chat.waiting",
    summary: "Sent every 10 seconds while a model has not begun to respond.",
    payload: Type.Object({
      ...turn,
      model: Type.String({ description: "Model of the request, `provider/model`." }),
      waitedMs: Type.Number({ description: "Time since the request, in milliseconds." }),
      limitMs: Type.Number({
        description: "Time after which the request ends without a response, in milliseconds.",
      }),
    }),
    scope,
    delivery: "droppable",
  }),
  "chat.retry": defineEvent({
    name: "chat.retry",
    summary: "Sent when a model request failed and is repeated after a wait.",
    payload: Type.Object({
      ...turn,
      model: Type.String({ description: "Model of the request, `provider/model`." }),
      retry: Type.Integer({ description: "Number of the repetition, from 1." }),
      waitMs: Type.Number({ description: "Wait in milliseconds." }),
      errorCode: Type.String({
        description: "Code of the failure, for example `MODEL_RATE_LIMITED`.",
      }),
    }),
    scope,
    delivery: "droppable",
  }),
  "chat.failover": defineEvent({
    name: "chat.failover",
    summary: "Sent when a model failed and another one is called instead.",
    payload: Type.Object({
      ...turn,
      from: Type.String({ description: "Model that failed, `provider/model`." }),
      to: Type.String({ description: "Model that is called instead, `provider/model`." }),
      errorCode: Type.String({ description: "Code of the failure." }),
    }),
    scope,
    delivery: "durable",
  }),
  "chat.context": defineEvent({
    name: "chat.context",
    summary:
      "Sent after a model call of a turn: the part of the context window that the conversation uses (GW-684).",
    payload: Type.Object({
      ...turn,
      model: Type.String({ description: "Model of the call, `provider/model`." }),
      usedTokens: Type.Integer({
        description: "Tokens of the request and its reply, as the provider counted them.",
      }),
      windowTokens: Type.Integer({
        description: "Most tokens that a request may have before the conversation is shortened.",
      }),
    }),
    scope,
    delivery: "droppable",
  }),
  "chat.paused": defineEvent({
    name: "chat.paused",
    summary: "Sent when a turn waits for an approval.",
    payload: Type.Object({ ...turn, approvalId: Type.String() }),
    scope,
    delivery: "durable",
  }),
  "chat.undelivered": defineEvent({
    name: "chat.undelivered",
    summary:
      "Sent when a message could not be delivered to its channel, after the last attempt (TURN-048).",
    payload: Type.Object({
      sessionKey: Type.String({ description: "Full key of the session." }),
      runId: Type.String({
        description: "ID of the turn, or of the message or request that it is about.",
      }),
      channel: Type.String({ description: "Channel that did not deliver it." }),
      to: Type.String({ description: "Conversation on the channel." }),
      text: Type.String({ description: "Text that was not delivered." }),
      attempts: Type.Integer({ description: "Number of attempts." }),
      error: Type.Object({ code: Type.String(), message: Type.String() }),
    }),
    scope,
    delivery: "durable",
  }),
  "chat.final": defineEvent({
    name: "chat.final",
    summary: "Ends the answer to a message with its complete text (TURN-028).",
    payload: Type.Object({
      ...answered,
      status: Type.Enum(["replied", "answered", "withheld", "interrupted"], {
        description:
          "`answered` stands for a reply of a command, an approval or a plugin; a reply that a plugin cancelled has its own status.",
      }),
      text: Type.String(),
      stopReason: Type.Optional(Type.String()),
      unapprovedTools: Type.Optional(
        Type.Array(Type.String(), {
          description:
            "Tools of which a call was denied because no approver was reachable, or none decided in time (TURN-460).",
        }),
      ),
      deniedTools: Type.Optional(
        Type.Array(Type.String(), { description: "Tools of which an approver denied a call." }),
      ),
      usage: Type.Optional(
        Type.Object({
          input: Type.Optional(Type.Integer()),
          output: Type.Optional(Type.Integer()),
          total: Type.Optional(Type.Integer()),
          cost: Type.Optional(
            Type.Object({
              usd: Type.String({ description: "US dollars as a decimal number, exact." }),
              estimated: Type.Boolean({
                description: "True when a price or a number of tokens was not known.",
              }),
            }),
          ),
        }),
      ),
    }),
    scope,
    delivery: "durable",
  }),
  "chat.posted": defineEvent({
    name: "chat.posted",
    summary:
      "Adds a message of the agent to a conversation without a message of a user just before, for example the result of a job.",
    payload: Type.Object({
      ...turn,
      messageId: Type.String({ description: "ID of the task in the inbox." }),
      text: Type.String(),
    }),
    scope,
    delivery: "durable",
  }),
  "chat.error": defineEvent({
    name: "chat.error",
    summary: "Ends the answer to a message that failed.",
    payload: Type.Object({ ...answered, error: wireErrorSchema }),
    scope,
    delivery: "durable",
  }),
};
