import type { ApprovalSummary } from "@openclaw/protocol";
import { shortTime } from "../../text/format.js";
import { text } from "./messages.js";

/** Names of the states of a settled request. */
const OUTCOMES: Readonly<Record<ApprovalSummary["state"], string>> = {
  pending: text.waiting,
  "allowed-once": text.allowedOnce,
  "allowed-always": text.allowedAlways,
  denied: text.denied,
  "timed-out": text.timedOut,
  cancelled: text.cancelled,
};

/**
 * Returns the word of a state of a request.
 * @param state - state as the gateway names it
 */
export function outcomeWord(state: string): string {
  const known = Object.entries(OUTCOMES).find(([name]) => name === state);
  return known?.[1] ?? state;
}

/**
 * Returns the outcome of a request in words.
 * @param approval - request
 */
export function outcomeOf({ state, timeoutBehavior }: ApprovalSummary): string {
  if (state !== "timed-out") return OUTCOMES[state];
  return timeoutBehavior === "deny" ? text.timedOutDenied : text.timedOutAllowed;
}

/**
 * Returns who decided a request, and over what.
 * @param approval - request
 * @returns an empty text when no person did
 */
export function deciderOf({ state, decidedBy, decidedVia }: ApprovalSummary): string {
  if (state === "timed-out") return "";
  // The gateway names a person together with the way on which the answer came.
  const person = decidedBy?.replace(`${decidedVia}:`, "");
  return [person, decidedVia].filter((each) => each !== undefined).join(", ");
}

/**
 * Returns the words of an approver as a filter names it: the person, and the way on which the answers came.
 * @param decidedBy - approver as the gateway names it, for example `websocket:operator`
 */
export function approverWord(decidedBy: string): string {
  const at = decidedBy.indexOf(":");
  return at < 0 ? decidedBy : `${decidedBy.slice(at + 1)}, ${decidedBy.slice(0, at)}`;
}

/**
 * Returns the line below the title of a request: tool, agent and where it comes from.
 * @param approval - request
 */
export function originOf(approval: ApprovalSummary): string {
  const { tool, pluginId } = approval;
  return [tool ?? pluginId, askedFor(approval)].filter((each) => each !== undefined).join(" · ");
}

/**
 * Returns the agent that asked, and where it was asked.
 * @param approval - request
 */
export function askedFor({ agentId, requester, sessionKey }: ApprovalSummary): string {
  return `${agentId} · ${requester.channel === "" ? sessionKey : requester.channel}`;
}

/**
 * Returns the line below the title of a settled request.
 * @param approval - request
 */
export function settlementOf(approval: ApprovalSummary): string {
  const { decidedAt, expiresAt } = approval;
  const decider = deciderOf(approval);
  const time = shortTime(decidedAt ?? expiresAt);
  return [outcomeOf(approval), decider, time].filter((each) => each !== "").join(" · ");
}

/**
 * Returns what `always` allows, as the object of a sentence.
 * @param approval - request
 */
export function alwaysCovers({
  grantPrefixes = [],
  grantsInSandbox = false,
  grantCovers,
  tool,
  title,
}: ApprovalSummary): string {
  if (grantPrefixes.length === 0) return grantCovers ?? text.callsLike(tool ?? title);
  const prefixes = grantPrefixes.map((prefix) => `“${prefix}”`).join(text.or);
  return grantsInSandbox ? text.inSandboxToo(prefixes) : text.startWith(prefixes);
}

/**
 * Returns the scope of a grant in words.
 * @param grant - agent and session that it belongs to
 */
export function scopeWords(
  scope: ApprovalSummary["grantScope"],
  { agentId, sessionKey }: Pick<ApprovalSummary, "agentId" | "sessionKey">,
): string {
  return {
    session: text.scopeSession(sessionKey),
    requester: text.scopeRequester(agentId),
    agent: text.scopeAgent(agentId),
    global: text.scopeGlobal,
  }[scope];
}

/**
 * Returns a line that tells a request apart from others: the title of the plugin that asks, or what the call does to what.
 * @param approval - request
 */
export function headlineOf({ title, params, commands = [] }: ApprovalSummary): string {
  // The titles of core tools ask about any call: "Run command?"
  const verb = /^(\w+) [a-z ]+\?$/.exec(title)?.[1];
  if (verb === undefined) return title;
  const { command, path, url } = fieldsOf(params);
  const subject = command ?? path ?? url ?? commands.join("; ");
  return subject === "" ? title : `${verb} ${subject.split("\n", 1)[0]}`;
}

/** Parameters of common tools that name what a call is about. */
function fieldsOf(params: unknown): { [Name in "command" | "path" | "url"]?: string | undefined } {
  if (typeof params !== "object" || params === null) return {};
  const field = (name: string) => {
    const value: unknown = Reflect.get(params, name);
    return typeof value === "string" ? value : undefined;
  };
  return { command: field("command"), path: field("path"), url: field("url") };
}
