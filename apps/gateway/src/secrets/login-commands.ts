import { type GatewayClient, GatewayUnreachableError } from "@openclaw/client";
import { defined, errorMessage } from "@openclaw/foundation";
import { loadEarlySections } from "../configuration.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { stateDirOf } from "../installation.js";
import { confirmed } from "../shell/confirmation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type CallbackAnswer, LoginListener } from "./login-listener.js";

/** Interval at which the state of a login is read, in milliseconds. */
const POLL_MS = 1000;

/** Options of `openclaw secrets login`. */
export interface LoginOptions {
  /** Listens on this machine, also when the gateway has a URL for browsers. */
  readonly loopback?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `openclaw secrets login`: prints the URL of the login page, and waits for the end of the login.
 * @param name - name of the credential, `<plugin id>/<id>`, or its ID
 * @param options - place of the callback, and format
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway runs; errors of `logins.start`
 */
export async function loginCommand(
  name: string,
  { loopback = false, json = false }: LoginOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const client = await runningGateway(context);
  const { gateway } = await loadEarlySections(context.environment);
  const usesGateway = gateway?.publicUrl !== undefined && !loopback;
  let settle: () => void = () => {};
  const callback = new Promise<void>((resolve) => {
    settle = resolve;
  });
  await using listener = usesGateway
    ? undefined
    : await LoginListener.open(async (query) => {
        const answered = await passOn(client, query);
        settle();
        return answered;
      });
  const redirectUri = listener?.redirectUri;
  const started = await client.call("logins.start", { name, ...defined({ redirectUri }) });
  const { credential, url, loginId } = started;
  // On standard error with --json, so that standard output has the outcome only.
  const say = (line: string) => (json ? terminal.note(line) : terminal.print(line));
  say(`Open this URL in a browser to log in for ${credential}:`);
  say(url);
  say("Waiting up to 10 minutes for the end of the login.");
  for (;;) {
    const { status, message } = await client.call("logins.status", { loginId });
    if (status !== "pending") {
      const isComplete = status === "completed";
      const text = isComplete ? `Logged in: ${credential}.` : `Not logged in: ${message}.`;
      if (json) terminal.print(JSON.stringify({ name: credential, status, message }));
      else if (isComplete) terminal.print(text);
      else terminal.note(`openclaw: ${text}`);
      return isComplete ? EXIT.ok : EXIT.negative;
    }
    await waitFor(callback, POLL_MS);
  }
}

/**
 * Runs `openclaw secrets logout`.
 * @param name - name of the credential, `<plugin id>/<id>`, or its ID
 * @param options - consent and format
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway runs; OAuthCredentialNotFoundError
 */
export async function logoutCommand(
  name: string,
  { yes = false, json = false }: { readonly yes?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const client = await runningGateway(context);
  if (!(await confirmed(`Log out of ${name}?`, { yes, json }, terminal))) return EXIT.negative;
  const outcome = await client.call("logins.remove", { name });
  const { credential, removed, revoked } = outcome;
  if (json) terminal.print(JSON.stringify({ name: credential, removed, revoked }));
  else if (!removed) terminal.print(`${credential} was not logged in.`);
  else if (revoked) terminal.print(`Logged out of ${credential}; the server revoked its tokens.`);
  else {
    terminal.print(
      `Logged out of ${credential}. The server did not revoke its tokens; end the access in your account there.`,
    );
  }
  return EXIT.ok;
}

/**
 * Runs `openclaw secrets logins`.
 * @param options - format
 * @param context - terminal and environment
 * @throws GatewayUnreachableError when no gateway runs
 */
export async function listLoginsCommand(
  { json = false }: { readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal } = context;
  const client = await runningGateway(context);
  const { credentials } = await client.call("logins.list", {});
  if (json) terminal.print(JSON.stringify({ credentials }));
  else if (credentials.length === 0) terminal.print("No enabled plugin needs a login.");
  else {
    const { printRows } = await import("../shell/table.js");
    const rows = credentials.map(({ name, status, reason = "" }) => [name, status, reason]);
    printRows(rows, terminal, { titles: ["NAME", "STATUS", "REASON"] });
  }
  return EXIT.ok;
}

async function runningGateway({ environment }: CommandContext): Promise<GatewayClient> {
  const running = await findRunningGateway(environment);
  if (running?.http !== undefined) return running.http.client;
  throw new GatewayUnreachableError(
    `no gateway uses the state folder ${stateDirOf(environment)}; start one with \`openclaw gateway run\`, because it makes the login`,
  );
}

async function passOn(client: GatewayClient, query: string): Promise<CallbackAnswer> {
  try {
    const { credential, status, message } = await client.call("logins.complete", { query });
    // A denied login has ended too.
    return status === "completed"
      ? { status: 200, text: `The credential ${credential} is ready. You can close this page.` }
      : { status: 400, text: message };
  } catch (error) {
    return { status: 400, text: errorMessage(error) };
  }
}

/** Waits for an event, at most for a time. */
async function waitFor(event: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([event, late]);
  clearTimeout(timer);
}
