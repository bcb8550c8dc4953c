import { signal } from "@preact/signals";
import { type Fault, faultOf } from "./fault.js";
import { call, callAtLeave, mayCall, onOpened } from "./link.js";
import { text } from "./messages.js";

const WORKER = "/console/push-worker.js";

/** State of the notifications of this browser; `absent` where it shows none. */
export type PushState = "absent" | "off" | "on" | "blocked" | "changing";

/** State of the notifications of this browser. */
export const pushState = signal<PushState>("absent");

/** Why the last change failed. */
export const pushFault = signal<Fault | undefined>(undefined);

let current: PushSubscription | null = null;

/** Switches the notifications of this browser on, which asks the person for permission, or off. */
export async function togglePush(): Promise<void> {
  const before = pushState.value;
  if (before !== "on" && before !== "off") return;
  pushState.value = "changing";
  pushFault.value = undefined;
  try {
    await (before === "on" ? unsubscribe() : subscribe());
  } catch (error) {
    pushFault.value = faultOf(error);
  }
  await readState();
}

/** Ends the notifications of this browser, when the person signs out. */
export function leavePush(): void {
  const ended = current;
  current = null;
  if (ended === null) return;
  callAtLeave("push.unsubscribe", { endpoint: ended.endpoint });
  // The push service tells the gateway too, should the call be lost.
  ended.unsubscribe().catch(() => undefined);
}

/** Connects this part of the state to the gateway. */
export function followPush(): void {
  onOpened(() => void readState());
}

async function subscribe(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return;
  const { publicKey } = await call("push.key", {});
  const registered = await navigator.serviceWorker.register(workerUrl());
  const before = await registered.pushManager.getSubscription();
  // One that was made with the key of another gateway at this address is of no use.
  await before?.unsubscribe();
  const subscription = await registered.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await call("push.subscribe", { endpoint, keys: { p256dh, auth } });
}

async function unsubscribe(): Promise<void> {
  if (current === null) return;
  await call("push.unsubscribe", { endpoint: current.endpoint });
  await current.unsubscribe();
}

async function readState(): Promise<void> {
  pushState.value = await currentState();
}

async function currentState(): Promise<PushState> {
  const isAble = "serviceWorker" in navigator && "PushManager" in globalThis;
  if (!isAble || !mayCall("push.subscribe")) return "absent";
  if (Notification.permission === "denied") return "blocked";
  const registered = await navigator.serviceWorker.getRegistration(WORKER);
  current = (await registered?.pushManager.getSubscription()) ?? null;
  return current === null ? "off" : "on";
}

/** The policy of the page runs only scripts whose URL was checked. */
function workerUrl(): string {
  const url = `${WORKER}?title=${encodeURIComponent(text.decisionWaits)}`;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  // The types of the browser's library know texts alone.
  return trustedTypes
    .createPolicy("openclaw-worker", { createScriptURL: () => url })
    .createScriptURL(url) as unknown as string;
}

/** Part of the Trusted Types of a browser that this file uses. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): object };
}
