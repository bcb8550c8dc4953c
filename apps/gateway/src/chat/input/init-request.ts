const INIT = /^\/init$/i;

/** Message that asks for an AGENTS.md. The model writes the file with its tools, and with the approvals that they need. */
const REQUEST = `Create AGENTS.md for this workspace: the instructions that coding agents read first.

Look at the workspace with your tools before you write: its files, the README, the manifests of its packages, and the
configuration of build, tests and lint. If AGENTS.md exists, or CLAUDE.md does, read it and propose an improvement; keep
what is still true.

Write what an agent cannot guess and would get wrong: the commands to build, test and lint, also for a single test; how
the code is divided and where things belong; conventions that differ from what is usual. At most 60 lines, without advice
that holds for every project and without lists of every file. Invent nothing: leave out what you did not see.

Then write the file, and say in two sentences what it contains.`;

/**
 * Returns the message that `/init` stands for.
 * @param text - input
 * @returns undefined for any other input
 */
export function initRequestOf(text: string): string | undefined {
  return INIT.test(text.trim()) ? REQUEST : undefined;
}
