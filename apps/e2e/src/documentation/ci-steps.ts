import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `test` builds the workspace before it runs. */
const BEFORE_TEST = "build";

/**
 * Returns true for a command that another step of CI runs: a script of the checkout in .ci/run, .ci/run itself, the creation
 * of a plugin from the registry, and the commands of the quick start with an installed openclaw.
 * @param root - the checkout
 * @param page - page that shows the command
 * @param command - without its comment
 * @param quickStart - commands of the quick start with an installed openclaw
 */
export function isRunByCi(
  root: string,
  page: string,
  command: string,
  quickStart: readonly string[],
): boolean {
  if (page === "docs/author/quick-start.md" && !command.startsWith("openclaw")) {
    return quickStart.includes(command);
  }
  if (command === "bash .ci/run") return true;
  // The rehearsals of the release and of the quick start do this with each template and with the installed packages.
  if (command === "npm install -g openclaw" || command.startsWith("npm create openclaw-plugin")) {
    return true;
  }
  const script = /^npx -y pnpm@\S+ ([\w:-]+)$/.exec(command)?.[1];
  return script !== undefined && scriptsOfCi(root).has(script);
}

function scriptsOfCi(root: string): ReadonlySet<string> {
  const text = readFileSync(join(root, ".ci/run"), "utf8");
  const names = text.matchAll(/"\$\{pnpm\[@\]\}" (?:run |--silent )?([\w:-]+)/g);
  return new Set([BEFORE_TEST, ...[...names].map(([, name = ""]) => name)]);
}
