import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

/**
 * Asks a question that is answered with yes or no; no answer means no.
 * @param terminal - interactive terminal
 * @param question - question without the choices
 */
export async function agrees(terminal: Terminal, question: string): Promise<boolean> {
  const input = terminal.openInput();
  try {
    const answer = await input.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    input.close();
  }
}

/**
 * Asks before something is destroyed.
 * @param question - what would be destroyed, as a question
 * @param options - `yes` answers the question on the command line
 * @param terminal - terminal
 * @returns false when the answer is no
 * @throws UsageError when nobody can be asked
 */
export async function confirmed(
  question: string,
  { yes = false, json = false }: { yes?: boolean | undefined; json?: boolean | undefined },
  terminal: Terminal,
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive || json) {
    throw new UsageError(
      `${question} This command needs a confirmation, and the terminal is not interactive: add --yes`,
    );
  }
  if (await agrees(terminal, question)) return true;
  terminal.note("openclaw: nothing was changed");
  return false;
}
