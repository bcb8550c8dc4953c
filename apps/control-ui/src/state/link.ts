import {
  type CallOptions,
  type ConnectionState,
  connectGateway,
  type EventListener,
  type EventName,
  type GatewayConnection,
  type GatewayMethodName,
  GatewayRefusedError,
  GatewayUnauthorizedError,
} from "@openclaw/client";
import type { GatewayMethodParameters, GatewayMethodResult, MethodScope } from "@openclaw/protocol";
import { computed, signal } from "@preact/signals";
import { signOut } from "./credential.js";

/** Time in milliseconds after which a hidden tab gives up its connection. */
const HIDDEN_MS = 5 * 60_000;

/** State of the connection to the gateway. */
export const link = signal<ConnectionState>({ status: "connecting" });

/** Time of the last event, in milliseconds since the epoch. */
export const lastEventAt = signal<number | undefined>(undefined);

/** True while calls reach the gateway. */
export const isLive = computed(() => link.value.status === "live");

/** Description of the gateway by itself, also while the connection is lost. */
export const gateway = signal<Extract<ConnectionState, { status: "live" }>["gateway"] | undefined>(
  undefined,
);

/** Connection that calls use; another one after a pause. */
export const connection = signal<GatewayConnection | undefined>(undefined);

interface EventEntry {
  readonly name: EventName;
  readonly listener: (event: never) => void;
}

let openOptions: { readonly token: string; readonly isApprover: boolean } | undefined;
let cursor: string | undefined;
let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
const listeners: EventEntry[] = [];
const loaders: (() => void)[] = [];

/**
 * Opens the connection.
 * @param token - token of the gateway
 */
export function openLink(token: string): void {
  closeLink();
  openOptions = { token, isApprover: true };
  connect();
  document.addEventListener("visibilitychange", followVisibility);
}

/** Closes the connection, and forgets its position. */
export function closeLink(): void {
  document.removeEventListener("visibilitychange", followVisibility);
  clearTimeout(hiddenTimer);
  disconnect();
  cursor = undefined;
  openOptions = undefined;
  gateway.value = undefined;
  link.value = { status: "connecting" };
}

/** Connects at once instead of at the next attempt. */
export function reconnectNow(): void {
  if (openOptions === undefined) return;
  disconnect();
  connect();
}

/**
 * Calls a method of the gateway.
 * @param options - signal, idempotency key and deadline
 * @throws GatewayClientError
 */
export function call<Name extends GatewayMethodName>(
  method: Name,
  parameters: GatewayMethodParameters<Name>,
  options?: CallOptions,
): Promise<GatewayMethodResult<Name>> {
  const open = connection.peek();
  if (open === undefined) return Promise.reject(new Error("no user is signed in"));
  return open.call(method, parameters, options);
}

/**
 * Calls a method of the gateway while the page is left or the session ends. The browser completes the request after the
 * page is gone, while a call over the connection may be lost with it. The page learns neither result nor failure.
 */
export function callAtLeave<Name extends GatewayMethodName>(
  method: Name,
  parameters: GatewayMethodParameters<Name>,
): void {
  if (openOptions === undefined) return;
  const headers = {
    authorization: `Bearer ${openOptions.token}`,
    "content-type": "application/json",
    "idempotency-key": crypto.getRandomValues(new Uint32Array(4)).join("-"),
  };
  const body = JSON.stringify(parameters);
  const sent = { method: "POST", headers, body, keepalive: true } as const;
  // Nobody is left to tell; the next load of the page reads what became of it.
  fetch(`/api/v1/${method.replace(".", "/")}`, sent).catch(() => undefined);
}

/**
 * Receives an event over every connection of this page.
 * @param name - name of the event
 * @param listener - called for each event
 */
export function onEvent<Name extends EventName>(name: Name, listener: EventListener<Name>): void {
  listeners.push({ name, listener });
  // A view that is loaded later listens to the open connection, too.
  connection.peek()?.on(name, listener);
}

/**
 * Runs a function whenever the state of the gateway has to be read: when a connection opens, and when events are missing.
 * @param load - reads a part of the state
 */
export function onOpened(load: () => void): void {
  loaders.push(load);
}

/** Returns true when the token may call a method. */
export function mayCall(method: GatewayMethodName): boolean {
  return gateway.value?.methods.includes(method) ?? false;
}

/**
 * Returns the reason why the page may not do something.
 * @param scope - right that it needs
 * @returns undefined when it may
 */
export function missingScope(scope: MethodScope): MethodScope | undefined {
  const scopes = gateway.value?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes("operator.admin") ? undefined : scope;
}

function connect(): void {
  if (openOptions === undefined) return;
  const opened = connectGateway({
    url: location.origin,
    token: openOptions.token,
    client: { id: "control-ui", version: "1", mode: "ui" },
    approver: openOptions.isApprover,
    ...(cursor === undefined ? {} : { resume: { cursor } }),
  });
  connection.value = opened;
  for (const { name, listener } of listeners) {
    // `onEvent` bound the listener to the name.
    opened.on(name, listener as EventListener<typeof name>);
  }
  opened.onAny(() => {
    // The status line has seconds.
    lastEventAt.value = Math.floor(Date.now() / 1000) * 1000;
    cursor = opened.cursor;
  });
  opened.on("resync", load);
  link.value = opened.state;
  opened.onState((state) => {
    if (connection.peek() !== opened) return;
    if (state.status === "refused" && GatewayUnauthorizedError.isInstance(state.error)) {
      signOut(state.error.message);
      return;
    }
    if (state.status === "refused" && isForApprovers(state.error) && openOptions?.isApprover) {
      // A token without the right to decide sees the rest.
      openOptions = { ...openOptions, isApprover: false };
      reconnectNow();
      return;
    }
    if (state.status === "live") gateway.value = state.gateway;
    link.value = state;
    if (state.status === "live") load();
  });
}

function isForApprovers(error: unknown): boolean {
  return (
    GatewayRefusedError.isInstance(error) && error.details?.missingScope === "operator.approvals"
  );
}

function disconnect(): void {
  const closed = connection.peek();
  connection.value = undefined;
  closed?.close();
}

function load(): void {
  for (const each of loaders) each();
}

/** A hidden tab costs nothing; it continues after the last event when it is shown again. */
function followVisibility(): void {
  clearTimeout(hiddenTimer);
  if (document.visibilityState === "hidden") {
    hiddenTimer = setTimeout(() => {
      disconnect();
      link.value = { status: "closed" };
    }, HIDDEN_MS);
  } else if (connection.peek() === undefined) {
    connect();
  }
}
