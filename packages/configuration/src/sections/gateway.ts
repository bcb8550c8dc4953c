import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { type TSchema, Type } from "typebox";
import { integer, limitsSchema } from "./gateway-limits.js";

/** Listener of the gateway: address, authentication, accepted hosts and limits. */
export interface GatewaySection {
  /** False opens no listener; default true. */
  enabled?: boolean;
  /** Port; 0 lets the system choose. */
  port?: number;
  /** Time for a stop, with the turns that end in it; default 20,000 ms. */
  shutdownTimeoutMs?: number;
  /** `loopback`, `lan` for every IPv4 address, or one IP address of the machine. */
  bind?: string;
  auth?: {
    /** Bearer token that replaces the generated one; at least 24 ASCII characters, no spaces. */
    token?: string;
    /** Requests per minute of the gateway's own token; 0 for no limit. */
    requestsPerMinute?: number;
    /** Chat messages per minute of the gateway's own token; 0 for no limit. */
    chatSendsPerMinute?: number;
    /** Further tokens, each with limited rights. */
    tokens?: readonly TokenEntry[];
  };
  /** The OpenAI-compatible API. */
  openai?: {
    /** False rejects requests with tools that the client runs; default true. */
    clientTools?: boolean;
    /** Models that clients can select, as `provider/model`. */
    models?: string[];
  };
  /** Anthropic's Messages API. */
  anthropic?: {
    /** Agents and models by the names that clients have for them. */
    models?: Record<string, string>;
  };
  /** Receiver of slash words that are not commands: the sender is answered, or they go to the model. */
  unknownCommands?: "answer" | "model";
  /** The web console at `/`. */
  console?: {
    /** False serves none; default true. */
    enabled?: boolean;
  };
  metrics?: {
    /** True serves `/metrics` without a token. */
    public?: boolean;
  };
  /** URL at which browsers reach the gateway, without a path. */
  publicUrl?: string;
  /** Host names of the gateway in addition to loopback, with or without a port. */
  trustedHosts?: readonly string[];
  /** Origins of web pages that may use the gateway. */
  allowedOrigins?: readonly string[];
  /** IP addresses and networks of reverse proxies. */
  trustedProxies?: readonly string[];
  limits?: {
    bodyBytes?: number;
    uploadBytes?: number;
    frameBytes?: number;
    handshakeFrameBytes?: number;
    jsonDepth?: number;
    connections?: number;
    connectionsPerAddress?: number;
    connectionsPerLocalAddress?: number;
    headerTimeoutMs?: number;
    requestTimeoutMs?: number;
    handshakeTimeoutMs?: number;
    requestsPerMinute?: number;
    chatSendsPerMinute?: number;
  };
}

/** Entry of `gateway.auth.tokens`. */
export interface TokenEntry {
  name: string;
  /** scrypt hash as a PHC string. */
  hash: string;
  scopes: readonly MethodScope[];
  /** Time in ISO 8601. */
  expiresAt?: string;
  requestsPerMinute?: number;
  chatSendsPerMinute?: number;
}

const closed = { additionalProperties: false };

/** Time for the whole shutdown, including that for the turns (D19), unless `gateway.shutdownTimeoutMs` says otherwise. */
export const SHUTDOWN_MS = 20_000;

/** Port of the listener, unless `gateway.port` says otherwise. */
export const DEFAULT_PORT = 18_789;

function strings(item: Parameters<typeof Type.String>[0], description: string): TSchema {
  return Type.Optional(Type.Array(Type.String(item), { description }));
}

const tokenSchema = Type.Object(
  {
    name: Type.String({
      pattern: "^(?!(?:gateway|operator)$)[a-z0-9][a-z0-9_-]{0,62}$",
      description: "Name of the token, which the log contains; not `gateway` or `operator`.",
    }),
    hash: Type.String({
      pattern:
        "^\\$scrypt\\$ln=1[0-7],r=8,p=(?:[1-9]|1[0-6])\\$[A-Za-z0-9+/]{11,86}\\$[A-Za-z0-9+/]{22,86}$",
      description: "scrypt hash of the token; `openclaw gateway token create` prints it.",
    }),
    scopes: Type.Array(Type.Enum([...METHOD_SCOPES]), {
      minItems: 1,
      description: "Rights of the token; operator.admin includes the others.",
    }),
    expiresAt: Type.Optional(
      Type.String({
        pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,3})?Z$",
        description: "Time in UTC after which the token is rejected: `2027-01-31T12:00:00Z`.",
      }),
    ),
    requestsPerMinute: integer(
      0,
      1_000_000,
      undefined,
      "Requests per minute instead of gateway.limits.requestsPerMinute; 0 for no limit.",
    ),
    chatSendsPerMinute: integer(
      0,
      1_000_000,
      undefined,
      "Chat messages per minute instead of gateway.limits.chatSendsPerMinute; 0 for no limit.",
    ),
  },
  closed,
);

/** Schema of the section `gateway`. */
export const gatewaySchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "False opens no listener: no API, WebSocket, web page or webhook. Channels that connect to their platforms work. GATEWAY_ENABLED overrides it.",
      }),
    ),
    port: integer(
      0,
      65_535,
      DEFAULT_PORT,
      "Port to listen on; 0 lets the system choose. OPENCLAW_PORT overrides it.",
    ),
    shutdownTimeoutMs: integer(
      1000,
      600_000,
      SHUTDOWN_MS,
      "Time for a stop in milliseconds: running turns have up to 10 s of it, and are resumed at the next start.",
    ),
    bind: Type.Optional(
      Type.String({
        pattern: "^(?:loopback|lan|[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$",
        default: "loopback",
        description:
          "`loopback`, `lan` for every IPv4 address of the machine, or one IP address. Beyond loopback add the host names of clients to trustedHosts.",
      }),
    ),
    auth: Type.Optional(
      Type.Object(
        {
          token: Type.Optional(
            Type.String({
              minLength: 24,
              pattern: "^[!-~]*$",
              description: "Bearer token instead of the generated one: ASCII without spaces.",
            }),
          ),
          requestsPerMinute: integer(
            0,
            1_000_000,
            undefined,
            "Requests per minute of the gateway's own token instead of gateway.limits.requestsPerMinute; 0 for no limit.",
          ),
          chatSendsPerMinute: integer(
            0,
            1_000_000,
            undefined,
            "Chat messages per minute of the gateway's own token instead of gateway.limits.chatSendsPerMinute; 0 for no limit.",
          ),
          tokens: Type.Optional(
            Type.Array(tokenSchema, {
              description: "Further tokens, each with limited rights (GW-014).",
            }),
          ),
        },
        closed,
      ),
    ),
    unknownCommands: Type.Optional(
      Type.Enum(["answer", "model"], {
        default: "answer",
        description:
          "Receiver of slash words that are not commands: `answer` suggests commands to the sender, `model` passes the message to the agent.",
      }),
    ),
    console: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(
            Type.Boolean({
              default: true,
              description: "False does not serve the web console at `/`.",
            }),
          ),
        },
        { ...closed, description: "Web console." },
      ),
    ),
    openai: Type.Optional(
      Type.Object(
        {
          clientTools: Type.Optional(
            Type.Boolean({
              default: true,
              description: "Accepts requests with tools that the client runs.",
            }),
          ),
          models: Type.Optional(
            Type.Array(Type.String({ pattern: "^[^/\\s]+/\\S+$" }), {
              description:
                "Models that clients can select as provider/model; when absent, the models of the agents and the default models of providers with a credential.",
            }),
          ),
        },
        { ...closed, description: "OpenAI-compatible API." },
      ),
    ),
    anthropic: Type.Optional(
      Type.Object(
        {
          models: Type.Optional(
            Type.Record(
              Type.String({ minLength: 1 }),
              Type.String({
                pattern: "^(?:openclaw(?:/[a-z0-9][a-z0-9_-]{0,63})?|[^/\\s]+/\\S+)$",
              }),
              {
                description:
                  'Agents and models by the names that clients of the Messages API have for them; a name may end in `*`: `{"claude-haiku-*": "openai/gpt-5-mini", "*": "openclaw"}`. Without an entry, an unknown name is the agent `main`.',
              },
            ),
          ),
        },
        { ...closed, description: "Anthropic's Messages API." },
      ),
    ),
    metrics: Type.Optional(
      Type.Object(
        {
          public: Type.Optional(
            Type.Boolean({
              default: false,
              description: "True serves `/metrics` without a token, for a scraper that has none.",
            }),
          ),
        },
        { ...closed, description: "Metrics in the text format of Prometheus." },
      ),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: "^https?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?/?$",
        description:
          "URL at which browsers reach the gateway, for example through a reverse proxy: `https://gateway.example`. Logins of plugins return to `/oauth/callback` below it, and its host is trusted.",
      }),
    ),
    trustedHosts: strings(
      { pattern: "^(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?$" },
      "Host names that clients may use in addition to loopback, with or without a port: `gateway.example`, `nas.local:18789`.",
    ),
    allowedOrigins: strings(
      {
        pattern:
          "^https?://[A-Za-z0-9._-]+(?::[0-9]{1,5})?$|^https?://\\[[0-9A-Fa-f:.]+\\](?::[0-9]{1,5})?$",
      },
      "Origins of web pages that may use the gateway, exact in scheme, host and port: `https://console.example`.",
    ),
    trustedProxies: strings(
      { pattern: "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$" },
      "IP addresses and networks of reverse proxies, whose X-Forwarded-For names the client: `127.0.0.1`, `10.0.0.0/8`.",
    ),
    limits: Type.Optional(limitsSchema),
  },
  { ...closed, description: "Listener of the gateway." },
);
