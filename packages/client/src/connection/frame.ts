import { type ServerFrame, serverFrameSchema } from "@openclaw/protocol";
import { Check } from "typebox/value";
import { GatewayStreamError } from "../errors.js";

/**
 * Reads a frame of a gateway (GW-019).
 * @param data - data of a WebSocket message
 * @throws GatewayStreamError when it is not a frame of the protocol
 */
export function readFrame(data: unknown): ServerFrame {
  if (typeof data !== "string") throw invalidFrame("is not text");
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw invalidFrame("is not JSON", cause);
  }
  if (!Check(serverFrameSchema, value)) throw invalidFrame("is not a frame of the protocol");
  return value;
}

function invalidFrame(problem: string, cause?: unknown): GatewayStreamError {
  return new GatewayStreamError(
    `the gateway sent a frame that ${problem}; use a client of the gateway's version`,
    { cause },
  );
}
