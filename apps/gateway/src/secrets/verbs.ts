import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const MOST_USES = 1000;

/**
 * Adds `openclaw secrets`: storing secrets, which the configuration refers to.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeSecretCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const secrets = program
    .command("secrets")
    .description("store API keys and tokens encrypted, for ${secret:NAME} in the configuration");
  const commands = () => import("./commands.js");
  const json = (command: Command) => command.option("--json", "print the outcome as JSON");
  json(secrets.command("set"))
    .description("store a secret, or replace its value; the value is read without being shown")
    .argument("<name>", "name, for example OPENAI_KEY")
    .addOption(new Option("--from-env <variable>", "take the value of an environment variable"))
    .addOption(new Option("--expires <time>", "time after which it reads as missing (ISO 8601)"))
    .addHelpText(
      "after",
      "\nThe value comes from a prompt, or from standard input: `... | openclaw secrets set NAME`.",
    )
    .action(async (name, options) => {
      end(await (await commands()).setSecretCommand(name, options, context));
    });
  json(secrets.command("list"))
    .description("list the names, ages and last uses of secrets; values are never shown")
    .action(async (options) => {
      end(await (await commands()).listSecretsCommand(options, context));
    });
  json(secrets.command("uses"))
    .description("list when each secret was used, and by which key of the configuration or export")
    .argument("[name]", "name of one secret; all when absent")
    .addOption(
      new Option("--limit <n>", "maximum number of uses (default 100)").argParser(parseLimit),
    )
    .action(async (name, options) => {
      end(await (await commands()).secretUsesCommand(name, options, context));
    });
  json(secrets.command("delete"))
    .description("delete a secret")
    .argument("<name>", "name of the secret")
    .option("--yes", "do not ask, and delete it even if the configuration refers to it")
    .addHelpText("after", "\nExit codes: 0 deleted, 3 kept: in use or not confirmed, 4 not found.")
    .action(async (name, options) => {
      end(await (await commands()).deleteSecretCommand(name, options, context));
    });
  const logins = () => import("./login-commands.js");
  json(secrets.command("login"))
    .description("log in at another service for a plugin; needs a running gateway")
    .argument("<name>", "name of the credential, for example mail/google")
    .option("--loopback", "let the browser return to this machine, not to gateway.publicUrl")
    .addHelpText(
      "after",
      "\nIt prints the URL to open in a browser and waits up to 10 minutes. Without gateway.publicUrl the browser returns to port 9876 of this machine, or to a free one.\n\nExit codes: 0 logged in, 3 denied, failed or expired, 4 no plugin registers it, 69 no gateway runs.",
    )
    .action(async (name, options) => {
      end(await (await logins()).loginCommand(name, options, context));
    });
  json(secrets.command("logout"))
    .description("delete the tokens of a login, and revoke them if the service can")
    .argument("<name>", "name of the credential, for example mail/google")
    .option("--yes", "do not ask")
    .addHelpText(
      "after",
      "\nExit codes: 0 logged out, 3 not confirmed, 4 no plugin registers it, 69 no gateway runs.",
    )
    .action(async (name, options) => {
      end(await (await logins()).logoutCommand(name, options, context));
    });
  json(secrets.command("logins"))
    .description("list the logins that plugins need, and which of them are missing")
    .action(async (options) => {
      end(await (await logins()).listLoginsCommand(options, context));
    });
  json(secrets.command("rotate"))
    .description("encrypt every secret with a new master key")
    .action(async (options) => {
      end(await (await commands()).rotateSecretsCommand(options, context));
    });
  json(secrets.command("export"))
    .description("write all secrets to a file that is encrypted with a passphrase")
    .argument("<file>", "path of a file that does not exist yet")
    .addHelpText("after", PASSPHRASE)
    .action(async (file, options) => {
      end(await (await commands()).exportSecretsCommand(file, options, context));
    });
  json(secrets.command("import"))
    .description("store the secrets of an exported file; those with the same names are replaced")
    .argument("<file>", "file that `secrets export` wrote")
    .addHelpText("after", PASSPHRASE)
    .action(async (file, options) => {
      end(await (await commands()).importSecretsCommand(file, options, context));
    });
}

const PASSPHRASE =
  "\nThe passphrase comes from a prompt, or from the variable OPENCLAW_SECRETS_PASSPHRASE.";

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_USES) return limit;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_USES}.`);
}
