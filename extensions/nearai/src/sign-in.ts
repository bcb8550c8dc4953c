import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { SignInFailedError } from "./errors.js";
import type { Session } from "./session-file.js";

/** Port that is tried first; the same as for other logins of the host (HOST-018). */
export const PREFERRED_PORT = 9876;

/** Accounts with which a user can sign in. */
export const ACCOUNTS = ["github", "google"] as const;

/** Options of {@link signIn}. */
export interface SignInOptions {
  /** URL of the sign-in, for example `https://private.near.ai`. */
  readonly authURL: string;
  readonly account: (typeof ACCOUNTS)[number];
  /** Port of the loopback interface for the answer; without one, 9876, or a free one when that is taken. */
  readonly port?: number | undefined;
  /** Ends the wait for the user. */
  readonly signal: AbortSignal;
  /**
   * Shows the URL that the user opens in a browser.
   * @param url - URL of the sign-in
   */
  show(url: string): void;
}

/**
 * Signs a user in at NEAR AI: shows a URL, and waits until the browser of the user brings the session back.
 * @param options - account, port and time limit
 * @throws SignInFailedError when the named port is taken, the time is over, or the answer has no session
 */
export async function signIn(options: SignInOptions): Promise<Session> {
  // The path is a secret: another page of the browser cannot bring its own session.
  const path = `/${randomBytes(16).toString("hex")}`;
  const server = createServer();
  const answer = new Promise<Session>((resolve) => {
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const session = sessionOf(request, path);
      reply(response, session);
      if (session !== undefined) resolve(session);
    });
  });
  try {
    const port = await listen(server, options.port);
    const url = new URL(`/v1/auth/${options.account}`, options.authURL);
    url.searchParams.set("frontend_callback", `http://127.0.0.1:${port}${path}`);
    options.show(url.href);
    return await Promise.race([answer, timeOver(options.signal)]);
  } catch (error) {
    if (SignInFailedError.isInstance(error)) throw error;
    const problem = errorMessage(error);
    throw new SignInFailedError(problem, "free the port, or name another one with --port", error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Listens on a port of the loopback interface, and returns it. */
async function listen(server: Server, asked: number | undefined): Promise<number> {
  try {
    return await listenOn(server, asked ?? PREFERRED_PORT);
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (asked !== undefined || !isTaken) throw error;
    return await listenOn(server, 0);
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function timeOver(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw new SignInFailedError("the browser did not come back in time", "run the command again");
}

function sessionOf({ url = "" }: IncomingMessage, path: string): Session | undefined {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const token = searchParams.get("token");
  if (pathname !== `${path}/auth/callback` || !token) return undefined;
  const expiresAt = Date.parse(searchParams.get("expires_at") ?? "");
  return { token, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}

function reply(response: ServerResponse, session: Session | undefined): void {
  const text = session === undefined ? "Not found." : "You are signed in. You can close this page.";
  response.writeHead(session === undefined ? 404 : 200, {
    "content-type": "text/plain; charset=utf-8",
    connection: "close",
  });
  response.end(text);
}
