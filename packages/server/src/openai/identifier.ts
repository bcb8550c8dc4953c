/*
 * IDs for clients contain the ID of the run or message that they refer to, so that no table is needed to
 * find it. Some clients and providers accept at most 40 characters.
 */

const CALL = /^call_([0-9a-f]{32})([0-9a-z]{2})$/;
const ITEM = /^(?:msg|fc|rs)_([0-9a-f]{32})(?:[0-9a-z]{2})?$/;
const RESPONSE = /^resp_[0-9a-f]{32}$/;
const MOST_CALLS = 36 * 36;

/** Call of a client's tool: the turn that returned it, and its index among the returned calls. */
export interface CallPlace {
  readonly runId: string;
  readonly index: number;
}

/**
 * Returns the ID of a call for its client.
 * @param runId - ID of the turn that returned it
 * @param index - index among the returned calls
 */
export function callIdOf(runId: string, index: number): string {
  return `call_${compact(runId)}${suffix(index)}`;
}

/**
 * Returns the call with an ID.
 * @param id - ID from a client
 * @returns undefined for an ID that this gateway did not make
 */
export function readCallId(id: string): CallPlace | undefined {
  const [, hex, index] = CALL.exec(id) ?? [];
  if (hex === undefined || index === undefined) return undefined;
  return { runId: expanded(hex), index: Number.parseInt(index, 36) };
}

/**
 * Returns the ID of the item of a call in the output of a response.
 * @param callId - from {@link callIdOf}
 */
export function callItemId(callId: string): string {
  return callId.replace("call_", "fc_");
}

/**
 * Returns the ID of a message in the output of a response.
 * @param id - ID of its turn, or of its message in the inbox when no turn answered
 * @param index - index among the messages of the reply
 */
export function messageItemId(id: string, index = 0): string {
  return `msg_${compact(id)}${index === 0 ? "" : suffix(index)}`;
}

/**
 * Returns the ID of the item with the reasoning of a reply.
 * @param messageId - ID of the message that the turn answered
 * @param index - index among such items of the reply
 */
export function reasoningItemId(messageId: string, index = 0): string {
  return `rs_${compact(messageId)}${index === 0 ? "" : suffix(index)}`;
}

/**
 * Returns the run or message that an item of a response belongs to.
 * @param itemId - ID from a client
 * @returns undefined for an ID that this gateway did not make
 */
export function readItemId(itemId: string): string | undefined {
  const [, hex] = ITEM.exec(itemId) ?? [];
  return hex === undefined ? undefined : expanded(hex);
}

/**
 * Returns the ID of a response.
 * @param messageId - ID of its message in the inbox
 */
export function responseIdOf(messageId: string): string {
  return `resp_${compact(messageId)}`;
}

/** Returns true for an ID in the form of {@link responseIdOf}. */
export function isResponseId(id: string): boolean {
  return RESPONSE.test(id);
}

function suffix(index: number): string {
  if (index >= MOST_CALLS) throw new RangeError(`a turn has more than ${MOST_CALLS} such items`);
  return index.toString(36).padStart(2, "0");
}

function compact(id: string): string {
  return id.replaceAll("-", "");
}

function expanded(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
