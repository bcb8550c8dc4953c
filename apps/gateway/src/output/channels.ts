import { Type } from "typebox";
import { type CommandOutputs, document, lines, resultOf } from "./command-output.js";

const { channels } = resultOf("channels.list").properties;

/** Outputs of the commands about channels, their senders, and devices. */
export const channelOutputs: CommandOutputs = {
  "channels list": document(resultOf("channels.list")),
  "channels status": document(
    Type.Object({
      channels,
      isRunning: Type.Boolean({ description: "False when no gateway runs." }),
    }),
  ),
  "channels lost": document(
    Type.Object({
      messages: Type.Optional(resultOf("channels.lost").properties.messages),
      outcomes: Type.Optional(
        Type.Array(
          Type.Object({
            id: Type.String(),
            outcome: Type.Enum(["accepted", "ignored", "discarded"]),
          }),
          { description: "Messages that were replayed or discarded." },
        ),
      ),
    }),
  ),
  "channels test": document(resultOf("channels.test")),
  "channels send": document(resultOf("channels.send")),
  "channels add": document(
    Type.Object({
      channel: Type.String(),
      keys: Type.Array(Type.String(), { description: "Keys that were set, dotted." }),
      secret: Type.Optional(Type.String({ description: "Name of the stored secret." })),
      secrets: Type.Optional(
        Type.Array(Type.String(), { description: "Names of all stored secrets." }),
      ),
      incomplete: Type.Optional(
        Type.Array(
          Type.Object({
            accountId: Type.String(),
            lacks: Type.Array(Type.String(), { description: "Settings that it still needs." }),
          }),
          { description: "Accounts that are not started yet." },
        ),
      ),
      unchecked: Type.Optional(
        Type.Array(Type.String(), { description: "Channels whose settings nothing checks." }),
      ),
    }),
  ),
  "channels logs": lines(resultOf("logs.tail").properties.lines.items),
  "pairing list": document(resultOf("pairing.list")),
  "pairing approve": document(resultOf("pairing.approve")),
  "pairing revoke": document(resultOf("pairing.revoke")),
  "devices list": document(resultOf("devices.list")),
  "devices approve": document(resultOf("devices.approve")),
  "devices reject": document(resultOf("devices.reject")),
  "devices revoke": document(resultOf("devices.revoke")),
  "devices rename": document(resultOf("devices.rename")),
};
