import { type Static, Type } from "typebox";
import { METHOD_SCOPES } from "../definition/scope.js";
import { deviceProofSchema } from "./device.js";
import { wireErrorSchema } from "./error.js";

/** Versions of the protocol that this package speaks (GW-020). */
export const PROTOCOL_VERSIONS = { min: 1, max: 1 } as const;

/** Limits of a connection that clients rely on. */
export const CONNECTION_LIMITS = {
  /** Maximum size of a frame before the handshake, in bytes (GW-017). */
  maxHandshakeBytes: 64 * 1024,
  /** Maximum size of a frame, in bytes (GW-017). */
  maxPayloadBytes: 1024 * 1024,
  /** Size of the events that wait for a slow client, in bytes, above which droppable ones are dropped (GW-018). */
  maxBufferedBytes: 4 * 1024 * 1024,
  /** Interval of the `tick` events, in milliseconds (GW-023). */
  tickIntervalMs: 15_000,
} as const;

const closed = { additionalProperties: false };
const version = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Schema of the parameters of `connect`, the first frame of a client (GW-020). */
export const connectParamsSchema = Type.Object(
  {
    minProtocol: version,
    maxProtocol: version,
    client: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 100, description: "For example `control-ui`." }),
        version: Type.String({ minLength: 1, maxLength: 100 }),
        mode: Type.Enum(["cli", "ui", "automation", "node"], {
          description: "What the client is used for.",
        }),
      },
      closed,
    ),
    auth: Type.Object(
      {
        token: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4096, description: "Bearer token." }),
        ),
        device: Type.Optional(deviceProofSchema),
      },
      { ...closed, description: "Either a token, or the proof of a device." },
    ),
    resume: Type.Optional(
      Type.Object(
        {
          cursor: Type.String({
            minLength: 1,
            maxLength: 200,
            description: "Cursor of the last event that the client received.",
          }),
        },
        closed,
      ),
    ),
    subscribe: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        maxItems: 1000,
        description: "Keys of the sessions whose events are sent, as with `sessions.subscribe`.",
      }),
    ),
    approver: Type.Optional(
      Type.Boolean({
        description:
          "True if a person at the client decides approval requests; calls then wait for that person.",
      }),
    ),
  },
  closed,
);

/** Parameters of `connect`. */
export type ConnectParams = Static<typeof connectParamsSchema>;

/** Schema of a frame that a client sends. */
export const requestFrameSchema = Type.Object(
  {
    type: Type.Literal("req"),
    id: Type.String({ minLength: 1, maxLength: 64, description: "Unique while the call is open." }),
    method: Type.String({ minLength: 1, maxLength: 200 }),
    params: Type.Optional(Type.Unknown()),
  },
  closed,
);

/** Frame that a client sends: one call of a method (GW-019). */
export type RequestFrame = Static<typeof requestFrameSchema>;

/** Schema of the reply to `connect`. */
export const connectResultSchema = Type.Object({
  protocol: version,
  connId: Type.String({ description: "ID of the connection, as in the log." }),
  scopes: Type.Array(Type.Enum([...METHOD_SCOPES])),
  methods: Type.Array(Type.String(), { description: "Methods that the token may call." }),
  events: Type.Array(Type.String(), { description: "Events that the token may receive." }),
  policy: Type.Object({
    maxPayloadBytes: Type.Integer(),
    maxBufferedBytes: Type.Integer(),
    tickIntervalMs: Type.Integer(),
  }),
  snapshot: Type.Object({
    server: Type.Object({ version: Type.String() }),
    cursor: Type.String({ description: "Cursor before the first event of this connection." }),
    resumed: Type.Boolean({
      description: "True if the events since `resume.cursor` follow; else `resync` follows it.",
    }),
    sessions: Type.Array(Type.String(), { description: "Full keys of the subscribed sessions." }),
    generation: Type.Integer({ description: "Generation of the plugins." }),
    ready: Type.Boolean(),
  }),
});

/** Reply to `connect`. */
export type ConnectResult = Static<typeof connectResultSchema>;

/** Schema of a frame that a gateway sends. */
export const serverFrameSchema = Type.Union([
  Type.Object({
    type: Type.Literal("res"),
    id: Type.String(),
    ok: Type.Literal(true),
    payload: Type.Unknown(),
  }),
  Type.Object({
    type: Type.Literal("res"),
    id: Type.String(),
    ok: Type.Literal(false),
    error: wireErrorSchema,
  }),
  Type.Object({
    type: Type.Literal("event"),
    event: Type.String(),
    payload: Type.Unknown(),
    seq: Type.Integer({ description: "Grows by one with each event of a connection." }),
    cursor: Type.Optional(
      Type.String({ description: "Position of a durable event, to resume after it." }),
    ),
    dropped: Type.Optional(
      Type.Integer({
        description: "Number of droppable events that were left out before this one.",
      }),
    ),
  }),
  Type.Object({ type: Type.Literal("error"), error: wireErrorSchema }),
]);

/** Frame that a gateway sends: a response, an event, or the reason why it closes the connection. */
export type ServerFrame = Static<typeof serverFrameSchema>;

/** Codes with which a gateway closes a WebSocket. */
export const CLOSE_CODES = {
  /** The gateway stops; connect again later. */
  goingAway: 1001,
  /** A frame is not a frame of the protocol, or there is no common version. */
  protocolError: 1002,
  /** A binary frame. */
  unsupportedData: 1003,
  /** The handshake failed: no or a wrong token. */
  policyViolation: 1008,
  tooLarge: 1009,
  /** The client reads too slowly, or does not answer pings. */
  tryAgainLater: 1013,
} as const;
