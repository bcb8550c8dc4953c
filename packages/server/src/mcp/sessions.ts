import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type Server,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { MethodCaller } from "@openclaw/protocol";
import { ConnectionSubscriptions } from "./subscriptions.js";

/** Authenticated client of a request, and the session of its calls. */
export interface McpSender {
  readonly caller: MethodCaller;
  readonly sessionKey: string;
}

/** Dependencies of {@link McpSessions}. */
export interface McpSessionsDependencies {
  /**
   * Creates the server of a connection.
   * @param sender - authenticated client
   */
  serverOf(sender: McpSender): Server;
  /**
   * Listens to changes for MCP clients.
   * @param listener - called for each change
   * @returns function that removes the listener
   */
  listen(listener: (change: ServerEvent) => void): () => void;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Receives problems of connections.
   * @param error - problem
   */
  onError(error: Error): void;
}

/** Session of the protocol of 2025. */
interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly sender: McpSender;
  readonly stop: () => void;
  usedAt: number;
}

/** Header with the ID of a session. */
const SESSION_HEADER = "mcp-session-id";
/** Most sessions of one token; the one that was not used for the longest time ends first. */
const MOST_OF_CALLER = 100;
/** Time in milliseconds after which an unused session ends. */
const IDLE_MS = 3_600_000;

/**
 * Sessions of clients of the protocol of 2025 over HTTP, which this node serves: for requests of the gateway to the person at
 * the client, and for subscriptions. A request of a session of another node, or of an earlier process, is answered like one
 * without a session, so that any node does; only its stream and the answers of the person need the node of the session.
 */
export class McpSessions {
  readonly #dependencies: McpSessionsDependencies;
  /** In the order of their last use. */
  readonly #sessions = new Map<string, McpSession>();
  readonly #node = randomUUID();

  /** @param dependencies - servers, changes and clock */
  constructor(dependencies: McpSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Answers a request of the protocol of 2025 in its session, or begins one.
   * @param request - request whose body can be read once more
   * @param sender - authenticated client
   * @returns undefined for a request without a session of this node
   */
  async answer(request: Request, sender: McpSender): Promise<Response | undefined> {
    const id = request.headers.get(SESSION_HEADER);
    const body = await bodyOf(request);
    if (id === null) {
      return isInitializeRequest(body) ? await this.#begin(request, sender, body) : undefined;
    }
    const session = this.#sessions.get(id);
    if (session !== undefined && isSame(session.sender, sender)) {
      this.#sessions.delete(id);
      this.#sessions.set(id, { ...session, usedAt: this.#dependencies.now() });
      return await session.transport.handleRequest(request, { parsedBody: body });
    }
    const isOfThisNode = id.startsWith(`${this.#node}.`);
    return !isOfThisNode && isCall(body) ? undefined : sessionNotFound();
  }

  async #begin(request: Request, sender: McpSender, body: unknown): Promise<Response> {
    const { serverOf, listen, now, onError } = this.#dependencies;
    this.#endUnused(sender.caller.id);
    const server = serverOf(sender);
    const subscriptions = new ConnectionSubscriptions(server);
    const stop = listen((change) => subscriptions.notify(change));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `${this.#node}.${randomUUID()}`,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, sender, stop, usedAt: now() });
      },
    });
    server.onerror = onError;
    server.onclose = () => {
      stop();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    // What was not accepted began no session.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  #endUnused(callerId: string): void {
    const { now, onError } = this.#dependencies;
    const own = [...this.#sessions.values()].filter(({ sender }) => sender.caller.id === callerId);
    const surplus = new Set(own.slice(0, Math.max(0, own.length - MOST_OF_CALLER + 1)));
    const idleSince = now() - IDLE_MS;
    for (const session of [...this.#sessions.values()]) {
      if (session.usedAt >= idleSince && !surplus.has(session)) continue;
      session.transport.close().catch(onError);
    }
  }
}

/** A session keeps the rights with which it began: those of a token that was changed begin another one. */
function isSame(one: McpSender, other: McpSender): boolean {
  return (
    one.caller.id === other.caller.id &&
    one.sessionKey === other.sessionKey &&
    one.caller.scopes.length === other.caller.scopes.length &&
    one.caller.scopes.every((scope) => other.caller.scopes.includes(scope))
  );
}

/** Returns true for a body with requests, which any node answers. */
function isCall(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some((message) => isJSONRPCRequest(message));
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  try {
    return await request.clone().json();
  } catch {
    // The transport rejects it.
    return undefined;
  }
}

function sessionNotFound(): Response {
  const message = "Session not found; send initialize without Mcp-Session-Id to begin another one";
  const error = { code: -32001, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
}
