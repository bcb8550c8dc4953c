import type { ReplyOutcome, TurnSender } from "@openclaw/messaging";
import type { AgentMessage, ThinkingPart } from "@openclaw/plugin-sdk/tools";
import { ENCRYPTED_REASONING, type ResponseRequest } from "@openclaw/protocol/openai";
import type { OpenAiHost } from "../host.js";

/** Field in which the provider library has the encrypted reasoning of the API. */
const FIELD = "reasoningEncryptedContent";

/**
 * Returns the encrypted reasoning of the last model call of a reply, as its provider sent it.
 * @param request - request of the reply, which has to ask for it
 * @param outcome - outcome of its message
 * @param turns - finds the turn of the reply
 * @param sender - sender of the request
 */
export async function encryptedReasoning(
  { include }: Pick<ResponseRequest, "include">,
  outcome: ReplyOutcome,
  turns: Pick<OpenAiHost["clientTurns"], "find">,
  sender: TurnSender,
): Promise<readonly string[]> {
  if (include?.includes(ENCRYPTED_REASONING) !== true || outcome.status !== "replied") return [];
  const turn = await turns.find(outcome.runId, sender);
  const reply = turn?.messages.findLast(({ role }) => role === "assistant");
  return reply === undefined ? [] : encryptedParts(reply);
}

/**
 * Returns encrypted reasoning of a client as a part of a message, for the provider that made it.
 * @param content - encrypted reasoning as the client received it
 */
export function encryptedPart(content: string): ThinkingPart {
  return { type: "thinking", text: "", providerData: { openai: { [FIELD]: content } } };
}

function encryptedParts({ content }: AgentMessage): string[] {
  return content.flatMap((part) => {
    if (part.type !== "thinking") return [];
    return Object.values(part.providerData ?? {}).flatMap((data) => {
      const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
      const encrypted = isObject ? data[FIELD] : undefined;
      return typeof encrypted === "string" && encrypted !== "" ? [encrypted] : [];
    });
  });
}
