import type { TimerHandle, Timers } from "@openclaw/foundation";
import {
  type ConnectResult,
  type GatewayMethodParameters,
  type GatewayMethodResult,
  gatewayMethods,
} from "@openclaw/protocol";
import { ChatExchange, type ChatMessage } from "../chat/chat-exchange.js";
import {
  type GatewayClientError,
  GatewayClosedError,
  GatewayRequestTooLargeError,
} from "../errors.js";
import { createGatewayClient } from "../http/gateway-client.js";
import { idempotencyKey } from "../idempotency-key.js";
import { systemTimers } from "../system-timers.js";
import { reconnectDelay } from "./backoff.js";
import { type EventName, type ReceivedEvent, receivedEvent } from "./event.js";
import { type EventFilter, type EventListener, EventListeners } from "./event-listeners.js";
import { OpenCalls } from "./open-calls.js";
import type {
  CallOptions,
  GatewayConnectionOptions,
  GatewayMethodName,
  InvokeOptions,
  SessionSubscription,
} from "./options.js";
import { type EventFrame, GatewaySocket, type SocketEnd } from "./socket.js";
import type { ConnectionState } from "./state.js";
import { Subscriptions } from "./subscriptions.js";

/** Time in milliseconds until the response to a call, unless the call names another. */
const CALL_TIMEOUT_MS = 120_000;
/** Methods whose calls may be larger than a frame. */
const UPLOADS: ReadonlySet<string> = new Set(["chat.send"]);
/** Time in milliseconds that a connection must last for the next attempt to follow soon again. */
const STABLE_MS = 5000;

/**
 * Connects to a gateway, and connects again whenever the connection is lost: subscriptions are renewed, missed events
 * follow by cursor, and open calls are repeated (GW-023).
 * @param options - URL, token and name of the client
 * @returns the connection, whose first attempt has started
 */
export function connectGateway(options: GatewayConnectionOptions): GatewayConnection {
  return new GatewayConnection(options);
}

/** Connection to a gateway over a WebSocket (SDK-039). It keeps the process alive until it is closed. */
export class GatewayConnection {
  readonly #options: GatewayConnectionOptions;
  readonly #url: string;
  /** Timers of the deadlines and attempts. */
  readonly timers: Timers;
  readonly #random: () => number;
  readonly #calls: OpenCalls;
  readonly #listeners = new EventListeners();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  readonly #subscriptions = new Subscriptions();
  #state: ConnectionState = { status: "connecting" };
  #socket: GatewaySocket | undefined;
  #cursor: string | undefined;
  #failures = 0;
  #attempt: TimerHandle | undefined;
  #stability: TimerHandle | undefined;

  /** @param options - URL, token and name of the client */
  constructor(options: GatewayConnectionOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "").replace(/^ws/, "http");
    this.timers = options.timers ?? systemTimers;
    this.#random = options.random ?? Math.random;
    this.#calls = new OpenCalls(this.#url, this.timers);
    this.#cursor = options.resume?.cursor;
    for (const key of options.subscribe ?? []) this.#subscriptions.add(key);
    this.#connect();
  }

  /** Present state. */
  get state(): ConnectionState {
    return this.#state;
  }

  /** Cursor of the last durable event, with which a later connection resumes. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /**
   * Adds a listener of the state.
   * @param listener - called at each change
   * @returns function that removes the listener
   */
  onState(listener: (state: ConnectionState) => void): () => void {
    const added = (state: ConnectionState) => listener(state);
    this.#stateListeners.add(added);
    return () => void this.#stateListeners.delete(added);
  }

  /**
   * Waits until the connection is live.
   * @param options - `attempts` rejects after this many failed attempts; the client continues until it is closed
   * @returns the reply of the gateway to `connect`
   * @throws GatewayClientError when the gateway rejects the client, the attempts failed, or the client was closed
   */
  ready({
    attempts = Number.POSITIVE_INFINITY,
  }: {
    attempts?: number;
  } = {}): Promise<ConnectResult> {
    return new Promise((resolve, reject) => {
      const check = (state: ConnectionState): boolean => {
        if (state.status === "live") resolve(state.gateway);
        else if (state.status === "refused") reject(state.error);
        else if (state.status === "closed") reject(closedError(this.#url));
        else if (state.status === "reconnecting" && state.failures >= attempts) reject(state.error);
        else return false;
        return true;
      };
      if (check(this.#state)) return;
      const remove = this.onState((state) => {
        if (check(state)) remove();
      });
    });
  }

  /**
   * Calls a method of the gateway. A call that is open when the connection is lost is repeated over the next one, with
   * the same idempotency key; while there is no connection, calls wait.
   * @param method - name of the method, for example `sessions.delete`
   * @param options - signal, idempotency key and deadline
   * @throws GatewayClientError with code, kind and message of the gateway when it rejects the call
   */
  async call<Name extends GatewayMethodName>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options: CallOptions = {},
  ): Promise<GatewayMethodResult<Name>> {
    // Code without types can name any method; the gateway rejects one that it does not have, with the nearest name.
    const effect = Object.hasOwn(gatewayMethods, method) ? gatewayMethods[method].effect : "write";
    // The gateway checks its results in its tests against the schema that this type is derived from.
    return (await this.invoke(method, parameters, {
      ...options,
      effect,
    })) as GatewayMethodResult<Name>;
  }

  /**
   * Calls a method by a name that is not known when the program is compiled, for example the method of a plugin.
   * @param options - as for {@link GatewayConnection.call}; `effect` of the method, by default `write`
   * @throws GatewayClientError
   */
  async invoke(
    method: string,
    parameters: object,
    { effect = "write", ...options }: InvokeOptions = {},
  ): Promise<unknown> {
    if (this.#state.status === "refused") throw this.#state.error;
    if (this.#state.status === "closed") throw closedError(this.#url);
    const { signal, timeoutMs = this.#options.callTimeoutMs ?? CALL_TIMEOUT_MS } = options;
    const key = options.idempotencyKey ?? idempotencyKey();
    const params = effect === "write" ? { ...parameters, idempotencyKey: key } : parameters;
    try {
      return await this.#calls.add({ method, params, signal, timeoutMs, isRepeated: true });
    } catch (error) {
      const { token } = this.#options;
      const isUpload = GatewayRequestTooLargeError.isInstance(error) && UPLOADS.has(method);
      if (!isUpload || token === undefined) throw error;
      // Bodies of requests may be larger than frames (GW-800).
      const client = createGatewayClient({ url: this.#url, token });
      return await client.invoke(method, parameters, { signal, timeoutMs, idempotencyKey: key });
    }
  }

  /**
   * Listens to an event. Events of a session (`chat.…`, `tool.…`) are received while the session is subscribed.
   * @param name - name of the event; `resync` means that events are missing, so read the state with methods
   * @param listener - called for each event, in order, each once
   * @returns function that removes the listener
   */
  on<Name extends EventName>(name: Name, listener: EventListener<Name>): () => void {
    return this.#listeners.on(name, listener);
  }

  /**
   * Listens to every event.
   * @param listener - called for each event, in order, each once
   * @returns function that removes the listener
   */
  onAny(listener: EventListener): () => void {
    return this.#listeners.onAny(listener);
  }

  /**
   * Returns the events from now on, for `for await`. Leaving the loop ends it.
   * @param filter - names of the events, and a signal that ends the iterator
   * @throws GatewayClientError when the gateway rejects the client, or 10,000 events wait for the reader
   */
  events<Name extends EventName = EventName>(
    filter: EventFilter<Name> = {},
  ): AsyncGenerator<ReceivedEvent<Name>, void, undefined> {
    return this.#listeners.read(filter);
  }

  /**
   * Receives the events of a session from now on, also over later connections.
   * @param sessionKey - full or short key; `*` for every session
   * @throws GatewayClientError when the gateway rejects it
   */
  async subscribe(sessionKey: string): Promise<SessionSubscription> {
    this.#subscriptions.add(sessionKey);
    try {
      const full = await this.call("sessions.subscribe", { sessionKey });
      let isActive = true;
      const unsubscribe = async () => {
        if (!isActive) return;
        isActive = false;
        if (!this.#subscriptions.remove(sessionKey) || this.#state.status !== "live") return;
        const call = { method: "sessions.unsubscribe", params: { sessionKey } };
        // Without the connection there is no subscription any more.
        await this.#calls.add({ ...call, timeoutMs: CALL_TIMEOUT_MS, isRepeated: false });
      };
      return { sessionKey: full.sessionKey, unsubscribe };
    } catch (error) {
      this.#subscriptions.remove(sessionKey);
      throw error;
    }
  }

  /**
   * Sends a message to a session. The result is iterated for the events of its answer, which survive lost connections
   * and restarts of the gateway.
   * @param message - session, text, and optionally a model
   */
  chat(message: ChatMessage): ChatExchange {
    return new ChatExchange(this, message);
  }

  /** Closes the connection; open calls are rejected, and iterators end. */
  close(): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#socket?.close();
    this.#socket = undefined;
    this.#calls.end(closedError(this.#url));
    this.#setState({ status: "closed" });
    this.#listeners.end();
  }

  get #isEnded(): boolean {
    return this.#state.status === "closed" || this.#state.status === "refused";
  }

  #connect(): void {
    const { token, device, client, approver } = this.#options;
    const { keys } = this.#subscriptions;
    const request = {
      client,
      auth: token === undefined ? {} : { token },
      ...(approver === true ? { approver } : {}),
      ...(keys.length === 0 ? {} : { subscribe: keys }),
      ...(this.#cursor === undefined ? {} : { resume: { cursor: this.#cursor } }),
    };
    const credentials = { request, device };
    const socket = new GatewaySocket(this.#url, credentials, this.timers, {
      opened: (gateway) => this.#opened(socket, gateway),
      responded: (frame) => this.#calls.responded(frame),
      received: (frame) => this.#received(frame),
      ended: (end) => this.#lost(end),
    });
    this.#socket = socket;
  }

  #opened(socket: GatewaySocket, gateway: ConnectResult): void {
    // Without `resumed` the events up to here are not sent; `resync` tells the listeners.
    this.#cursor = gateway.snapshot.cursor;
    this.#stability = this.timers.setTimeout(() => {
      this.#failures = 0;
    }, STABLE_MS);
    this.#setState({ status: "live", gateway });
    // A listener of the state may have closed the connection.
    if (this.#socket !== socket) return;
    const { maxPayloadBytes } = gateway.policy;
    this.#calls.connected({ maxPayloadBytes, send: (text) => socket.send(text) });
  }

  #received(frame: EventFrame): void {
    this.#listeners.emit(receivedEvent(frame));
    // After the listeners: an event counts as received when they have seen it.
    if (frame.cursor !== undefined) this.#cursor = frame.cursor;
  }

  #lost({ error, isFinal, retryAfterMs = 0 }: SocketEnd): void {
    this.#stop();
    this.#socket = undefined;
    if (isFinal) {
      this.#calls.end(error);
      this.#setState({ status: "refused", error });
      this.#listeners.end(error);
      return;
    }
    this.#failures += 1;
    this.#calls.disconnected(error);
    const delayMs = Math.max(retryAfterMs, reconnectDelay(this.#failures, this.#random));
    this.#attempt = this.timers.setTimeout(() => this.#connect(), delayMs);
    this.#setState({ status: "reconnecting", error, failures: this.#failures, delayMs });
  }

  #stop(): void {
    for (const timer of [this.#attempt, this.#stability]) {
      if (timer !== undefined) this.timers.clearTimeout(timer);
    }
    this.#attempt = undefined;
    this.#stability = undefined;
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
  }
}

function closedError(url: string): GatewayClientError {
  return new GatewayClosedError(`the connection to the gateway at ${url} was closed`);
}
