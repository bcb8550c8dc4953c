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

/** Sums of model calls of today by agent, most tokens first. */
export const agentsToday = signal<GatewayMethodResult<"usage.query">["groups"]>([]);

/** Models with their budgets and failures. */
export const models = signal<GatewayMethodResult<"models.status"> | undefined>(undefined);

/** Accounts of channels. */
export const channels = signal<GatewayMethodResult<"channels.list">["channels"]>([]);

/** Senders who wait to be admitted to channels. */
export const waitingSenders = signal(0);

/** Checks of the gateway, as `/readyz` has them. */
export const health = signal<GatewayMethodResult<"host.health"> | undefined>(undefined);

let timer: ReturnType<typeof setTimeout> | undefined;
let interval: ReturnType<typeof setInterval> | undefined;

/** Reads the state of the gateway. */
async function loadHost(): Promise<void> {
  if (mayCall("host.status")) hostStatus.value = await call("host.status", {});
  if (mayCall("host.health")) health.value = await call("host.health", {});
  if (mayCall("usage.query")) {
    const from = new Date();
    from.setHours(0, 0, 0, 0);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const query = { from: from.getTime(), timeZone } as const;
    usageToday.value = (await call("usage.query", { ...query, groupBy: "day" })).groups.at(-1);
    agentsToday.value = (await call("usage.query", { ...query, groupBy: "agent" })).groups;
  }
  if (mayCall("models.status")) models.value = await call("models.status", {});
  if (mayCall("channels.list")) channels.value = (await call("channels.list", {})).channels;
  if (mayCall("pairing.list")) {
    waitingSenders.value = (await call("pairing.list", {})).pending.length;
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
  agentsToday.value = [];
  models.value = undefined;
  channels.value = [];
  waitingSenders.value = 0;
}

/** A hidden tab has no timer. */
function followVisibility(): void {
  clearInterval(interval);
  if (document.visibilityState === "hidden") return;
  interval = setInterval(() => {
    if (isLive.value) refresh();
  }, REFRESH_MS);
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
  document.addEventListener("visibilitychange", followVisibility);
  followVisibility();
}
