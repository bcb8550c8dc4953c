import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";

/**
 * Prompts for yes or no; an empty answer means no.
 * @param terminal - interactive terminal
 * @param prompt - text of the prompt, without the choices
 */
export async function agrees(terminal: Terminal, prompt: string): Promise<boolean> {
  const input = terminal.openInput();
  try {
    const answer = await input.question(`${prompt} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    input.close();
  }
}

/**
 * Prompts for a confirmation before data is destroyed.
 * @param prompt - text of the prompt, which names the data
 * @param options - `yes` confirms on the command line; `json` never prompts
 * @returns false when the user declines
 * @throws UsageError when the terminal is not interactive
 */
export async function confirmed(
  prompt: string,
  { yes = false, json = false }: { yes?: boolean | undefined; json?: boolean | undefined },
  terminal: Terminal,
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive || json) {
    throw new UsageError(
      `${prompt} This command needs a confirmation, and the terminal is not interactive: add --yes`,
    );
  }
  if (await agrees(terminal, prompt)) return true;
  terminal.note("openclaw: nothing was changed");
  return false;
}
