import { CONNECTION_LIMITS } from "@openclaw/protocol";
import { DEFAULT_CALL_RATES } from "./call-rates.js";

/** Limits of the gateway's listener, the section `gateway.limits` of the configuration (GW-016, GW-017). */
export interface AccessLimits {
  /** Maximum size of a request body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum size of the body of a request with images, in bytes. */
  readonly uploadBytes: number;
  /** Maximum size of a WebSocket frame, in bytes. */
  readonly frameBytes: number;
  /** Maximum size of a WebSocket frame before the client is authenticated, in bytes. */
  readonly handshakeFrameBytes: number;
  /** Maximum depth of nested arrays and objects in JSON. */
  readonly jsonDepth: number;
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Maximum number of open connections of one address. */
  readonly connectionsPerAddress: number;
  /** Maximum number of open connections of a loopback address or a trusted proxy. */
  readonly connectionsPerLocalAddress: number;
  /** Time in milliseconds in which a client must send the header of a request. */
  readonly headerTimeoutMs: number;
  /** Time in milliseconds in which a client must send a whole request. */
  readonly requestTimeoutMs: number;
  /** Time in milliseconds in which a WebSocket client must authenticate. */
  readonly handshakeTimeoutMs: number;
  /** Requests per minute of each token; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Chat messages per minute of each token; 0 for no limit. */
  readonly chatSendsPerMinute: number;
}

/** Limits of a gateway whose configuration has none. */
export const DEFAULT_ACCESS_LIMITS: AccessLimits = {
  bodyBytes: 1024 * 1024,
  uploadBytes: 25 * 1024 * 1024,
  frameBytes: CONNECTION_LIMITS.maxPayloadBytes,
  handshakeFrameBytes: CONNECTION_LIMITS.maxHandshakeBytes,
  jsonDepth: 64,
  connections: 1000,
  connectionsPerAddress: 50,
  connectionsPerLocalAddress: 500,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  handshakeTimeoutMs: 5000,
  ...DEFAULT_CALL_RATES,
};
