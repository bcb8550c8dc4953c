import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { mediaTypeOf } from "../files/media-type.js";
import type { WorkspacePaths } from "../files/workspace-paths.js";
import { answer } from "../result.js";

const MAX_TEXT_BYTES = 32 * 1024;
const MOST_FILES = 10;
const MOST_FILE_BYTES = 20 * 1024 * 1024;

/** Conversation of a channel. */
export interface MessagePlace {
  readonly channel: string;
  /** ID of the conversation or person on the channel. */
  readonly to: string;
  readonly accountId: string;
  readonly threadId?: string | undefined;
}

/** Action of the message tool. */
export type MessageAction =
  | {
      readonly action: "send";
      readonly text: string;
      /** Files to send. */
      readonly attachments?: readonly AttachmentMeta[] | undefined;
      readonly replyToId?: string | undefined;
    }
  | { readonly action: "edit"; readonly messageId: string; readonly text: string }
  | { readonly action: "delete"; readonly messageId: string }
  | { readonly action: "react"; readonly messageId: string; readonly emoji: string };

/** Channels that the message tool reaches. */
export interface MessagePort {
  /** Names of the channels that run. */
  readonly channels: readonly string[];
  /**
   * Carries out an action.
   * @param place - the conversation
   * @param session - session of the call
   * @returns ID that the channel gave a sent message, if any
   * @throws an error whose message is for the model
   */
  act(
    place: MessagePlace,
    action: MessageAction,
    session: Pick<ToolSessionContext, "sessionKey" | "agentId">,
  ): Promise<string | undefined>;
}

// One object for all turns: a schema is compiled once.
const parameters = Type.Object(
  {
    action: Type.Enum(["send", "reply", "react", "edit", "delete"]),
    channel: Type.Optional(
      Type.String({ minLength: 1, description: "Channel. Default: that of this conversation." }),
    ),
    to: Type.Optional(
      Type.String({ minLength: 1, description: "Recipient. Default: this conversation." }),
    ),
    text: Type.Optional(Type.String({ description: "Text, at most 32 KiB; the emoji for react." })),
    media: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: MOST_FILES,
        description: "Paths of files of the workspace to send, each at most 20 MiB.",
      }),
    ),
    messageId: Type.Optional(
      Type.String({ minLength: 1, description: "Message to reply to, react to, edit or delete." }),
    ),
    accountId: Type.Optional(Type.String({ minLength: 1, description: "Account. Default: this." })),
    threadId: Type.Optional(Type.String({ minLength: 1, description: "Thread or topic." })),
  },
  { additionalProperties: false },
);

type Parameters = Static<typeof parameters>;
type Session = Pick<ToolSessionContext, "sessionKey" | "agentId" | "deliveryContext">;

/**
 * Creates the `message` tool, which writes to conversations of channels. It is limited to the conversation of the
 * session; any other target needs approval (TURN-063).
 * @param port - channels of the host
 * @param paths - folders whose files may be sent
 */
export function createMessageTool(port: MessagePort, paths: WorkspacePaths) {
  return (session: Session) => {
    if (port.channels.length === 0) return [];
    return [
      defineTool({
        name: "message",
        label: "Message",
        description: `Send, edit, delete or react to a message, or send files, on a channel: ${port.channels.join(", ")}. Your reply to this conversation needs no tool.`,
        parameters,
        approval: (params) =>
          isOwn(placeOf(params, session), session) ? "never" : "unless-granted",
        execute: (_id, params) => {
          const place = placeOf(params, session);
          return answer(`${params.action} a message on ${place.channel}`, async () => {
            const attachments = await attachmentsOf(params, paths);
            const action = actionOf(params, attachments);
            const messageId = await port.act(place, action, session);
            const about = messageId === undefined ? "" : ` as message ${messageId}`;
            return {
              ...textResult(`Done: ${params.action} on ${place.channel} to ${place.to}${about}.`),
              details: { action: params.action, ...place, messageId },
            };
          });
        },
      }),
    ];
  };
}

function placeOf(params: Parameters, { deliveryContext = {} }: Session): MessagePlace {
  const channel = params.channel ?? deliveryContext.channel;
  const isSameChannel = channel === deliveryContext.channel;
  const to = params.to ?? (isSameChannel ? deliveryContext.to : undefined);
  if (channel === undefined || to === undefined) {
    throw new ToolRefusalError(
      "invalid-value",
      "Name the channel and the recipient with channel and to; this conversation is on no channel.",
    );
  }
  const own = isSameChannel ? deliveryContext.accountId : undefined;
  const isSamePlace = isSameChannel && to === deliveryContext.to;
  const thread = params.threadId ?? (isSamePlace ? deliveryContext.threadId : undefined);
  return {
    channel,
    to,
    accountId: params.accountId ?? own ?? "default",
    ...(thread === undefined ? {} : { threadId: String(thread) }),
  };
}

/** A topic of the same group is another conversation. */
function isOwn(place: MessagePlace, { deliveryContext = {} }: Session): boolean {
  const { channel, to, accountId = "default", threadId } = deliveryContext;
  return (
    place.channel === channel &&
    place.to === to &&
    place.accountId === accountId &&
    place.threadId === (threadId === undefined ? undefined : String(threadId))
  );
}

async function attachmentsOf(
  { action, media = [] }: Parameters,
  paths: WorkspacePaths,
): Promise<readonly AttachmentMeta[]> {
  if (media.length > 0 && action !== "send" && action !== "reply") {
    throw new ToolRefusalError("invalid-value", `The action ${action} takes no media.`);
  }
  return await Promise.all(
    media.map(async (given) => {
      const path = await paths.resolveReadable(given);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() !== true) {
        throw new ToolRefusalError("not-found", `"${given}" is not a file. Create it first.`);
      }
      if (found.size > MOST_FILE_BYTES) {
        throw new ToolRefusalError(
          "too-large",
          `"${given}" has ${found.size} bytes; the maximum is ${MOST_FILE_BYTES}.`,
        );
      }
      return { name: basename(path), mimeType: mediaTypeOf(path), bytes: found.size, path };
    }),
  );
}

function actionOf(
  { action, text = "", messageId }: Parameters,
  attachments: readonly AttachmentMeta[],
): MessageAction {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `The text is ${bytes} bytes; the maximum is ${MAX_TEXT_BYTES}. Write a shorter one.`,
    );
  }
  if (action !== "delete" && text.trim() === "" && attachments.length === 0) {
    throw new ToolRefusalError("invalid-value", `The action ${action} needs text.`);
  }
  const files = attachments.length === 0 ? {} : { attachments };
  if (action === "send") return { action, text, ...files };
  if (messageId === undefined) {
    throw new ToolRefusalError("invalid-value", `The action ${action} needs messageId.`);
  }
  switch (action) {
    case "reply":
      return { action: "send", text, replyToId: messageId, ...files };
    case "edit":
      return { action, messageId, text };
    case "react":
      return { action, messageId, emoji: text };
    case "delete":
      return { action, messageId };
  }
}
