import { embeddingAnswer } from "../embedding-server.js";
import { chatProtocol } from "./openai-chat.js";
import { responsesProtocol } from "./openai-responses.js";
import type { ModelServerProtocol } from "./protocol.js";
import { Rejection } from "./rejection.js";
import type { ModelServer, ModelServerReplySource, ModelServerRequest } from "./reply.js";
import { startModelServer } from "./server.js";

const DIMENSIONS = 1536;

/** A NEAR AI server, whose sessions a test can sign in and let expire. */
export interface NearAiServer extends ModelServer {
  /** Creates a session and returns its token, as a completed sign-in does. */
  signIn(): string;
  /** Lets every session expire. */
  expireSessions(): void;
}

/**
 * Starts a server that speaks both APIs of NEAR AI: chat completions with an API key, and the Responses API with the
 * token of a session; embeddings of 1536 dimensions with either. A sign-in, `GET /v1/auth/github`, redirects to the callback of the client with the token and its
 * expiry, as after the consent of a user in a browser.
 * @param replies - one per accepted request, in order
 * @param apiKey - valid key of chat completions
 */
export async function startNearAiServer(
  replies: readonly ModelServerReplySource[] = [],
  apiKey = "test-key",
): Promise<NearAiServer> {
  const sessions = new Set<string>();
  let issued = 0;
  const signIn = () => {
    issued += 1;
    const token = `sess_${issued}`;
    sessions.add(token);
    return token;
  };
  const chat = chatProtocol({ apiKey });
  const responses = responsesProtocol({ apiKey: "checked below" });
  const isResponses = ({ path }: ModelServerRequest) => path === "/v1/responses";
  const protocolOf = (request: ModelServerRequest) => (isResponses(request) ? responses : chat);
  const withSession = (request: ModelServerRequest): ModelServerRequest => {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    if (!sessions.has(token)) throw new Rejection("Session expired or invalid", 401);
    const authorization = "Bearer checked below";
    return { ...request, headers: { ...request.headers, authorization } };
  };
  const checkKeyOrSession = (request: ModelServerRequest) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) withSession(request);
  };
  const protocol: ModelServerProtocol = {
    ...chat,
    asksForReply: (request) => protocolOf(request).asksForReply(request),
    check: (request) =>
      isResponses(request) ? responses.check(withSession(request)) : chat.check(request),
    events: (reply, request) => protocolOf(request).events(reply, request),
    respond(request) {
      const { pathname, searchParams } = new URL(request.path, "http://localhost");
      if (pathname === "/v1/users/me") {
        withSession(request);
        return { status: 200, body: { user: { name: "test" } } };
      }
      if (/^\/v1\/auth\/(?:github|google)$/.test(pathname)) {
        const expires = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
        const callback = searchParams.get("frontend_callback");
        const query = `token=${signIn()}&session_id=1&expires_at=${expires}`;
        return { status: 302, headers: { location: `${callback}/auth/callback?${query}` } };
      }
      if (pathname === "/v1/models" && request.method === "GET") {
        checkKeyOrSession(request);
        return { status: 200, body: { models: [{ modelId: "model-a" }, { modelId: "model-b" }] } };
      }
      if (pathname === "/v1/embeddings" && request.method === "POST") {
        checkKeyOrSession(request);
        return embeddingAnswer(request.body, DIMENSIONS);
      }
      return undefined;
    },
  };
  const server = await startModelServer(protocol, replies);
  return Object.assign(server, { signIn, expireSessions: () => sessions.clear() });
}
