import type { Interface } from "node:readline/promises";
import type { ApprovalAnswer, Approver } from "@openclaw/gateway";
import type { Terminal } from "./terminal.js";

/**
 * Asks at the terminal: y runs the call once, a runs this tool for the rest of the session, n refuses.
 * @param terminal - where to ask
 * @param input - the open line input
 */
export function terminalApprover(terminal: Terminal, input: Interface): Approver {
  const { colors } = terminal;
  return {
    async ask(question, signal) {
      terminal.print("");
      terminal.print(`${colors.yellow("?")} ${colors.bold(question.title)}`);
      if (question.description !== "") terminal.print(`  ${question.description}`);
      terminal.print(`  ${colors.dim(question.toolName)} ${JSON.stringify(question.params)}`);
      for (;;) {
        const text = await input.question("  [y]es, [n]o, [a]lways in this session: ", { signal });
        const answer = answerOf(text);
        if (answer !== undefined) return answer;
      }
    },
  };
}

function answerOf(text: string): ApprovalAnswer | undefined {
  switch (text.trim().toLowerCase()) {
    case "y":
    case "yes":
      return "allow-once";
    case "a":
    case "always":
      return "allow-session";
    case "n":
    case "no":
      return "deny";
    default:
      return undefined;
  }
}
