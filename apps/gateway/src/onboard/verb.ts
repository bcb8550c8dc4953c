import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { PROVIDER_IDS } from "./provider.js";

/**
 * Adds `openclaw onboard` (HOST-034).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeOnboardCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("onboard")
    .description("set up model, key, database and service with at most five prompts")
    .addOption(new Option("--provider <id>", "model provider").choices(PROVIDER_IDS))
    .option(
      "--api-key-env <variable>",
      "environment variable with the API key, which is stored encrypted",
    )
    .option("--base-url <url>", "URL of an OpenAI-compatible server or of Ollama")
    .option(
      "--server <name=url...>",
      "named servers with the OpenAI API: the second takes over when the first fails",
    )
    .option("--model <name>", "model of the provider")
    .option("--database <url>", "postgres:// URL, file: URL, or sqlite for the state folder")
    .option("--service", "run the gateway as a service of this user")
    .option("--no-service", "do not run it as a service")
    .option("--skip-tests", "save without testing key and database")
    .option("--yes", "ask nothing: use the options, and defaults for the rest")
    .option("--json", "print the outcome as JSON (with --yes)")
    .addHelpText(
      "after",
      "\nEnter accepts the default of a prompt, Esc goes back, and Esc at the first prompt stops.\nAn interrupted setup continues where it stopped. Without a terminal it asks nothing.",
    )
    .action(async (options) => {
      const { onboardCommand } = await import("./command.js");
      end(await onboardCommand(options, context));
    });
}
