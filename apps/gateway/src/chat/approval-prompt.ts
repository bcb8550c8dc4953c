import type { Interface } from "node:readline/promises";
import { errorMessage } from "@openclaw/foundation";
import { approvalLines, escapeUnseen, howToAnswer } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Terminal } from "../shell/terminal.js";

/** A person's decision on a question. */
export type Decision = "allow-once" | "allow-always" | "deny";

/** Questions at a terminal, asked one after another. */
export interface TerminalApprovals {
  /**
   * Takes a question as it stands: one that waits is asked, one that is over is not asked any longer.
   * @param approval - the question
   */
  show(approval: ApprovalSummary): void;
}

/** The question that a person is answering. */
interface ShownApproval {
  readonly approval: ApprovalSummary;
  /** Aborts when somebody else, or the time, is first. */
  readonly ending: AbortController;
  isAnswered: boolean;
}

/** What questions at a terminal are asked with. */
export interface TerminalApprovalsOptions {
  readonly terminal: Terminal;
  /** The open line input. */
  readonly input: Interface;
  /** Settles a question; what it throws is shown. */
  answer(approval: ApprovalSummary, decision: Decision, prefix?: string): Promise<void>;
  /** Whether the input is free now; where it is not, the question is shown with how to answer it later. */
  isFree(): boolean;
}

/**
 * Asks at the terminal: y runs the call once, a what is like it for the rest of the session too, n refuses.
 * @param options - terminal, input, and who takes the answers
 */
export function terminalApprovals(options: TerminalApprovalsOptions): TerminalApprovals {
  const { terminal, input } = options;
  const { colors, print } = terminal;
  const seen = new Set<string>();
  let waiting: ApprovalSummary[] = [];
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
      const { decision, prefix } = await decisionOn(approval, signal);
      asking.isAnswered = true;
      await options.answer(approval, decision, prefix);
    } catch (error) {
      if (!signal.aborted) print(colors.red(errorMessage(error)));
    }
    asked = undefined;
    await askNext();
  }

  async function decisionOn(
    approval: ApprovalSummary,
    signal: AbortSignal,
  ): Promise<WrittenDecision> {
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
    if (asked?.approval.id !== approval.id || asked.isAnswered) return;
    asked.ending.abort();
    const { code, state, decidedBy = "the host" } = approval;
    print("");
    print(colors.dim(`  ${code} is ${state} (${escapeUnseen(decidedBy)})`));
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
      print("");
      printApproval(approval, terminal);
      print(`  ${colors.dim(howToAnswer(approval))}`);
      // What the person was writing stands again below it.
      input.prompt(true);
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

interface WrittenDecision {
  readonly decision: Decision;
  /** First words of the command to allow, as `a docker compose` has them. */
  readonly prefix?: string;
}

function readDecision(text: string): WrittenDecision | undefined {
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
