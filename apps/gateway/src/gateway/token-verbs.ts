import { METHOD_SCOPES, type MethodScope } from "@openclaw/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw gateway token`: tokens with limited rights.
 * @param gateway - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeTokenCommands(
  gateway: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const token = gateway.command("token").description("create, list and revoke named tokens");
  const commands = () => import("./token-commands.js");
  token
    .command("create")
    .description("create a token, write its hash into the configuration, and print it once")
    .addOption(
      new Option("--name <name>", "name of the token: lower-case letters, digits, - and _")
        .argParser(tokenName)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--scope <scope>", `right of the token: ${METHOD_SCOPES.join(", ")} (repeatable)`)
        .argParser(collectScope)
        .makeOptionMandatory(),
    )
    .option("--expires <time>", "time after which it is rejected: 90d, 12h or 2027-01-31")
    .option("--json", "print token and entry as JSON")
    .action(async (options) => {
      end(await (await commands()).createTokenCommand(options, context));
    });
  token
    .command("list")
    .description("list the named tokens of the configuration")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listTokensCommand(options, context));
    });
  token
    .command("revoke")
    .description("remove a token from the configuration")
    .argument("<name>", "name of the token")
    .option("--json", "print the outcome as JSON")
    .action(async (name, options) => {
      end(await (await commands()).revokeTokenCommand(name, options, context));
    });
}

function tokenName(text: string): string {
  const isReserved = text === "gateway" || text === "operator";
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(text) && !isReserved) return text;
  throw new InvalidArgumentError(
    "expected 1 to 63 lower-case letters, digits, - and _; gateway and operator are reserved.",
  );
}

function collectScope(text: string, earlier: MethodScope[] = []): MethodScope[] {
  const scope = METHOD_SCOPES.find((each) => each === text || each === `operator.${text}`);
  if (scope === undefined) {
    throw new InvalidArgumentError(`expected one of ${METHOD_SCOPES.join(", ")}.`);
  }
  return [...earlier.filter((each) => each !== scope), scope];
}
