import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { call, mayCall, onEvent, onOpened } from "./link.js";

/** Time in milliseconds after a change until the routines are read, so that many changes cause one read. */
const SETTLE_MS = 500;

/** Routine of a list. */
export type ListedRoutine = GatewayMethodResult<"cron.list">["routines"][number];

/** Routines by name. */
export const routines = signal<readonly ListedRoutine[]>([]);

let timer: ReturnType<typeof setTimeout> | undefined;

async function load(): Promise<void> {
  if (mayCall("cron.list")) routines.value = (await call("cron.list", {})).routines;
}

function refresh(): void {
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    // The next connection reads them again.
    load().catch(() => undefined);
  }, SETTLE_MS);
}

/** Forgets everything, when the session ends. */
export function forgetRoutines(): void {
  clearTimeout(timer);
  timer = undefined;
  routines.value = [];
}

/** Connects this part of the state to the gateway. */
export function followRoutines(): void {
  onOpened(refresh);
  onEvent("cron.changed", refresh);
}
