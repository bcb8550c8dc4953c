import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { parseSince } from "../shell/since.js";
import type { UsageFilter } from "./command.js";

/** Names of filters by their parameter. */
const FILTERS = {
  agent: "agentId",
  session: "sessionKey",
  job: "jobId",
  model: "model",
  sender: "sender",
} as const;

/**
 * Adds `openclaw usage`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeUsageCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("usage")
    .description("show what models were called, with tokens and cost")
    .addOption(
      new Option("--by <group>", "group of the sums")
        .choices(["day", "month", "agent", "session", "job", "model", "sender", "tool"])
        .default("day"),
    )
    .addOption(
      new Option("--since <time>", "calls since: 7d, 12h or a date; default 30d").argParser(
        parseSince,
      ),
    )
    .addOption(
      new Option(
        "--filter <key:value...>",
        "only calls with this agent, session, job, model or sender, for example agent:main",
      ).argParser(parseFilter),
    )
    .addOption(
      new Option("--split <period>", "sum each day or month of a group, too").choices([
        "day",
        "month",
      ]),
    )
    .addOption(new Option("--csv", "print the sums as CSV, with exact figures").conflicts("json"))
    .option("--json", "print the sums as JSON")
    .action(async (options) => {
      const { usageCommand } = await import("./command.js");
      end(await usageCommand(options, context));
    });
}

function parseFilter(text: string, earlier: UsageFilter = {}): UsageFilter {
  const [, key = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (!isFilter(key)) {
    throw new InvalidArgumentError(
      `expected key:value with one of ${Object.keys(FILTERS).join(", ")} as key.`,
    );
  }
  return { ...earlier, [FILTERS[key]]: value };
}

function isFilter(key: string): key is keyof typeof FILTERS {
  return Object.hasOwn(FILTERS, key);
}
