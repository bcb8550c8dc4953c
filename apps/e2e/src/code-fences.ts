import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** TypeScript example in a page or docstring. */
export interface CodeFence {
  /** File and line of the example, relative to the root of the repository. */
  readonly place: string;
  /** File name in the folder of its page: its `title`, or its line. */
  readonly file: string;
  readonly code: string;
  /** True when a test also runs it: it is marked `runnable`, or is an `@example` of the SDK. */
  readonly runnable: boolean;
}

/** Hidden code, such as declarations of the names it uses, may precede an example. */
const FENCE =
  /^(<!-- given\n(?:(?!-->).*\n)*-->\n)?([ \t]*(?:\* ?)?)```ts\b([^\n]*)\n([\s\S]*?)^\2```$/gm;

/**
 * All TypeScript that readers are shown: in the pages, the READMEs, and the SDK's `@example`s.
 * @param root - folder of the repository
 */
export function codeFences(root: string): readonly CodeFence[] {
  const pages = globSync(
    [
      "*.md",
      "docs/**/*.md",
      "{packages,extensions,apps}/*/README.md",
      "packages/plugin-sdk/src/**/*.ts",
    ],
    { cwd: root },
  );
  return pages.toSorted().flatMap((page) => fencesOf(page, readFileSync(join(root, page), "utf8")));
}

function fencesOf(page: string, text: string): readonly CodeFence[] {
  const folder = page.replace(/\.\w+$/, "").replaceAll(/[^a-z0-9]+/gi, "-");
  return [...text.matchAll(FENCE)].map((match) => {
    const { index, 1: given = "", 2: margin = "", 3: about = "", 4: code = "" } = match;
    const line = text.slice(0, index + given.length).split("\n").length;
    const title = /title="([^"]+)"/.exec(about)?.[1] ?? `line-${line}.ts`;
    return {
      place: `${page}:${line}`,
      file: `${folder}/${title}`,
      code: given.replace(/^<!-- given\n|-->\n$/g, "") + withoutMargin(code, margin),
      runnable: about.includes("runnable") || page.endsWith(".ts"),
    };
  });
}

function withoutMargin(code: string, margin: string): string {
  const bare = margin.trimEnd();
  return code
    .split("\n")
    .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.replace(bare, "")))
    .join("\n");
}
