import { readFile, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { canonicalJson, sha256 } from "@openclaw/foundation";

/**
 * Project script that a command runs. A grant for it is valid while its text is unchanged.
 */
export interface RunScript {
  /** Number of words that name it, including the program. */
  readonly words: number;
  /** SHA-256 of folder, text and the settings that decide how the script runs, in hexadecimal. */
  readonly digest: string;
}

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
/** Makefiles that include others; the text of the included files is not in the digest. */
const INCLUDES = /^\s*(?:-?include|sinclude|-?load)\b/m;
/** Files that decide how package managers run scripts. */
const SETTINGS = [".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs"];
const SHORTHANDS: Readonly<Record<string, string>> = {
  test: "test",
  t: "test",
  tst: "test",
  start: "start",
  stop: "stop",
  restart: "restart",
};
const RUN = new Set(["run", "run-script"]);

/**
 * Returns the project script that a command runs: `npm test`, `pnpm run x`, `yarn x`, `make
 * x`.
 * @param words - name of the program without folder, and its words
 * @param folder - real path of the folder in which it runs; undefined where that is not certain
 * @param workspace - real path of the workspace
 * @returns undefined when the command runs no script; `unknown` when its text cannot be bound to
 *   the command
 */
export async function scriptOf(
  words: readonly string[],
  folder: string | undefined,
  workspace: string,
): Promise<RunScript | "unknown" | undefined> {
  const [name = "", ...rest] = words;
  if (name === "make" || name === "gmake") {
    return (await makeScript(rest, folder, workspace)) ?? "unknown";
  }
  if (name !== "npm" && name !== "pnpm" && name !== "yarn") return undefined;
  const named = nameOfScript(name, rest);
  if (named === undefined) return RUN.has(rest[0] ?? "") ? "unknown" : undefined;
  const options = rest.slice(named.words - 1);
  const end = options.indexOf("--");
  // Options before `--` are those of the package manager, which can choose another folder or shell.
  const own = end === -1 ? options : options.slice(0, end);
  if (own.some((word) => word.startsWith("-"))) return "unknown";
  const digest = await packageDigest(name, named.script, folder, workspace);
  return digest === undefined ? "unknown" : { words: named.words, digest };
}

function nameOfScript(
  manager: string,
  [first = "", second]: readonly string[],
): { script: string; words: number } | undefined {
  if (RUN.has(first)) {
    return second === undefined || second.startsWith("-")
      ? undefined
      : { script: second, words: 3 };
  }
  const shorthand = SHORTHANDS[first];
  if (shorthand !== undefined) return { script: shorthand, words: 2 };
  // pnpm and yarn run a script, and otherwise a program of the project, by its name alone.
  return manager === "npm" || first === "" ? undefined : { script: first, words: 2 };
}

async function packageDigest(
  manager: string,
  script: string,
  start: string | undefined,
  workspace: string,
): Promise<string | undefined> {
  if (start === undefined) return undefined;
  for (const folder of foldersUpTo(start, workspace)) {
    const text = await textOf(join(folder, "package.json"), workspace);
    if (text === undefined) continue;
    const scripts = scriptsOf(text);
    const own = scripts?.[script];
    if (own === undefined) return undefined;
    const settings = await Promise.all(
      foldersUpTo(folder, workspace).flatMap((above) =>
        SETTINGS.map(async (name) => (await textOf(join(above, name), workspace)) ?? null),
      ),
    );
    const around = [`pre${script}`, `post${script}`].map((name) => scripts?.[name] ?? null);
    const place = relative(workspace, folder);
    return sha256(canonicalJson({ manager, script, place, own, around, settings }));
  }
  return undefined;
}

function scriptsOf(text: string): Readonly<Record<string, string | undefined>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || !("scripts" in parsed)) return undefined;
    const { scripts } = parsed;
    if (typeof scripts !== "object" || scripts === null) return undefined;
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => {
        return typeof entry[1] === "string";
      }),
    );
  } catch {
    return undefined;
  }
}

async function makeScript(
  targets: readonly string[],
  folder: string | undefined,
  workspace: string,
): Promise<RunScript | undefined> {
  // An option or a variable can choose another file or shell, and further targets are not part of the grant.
  if (folder === undefined || targets.length !== 1) return undefined;
  if (targets.some((word) => word.startsWith("-") || word.includes("="))) return undefined;
  for (const name of MAKEFILES) {
    const text = await textOf(join(folder, name), workspace);
    if (text === undefined) continue;
    if (INCLUDES.test(text)) return undefined;
    const place = relative(workspace, folder);
    return { words: 2, digest: sha256(canonicalJson({ manager: "make", name, place, text })) };
  }
  return undefined;
}

function foldersUpTo(start: string, workspace: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = start; isInside(folder, workspace); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === workspace) break;
  }
  return folders;
}

/**
 * Returns the text of a file of the workspace, following links; undefined when it does not exist
 * there.
 */
async function textOf(file: string, workspace: string): Promise<string | undefined> {
  try {
    const real = await realpath(file);
    return isInside(real, workspace) ? await readFile(real, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
