import { defined } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import type { ApprovalGrant } from "@openclaw/store/decisions";
import { type ApprovalActor, actorName, auditActor } from "./actor.js";
import { NotAuthorizedToApproveError } from "./errors.js";
import { ELEVATED_KEY } from "./grant-key.js";
import { granteesOf } from "./grant-label.js";

/** Bounds of elevated mode in seconds, and its default duration (SAFE-054). */
const ELEVATED_SECONDS = { least: 60, most: 28_800, usual: 3_600 } as const;

/** Maximum number of grants read from one session, more than approvers create. */
const MOST_OF_SESSION = 10_000;

/** Selection of the grants to revoke. */
export type RevokedGrants = Parameters<Store["decisions"]["grants"]["revoke"]>[0];

/** Session that is elevated, and the requester it is elevated for. */
export type ElevatedSession = Pick<ApprovalGrant, "sessionKey" | "agentId" | "requester">;

/**
 * Revokes grants. The very next call no longer uses them (APPR-023).
 * @param store - store of the grants
 * @param which - one grant, those of a session that ended, or all
 * @param actor - person who revokes them; absent when the host does
 */
export async function revokeGrants(
  store: Store,
  which: RevokedGrants,
  actor?: ApprovalActor,
): Promise<readonly ApprovalGrant[]> {
  return await store.transaction(async (unit) => {
    const revoked = await unit.decisions.grants.revoke(which);
    for (const { id, sessionKey, tool } of revoked) {
      const who = defined({ actor: actor && auditActor(actor) });
      await unit.decisions.auditLog.append({
        event: "revoked",
        grantId: id,
        sessionKey,
        tool,
        ...who,
      });
    }
    return revoked;
  });
}

/**
 * Ends elevated mode of a session.
 * @param store - store of the grants
 * @param sessionKey - key of the session
 * @param actor - owner who ends it
 * @returns the revoked grants; empty when the session was not elevated
 * @throws NotAuthorizedToApproveError
 */
export async function lowerSession(
  store: Store,
  sessionKey: string,
  actor: ApprovalActor,
): Promise<readonly ApprovalGrant[]> {
  if (!actor.isOwner) throw new NotAuthorizedToApproveError("for elevated mode", actorName(actor));
  const held = await store.decisions.grants.list({ sessionKey, limit: MOST_OF_SESSION });
  const ended: ApprovalGrant[] = [];
  for (const { id, key } of held) {
    if (key === ELEVATED_KEY) ended.push(...(await revokeGrants(store, { id }, actor)));
  }
  return ended;
}

/**
 * Lets tools run without approval for a limited time in the turns that one person starts in a session, except tools with
 * need `always` (SAFE-054).
 * @param store - store of the grants
 * @param session - session to elevate
 * @param actor - owner who allows it
 * @param seconds - duration, clamped to 60 to 28,800
 * @throws NotAuthorizedToApproveError
 */
export async function elevateSession(
  store: Store,
  session: ElevatedSession,
  actor: ApprovalActor,
  seconds: number = ELEVATED_SECONDS.usual,
): Promise<ApprovalGrant> {
  if (!actor.isOwner) throw new NotAuthorizedToApproveError("for elevated mode", actorName(actor));
  const { least, most } = ELEVATED_SECONDS;
  const held = Math.min(most, Math.max(least, Math.round(seconds)));
  return await store.transaction(async (unit) => {
    const grant = await unit.decisions.grants.add({
      ...session,
      kind: "tool",
      tool: "*",
      scope: "session",
      key: ELEVATED_KEY,
      label: "elevated mode",
      createdBy: actorName(actor),
      ttlMs: held * 1000,
    });
    const { id: grantId, sessionKey, tool } = grant;
    const actedBy = auditActor(actor);
    await unit.decisions.auditLog.append({
      event: "granted",
      grantId,
      sessionKey,
      tool,
      actor: actedBy,
      reason: `covers calls of ${granteesOf(grant)}`,
    });
    return grant;
  });
}
