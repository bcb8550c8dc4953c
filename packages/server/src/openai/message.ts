import { defined, headerText } from "@openclaw/foundation";
import type { ClientRequest, InboundMessage } from "@openclaw/messaging";
import type { MethodCaller } from "@openclaw/protocol";
import type { Context } from "hono";
import { chooseSession, readUser, senderOf, type Target } from "./caller.js";
import { readTurnInput } from "./continuation.js";
import type { RequestedConversation } from "./conversation.js";
import { invalid, isFailure, type OpenAiFailure } from "./error.js";
import { repeatParts, storedMetadata } from "./exchange.js";
import type { OpenAiHost } from "./host.js";
import { type RequestedTools, readTools } from "./parameters.js";

/** Header with the session of a response. */
const SESSION_HEADER = "X-OpenClaw-Session-Key";

/** A request, in the same form for all routes. */
export interface ReadRequest {
  /** Parsed body, by which a repeat is recognised. */
  readonly body: object;
  /** Agent and model that the request selects. */
  readonly target: Target;
  readonly user: string | null | undefined;
  /** Authenticated client. */
  readonly caller: MethodCaller;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly conversation: RequestedConversation;
  readonly settings: NonNullable<ClientRequest["settings"]>;
  readonly tools: RequestedTools;
  /** Name of the parameter with the conversation. */
  readonly param: string;
  /** Session of the conversation that the request continues. */
  readonly sessionKey?: string | undefined;
}

/** Message of a request. */
export type RequestMessage = InboundMessage & { readonly sessionKey: string };

/**
 * Returns the message of a request: every request is a message like any other (GW-035).
 * @param context - context of the request
 * @param host - agents, models and earlier turns
 */
export async function requestMessage(
  context: Context,
  host: OpenAiHost,
  request: ReadRequest,
): Promise<RequestMessage | OpenAiFailure> {
  const user = readUser(request.user);
  if (isFailure(user)) return user;
  const tools = readTools(request.tools, host.clientTools);
  if (isFailure(tools)) return tools;
  const sender = senderOf(user.id, request.caller);
  const { param, conversation, target } = request;
  const { clientTurns, agentIds } = host;
  const input = await readTurnInput(conversation.entries, { clientTurns, sender, param });
  if (isFailure(input)) return input;
  const { text, media, results, history } = input;
  if (text.trim() === "" && media.length === 0) {
    return invalid("empty_message", "the last message has no text, image or file", param);
  }
  const { agentId } = target;
  const { sessionKey } = request;
  const continued = sessionKey === undefined ? input.continued : { sessionKey, agentId };
  const session = chooseSession(context, { user: user.id, agentId, continued, agentIds });
  if (isFailure(session)) return session;
  context.header(SESSION_HEADER, headerText(session.sessionKey));
  const { idempotencyKey, digest } = repeatParts(context, request.body, {
    user: user.id,
    caller: request.caller,
  });
  const client = defined({
    ...tools,
    settings: Object.keys(request.settings).length === 0 ? undefined : request.settings,
    media: media.length === 0 ? undefined : media,
    results,
    speaksAfterResults: input.speaksAfterResults || undefined,
  });
  return {
    ...sender,
    conversationId: session.sessionKey,
    text,
    sessionKey: session.sessionKey,
    agentId: session.agentId,
    model: target.model,
    history,
    extraInstructions: conversation.instructions,
    metadata: storedMetadata(digest, request.metadata),
    idempotencyKey,
    client: Object.keys(client).length === 0 ? undefined : client,
  };
}
