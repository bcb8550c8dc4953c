import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const MOST_ROWS = 1000;

/**
 * Adds `openclaw approvals`: pending requests, decisions, grants and the audit log (GW-043).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeApprovalCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const approvals = program
    .command("approvals")
    .description("decide approval requests; manage grants; read the audit log");
  describeRequests(approvals, context, end);
  describeAnswers(approvals, context, end);
  describeRecords(approvals, context, end);
  describeCheck(approvals, context, end);
}

function describeRequests(
  approvals: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./commands.js");
  approvals
    .command("list")
    .description("list the pending approval requests")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the requests as JSON")
    .action(async (options) => {
      end(await (await commands()).listApprovalsCommand(options, context));
    });
  approvals
    .command("show")
    .description("show all details of an approval request")
    .argument("<id>", "ID or code of the request")
    .option("--json", "print the request as JSON")
    .addHelpText("after", "\nExit codes: 0 shown, 4 request not found.")
    .action(async (id, options) => {
      end(await (await commands()).showApprovalCommand(id, options, context));
    });
  approvals
    .command("history")
    .description("list settled approval requests and their outcomes")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the requests as JSON")
    .action(async (options) => {
      end(await (await commands()).approvalHistoryCommand(options, context));
    });
}

function describeAnswers(
  approvals: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./commands.js");
  const exitCodes =
    "\nExit codes: 0 decided, 3 already decided or this decision is not offered, 4 request not found, 77 not permitted.";
  approvals
    .command("approve")
    .description("approve a pending request: once, or also similar calls from now on")
    .argument("<id>", "ID or code of the request")
    .option("--always", "also allow similar calls from now on")
    .addOption(
      new Option(
        "--scope <scope>",
        "how widely --always applies, instead of the request's default",
      ).choices(["session", "agent", "global"]),
    )
    .option(
      "--prefix <words>",
      "with --always: allow commands that start with these words, instead of the proposed ones (repeatable)",
      (words: string, earlier: readonly string[] = []) => [...earlier, words],
    )
    .option(
      "--field <name=value>",
      "value of a field, for a request for input (repeatable)",
      readField,
    )
    .option("--json", "print the decided request as JSON")
    .addHelpText("after", exitCodes)
    .action(async (id, options) => {
      end(await (await commands()).answerApprovalCommand(id, "allow", options, context));
    });
  approvals
    .command("deny")
    .description("deny a pending request")
    .argument("<id>", "ID or code of the request")
    .option("--note <text>", "note for the model, which receives it as the reason")
    .option("--json", "print the decided request as JSON")
    .addHelpText("after", exitCodes)
    .action(async (id, options) => {
      end(await (await commands()).answerApprovalCommand(id, "deny", options, context));
    });
}

function describeRecords(
  approvals: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const grants = () => import("./grant-commands.js");
  approvals
    .command("grants")
    .description("list the grants: calls that were allowed for more than one run")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the grants as JSON")
    .action(async (options) => {
      end(await (await grants()).listGrantsCommand(options, context));
    });
  approvals
    .command("revoke")
    .description("revoke a grant; the next matching call needs approval again")
    .argument("[id]", "ID of the grant")
    .option("--all", "revoke every grant")
    .option("--json", "print the revoked grants as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 revoked, 2 neither ID nor --all given, 4 grant not found.",
    )
    .action(async (id, options) => {
      end(await (await grants()).revokeGrantCommand(id, options, context));
    });
  approvals
    .command("audit")
    .description("print the audit log of requests, decisions and grants")
    .option("--approval <id>", "only entries of this approval request, by ID or code")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--verify", "check that no entry was changed")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExit codes: 0 ok, 3 with --verify when an entry was changed.")
    .action(async (options) => {
      const { auditCommand } = await import("./audit-command.js");
      end(await auditCommand(options, context));
    });
}

function describeCheck(
  approvals: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  approvals
    .command("check")
    .description(
      "predict whether a shell command would run in this folder without approval, and which rule decides",
    )
    .argument("<command>", "shell command in quotes, as the model would pass it; it is not run")
    .option("--agent <id>", "agent that would run it (default main)")
    .option("--json", "print the commands, the rules and the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 runs without approval, 3 needs approval or is denied.")
    .action(async (command, options) => {
      const { checkCommandCommand } = await import("./check-command.js");
      end(await checkCommandCommand(command, options, context));
    });
}

function sessionOption(): Option {
  return new Option("--session <key>", "only this session");
}

function limitOption(): Option {
  return new Option("--limit <n>", "maximum number of entries (default 100)").argParser((text) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_ROWS) return limit;
    throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_ROWS}.`);
  });
}

function readField(pair: string, earlier: readonly string[] = []): readonly string[] {
  if (pair.indexOf("=") < 1) throw new InvalidArgumentError("expected name=value");
  return [...earlier, pair];
}
