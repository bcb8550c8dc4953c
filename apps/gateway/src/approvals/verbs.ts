import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

const MOST_ROWS = 1000;

/**
 * Adds `openclaw approvals`: what waits for a person's word, answers, grants and the audit (GW-043).
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeApprovalCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const approvals = program
    .command("approvals")
    .description("answer what waits for a person's word; see grants and the audit");
  describeQuestions(approvals, context, end);
  describeAnswers(approvals, context, end);
  describeRecords(approvals, context, end);
  describeCheck(approvals, context, end);
}

function describeQuestions(
  approvals: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const commands = () => import("./commands.js");
  approvals
    .command("list")
    .description("list the questions that wait for an answer")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the questions as JSON")
    .action(async (options) => {
      end(await (await commands()).listApprovalsCommand(options, context));
    });
  approvals
    .command("show")
    .description("show all that is known of a question")
    .argument("<id>", "id or code of the question")
    .option("--json", "print the question as JSON")
    .addHelpText("after", "\nExit codes: 0 shown, 4 no such question.")
    .action(async (id, options) => {
      end(await (await commands()).showApprovalCommand(id, options, context));
    });
  approvals
    .command("history")
    .description("list questions that are over, and how they ended")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the questions as JSON")
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
    "\nExit codes: 0 decided, 3 decided before or not to be decided so, 4 no such question, 77 not permitted.";
  approvals
    .command("approve")
    .description("allow a call that waits: once, or from now on")
    .argument("<id>", "id or code of the question")
    .option("--always", "allow later calls like it too")
    .addOption(
      new Option(
        "--scope <scope>",
        "how far --always reaches, instead of the question's own",
      ).choices(["session", "agent", "global"]),
    )
    .option(
      "--prefix <words>",
      "allow later commands that start with these words, instead of those proposed; repeatable",
      (words: string, earlier: readonly string[] = []) => [...earlier, words],
    )
    .option("--json", "print the decided question as JSON")
    .addHelpText("after", exitCodes)
    .action(async (id, options) => {
      end(await (await commands()).answerApprovalCommand(id, "allow", options, context));
    });
  approvals
    .command("deny")
    .description("refuse a call that waits")
    .argument("<id>", "id or code of the question")
    .option("--json", "print the decided question as JSON")
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
    .description("list what runs without a question, since somebody allowed it for longer")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--json", "print the grants as JSON")
    .action(async (options) => {
      end(await (await grants()).listGrantsCommand(options, context));
    });
  approvals
    .command("revoke")
    .description("end a grant; the very next call is asked about again")
    .argument("[id]", "id of the grant")
    .option("--all", "end every grant")
    .option("--json", "print the ended grants as JSON")
    .addHelpText("after", "\nExit codes: 0 ended, 2 neither id nor --all, 4 no such grant.")
    .action(async (id, options) => {
      end(await (await grants()).revokeGrantCommand(id, options, context));
    });
  approvals
    .command("audit")
    .description("list what was asked, decided, used, refused, granted and revoked")
    .option("--approval <id>", "of one question, by id or code")
    .addOption(sessionOption())
    .addOption(limitOption())
    .option("--verify", "check that every row is as it was written")
    .option("--json", "print one row a line as JSON")
    .addHelpText("after", "\nExit codes: 0, or with --verify 3 when a row was changed.")
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
    .description("say whether a shell command would run unasked in this folder, and by which rule")
    .argument("<command>", "as the model would give it, in quotes; nothing of it is run")
    .option("--agent <id>", "for this agent (default main)")
    .option("--json", "print the commands, the rules and the outcome as JSON")
    .addHelpText("after", "\nExit codes: 0 runs unasked, 3 asks or is refused.")
    .action(async (command, options) => {
      const { checkCommandCommand } = await import("./check-command.js");
      end(await checkCommandCommand(command, options, context));
    });
}

function sessionOption(): Option {
  return new Option("--session <key>", "of one session");
}

function limitOption(): Option {
  return new Option("--limit <n>", "how many at most (default 100)").argParser((text) => {
    const limit = Number(text);
    if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_ROWS) return limit;
    throw new InvalidArgumentError(`a limit is a whole number from 1 to ${MOST_ROWS}.`);
  });
}
