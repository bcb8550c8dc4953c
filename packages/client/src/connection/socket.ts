import type { TimerHandle, Timers } from "@openclaw/foundation";
import {
  CLOSE_CODES,
  type ConnectParams,
  type ConnectResult,
  connectResultSchema,
  PROTOCOL_VERSIONS,
  type ServerFrame,
} from "@openclaw/protocol";
import { DEVICE_CHALLENGE, deviceChallengeResultSchema } from "@openclaw/protocol/device";
import { Check } from "typebox/value";
import { type DeviceKey, proofOf } from "../device/key.js";
import {
  type DeviceKeyError,
  type GatewayClientError,
  GatewayRefusedError,
  GatewayStreamError,
  GatewayUnreachableError,
} from "../errors.js";
import { refusalOf } from "../refusal.js";
import { readFrame } from "./frame.js";

/** Time in milliseconds in which a gateway must complete the handshake. */
const HANDSHAKE_MS = 10_000;
/** Number of intervals without a tick after which a connection is dead. */
const MISSED_TICKS = 2.5;
const CONNECT_ID = "connect";
const CHALLENGE_ID = "challenge";

/** Event frame. */
export type EventFrame = Extract<ServerFrame, { type: "event" }>;
/** Response frame. */
export type ResponseFrame = Extract<ServerFrame, { type: "res" }>;

/** End of a socket. */
export interface SocketEnd {
  readonly error: GatewayClientError;
  /** True if another attempt would end the same. */
  readonly isFinal: boolean;
  /** Time in milliseconds before another attempt can succeed, if the gateway named one. */
  readonly retryAfterMs?: number | undefined;
}

/** Receiver of the frames and the end of a socket. */
export interface SocketHandlers {
  /** The handshake is complete. */
  opened(gateway: ConnectResult): void;
  responded(frame: ResponseFrame): void;
  received(frame: EventFrame): void;
  /** Called once, last. */
  ended(end: SocketEnd): void;
}

/** Parameters of `connect` that do not depend on this package. */
export type ConnectRequest = Omit<ConnectParams, "minProtocol" | "maxProtocol">;

/** Parameters of `connect`, and the key that replaces a token. */
export interface SocketCredentials {
  readonly request: ConnectRequest;
  /** Key of the device; absent when the request has a token. */
  readonly device?: DeviceKey | undefined;
}

/** One WebSocket from its first to its last frame: handshake, order of the events, and the watch for a dead line. */
export class GatewaySocket {
  readonly #url: string;
  readonly #credentials: SocketCredentials;
  readonly #timers: Timers;
  readonly #handlers: SocketHandlers;
  readonly #socket: WebSocket;
  #phase: "hello" | "challenge" | "connect" | "open" | "ended" = "hello";
  #lastSeq = 0;
  #tickIntervalMs = 0;
  #watchdog: TimerHandle | undefined;
  /** Error frame, with which the gateway explains that it closes the connection. */
  #announced: GatewayClientError | undefined;

  /**
   * @param url - URL of the gateway, for example `http://127.0.0.1:18789`
   * @param credentials - parameters of `connect`, and the key of a device
   * @param timers - timers of the deadlines
   * @param handlers - receiver
   */
  constructor(
    url: string,
    credentials: SocketCredentials,
    timers: Timers,
    handlers: SocketHandlers,
  ) {
    this.#url = url;
    this.#credentials = credentials;
    this.#timers = timers;
    this.#handlers = handlers;
    this.#socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
    this.#socket.addEventListener("message", ({ data }) => this.#receive(data));
    this.#socket.addEventListener("close", ({ code, reason }) => this.#closed(code, reason));
    this.#watch(HANDSHAKE_MS, "did not complete the handshake");
  }

  /**
   * Sends a frame.
   * @param text - JSON of the frame
   */
  send(text: string): void {
    if (this.#phase === "open") this.#write(text);
  }

  /** Closes the socket without an `ended`. */
  close(): void {
    this.#finish();
  }

  #write(text: string): void {
    // A socket that is closing would discard it, and a browser complains; its end follows, and the call is sent again.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  #receive(data: unknown): void {
    if (this.#phase === "ended") return;
    let frame: ServerFrame;
    try {
      frame = readFrame(data);
    } catch (error) {
      if (!GatewayStreamError.isInstance(error)) throw error;
      this.#end({ error: this.#phase === "hello" ? this.#notGateway(error) : error });
      return;
    }
    if (frame.type === "error") {
      this.#announced = refusalOf(frame.error, { url: this.#url });
    } else if (frame.type === "event") {
      this.#event(frame);
    } else if (this.#phase === "open") {
      this.#watchTicks();
      this.#handlers.responded(frame);
    } else if (this.#phase === "challenge" && frame.id === CHALLENGE_ID) {
      this.#challenged(frame);
    } else {
      this.#connected(frame);
    }
  }

  #event(frame: EventFrame): void {
    if (frame.seq <= this.#lastSeq) return;
    if (frame.seq !== this.#lastSeq + 1) {
      const missing = `the events ${this.#lastSeq + 1} to ${frame.seq - 1} of the connection are missing`;
      this.#end({ error: new GatewayStreamError(`${missing}; connecting again to receive them`) });
      return;
    }
    this.#lastSeq = frame.seq;
    if (this.#phase === "open") {
      this.#watchTicks();
      this.#handlers.received(frame);
    } else if (this.#phase === "hello" && frame.event === "hello") {
      const { device, request } = this.#credentials;
      if (device === undefined) this.#connect(request);
      else this.#requestChallenge(device);
    } else {
      const error = new GatewayStreamError(`the event ${frame.event} came before the handshake`);
      this.#end({ error: this.#phase === "hello" ? this.#notGateway(error) : error });
    }
  }

  #requestChallenge({ publicKey, name }: DeviceKey): void {
    this.#phase = "challenge";
    const params = { publicKey, name };
    const frame = { type: "req", id: CHALLENGE_ID, method: DEVICE_CHALLENGE, params };
    this.#write(JSON.stringify(frame));
  }

  #challenged(frame: ResponseFrame): void {
    if (!frame.ok) {
      this.#refused(frame.error);
      return;
    }
    const { request, device } = this.#credentials;
    if (device === undefined || !Check(deviceChallengeResultSchema, frame.payload)) {
      this.#unreadable("device.challenge");
      return;
    }
    const { challenge, expiresInMs } = frame.payload;
    // A person may have to unlock the key.
    this.#watch(expiresInMs, "sent a challenge that was not signed in time");
    const { host } = new URL(this.#url);
    proofOf(device, { host, challenge }).then(
      (proof) => {
        if (this.#phase === "challenge") this.#connect({ ...request, auth: { device: proof } });
      },
      (error: DeviceKeyError) => {
        if (this.#phase === "challenge") this.#end({ error, isFinal: true });
      },
    );
  }

  #connect(request: ConnectRequest): void {
    this.#phase = "connect";
    this.#watch(HANDSHAKE_MS, "did not complete the handshake");
    const { min: minProtocol, max: maxProtocol } = PROTOCOL_VERSIONS;
    const params: ConnectParams = { minProtocol, maxProtocol, ...request };
    const frame = { type: "req", id: CONNECT_ID, method: "connect", params };
    this.#write(JSON.stringify(frame));
  }

  #connected(frame: ResponseFrame): void {
    if (this.#phase !== "connect" || frame.id !== CONNECT_ID) {
      const error = new GatewayStreamError("a response came before the handshake");
      this.#end({ error: this.#phase === "hello" ? this.#notGateway(error) : error });
      return;
    }
    if (!frame.ok) {
      this.#refused(frame.error);
      return;
    }
    if (!Check(connectResultSchema, frame.payload)) {
      this.#unreadable("connect");
      return;
    }
    this.#phase = "open";
    this.#tickIntervalMs = frame.payload.policy.tickIntervalMs;
    this.#watchTicks();
    this.#handlers.opened(frame.payload);
  }

  #refused(refusal: Extract<ResponseFrame, { ok: false }>["error"]): void {
    const { retryable, retryAfterMs } = refusal;
    const error = refusalOf(refusal, { url: this.#url });
    this.#end({ error, isFinal: !retryable, retryAfterMs });
  }

  #unreadable(method: string): void {
    const expected = "use a client of the gateway's version";
    const error = new GatewayStreamError(
      `the reply to ${method} is not of the protocol; ${expected}`,
    );
    this.#end({ error, isFinal: true });
  }

  #closed(code: number, reason: string): void {
    if (this.#phase === "ended") return;
    const announced = this.#announced;
    if (announced !== undefined) {
      const retryAfterMs = GatewayRefusedError.isInstance(announced)
        ? announced.retryAfterMs
        : undefined;
      this.#end({ error: announced, retryAfterMs });
    } else if (this.#phase === "hello") {
      this.#end({
        error: new GatewayUnreachableError(
          `no gateway responds at ${this.#url}; start one with \`openclaw gateway run\``,
        ),
      });
    } else {
      this.#end({
        error: new GatewayStreamError(lossOf(code, reason)),
      });
    }
  }

  #watchTicks(): void {
    const ms = this.#tickIntervalMs * MISSED_TICKS;
    this.#watch(ms, `sent nothing for ${Math.round(ms / 1000)} s`);
  }

  #watch(ms: number, failure: string): void {
    if (this.#watchdog !== undefined) this.#timers.clearTimeout(this.#watchdog);
    this.#watchdog = this.#timers.setTimeout(() => {
      const message = `the gateway at ${this.#url} ${failure}`;
      const isNew = this.#phase === "hello";
      this.#end({
        error: isNew ? new GatewayUnreachableError(message) : new GatewayStreamError(message),
      });
    }, ms);
  }

  #notGateway(cause: GatewayStreamError): GatewayUnreachableError {
    return new GatewayUnreachableError(
      `the program at ${this.#url} is not a gateway; check the URL, or stop the program that listens there`,
      { cause },
    );
  }

  #end({ isFinal = false, ...end }: Omit<SocketEnd, "isFinal"> & { isFinal?: boolean }): void {
    this.#finish();
    this.#handlers.ended({ ...end, isFinal });
  }

  #finish(): void {
    this.#phase = "ended";
    if (this.#watchdog !== undefined) this.#timers.clearTimeout(this.#watchdog);
    this.#watchdog = undefined;
    this.#socket.close();
  }
}

function lossOf(code: number, reason: string): string {
  const lost = "the connection to the gateway";
  if (code === ABNORMAL) return `${lost} broke off`;
  const [, words] = CLOSE_REASONS.find(([each]) => each === code) ?? [];
  return `${lost} was closed: ${reason === "" ? (words ?? "no reason given") : reason} (${code})`;
}

/** Code of a socket that ended without a close frame. */
const ABNORMAL = 1006;

const CLOSE_REASONS: readonly (readonly [code: number, reason: string])[] = [
  [CLOSE_CODES.goingAway, "the gateway stops"],
  [CLOSE_CODES.tryAgainLater, "the gateway is overloaded"],
];
