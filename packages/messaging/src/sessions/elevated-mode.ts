import type { ApprovalBroker } from "@openclaw/approval-broker";
import { NotAuthorizedToApproveError } from "@openclaw/approval-broker";

/** Lets the session's tools run without approval for a limited time (SAFE-054). */
export interface ElevateCommand {
  readonly kind: "Elevate";
  /** Duration in seconds; 0 ends the mode, absent means the default. */
  readonly seconds?: number | undefined;
}

const ELEVATED = /^\/elevated(?:\s+(?:(?<seconds>\d{1,9})|off))?$/i;

/**
 * Reads the command `/elevated [seconds | off]`.
 * @param trimmed - trimmed text of a message
 */
export function readElevateCommand(trimmed: string): ElevateCommand | undefined {
  const elevated = ELEVATED.exec(trimmed);
  if (elevated === null) return undefined;
  const { seconds } = elevated.groups ?? {};
  if (seconds !== undefined) return { kind: "Elevate", seconds: Number(seconds) };
  return /off$/i.test(trimmed) ? { kind: "Elevate", seconds: 0 } : { kind: "Elevate" };
}

/** Session to elevate, and sender of the command. */
export interface ElevatedModeRequest {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly senderId: string;
  readonly senderIsOwner: boolean;
}

/**
 * Turns elevated mode of a session on or off at the request of its owner (SAFE-054).
 * @param command - duration, or off
 * @param request - session and sender
 * @param approvals - stores the mode as a grant
 * @returns text for the sender
 */
export async function setElevatedMode(
  { seconds }: ElevateCommand,
  request: ElevatedModeRequest,
  approvals: Pick<ApprovalBroker, "elevate" | "lower">,
): Promise<string> {
  const { sessionKey, agentId, channel, accountId = "default", senderId, senderIsOwner } = request;
  const person = { channel, accountId, senderId };
  const requester = { ...person, ...(senderIsOwner ? { isOwner: true as const } : {}) };
  const actor = { ...person, isOwner: senderIsOwner };
  try {
    if (seconds === 0) {
      const ended = await approvals.lower(sessionKey, actor);
      return ended.length > 0 ? "Elevated mode is off." : "Elevated mode was not on.";
    }
    const session = { sessionKey, agentId, requester };
    const { createdAt, expiresAt = createdAt } = await approvals.elevate(session, actor, seconds);
    const held = Math.round((expiresAt - createdAt) / 1000);
    return `Elevated mode is on for ${held} s: in the turns that you start here, tools run without approval, except calls that always need it. Use /elevated off to end it.`;
  } catch (error) {
    if (!NotAuthorizedToApproveError.isInstance(error)) throw error;
    return "Only an owner can turn elevated mode on or off.";
  }
}
