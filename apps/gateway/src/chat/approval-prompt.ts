import type { Interface } from "node:readline/promises";
import { formPrompts } from "@openclaw/approval-broker";
import {
  ApprovalHold,
  type ConversationPartner,
  type DecisionOfUser,
  type InputOfUser,
} from "@openclaw/client/conversation";
import { errorMessage, escapeUnseen, OpenClawError } from "@openclaw/foundation";
import { alwaysCovers, approvalInstructions, approvalLines } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import { CLEAR_LINE, type Terminal } from "../shell/terminal.js";
import { wrapAtWords } from "../shell/word-wrap.js";
import { beyondCommand, commandFacts, sessionFact } from "./approval-facts.js";

/** Facts that are sentences. Commands, files and parameters are shown as they are. */
const PROSE: ReadonlySet<string> = new Set(["agent", "always", "asked by", "for", "job", "time"]);
/** Width of the names of facts. */
const INDENT = " ".repeat(11);

/** Approval requests at a terminal, which are prompted for one after another. */
export interface TerminalApprovals {
  /**
   * Prompts for a pending request, or withdraws the prompt of a settled one.
   * @param approval - the request in its current state
   */
  show(approval: ApprovalSummary): void;
}

/** Approval request that the terminal is prompting for. */
interface ShownApproval {
  readonly approval: ApprovalSummary;
  /** Aborts when the request is settled elsewhere or expires. */
  readonly ending: AbortController;
  isAnswered: boolean;
}

/** Dependencies of the approval prompts of a terminal. */
export interface TerminalApprovalsOptions {
  readonly terminal: Terminal;
  /** Open line input. */
  readonly input: Interface;
  /** Gateway that has the requests; the message of an error with which it rejects a decision is shown. */
  readonly partner: Pick<ConversationPartner, "answer" | "call" | "sessionKey">;
  /** Folder of the chat or command. */
  readonly workspaceDir: string;
  /**
   * True when the input can prompt now; otherwise the request is shown with instructions for deciding it
   * later.
   */
  isFree(): boolean;
}

/**
 * Prompts at the terminal: `y` allows the call once, `a` also the calls that the request names for the rest of the
 * session, `n` denies it. A request does not expire while a person is there.
 * @param options - terminal, input and receiver of the decisions
 */
export function terminalApprovals(options: TerminalApprovalsOptions): TerminalApprovals {
  const { terminal, input, partner, workspaceDir } = options;
  const { colors, print } = terminal;
  const seen = new Set<string>();
  /** Pending requests that were shown above the input line, without a prompt. */
  const shownAbove = new Set<string>();
  let waiting: ApprovalSummary[] = [];
  let isOpen = true;
  const hold = new ApprovalHold(partner);
  input.on("line", () => hold.input());
  input.once("close", () => {
    isOpen = false;
    hold.end();
  });
  let asked: ShownApproval | undefined;

  async function askNext(): Promise<void> {
    if (asked !== undefined) return;
    const approval = waiting.shift();
    if (approval === undefined) return;
    const asking: ShownApproval = { approval, ending: new AbortController(), isAnswered: false };
    asked = asking;
    const { signal } = asking.ending;
    print("");
    printApproval(approval);
    for (;;) {
      try {
        const decision = await decisionOn(approval, signal);
        asking.isAnswered = true;
        const missing = await partner.answer(approval, decision);
        if (missing !== undefined) print(colors.dim(`  ${missing}`));
      } catch (error) {
        if (!signal.aborted) print(colors.red(errorMessage(error)));
        asking.isAnswered = false;
        // Values that do not fit leave the request pending, and the person corrects them.
        if (!signal.aborted && codeOf(error) === "APPROVAL_INPUT_INVALID") continue;
      }
      break;
    }
    asked = undefined;
    await askNext();
  }

  async function decisionOn(
    approval: ApprovalSummary,
    signal: AbortSignal,
  ): Promise<DecisionOfUser> {
    if (approval.input !== undefined) return await inputFor(approval.input, signal);
    const mayLast = approval.allowedDecisions.includes("allow-always");
    const prompt = `  [y]es, [n]o${mayLast ? ", [a]lways" : ""}: `;
    for (;;) {
      const written = readDecision(await input.question(prompt, { signal }));
      if (written !== undefined && approval.allowedDecisions.includes(written.decision)) {
        return written;
      }
    }
  }

  /** Asks for the fields of a form one after the other. */
  async function inputFor(
    { schema }: NonNullable<ApprovalSummary["input"]>,
    signal: AbortSignal,
  ): Promise<DecisionOfUser> {
    const prompt = "  [y]es to fill it in, [n]o: ";
    let begun: DecisionOfUser | undefined;
    while (begun === undefined || begun.decision === "allow-always") {
      begun = readDecision(await input.question(prompt, { signal }));
    }
    if (begun.decision === "deny") return begun;
    const values: InputOfUser = {};
    for (const { name, text, read } of formPrompts(schema)) {
      const question = `  ${escapeUnseen(text)}: `;
      for (;;) {
        const given = read((await input.question(question, { signal })).trim());
        if ("problem" in given) {
          print(colors.red(`  ${escapeUnseen(given.problem)}`));
          continue;
        }
        if (given.value !== undefined) values[name] = given.value;
        break;
      }
    }
    return { decision: "allow-once", input: values };
  }

  function settle(approval: ApprovalSummary): void {
    hold.delete(approval.id);
    waiting = waiting.filter(({ id }) => id !== approval.id);
    const { code, state, decidedBy = "the host" } = approval;
    const line = colors.dim(`  ${code} is ${state} (${escapeUnseen(decidedBy)})`);
    if (shownAbove.delete(approval.id)) {
      printAbove(() => print(line));
      return;
    }
    if (asked?.approval.id !== approval.id || asked.isAnswered) return;
    asked.ending.abort();
    print("");
    print(line);
  }

  function printApproval(approval: ApprovalSummary): void {
    const { title, description, change } = approval;
    const shown = { approval, sessionKey: partner.sessionKey, workspaceDir };
    const commands = commandFacts(shown);
    const isCommand = commands.length > 0;
    const asShown = isCommand ? { ...approval, ...beyondCommand(approval) } : approval;
    const facts = [...sessionFact(shown), ...commands, ...approvalLines(asShown, Date.now())];
    print(`${colors.yellow("?")} ${colors.bold(escapeUnseen(title))}`);
    if (description !== "" && !isCommand) print(`  ${indented(escapeUnseen(description), "  ")}`);
    for (const { name, value } of facts) {
      // The diff says what the parameters say.
      if (change !== undefined && (name === "with" || name === "")) continue;
      const text = name === "always" ? `allows ${alwaysCovers(approval)} in this session` : value;
      print(`  ${colors.dim(name.padEnd(8))} ${PROSE.has(name) ? indented(text) : text}`);
    }
    if (change !== undefined) {
      for (const line of change.trimEnd().split("\n")) print(`  ${escapeUnseen(line)}`);
    }
  }

  /** Wraps a sentence in the column of the values, or behind another indent. */
  function indented(text: string, indent = INDENT): string {
    const columns = terminal.size?.().columns;
    if (columns === undefined) return text;
    const width = Math.max(1, columns - indent.length);
    return wrapAtWords(text, width).replaceAll("\n", `\n${indent}`);
  }

  /** Prints lines, with the input line that the person was editing again below them. */
  function printAbove(printLines: () => void): void {
    const isEditing = isOpen && !options.isFree();
    if (isEditing) terminal.write(CLEAR_LINE);
    printLines();
    if (isEditing) input.prompt(true);
  }

  return {
    show(approval) {
      if (approval.state !== "pending") return settle(approval);
      if (seen.has(approval.id)) return;
      seen.add(approval.id);
      hold.add(approval.id);
      if (options.isFree()) {
        waiting.push(approval);
        void askNext();
        return;
      }
      shownAbove.add(approval.id);
      printAbove(() => {
        print("");
        printApproval(approval);
        print(`  ${colors.dim(indented(approvalInstructions(approval), "  "))}`);
      });
    },
  };
}

function readDecision(text: string): DecisionOfUser | undefined {
  const [, prefix] = /^(?:a|always)\s+(\S.*)$/i.exec(text.trim()) ?? [];
  if (prefix !== undefined) return { decision: "allow-always", prefix };
  switch (text.trim().toLowerCase()) {
    case "y":
    case "yes":
      return { decision: "allow-once" };
    case "a":
    case "always":
      return { decision: "allow-always" };
    case "n":
    case "no":
      return { decision: "deny" };
    default:
      return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return OpenClawError.isInstance(error) ? error.code : undefined;
}
