import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { call, isLive, mayCall, onEvent, onOpened } from "./link.js";

/** Time in milliseconds after a change until the state is read, so that many changes cause one read. */
const SETTLE_MS = 500;
/** Interval in milliseconds in which what no event reports is read, while the tab is visible. */
const REFRESH_MS = 30_000;

/** The running gateway. */
export const hostStatus = signal<GatewayMethodResult<"host.status"> | undefined>(undefined);

/** Model calls since midnight of the browser's time zone. */
export const usageToday = signal<GatewayMethodResult<"usage.query">["groups"][number] | undefined>(
  undefined,
);

/** Checks of the gateway, as `/readyz` has them. */
export const health = signal<GatewayMethodResult<"host.health"> | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the state of the gateway. */
async function loadHost(): Promise<void> {
  if (mayCall("host.status")) hostStatus.value = await call("host.status", {});
  if (mayCall("host.health")) health.value = await call("host.health", {});
  if (mayCall("usage.query")) {
    const from = new Date();
    from.setHours(0, 0, 0, 0);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const query = { from: from.getTime(), groupBy: "day", timeZone } as const;
    usageToday.value = (await call("usage.query", query)).groups.at(-1);
  }
}

function refresh(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // The next connection reads it again.
    loadHost().catch(() => undefined);
  }, SETTLE_MS);
}

/** Forgets everything, when the session ends. */
export function forgetHost(): void {
  hostStatus.value = undefined;
  usageToday.value = undefined;
  health.value = undefined;
}

/** Connects this part of the state to the gateway. */
export function followHost(): void {
  onOpened(refresh);
  for (const name of [
    "approval.requested",
    "approval.resolved",
    "sessions.changed",
    "plugins.changed",
    "config.changed",
    "chat.started",
    "chat.final",
    "chat.error",
  ] as const) {
    onEvent(name, refresh);
  }
  setInterval(() => {
    if (isLive.value && document.visibilityState === "visible") refresh();
  }, REFRESH_MS);
}
