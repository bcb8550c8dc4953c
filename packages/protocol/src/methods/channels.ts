import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });
const channel = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Name of the channel, for example `telegram`.",
});
const accountId = Type.String({ minLength: 1, maxLength: 512, description: "Account." });
const senderId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: "ID of the sender on the channel.",
});
const lostId = Type.String({ minLength: 1, maxLength: 64, description: "ID of the lost message." });
const userName = Type.Optional(Type.String({ description: "Name of the sender on the channel." }));
const code = Type.String({ minLength: 1, maxLength: 64, description: "Pairing code." });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const problem = Type.Object({
  code: Type.String({ description: "Code of the error." }),
  message: Type.String({ description: "What failed, and the next step." }),
});
const admitted = Type.Object({
  channel,
  accountId,
  senderId,
  userName,
  addedAt: time("Time of the admission"),
  addedBy: Type.String({ description: "Operator who admitted the sender." }),
});

/** The methods of channels and of the senders that they accept. */
export const channelMethods = methodTable(
  defineMethod({
    name: "channels.list",
    summary: "Lists the channels of plugins with the state of each account.",
    params: Type.Object({}, closed),
    result: Type.Object({
      channels: Type.Array(
        Type.Object({
          channel,
          accountId: Type.Optional(accountId),
          pluginId: Type.String({ description: "Plugin that offers the channel." }),
          state: Type.Enum(
            [
              "unconfigured",
              "disabled",
              "incomplete",
              "stopped",
              "starting",
              "connected",
              "degraded",
            ],
            {
              description:
                "`unconfigured`: the configuration has no section for it; `incomplete`: it lacks settings, which `problem` names, and is not started; `degraded`: its connection failed and is opened again, or its plugin lacks what messages may need.",
            },
          ),
          problem: Type.Optional(problem),
          retryAt: Type.Optional(time("Time of the next attempt")),
          restarts: count("Times that its connection was opened again."),
          received: count("Messages that it received."),
          ignored: count("Messages that its policies did not accept."),
          invalid: count("Messages of an invalid form."),
          lastMessageAt: Type.Optional(time("Time of the last message")),
          undelivered: count("Messages that could not be sent through it."),
          lost: count(
            "Messages that its plugin could not hand to the gateway; `channels.lost` lists them.",
          ),
          lastFailure: Type.Optional(
            Type.Object({
              at: time("Time of the failure"),
              message: Type.String({ description: "Why the last of them failed." }),
            }),
          ),
        }),
      ),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "channels.lost",
    summary:
      "Lists the messages that plugins of channels received and could not hand to the gateway, oldest first.",
    params: Type.Object({ channel: Type.Optional(channel) }, closed),
    result: Type.Object({
      messages: Type.Array(
        Type.Object({
          id: lostId,
          channel,
          accountId,
          pluginId: Type.String({ description: "Plugin that lost it." }),
          part: Type.String({ description: "What the plugin used and this host lacks." }),
          lostAt: time("Time of the loss"),
          text: Type.Optional(Type.String({ description: "Text, if the plugin had read it." })),
          senderId: Type.Optional(senderId),
          senderName: userName,
          conversationId: Type.Optional(Type.String({ description: "Conversation." })),
        }),
      ),
    }),
    errors: [],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "channels.replay",
    summary:
      "Hands a lost message to the gateway as if its channel had received it now, once; the rules for its sender apply.",
    params: Type.Object({ id: lostId }, closed),
    result: Type.Object({
      id: lostId,
      outcome: Type.Enum(["accepted", "ignored"], {
        description:
          "`ignored`: the rules of the channel do not accept its sender; the message remains.",
      }),
    }),
    errors: ["LOST_MESSAGE_NOT_FOUND", "LOST_MESSAGE_INCOMPLETE", "CHANNEL_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "channels.discard",
    summary: "Deletes a lost message.",
    params: Type.Object({ id: lostId }, closed),
    result: Type.Object({ id: lostId }),
    errors: ["LOST_MESSAGE_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "channels.test",
    summary: "Checks that an account of a channel works.",
    params: Type.Object({ channel, accountId: Type.Optional(accountId) }, closed),
    result: Type.Object({
      channel,
      accountId,
      ok: Type.Boolean({ description: "True if the platform accepts the account." }),
      problem: Type.Optional(problem),
    }),
    errors: ["CHANNEL_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "channels.describe",
    summary: "Describes how a channel of a plugin is set up: its settings, and the steps.",
    params: Type.Object({ channel }, closed),
    result: Type.Object({
      channel,
      pluginId: Type.String({ description: "Plugin that offers the channel." }),
      settings: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: "JSON Schema of the plugin for an account; absent without one.",
        }),
      ),
      steps: Type.Array(Type.String(), {
        description: "Steps on the platform and here, in their order; empty when there are none.",
      }),
    }),
    errors: ["CHANNEL_NOT_FOUND"],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "channels.send",
    summary:
      "Sends a message to a conversation of a channel, on the way of replies: stored, through the outbound hooks and the removal of secrets.",
    params: Type.Object(
      {
        channel,
        accountId: Type.Optional(accountId),
        conversationId: Type.String({
          minLength: 1,
          maxLength: 512,
          description: "ID of the conversation or person on the channel.",
        }),
        threadId: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
        text: Type.String({ minLength: 1, maxLength: 100_000 }),
      },
      closed,
    ),
    result: Type.Object({
      channel,
      accountId,
      conversationId: Type.String(),
      messageId: Type.Optional(
        Type.String({ description: "ID that the channel gave the message, if it tells it." }),
      ),
    }),
    errors: ["CHANNEL_NOT_FOUND", "CHANNEL_ACTION_FAILED"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "pairing.list",
    summary:
      "Lists the senders who wait to be admitted to channels, and those who were (HOST-022).",
    params: Type.Object({}, closed),
    result: Type.Object({
      pending: Type.Array(
        Type.Object({
          channel,
          accountId,
          senderId,
          userName,
          code,
          requestedAt: time("Time of the first message"),
          expiresAt: time("End of the validity of the code"),
        }),
      ),
      admitted: Type.Array(admitted),
    }),
    errors: [],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "pairing.approve",
    summary:
      "Admits the sender with a pairing code to a channel; letter case is ignored (HOST-021).",
    params: Type.Object({ channel, code }, closed),
    result: admitted,
    errors: ["PAIRING_CODE_UNKNOWN", "PAIRING_LOCKED"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "pairing.revoke",
    summary: "Removes an admitted sender from a channel.",
    params: Type.Object({ channel, senderId, accountId: Type.Optional(accountId) }, closed),
    result: Type.Object({
      channel,
      senderId,
      accounts: Type.Array(accountId, { description: "Accounts that had admitted the sender." }),
    }),
    errors: ["PAIRED_SENDER_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
);
