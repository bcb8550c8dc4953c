import type { RoutineRun, Store } from "@openclaw/store";
import { eventually } from "../../support/eventually.js";
import { SESSION, type TestHost } from "../../support/host.js";

/** Viewer who may see all routines. */
export const OPERATOR = { isOperator: true, owner: "" };

/** Sender in the conversation of the operator. */
const CREATOR = {
  channel: "terminal",
  conversationId: "main",
  senderId: "owner",
  senderIsOwner: true,
};

/** Monday, 06:50 in UTC. */
export const MONDAY = Date.UTC(2026, 10, 30, 6, 50);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Creates a routine that is due at 07:00 each day, and whose results arrive in the main session. */
export async function addRoutine(
  host: Pick<TestHost, "routines">,
  changes: Partial<Parameters<TestHost["routines"]["add"]>[0]> = {},
) {
  const { at, every, manual, webhook, onMessage, onFile } = changes;
  const triggers = [at, every, manual, webhook, onMessage, onFile];
  const isTimed = triggers.some((part) => part !== undefined);
  const { routine } = await host.routines.add({
    ...{ name: "morning", prompt: "look at the inbox", agentId: "main", creator: CREATOR },
    askedIn: SESSION,
    ...(isTimed ? {} : { cron: "0 7 * * *" }),
    ...changes,
  });
  return routine;
}

/** Resolves with the due times of a routine, oldest first, once a number of them have ended. */
export async function ended(
  store: Store,
  routineId: string,
  count: number,
): Promise<readonly RoutineRun[]> {
  return await eventually(async () => {
    const runs = await store.routines.runs.of({ routineId, limit: 200 });
    const done = runs.filter(isSettled);
    return done.length >= count ? done.toReversed() : undefined;
  });
}

function isSettled({ state, delivery }: RoutineRun): boolean {
  if (state === "queued" || state === "running") return false;
  return state === "skipped" || state === "missed" || delivery !== undefined;
}
