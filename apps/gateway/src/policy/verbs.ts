import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { readSince } from "./since.js";

/**
 * Adds `openclaw policy`: why a tool is allowed or denied, and tests of what is meant to be (POL-032).
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describePolicyCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const policy = program.command("policy").description("say which tools are allowed, and why");
  const commands = () => import("./commands.js");
  policy
    .command("explain")
    .description("say why a tool is allowed or denied, and what would change that")
    .argument("[tool]", "name of a tool, for example exec")
    .option("--id <decision>", "as it was decided about a recorded call, for example pd_1b2c…")
    .option("--session <key>", "in the circumstances of a stored session")
    .option("--agent <id>", "for this agent (default main)")
    .option("--provider <name>", "with a model of this provider")
    .option("--model <provider/model>", "with this model")
    .option("--channel <name>", "on this channel")
    .option("--group <id>", "in this group")
    .option("--sender <id>", "asked for by this sender, who is not the owner")
    .option("--sandboxed", "in the sandbox")
    .addOption(new Option("--subagent-depth <n>", "in a subagent so deep").argParser(parseDepth))
    .option("--json", "print the explanation as JSON")
    .addHelpText("after", "\nExit codes: 0 allowed, 3 denied, 4 no such tool, session or decision.")
    .action(async (tool, options) => {
      end(await (await commands()).explainCommand(tool, options, context));
    });
  policy
    .command("test")
    .description("check files of cases: {cases: [{name, tool, context, expect, by?}]}")
    .argument("<file...>", "JSON or JSON5 files")
    .option("--update", "write what policy says now into the cases that fail")
    .option("--json", "print the results as JSON")
    .addHelpText("after", "\nExit codes: 0 all pass, 3 some fail.")
    .action(async (files, options) => {
      end(await (await commands()).testPolicyCommand(files, options, context));
    });
  policy
    .command("what-if")
    .description("say which recorded calls a changed configuration would decide otherwise")
    .requiredOption("--config <file>", "the changed configuration; nothing runs with it")
    .addOption(
      new Option("--since <time>", "calls from then on: 7d, 12h, a date").argParser(parseSince),
    )
    .option("--session <key>", "calls of this session alone")
    .option("--agent <id>", "calls of this agent alone")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 no call flips, 3 some flip, 78 configuration.")
    .action(async (options) => {
      end(await (await commands()).whatIfCommand(options, context));
    });
}

function parseSince(text: string): number {
  const since = readSince(text, Date.now());
  if (since !== undefined) return since;
  throw new InvalidArgumentError('expected for example "7d", "12h", "30m", or a date.');
}

function parseDepth(text: string): number {
  const depth = Number(text);
  if (Number.isInteger(depth) && depth >= 0 && depth <= 100) return depth;
  throw new InvalidArgumentError("a depth is a whole number from 0 to 100.");
}
