import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Pages that people read. Pages that a script writes are checked where their text comes from. */
const PAGES = "{*.md,docs/**/*.md,{packages,extensions,apps}/*/README.md,.changeset/*.md}";
const CODE = "{{packages,extensions,apps}/*/{src,test,bench}/**/*.{ts,mjs},scripts/**/*.mjs}";

/** The list of the phrases itself, titles of tests and changesets that a page repeats, and plugins and inputs of tests. */
const NOT_CHECKED =
  /^apps\/e2e\/src\/prose\/phrases\.ts$|^(?:CHANGELOG|docs\/contract)\.md$|\/(?:cases|corpus|plugins|releases|vectors)\//;

/**
 * Returns the files whose prose is checked, relative to the root of the repository, sorted.
 * @param root - folder of the repository, absolute
 */
export function proseFiles(root: string): string[] {
  const files = globSync([PAGES, CODE], { cwd: root, exclude: ["**/node_modules", "**/dist"] });
  return files.filter((file) => !NOT_CHECKED.test(file) && !isGenerated(root, file)).sort();
}

function isGenerated(root: string, file: string): boolean {
  return (
    file.endsWith(".md") &&
    /^(?:<!-- )?Generated (?:by|from) /m.test(readFileSync(join(root, file), "utf8"))
  );
}
