import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { errorMessage, systemClock } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { type MethodCaller, SESSION_KEY_HEADER } from "@openclaw/protocol";
import type { Context } from "hono";
import { requestHeader } from "../http/request-header.js";
import { calledSchemas } from "./called-schemas.js";
import { changesOf } from "./changes.js";
import { LocalGateway, type LocalGatewayDependencies } from "./local-gateway.js";
import { createMcpServer, createRequestServer } from "./server.js";
import { type McpSender, McpSessions } from "./sessions.js";

/** Dependencies of {@link mcpRoute}. */
export interface McpHost extends LocalGatewayDependencies {
  /** Version of the product. */
  readonly version: string;
  readonly logger: Logger;
}

/** Subscribes to changes for all clients. */
const EVERYONE: MethodCaller = { id: "mcp", scopes: ["operator.admin"], via: "process" };
/** Session of clients that name none. */
const DEFAULT_SESSION = "main";

/**
 * Creates the route `/mcp` (EXT-015): MCP over streamable HTTP, for clients of both eras of the protocol. A request of the newer one
 * has everything that is needed to answer it, so any node of the gateway does; clients of the older one have sessions.
 * @param host - calls, events and log
 * @param callerOf - returns the authenticated client of a request
 */
export function mcpRoute(host: McpHost, callerOf: (context: Context) => Promise<MethodCaller>) {
  const senders = new WeakMap<AuthInfo, McpSender>();
  const optionsOf = ({ caller, sessionKey }: McpSender, notifies: boolean) => ({
    ...{ sessionKey, notifies, version: host.version, timers: systemClock },
    gateway: new LocalGateway(caller, host),
    decidesApprovals: decidesApprovals(caller),
  });
  // The route requires the scope that each of these events needs.
  const events = new LocalGateway(EVERYONE, host);
  const bus: ServerEventBus = {
    publish: () => undefined,
    subscribe: (listener) =>
      events.listen((event) => {
        for (const change of event === undefined ? [] : changesOf(event)) listener(change);
      }),
  };
  const onError = (error: Error) =>
    host.logger.debug("a request of an MCP client was rejected", { error: errorMessage(error) });
  const handler = createMcpHandler(
    async ({ authInfo, era, requestInfo }) => {
      const sender = authInfo === undefined ? undefined : senders.get(authInfo);
      if (sender === undefined) throw new TypeError("an MCP request has no authenticated client");
      // Without a session, a client of the older protocol has no stream.
      const options = optionsOf(sender, era === "modern");
      return createRequestServer(options, await calledSchemas(options, requestInfo));
    },
    {
      bus,
      onerror: onError,
    },
  );
  const sessions = new McpSessions({
    serverOf: (sender) => createMcpServer(optionsOf(sender, true)),
    listen: bus.subscribe,
    now: () => systemClock.now(),
    onError,
  });
  return async (context: Context): Promise<Response> => {
    const caller = await callerOf(context);
    // The library passes this object to the factory and reads nothing else of it.
    const authInfo: AuthInfo = { token: "", clientId: caller.id, scopes: [...caller.scopes] };
    const sessionKey = requestHeader(context, SESSION_KEY_HEADER) || DEFAULT_SESSION;
    const sender = { caller, sessionKey };
    const request = await requestOf(context);
    if (await isLegacyRequest(request)) {
      const answer = await sessions.answer(request, sender);
      if (answer !== undefined) return answer;
    }
    senders.set(authInfo, sender);
    return await handler.fetch(request, { authInfo });
  };
}

/** The token of the gateway has every scope; only a token that was made for it lets a model decide. */
function decidesApprovals({ id, scopes }: MethodCaller): boolean {
  return id !== "gateway" && scopes.includes("operator.approvals");
}

/** Returns the request with its body, which was read to check its limits. */
async function requestOf({ req }: Context): Promise<Request> {
  const { url, method, headers, signal } = req.raw;
  if (method === "GET" || method === "HEAD") return req.raw;
  return new Request(url, { method, headers, body: await req.text(), signal });
}
