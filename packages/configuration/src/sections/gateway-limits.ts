import { Type } from "typebox";

const closed = { additionalProperties: false };

const MIB = 1024 * 1024;

/**
 * Returns the schema of an optional whole number.
 * @param minimum - least value
 * @param maximum - greatest value
 * @param preset - default; undefined without one
 * @param text - description
 */
export function integer(
  minimum: number,
  maximum: number,
  preset: number | undefined,
  text: string,
) {
  const options = { minimum, maximum, description: text };
  return Type.Optional(
    Type.Integer(preset === undefined ? options : { ...options, default: preset }),
  );
}

/** Schema of the limits for clients, `gateway.limits`. */
export const limitsSchema = Type.Object(
  {
    bodyBytes: integer(1024, 64 * MIB, MIB, "Maximum size of a request body, in bytes."),
    uploadBytes: integer(
      1024,
      64 * MIB,
      25 * MIB,
      "Maximum size of the body of a message with images or files, in bytes.",
    ),
    frameBytes: integer(1024, 64 * MIB, MIB, "Maximum size of a WebSocket frame, in bytes."),
    handshakeFrameBytes: integer(
      1024,
      MIB,
      64 * 1024,
      "Maximum size of a WebSocket frame before authentication, in bytes.",
    ),
    jsonDepth: integer(8, 1000, 64, "Maximum depth of nested arrays and objects in JSON."),
    connections: integer(1, 100_000, 1000, "Maximum number of open connections."),
    connectionsPerAddress: integer(
      1,
      100_000,
      50,
      "Maximum number of open connections of one address.",
    ),
    connectionsPerLocalAddress: integer(
      1,
      100_000,
      500,
      "Maximum number of open connections of a loopback address or of one of trustedProxies.",
    ),
    headerTimeoutMs: integer(
      100,
      600_000,
      10_000,
      "Time in milliseconds in which a client must send the header of a request.",
    ),
    requestTimeoutMs: integer(
      100,
      3_600_000,
      60_000,
      "Time in milliseconds in which a client must send a whole request.",
    ),
    handshakeTimeoutMs: integer(
      100,
      600_000,
      5000,
      "Time in milliseconds in which a WebSocket client must authenticate.",
    ),
    requestsPerMinute: integer(
      0,
      1_000_000,
      600,
      "Requests per minute of each token, over HTTP and WebSocket; 0 for no limit. While it is not set, the gateway's own token has no limit on loopback.",
    ),
    chatSendsPerMinute: integer(
      0,
      1_000_000,
      60,
      "Chat messages per minute of each token; 0 for no limit. While it is not set, the gateway's own token has no limit on loopback.",
    ),
  },
  { ...closed, description: "Limits for clients." },
);
