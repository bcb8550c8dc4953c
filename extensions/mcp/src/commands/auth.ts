import { stdin } from "node:process";
import { createInterface } from "node:readline";
import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import { McpAuthError, McpAuthStateError } from "../errors.js";
import type { RemovedLogin, StartedLogin } from "../oauth/methods.js";
import { LOGIN_MS } from "../oauth/record.js";
import type { ServerOverview } from "../servers.js";
import { note, print, toolLines } from "./output.js";

/** Calls a method of the gateway. */
type Call = <Result>(method: string, params: Readonly<Record<string, unknown>>) => Promise<Result>;

/**
 * Logs in to an HTTP server: prints the URL of the login page, and waits for the browser, or for the URL to which it was sent
 * where the browser runs on another machine.
 * @param name - name of the server
 * @param call - calls a method of the gateway
 * @param context - command line
 */
export async function logIn(
  name: string,
  call: Call,
  { listenForLogin, setExitCode }: CliContext,
): Promise<void> {
  if (listenForLogin === undefined) {
    throw new RuntimeCapabilityError("mcp", "listenForLogin", "use the command line of OpenClaw");
  }
  let settle: (error?: unknown) => void = () => undefined;
  const completed = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  const complete = async (query: string) => {
    await call("mcp.auth.complete", { server: name, query });
  };
  const failed = (error: unknown) => {
    // Any page of the browser can send a state; only the one of the login ends it.
    if (codeOf(error) === McpAuthStateError.code) note(errorMessage(error));
    else settle(error);
  };
  const late = setTimeout(() => {
    settle(new McpAuthError(name, "it was not completed within 10 minutes", "start it again"));
  }, LOGIN_MS);
  await using listener = await listenForLogin(async (query) => {
    try {
      await complete(query);
      settle();
      return { status: 200, text: `MCP server ${name} is ready. You can close this page.` };
    } catch (error) {
      failed(error);
      return { status: 400, text: errorMessage(error) };
    }
  });
  const { redirectUri } = listener;
  const { url } = await call<StartedLogin>("mcp.auth.start", { server: name, redirectUri });
  print(false, url, () => [
    `Open this URL in a browser to log in to MCP server ${name}:`,
    url,
    "Then wait. If the browser runs on another machine, it shows an error at the end: paste the URL of that page here.",
  ]);
  const pasted = createInterface({ input: stdin });
  pasted.on("line", (line) => {
    const query = queryOf(line);
    if (query === undefined) {
      if (line.trim() !== "") note(`Expected a URL that begins with ${redirectUri}.`);
    } else complete(query).then(() => settle(), failed);
  });
  try {
    await completed;
  } finally {
    clearTimeout(late);
    pasted.close();
    // A file, such as /dev/null, is a stream that cannot be unreferenced.
    stdin.destroy();
  }
  print(false, name, () => [`Logged in to MCP server ${name}.`]);
  try {
    const tested = await call<ServerOverview>("mcp.test", { server: name });
    print(false, tested, () => toolLines(tested));
  } catch (error) {
    note(errorMessage(error));
    setExitCode?.(1);
  }
}

/**
 * Removes the login of an HTTP server.
 * @param name - name of the server
 * @param call - calls a method of the gateway
 */
export async function logOut(name: string, call: Call): Promise<void> {
  const outcome = await call<RemovedLogin>("mcp.auth.remove", { server: name });
  const { removed, revoked } = outcome;
  print(false, outcome, () => {
    if (!removed) return [`MCP server ${name} had no login.`];
    return [
      revoked
        ? `Removed the login of MCP server ${name}; the authorization server revoked its tokens.`
        : `Removed the login of MCP server ${name}. Its tokens were not revoked; end the access in your account there.`,
    ];
  });
}

function queryOf(line: string): string | undefined {
  const url = URL.parse(line.trim());
  return url?.searchParams.has("state") === true ? url.search.slice(1) : undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
