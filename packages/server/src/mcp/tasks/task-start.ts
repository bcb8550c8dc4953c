import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { GatewayMethodParameters } from "@openclaw/protocol";
import { chatResult } from "../chat-result.js";
import { ChatTurn } from "../chat-turn.js";
import type { GatewayPort } from "../gateway-port.js";
import type { TaskReference } from "./task-id.js";

/** Message whose turn becomes a task. */
export interface TaskMessage {
  readonly parameters: GatewayMethodParameters<"chat.send">;
  /** Idempotency key that the client chose. */
  readonly key?: string | undefined;
  /** True when the person at the client answers requests of the turn. */
  readonly asks: boolean;
}

/** Task that was started, or the answer to a message without a turn. */
export type StartedTask = { readonly task: TaskReference } | { readonly result: CallToolResult };

const SILENT = { enter: () => undefined, note: () => undefined };
const NEVER = new AbortController().signal;

/**
 * Sends a message, and returns the task of its turn, which continues without the client. The person at the client counts as
 * an approver of this turn until it ends, because the client asks for its requests.
 * @param gateway - gateway of the client
 * @returns the answer itself for a message that starts no turn, such as a command
 * @throws OpenClawError when the message is not accepted
 */
export async function startTask(
  { parameters, key = randomUUID(), asks }: TaskMessage,
  gateway: GatewayPort,
): Promise<StartedTask> {
  const { sessionKey } = parameters;
  const turn = new ChatTurn(gateway, SILENT);
  const leave = asks
    ? await gateway.attend(sessionKey, ({ runId }) => runId !== undefined && runId === turn.runId)
    : undefined;
  const answer = turn.run(parameters, key, NEVER).finally(leave);
  const at = Date.now();
  // Nobody waits for the answer of a task; the store has it.
  answer.catch(() => undefined);
  const started = turn.started.then(({ messageId }) => ({ task: { sessionKey, messageId, at } }));
  return await Promise.race([
    started,
    answer.then((chatAnswer) => ({ result: chatResult(chatAnswer) })),
  ]);
}
