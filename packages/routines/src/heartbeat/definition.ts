import { createHash } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { JobCreator } from "@openclaw/jobs";
import { mainSessionKey } from "@openclaw/messaging";
import type { Routine } from "@openclaw/store";
import type { RoutineDefinition } from "../definition.js";
import type { HeartbeatSettings } from "./settings.js";
import { HEARTBEAT_FILE } from "./tasks.js";

/** Name of the heartbeat, which no other routine can have. */
export const HEARTBEAT = "heartbeat";

/** Owner of the routines of the host; the owners of others are lists in JSON. */
export const HOST_OWNER = "host";

/** Failures in a row after which the heartbeat is disabled (JOB-037). */
export const MOST_HEARTBEAT_FAILURES = 3;

/** Returns true for the heartbeat. */
export function isHeartbeat({ owner, name }: Pick<Routine, "owner" | "name">): boolean {
  return owner === HOST_OWNER && name === HEARTBEAT;
}

/**
 * Returns the definition of the heartbeat.
 * @param anchor - time from which its interval counts
 */
export function heartbeatDefinition(
  settings: HeartbeatSettings,
  anchor: number,
): RoutineDefinition {
  const { enabled: _, everyMs, timezone, model, quietHours } = settings;
  const { channel, to, accountId } = settings;
  const configured = [everyMs, timezone, model, quietHours, channel, to, accountId];
  return {
    trigger: { kind: "every", everyMs, anchor: Math.floor(anchor / 1000) * 1000, timezone },
    action: {
      kind: "heartbeat",
      prompt: HEARTBEAT_FILE,
      ...defined({ model }),
      revision: createHash("sha256").update(JSON.stringify(configured)).digest("hex"),
    },
    notify: { onAttention: true, onFailure: false, onSuccess: false },
    // A heartbeat looks at what is there now; one that was missed has nothing to catch up with.
    catchUp: "none",
    overlap: "skip",
    cooldownMs: 0,
    ...defined({ quietHours }),
  };
}

/** Returns the sender of heartbeats: the operator, at the main session of the agent. */
export function heartbeatCreator(agentId: string): JobCreator {
  return {
    channel: "api",
    conversationId: mainSessionKey(agentId),
    senderId: HEARTBEAT,
    senderIsOwner: true,
  };
}

/**
 * Returns the message of a heartbeat.
 * @param tasks - content of HEARTBEAT.md
 */
export function heartbeatText(tasks: string): string {
  return `These are the tasks of ${HEARTBEAT_FILE}. Do those that are due now, and only those:\n\n${tasks.trim()}`;
}
