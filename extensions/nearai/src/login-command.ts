import type { CliCommand } from "@openclaw/plugin-sdk/plugin-entry";
import { SignInFailedError } from "./errors.js";
import type { SessionFile } from "./session-file.js";
import { ACCOUNTS, PREFERRED_PORT, signIn } from "./sign-in.js";

const MINUTES = 5;

/** Dependencies of the command. */
export interface LoginDependencies {
  readonly authURL: string;
  readonly file: SessionFile;
}

/**
 * Adds `nearai login`, which signs in at NEAR AI in a browser and stores the session.
 * @param program - root command
 * @param dependencies - URL of the sign-in, and file of the session
 */
export function addLoginCommand(program: CliCommand, { authURL, file }: LoginDependencies): void {
  program
    .command("nearai")
    .description("Sign in at NEAR AI.")
    .command("login")
    .description("Sign in at NEAR AI with a GitHub or Google account and store the session.")
    .option("--account <account>", `account to sign in with: ${ACCOUNTS.join(" or ")}`, ACCOUNTS[0])
    .option(
      "--port <port>",
      `port of this machine that the browser returns to (default: ${PREFERRED_PORT}, or a free one)`,
    )
    .action(async (options: { readonly account: string; readonly port?: string }) => {
      const account = ACCOUNTS.find((known) => known === options.account);
      const port = options.port === undefined ? undefined : Number(options.port);
      if (account === undefined) {
        const problem = `unknown account "${options.account}"`;
        throw new SignInFailedError(problem, `use --account ${ACCOUNTS.join(" or ")}`);
      }
      if (port !== undefined && (!Number.isInteger(port) || port < 0 || port > 65_535)) {
        throw new SignInFailedError(`invalid port "${options.port}"`, "use a number up to 65535");
      }
      const session = await signIn({
        authURL,
        account,
        port,
        signal: AbortSignal.timeout(MINUTES * 60_000),
        show(url) {
          const wait = `Waiting up to ${MINUTES} minutes for the browser.`;
          process.stdout.write(
            `Open this URL in a browser of this machine:\n\n  ${url}\n\n${wait}\n`,
          );
        },
      });
      await file.write(session, account, Date.now());
      const { expiresAt } = session;
      const until =
        expiresAt === undefined ? "" : ` It ends on ${new Date(expiresAt).toISOString()}.`;
      process.stdout.write(`Signed in. The session is stored in ${file.path}.${until}\n`);
    });
}
