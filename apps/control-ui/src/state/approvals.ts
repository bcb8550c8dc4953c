import type { ApprovalGrantSummary, ApprovalSummary } from "@openclaw/protocol";
import { computed, signal } from "@preact/signals";
import { announce } from "./announcement.js";
import { type Fault, faultOf } from "./fault.js";
import { call, mayCall, onEvent, onOpened } from "./link.js";
import { text } from "./messages.js";

/** Time in milliseconds for which a decided request stays in its place. */
const LEAVES_MS = 4000;
/** Newest settled requests that are kept: those below the inbox, and those that a person comes back to. */
const SETTLED = 100;

/** Requests by ID: the pending ones, and the ones decided a moment ago, which have not left their place. */
const requests = signal<ReadonlyMap<string, ApprovalSummary>>(new Map());

/** Newest settled requests, the last decided one first. */
export const settled = signal<readonly ApprovalSummary[]>([]);

/** Active grants, newest first. */
export const grants = signal<readonly ApprovalGrantSummary[]>([]);

/** State of the first read of the requests; the fault when it failed. */
export const approvalsState = signal<"loading" | "ready" | Fault>("loading");

/** Requests in the order of the inbox: critical ones first, and the newest first among each kind. */
export const inbox = computed(() =>
  [...requests.value.values()].sort(
    (one, other) =>
      Number(other.severity === "critical") - Number(one.severity === "critical") ||
      other.createdAt - one.createdAt,
  ),
);

/** Requests that wait for a decision. */
export const waiting = computed(() => inbox.value.filter(({ state }) => state === "pending"));

/** IDs that events changed during a read, which is older than they are. */
let touched: Set<string> | undefined;

/** Reads requests, the newest settled ones and grants. */
async function loadApprovals(): Promise<void> {
  if (!mayCall("approvals.list")) return;
  const changed = new Set<string>();
  touched = changed;
  try {
    const [pending, ended, granted] = await Promise.all([
      call("approvals.list", { state: "pending", limit: 1000 }),
      call("approvals.history", { limit: SETTLED }),
      call("approvals.grants", { limit: 1000 }),
    ]);
    const kept = [...requests.value].filter(([id]) => changed.has(id));
    const read = pending.approvals.filter(({ id }) => !changed.has(id));
    requests.value = new Map([...read.map((each) => [each.id, each] as const), ...kept]);
    const newer = settled.value.filter(({ id }) => changed.has(id));
    settled.value = [...newer, ...ended.approvals.filter(({ id }) => !changed.has(id))];
    grants.value = granted.grants;
    approvalsState.value = "ready";
  } catch (error) {
    if (approvalsState.value !== "ready") approvalsState.value = faultOf(error);
  } finally {
    if (touched === changed) touched = undefined;
  }
}

/**
 * Takes up a request as the gateway describes it.
 * @param approval - request in its current state
 */
export function takeUp(approval: ApprovalSummary): void {
  const { id, state } = approval;
  touched?.add(id);
  const known = requests.value.get(id);
  if (state === "pending") {
    // A repeated event must not bring back what was decided meanwhile.
    if (known === undefined || known.state === "pending") put(approval);
    return;
  }
  const others = settled.value.filter((each) => each.id !== id);
  settled.value = [approval, ...others].slice(0, SETTLED);
  if (known === undefined) return;
  put(approval);
  setTimeout(() => {
    if (requests.value.get(id)?.state === "pending") return;
    requests.value = new Map([...requests.value].filter(([key]) => key !== id));
  }, LEAVES_MS);
}

/** Reads the grants again, because one was given, used or revoked. */
export async function loadGrants(): Promise<void> {
  try {
    const { grants: read } = await call("approvals.grants", { limit: 1000 });
    grants.value = read;
  } catch {
    // A lost connection, which the status line shows; the next one reads them with the requests.
  }
}

function put(approval: ApprovalSummary): void {
  requests.value = new Map([...requests.value, [approval.id, approval]]);
}

/** Forgets everything, when the session ends. */
export function forgetApprovals(): void {
  requests.value = new Map();
  settled.value = [];
  grants.value = [];
  approvalsState.value = "loading";
}

/** Connects this part of the state to the gateway. */
export function followApprovals(): void {
  onOpened(() => void loadApprovals());
  onEvent("approval.requested", ({ payload }) => {
    const { id, title, agentId, severity } = payload;
    if (approvalsState.value === "ready" && !requests.value.has(id)) {
      announce(text.asks(agentId, title, severity), severity === "critical");
    }
    takeUp(payload);
  });
  onEvent("approval.updated", ({ payload }) => takeUp(payload));
  onEvent("approval.resolved", ({ payload }) => {
    takeUp(payload);
    if (payload.state === "allowed-always") void loadGrants();
  });
}
