import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { computed, signal } from "@preact/signals";
import { type Fault, faultOf } from "./fault.js";
import { call, callAtLeave, mayCall, onEvent, onOpened } from "./link.js";
import { undoable } from "./toast.js";

/** Sessions that are read at a time. */
const PAGE = 100;
/** Time in milliseconds after a change until the session is read, so that many changes cause one read. */
const SETTLE_MS = 300;

/** Session of a list. */
export type ListedSession = GatewayMethodResult<"sessions.list">["sessions"][number];

/** Filter of the list, apart from pins. */
export type SessionFilter = Omit<
  NonNullable<GatewayMethodParameters<"sessions.list">["filter"]>,
  "pinned"
>;

interface LoadedList {
  readonly filter: SessionFilter;
  readonly pinned: readonly ListedSession[];
  readonly others: readonly ListedSession[];
  readonly total: number;
  readonly nextCursor?: string | undefined;
}

/** Sessions of the filter that are read so far. */
const list = signal<LoadedList | undefined>(undefined);

/** Sessions that are deleted once the time for undoing has passed. */
const leaving = signal<ReadonlySet<string>>(new Set());

/** Fault of the last read or change; undefined when it succeeded. */
export const sessionsFault = signal<Fault | undefined>(undefined);

/** Number of sessions that were created since the list was read; they wait for the person. */
export const newSessions = signal(0);

/** Sessions in the order of the list, the pinned ones first; undefined before the first read. */
export const sessions = computed(() => {
  const { pinned, others } = list.value ?? {};
  if (pinned === undefined || others === undefined) return undefined;
  return [...pinned, ...others].filter(({ sessionKey }) => !leaving.value.has(sessionKey));
});

/** Number of sessions that the filter selects. */
export const sessionTotal = computed(() => (list.value?.total ?? 0) - leaving.value.size);

let wanted: SessionFilter | undefined;
let isReading = false;
const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads the first page of a filter, with the pinned sessions.
 * @param filter - filter of the list
 */
export async function loadSessions(filter: SessionFilter): Promise<void> {
  wanted = filter;
  if (!mayCall("sessions.list")) return;
  try {
    const [pinned, others] = await Promise.all([
      call("sessions.list", { filter: { ...filter, pinned: true }, limit: 200 }),
      call("sessions.list", { filter: { ...filter, pinned: false }, limit: PAGE }),
    ]);
    // A slow answer must not replace that of a newer filter.
    if (wanted !== filter) return;
    list.value = {
      ...{ filter, pinned: pinned.sessions, others: others.sessions },
      ...{ total: pinned.total + others.total, nextCursor: others.nextCursor },
    };
    newSessions.value = 0;
    sessionsFault.value = undefined;
  } catch (error) {
    if (wanted === filter) sessionsFault.value = faultOf(error);
  }
}

/** Reads the next page, when the end of the list is near. */
export async function loadMoreSessions(): Promise<void> {
  const before = list.value;
  if (before?.nextCursor === undefined || isReading) return;
  isReading = true;
  try {
    const filter = { ...before.filter, pinned: false };
    const page = await call("sessions.list", { filter, cursor: before.nextCursor, limit: PAGE });
    const now = list.value;
    if (now?.filter !== before.filter) return;
    const known = new Set(now.others.map(({ sessionKey }) => sessionKey));
    const added = page.sessions.filter(({ sessionKey }) => !known.has(sessionKey));
    list.value = { ...now, others: [...now.others, ...added], nextCursor: page.nextCursor };
  } catch {
    // A lost connection, which the status line shows; scrolling reads the page again.
  } finally {
    isReading = false;
  }
}

/**
 * Changes settings of sessions.
 * @param keys - keys of the sessions
 * @param changes - new values
 */
export async function patchSessions(
  keys: readonly string[],
  changes: Omit<GatewayMethodParameters<"sessions.patch">, "sessionKey">,
): Promise<void> {
  try {
    for (const sessionKey of keys) await call("sessions.patch", { sessionKey, ...changes });
    sessionsFault.value = undefined;
  } catch (error) {
    sessionsFault.value = faultOf(error);
  }
  // A pin or the archive moves a session to another part of the list.
  if (wanted !== undefined) await loadSessions(wanted);
}

/**
 * Deletes sessions, or ends their conversations, once the time for undoing has passed.
 * @param method - method of the gateway
 * @param keys - keys of the sessions
 * @param text - notice about it
 */
export function endSessions(
  method: "sessions.delete" | "sessions.reset",
  keys: readonly string[],
  text: string,
): void {
  const isDeleted = method === "sessions.delete";
  if (isDeleted) leaving.value = new Set([...leaving.value, ...keys]);
  const restore = () => {
    leaving.value = new Set([...leaving.value].filter((key) => !keys.includes(key)));
  };
  undoable({ text, undo: restore }, (isLeaving) => {
    if (isLeaving) {
      for (const sessionKey of keys) callAtLeave(method, { sessionKey });
      return;
    }
    void end(method, keys).finally(restore);
  });
}

async function end(method: "sessions.delete" | "sessions.reset", keys: readonly string[]) {
  let fault: Fault | undefined;
  for (const sessionKey of keys) {
    try {
      await call(method, { sessionKey });
    } catch (error) {
      fault = faultOf(error);
    }
  }
  if (wanted !== undefined) await loadSessions(wanted);
  sessionsFault.value = fault ?? sessionsFault.value;
}

/** Reads sessions that changed, and changes them in their place. */
async function refreshChanged(): Promise<void> {
  const keys = [...changed];
  changed.clear();
  for (const sessionKey of keys) {
    if (!sessions.value?.some((each) => each.sessionKey === sessionKey)) continue;
    const found = await call("sessions.get", { sessionKey }).catch(() => undefined);
    const now = list.value;
    if (now === undefined) return;
    const replace = (all: readonly ListedSession[]) =>
      all.flatMap((each) =>
        each.sessionKey !== sessionKey ? [each] : found === undefined ? [] : [found],
      );
    list.value = { ...now, pinned: replace(now.pinned), others: replace(now.others) };
  }
}

function note(sessionKey: string | undefined): void {
  if (sessionKey === undefined || list.value === undefined) return;
  changed.add(sessionKey);
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    void refreshChanged();
  }, SETTLE_MS);
}

/** Forgets everything, when the session of the browser ends. */
export function forgetSessions(): void {
  clearTimeout(timer);
  timer = undefined;
  list.value = undefined;
  leaving.value = new Set();
  sessionsFault.value = undefined;
  newSessions.value = 0;
  wanted = undefined;
}

/** Connects this part of the state to the gateway. */
export function followSessions(): void {
  onOpened(() => {
    if (wanted !== undefined) void loadSessions(wanted);
  });
  onEvent("sessions.changed", ({ payload: { sessionKey, change } }) => {
    if (change === "created" && list.value !== undefined) newSessions.value += 1;
    else note(sessionKey);
  });
  for (const name of ["chat.started", "chat.paused", "chat.final", "chat.error"] as const) {
    onEvent(name, ({ payload }) => note(payload.sessionKey));
  }
}
