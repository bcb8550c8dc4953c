import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool, type ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";

const MAX_TEXT_BYTES = 32 * 1024;

/** A message from one session to another. */
export interface SessionMessage {
  /** The session it comes from. */
  readonly from: Pick<ToolSessionContext, "sessionKey" | "agentId">;
  /** The session it is for. */
  readonly sessionKey: string;
  readonly text: string;
}

/**
 * Accepts a message for a session in the same way as a message from a surface.
 * @returns its ID once it is stored; undefined when the session does not exist
 */
export type SendToSession = (message: SessionMessage) => Promise<string | undefined>;

// One object for all turns: a schema is compiled once.
const parameters = Type.Object(
  {
    sessionKey: Type.String({ minLength: 1, description: "From sessions_list." }),
    text: Type.String({ minLength: 1, description: "At most 32 KiB." }),
  },
  { additionalProperties: false },
);

/**
 * Creates the `sessions_send` tool, which writes to another conversation, where its agent answers (TURN-064).
 * @param send - accepts the message
 */
export function createSessionsSendTool(send: SendToSession) {
  return ({ sessionKey: own, agentId }: Pick<ToolSessionContext, "sessionKey" | "agentId">) =>
    defineTool({
      name: "sessions_send",
      label: "Send to session",
      description: "Write to another conversation. Its agent answers there, not here.",
      parameters,
      approval: "unless-granted",
      execute: (_id, { sessionKey, text }) =>
        answer(`write to the session "${sessionKey}"`, async () => {
          assertMessage(own, sessionKey, text);
          const from = { sessionKey: own, agentId };
          const messageId = await send({ from, sessionKey, text });
          if (messageId === undefined) {
            throw new ToolRefusalError(
              "not-found",
              `Session "${sessionKey}" not found. Use sessions_list to find its key.`,
            );
          }
          return {
            ...textResult(`Message ${messageId} is stored for the session "${sessionKey}".`),
            details: { messageId, sessionKey },
          };
        }),
    });
}

function assertMessage(own: string, sessionKey: string, text: string): void {
  if (sessionKey === own) {
    throw new ToolRefusalError(
      "invalid-value",
      "The message would go to this same session. Reply here, or choose another session.",
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_TEXT_BYTES) return;
  throw new ToolRefusalError(
    "too-large",
    `The message is ${bytes} bytes; the maximum is ${MAX_TEXT_BYTES}. Write a shorter one.`,
  );
}
