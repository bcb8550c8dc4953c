import type { OpenClawError } from "@openclaw/foundation";
import type { CLOSE_CODES } from "@openclaw/protocol";
import type { WebSocket } from "ws";
import type { AccessLimits } from "../access/limits.js";
import { InvalidFrameError, PayloadTooLargeError } from "../errors.js";
import { readFrame } from "./frame.js";

/** Message that ends its connection. */
interface FatalMessage {
  readonly fatal: OpenClawError;
  readonly code: keyof typeof CLOSE_CODES;
}

type Frame = Exclude<ReturnType<typeof readFrame>, { readonly fatal: OpenClawError }>;

/**
 * Reads a message of a client.
 * @param data - data of the WebSocket
 * @param isBinary - true for a binary message, which the protocol does not have
 * @param limits - limits of messages; that of the handshake applies until a client is connected
 */
export function readMessage(
  data: WebSocket.RawData,
  isBinary: boolean,
  limits: Pick<AccessLimits, "jsonDepth"> & { readonly handshakeFrameBytes?: number | undefined },
): Frame | FatalMessage {
  if (isBinary) {
    const message = "a frame must be text; send JSON in a text frame";
    return { fatal: new InvalidFrameError(message), code: "unsupportedData" };
  }
  const { handshakeFrameBytes = Number.POSITIVE_INFINITY, jsonDepth } = limits;
  const frame = asBuffer(data);
  if (frame.length > handshakeFrameBytes) {
    return { fatal: handshakeTooLarge(handshakeFrameBytes), code: "tooLarge" };
  }
  const read = readFrame(frame.toString(), jsonDepth);
  if (!("fatal" in read)) return read;
  return { ...read, code: read.fatal.kind === "too-large" ? "tooLarge" : "protocolError" };
}

/**
 * Returns the error of a client that sends too much before it is authenticated.
 * @param limit - maximum size in bytes
 */
export function handshakeTooLarge(limit: number): PayloadTooLargeError {
  return new PayloadTooLargeError(
    `a client may send ${limit} bytes before the handshake (gateway.limits.handshakeFrameBytes); send connect first`,
  );
}

function asBuffer(data: WebSocket.RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
