import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { parseSince } from "../shell/since.js";

/**
 * Adds `openclaw policy`: explanations of decisions, and tests of the intended ones (POL-032).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describePolicyCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const policy = program.command("policy").description("explain and test which tools are allowed");
  const commands = () => import("./commands.js");
  policy
    .command("explain")
    .description("explain why a tool is allowed or denied, and what would change that")
    .argument("[tool]", "name of a tool, for example exec")
    .option("--id <decision>", "decision of a recorded call, for example pd_1b2c…")
    .option("--session <key>", "use the circumstances of a stored session")
    .option("--agent <id>", "for this agent (default main)")
    .option("--provider <name>", "for a model of this provider")
    .option("--model <provider/model>", "for this model")
    .option("--channel <name>", "on this channel")
    .option("--group <id>", "in this group")
    .option("--sender <id>", "for a message from this sender, who is not the owner")
    .option("--sandboxed", "in the sandbox")
    .addOption(
      new Option("--subagent-depth <n>", "in a subagent at this depth").argParser(parseDepth),
    )
    .option("--json", "print the explanation as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 allowed, 3 denied, 4 tool, session or decision not found.",
    )
    .action(async (tool, options) => {
      end(await (await commands()).explainCommand(tool, options, context));
    });
  policy
    .command("test")
    .description(
      "check policy against files of cases: {cases: [{name, tool, context, expect, by?}]}",
    )
    .argument("<file...>", "JSON or JSON5 files")
    .option("--update", "write the current decisions into the failing cases")
    .option("--json", "print the results as JSON")
    .addHelpText("after", "\nExit codes: 0 all pass, 3 some fail.")
    .action(async (files, options) => {
      end(await (await commands()).testPolicyCommand(files, options, context));
    });
  policy
    .command("what-if")
    .description("list the recorded calls that a changed configuration would decide differently")
    .requiredOption("--config <file>", "file with the changed configuration; nothing runs with it")
    .addOption(
      new Option("--since <time>", "only calls since this time: 7d, 12h or a date").argParser(
        parseSince,
      ),
    )
    .option("--session <key>", "only calls of this session")
    .option("--agent <id>", "only calls of this agent")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 no decision changes, 3 some change, 78 configuration.")
    .action(async (options) => {
      end(await (await commands()).whatIfCommand(options, context));
    });
}

function parseDepth(text: string): number {
  const depth = Number(text);
  if (Number.isInteger(depth) && depth >= 0 && depth <= 100) return depth;
  throw new InvalidArgumentError("expected an integer from 0 to 100.");
}
