import { programName } from "../grammar/names.js";
import type { Words } from "./given-words.js";

/** Program of a package, with its words. */
interface PackageRun {
  readonly name: string;
  readonly words: Words;
}

const RUNS_PACKAGES = /^(?:npx|pnpx|bunx|uvx|pipx)$/;
const RUNS_BY_WORD: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  bundle: /^exec$/,
  pipx: /^run$/,
  poetry: /^run$/,
  uv: /^run$/,
};

/**
 * Returns the program that a package manager runs, such as `husky` of `npx --yes husky init`.
 * @param runner - name of the package manager
 * @param words - words after it
 */
export function packageRun(runner: string, words: Words): PackageRun | undefined {
  const byWord = Object.hasOwn(RUNS_BY_WORD, runner) ? RUNS_BY_WORD[runner] : undefined;
  const given = words.filter((word) => word?.startsWith("-") !== true);
  const isRun = byWord?.test(given[0] ?? "") === true;
  if (!isRun && !RUNS_PACKAGES.test(runner)) return undefined;
  const [program, ...rest] = isRun ? given.slice(1) : given;
  if (program === undefined) return undefined;
  // A package may have a version.
  const name = programName(program.replace(/(?<=.)@[^/]*$/, ""));
  return name === undefined ? undefined : { name, words: rest };
}
