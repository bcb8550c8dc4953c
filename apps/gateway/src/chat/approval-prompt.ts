import type { Interface } from "node:readline/promises";
import { errorMessage } from "@openclaw/foundation";
import { approvalInstructions, approvalLines, escapeUnseen } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import { CLEAR_LINE, type Terminal } from "../shell/terminal.js";
import type { DecisionOfUser } from "./view.js";

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
  /** Decides a request; the message of an error that it throws is shown. */
  answer(approval: ApprovalSummary, decision: DecisionOfUser): Promise<void>;
  /**
   * True when the input can prompt now; otherwise the request is shown with instructions for deciding it
   * later.
   */
  isFree(): boolean;
}

/**
 * Prompts at the terminal: `y` allows the call once, `a` also similar calls for the rest of the session, `n`
 * denies it.
 * @param options - terminal, input and receiver of the decisions
 */
export function terminalApprovals(options: TerminalApprovalsOptions): TerminalApprovals {
  const { terminal, input } = options;
  const { colors, print } = terminal;
  const seen = new Set<string>();
  /** Pending requests that were shown above the input line, without a prompt. */
  const shownAbove = new Set<string>();
  let waiting: ApprovalSummary[] = [];
  let isOpen = true;
  input.once("close", () => {
    isOpen = false;
  });
  let asked: ShownApproval | undefined;

  async function askNext(): Promise<void> {
    if (asked !== undefined) return;
    const approval = waiting.shift();
    if (approval === undefined) return;
    const asking: ShownApproval = { approval, ending: new AbortController(), isAnswered: false };
    asked = asking;
    const { signal } = asking.ending;
    printApproval(approval, terminal);
    try {
      const decision = await decisionOn(approval, signal);
      asking.isAnswered = true;
      await options.answer(approval, decision);
    } catch (error) {
      if (!signal.aborted) print(colors.red(errorMessage(error)));
    }
    asked = undefined;
    await askNext();
  }

  async function decisionOn(
    approval: ApprovalSummary,
    signal: AbortSignal,
  ): Promise<DecisionOfUser> {
    const mayLast = approval.allowedDecisions.includes("allow-always");
    const prompt = `  [y]es, [n]o${mayLast ? ", [a]lways in this session" : ""}: `;
    for (;;) {
      const written = readDecision(await input.question(prompt, { signal }));
      if (written !== undefined && approval.allowedDecisions.includes(written.decision)) {
        return written;
      }
    }
  }

  function settle(approval: ApprovalSummary): void {
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
      if (options.isFree()) {
        waiting.push(approval);
        void askNext();
        return;
      }
      shownAbove.add(approval.id);
      printAbove(() => {
        printApproval(approval, terminal);
        print(`  ${colors.dim(approvalInstructions(approval))}`);
      });
    },
  };
}

function printApproval(approval: ApprovalSummary, { colors, print }: Terminal): void {
  print("");
  print(`${colors.yellow("?")} ${colors.bold(escapeUnseen(approval.title))}`);
  if (approval.description !== "") print(`  ${escapeUnseen(approval.description)}`);
  for (const { name, value } of approvalLines(approval, Date.now())) {
    print(`  ${colors.dim(name.padEnd(8))} ${value}`);
  }
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
