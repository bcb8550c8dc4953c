/** Target of a message that a model sends with a tool of a channel. */
export interface ToolSend {
  readonly to: string;
  readonly accountId?: string;
  readonly threadId?: string;
  /** True when the model asked for no thread. */
  readonly threadSuppressed?: boolean;
}

/**
 * Returns the target in the arguments of a tool call; null for another action, or without a target.
 * @param args - arguments of the call
 * @param expectedAction - name of the action that sends
 * @deprecated Models send with the tool `message` of the host.
 */
export function extractToolSend(
  args: Readonly<Record<string, unknown>>,
  expectedAction = "sendMessage",
): ToolSend | null {
  const { action, to, accountId, threadId, topLevel } = args;
  if (textOf(action) !== expectedAction) return null;
  const target = textOf(to);
  if (target === undefined) return null;
  const account = textOf(accountId);
  const thread = typeof threadId === "number" ? String(threadId) : textOf(threadId);
  return {
    to: target,
    ...(account !== undefined && { accountId: account }),
    ...(thread !== undefined && { threadId: thread }),
    ...((threadId === null || topLevel === true) && { threadSuppressed: true }),
  };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}
