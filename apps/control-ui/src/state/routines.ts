import type { GatewayMethodResult } from "@openclaw/protocol";
import { computed } from "@preact/signals";
import { call, mayCall, onEvent } from "./link.js";
import { watched } from "./watched.js";

/** Routine of a list. */
export type ListedRoutine = GatewayMethodResult<"cron.list">["routines"][number];

const list = watched(async () => (mayCall("cron.list") ? await call("cron.list", {}) : undefined));

/** Routines by name. */
export const routines = computed<readonly ListedRoutine[]>(() => list.value.value?.routines ?? []);

/** Keeps the routines up to date for the first view. */
export function followRoutines(): void {
  list.show();
  onEvent("cron.changed", list.refresh);
}
