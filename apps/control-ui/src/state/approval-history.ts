import type { ApprovalSummary, GatewayMethodParameters } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { type Fault, faultOf } from "./fault.js";
import { call, mayCall, onEvent, onOpened } from "./link.js";

/** Settled requests that are read at a time. */
const PAGE = 100;

/** Filter of the history. */
export type HistoryFilter = Omit<
  GatewayMethodParameters<"approvals.history">,
  "cursor" | "limit" | "sessionKey"
>;

interface LoadedHistory {
  readonly filter: HistoryFilter;
  readonly approvals: readonly ApprovalSummary[];
  readonly total: number;
  /** Values that the filters offer. */
  readonly tools: readonly string[];
  readonly deciders: readonly string[];
  readonly nextCursor?: string | undefined;
}

/** Settled requests of the filter that are read so far; undefined before the first read. */
export const history = signal<LoadedHistory | undefined>(undefined);

/** Fault of the last read; undefined when it succeeded. */
export const historyFault = signal<Fault | undefined>(undefined);

/** Number of requests that were settled since the history was read; they wait for the person. */
export const newSettled = signal(0);

let wanted: HistoryFilter | undefined;
let isReading = false;

/** Reads the first page of a filter. */
export async function loadHistory(filter: HistoryFilter): Promise<void> {
  wanted = filter;
  if (!mayCall("approvals.history")) return;
  try {
    const page = await call("approvals.history", { ...filter, limit: PAGE });
    // A slow answer must not replace that of a newer filter.
    if (wanted !== filter) return;
    const { approvals, total, nextCursor, tools = [], deciders = [] } = page;
    history.value = { filter, approvals, total, nextCursor, tools, deciders };
    newSettled.value = 0;
    historyFault.value = undefined;
  } catch (error) {
    if (wanted === filter) historyFault.value = faultOf(error);
  }
}

/** Reads the next page, when the end of the list is near. */
export async function loadMoreHistory(): Promise<void> {
  const before = history.value;
  if (before?.nextCursor === undefined || isReading) return;
  isReading = true;
  try {
    const { filter, nextCursor: cursor } = before;
    const page = await call("approvals.history", { ...filter, cursor, limit: PAGE });
    const now = history.value;
    if (now?.filter !== filter || now.nextCursor !== cursor) return;
    const approvals = [...now.approvals, ...page.approvals];
    history.value = { ...now, approvals, nextCursor: page.nextCursor };
  } catch {
    // A lost connection, which the status line shows; scrolling reads the page again.
  } finally {
    isReading = false;
  }
}

/** Forgets everything, when the session of the browser ends. */
export function forgetHistory(): void {
  history.value = undefined;
  historyFault.value = undefined;
  newSettled.value = 0;
  wanted = undefined;
}

/** Connects this part of the state to the gateway. */
export function followHistory(): void {
  onOpened(() => {
    if (wanted !== undefined) void loadHistory(wanted);
  });
  onEvent("approval.resolved", () => {
    if (history.value !== undefined) newSettled.value += 1;
  });
}
