import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Way in which a reader has `openclaw`. */
export type QuickStartForm = "checkout" | "installed";

/**
 * Returns the shell commands of the quick start.
 * @param root - folder of the repository
 * @param form - the commands to return
 * @returns the lines in the order of the page
 */
export function quickStartCommands(root: string, form: QuickStartForm): string[] {
  const page = readFileSync(join(root, "docs/author/quick-start.md"), "utf8");
  const fences = page.matchAll(/^```sh (\w+)\n([\s\S]*?)^```$/gm);
  return [...fences].flatMap(([, about, code = ""]) =>
    about === form ? code.trim().split("\n") : [],
  );
}
