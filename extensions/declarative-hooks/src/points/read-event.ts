import type { HookContext, HookEvent } from "@openclaw/plugin-sdk/hooks";
import type { HookInput } from "./input.js";

/** @param event - event of `message_receiving` */
export function inbound(
  { content, channel, senderId, from, messageId, isGroup }: HookEvent<"message_receiving">,
  { sessionKey }: HookContext<"message_receiving">,
): HookInput {
  const data = { messageId, isGroup };
  return {
    point: "beforeInbound",
    channel,
    sender: senderId ?? from,
    session: sessionKey,
    content,
    data,
  };
}

/** @param event - event of `message_sending` */
export function outbound(
  { content, channel, to }: HookEvent<"message_sending">,
  { sessionKey, senderId }: HookContext<"message_sending">,
): HookInput {
  const data = { to };
  return { point: "beforeOutbound", channel, sender: senderId, session: sessionKey, content, data };
}

/** @param event - event of `before_tool_call` */
export function toolCall(
  { toolName, params, toolKind, runId, toolCallId }: HookEvent<"before_tool_call">,
  { channel, messageProvider, senderId, sessionKey }: HookContext<"before_tool_call">,
): HookInput {
  return {
    ...{ point: "beforeToolCall", channel: channel ?? messageProvider, sender: senderId },
    ...{ session: sessionKey, tool: toolName, params, data: { toolKind, runId, toolCallId } },
  };
}

/** @param event - event of `transform_response` */
export function response(
  { content, channel, runId }: HookEvent<"transform_response">,
  { messageProvider, senderId, sessionKey }: HookContext<"transform_response">,
): HookInput {
  return {
    ...{ point: "transformResponse", channel: channel ?? messageProvider, sender: senderId },
    ...{ session: sessionKey, content, data: { runId } },
  };
}

/** @param event - event of `transcribe_audio` */
export function audio(
  { audio: recording, channel, language, attachmentIndex }: HookEvent<"transcribe_audio">,
  { senderId, sessionKey }: HookContext<"transcribe_audio">,
): HookInput {
  const { path, mimeType: mime, bytes: size, durationMs } = recording;
  const data = { path, mime, size, durationMs, language, attachmentIndex };
  return { point: "transcribeAudio", channel, sender: senderId, session: sessionKey, data };
}

/** @param event - event of `session_start` */
export function sessionStart(
  { sessionId, reason, resumedFrom }: HookEvent<"session_start">,
  { sessionKey, agentId }: HookContext<"session_start">,
): HookInput {
  const data = { sessionId, reason, resumedFrom, agentId };
  return { point: "onSessionStart", session: sessionKey, data };
}

/** @param event - event of `session_end` */
export function sessionEnd(
  { sessionId, reason, messageCount, durationMs }: HookEvent<"session_end">,
  { sessionKey, agentId }: HookContext<"session_end">,
): HookInput {
  const data = { sessionId, reason, messageCount, durationMs, agentId };
  return { point: "onSessionEnd", session: sessionKey, data };
}
