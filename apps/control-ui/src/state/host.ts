import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { call, isLive, mayCall, onEvent, onOpened } from "./link.js";

/** Time in milliseconds after a change until the state is read, so that many changes cause one read. */
const SETTLE_MS = 500;
/** Interval in milliseconds in which what no event reports is read, while the tab is visible. */
const REFRESH_MS = 30_000;

/** Days whose cost is shown, with today. */
const DAYS = 14;

/** The running gateway. */
export const hostStatus = signal<GatewayMethodResult<"host.status"> | undefined>(undefined);

/** Model calls since midnight of the browser's time zone. */
export const usageToday = signal<GatewayMethodResult<"usage.query">["groups"][number] | undefined>(
  undefined,
);

/** Cost of a day. */
export interface CostDay {
  /** Date, for example `2026-11-30`. */
  readonly key: string;
  /** US dollars as a decimal number. */
  readonly costUsd: string;
}

/** Costs of the newest days, today last. */
export const costDays = signal<readonly CostDay[]>([]);

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
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const dates = newestDates(DAYS);
    const from = midnight(DAYS - 1);
    const { groups } = await call("usage.query", { from, timeZone, groupBy: "day" });
    const present = dates.at(-1);
    usageToday.value = groups.find(({ key }) => key === present);
    costDays.value = dates.map((key) => ({
      key,
      costUsd: groups.find((each) => each.key === key)?.costUsd ?? "0",
    }));
    const today = { from: midnight(0), timeZone, groupBy: "agent" } as const;
    agentsToday.value = (await call("usage.query", today)).groups;
  }
  if (mayCall("models.status")) models.value = await call("models.status", {});
  if (mayCall("channels.list")) channels.value = (await call("channels.list", {})).channels;
  if (mayCall("pairing.list")) {
    waitingSenders.value = (await call("pairing.list", {})).pending.length;
  }
}

/** Returns whether the gateway has several agents, and asks it when the page does not know yet. */
export async function hasSeveralAgents(): Promise<boolean> {
  if (models.value === undefined && mayCall("models.status")) {
    models.value = await call("models.status", {});
  }
  return (models.value?.agents.length ?? 1) > 1;
}

/** Returns the start of a day of the browser's time zone, in milliseconds since the epoch. */
function midnight(daysAgo: number): number {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}

/** Returns the dates of the newest days as the gateway names them, today last. */
function newestDates(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(midnight(count - 1 - index));
    const two = (number: number) => String(number).padStart(2, "0");
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  });
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
  costDays.value = [];
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
