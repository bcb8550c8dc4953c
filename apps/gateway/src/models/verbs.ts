import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw models`: the models, what they may cost, and a test call.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeModelCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const models = program
    .command("models")
    .description("show models with prices and budgets, and test whether one answers");
  models
    .command("list")
    .description("list the models of the providers that are set up, with prices and limits")
    .option("--all", "also list the models of providers that are not set up")
    .option("--json", "print the models as JSON")
    .addHelpText(
      "after",
      "\nPrices are in US dollars per million tokens. `unknown` is printed for what neither the built-in table nor\nmodels.known in the configuration has.",
    )
    .action(async (options) => {
      const { listModelsCommand } = await import("./list-command.js");
      end(await listModelsCommand(options, context));
    });
  models
    .command("status")
    .description("show the model in use, why it was chosen, and how much of each budget is used")
    .option("--json", "print the state as JSON")
    .action(async (options) => {
      const { modelStatusCommand } = await import("./status-command.js");
      end(await modelStatusCommand(options, context));
    });
  models
    .command("test")
    .description("call a model once and print time, tokens and cost")
    .argument("[model]", "provider/model; default: the model in use")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nA paid model charges for the call, which counts against the budgets.")
    .action(async (model, options) => {
      const { testModelCommand } = await import("./test-command.js");
      end(await testModelCommand(model, options, context));
    });
}
