const reported = new Set<string>();

/**
 * Logs that a message is not accepted.
 * @param drop - channel, reason and sender; with `onceKey` only the first time
 * @deprecated The host logs it.
 */
export function logInboundDrop(drop: {
  readonly log: (message: string) => void;
  readonly channel: string;
  readonly reason: string;
  readonly target?: string;
  readonly onceKey?: string;
  readonly hint?: string;
}): void {
  const { log, channel, reason, target, onceKey, hint } = drop;
  const key = `${channel}:${reason}:${onceKey}`;
  if (onceKey !== undefined && reported.has(key)) return;
  if (onceKey !== undefined) reported.add(key);
  const sender = target === undefined ? "" : ` from ${target}`;
  log(`${channel}: a message${sender} is not accepted: ${reason}${hint ? `; ${hint}` : ""}`);
}

/**
 * Logs that the typing indicator of a channel failed.
 * @param failure - channel, target and error
 * @deprecated Log it in the channel.
 */
export function logTypingFailure(failure: {
  readonly log: (message: string) => void;
  readonly channel: string;
  readonly target?: string;
  readonly action?: "start" | "stop";
  readonly error: unknown;
}): void {
  const { log, channel, target, action = "start", error } = failure;
  const place = target === undefined ? "" : ` for ${target}`;
  log(`${channel}: the typing indicator${place} did not ${action}: ${String(error)}`);
}
