import { basename, relative, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type ErrorExitCode, exitCodeOf } from "@openclaw/foundation/errors";
import { type CommandArguments, readArguments, USAGE } from "./command-arguments.js";
import { type ComponentLanguage, createComponentProject } from "./component-project.js";
import { CreatePluginError, CreatePluginUsageError } from "./errors.js";
import { idFromFolder } from "./plugin-names.js";
import { createProject, type PluginProject } from "./project.js";
import { askQuestions } from "./questions.js";

/** Exit statuses, the same as those of `openclaw`; those of errors follow from their kind. */
const EXIT = { ok: 0, interrupted: 130 } as const;

/** Exit status of the command. */
export type CreateExitCode = (typeof EXIT)[keyof typeof EXIT] | ErrorExitCode;

/** Folder and streams of the command. */
export interface CommandPlace {
  /** Absolute path of the working directory. */
  readonly folder: string;
  /** Standard input; prompts are shown only when it is a terminal. */
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  readonly errors: Writable;
}

/** Options of {@link runCommandLine}. */
export interface CommandOptions extends Partial<CommandPlace> {
  /** Root of a checkout to link the packages of OpenClaw to. */
  readonly checkout?: string;
  /**
   * Provides the dependencies of the new plugin instead of `npm install`.
   * @param folder - absolute path of the plugin
   */
  readonly prepare?: (folder: string) => void | Promise<void>;
}

/**
 * Runs `create-openclaw-plugin`.
 * @param args - arguments without the program's name
 * @param options - folder and streams, those of the process when absent; and how to provide the dependencies
 * @returns the exit status
 */
export async function runCommandLine(
  args: readonly string[],
  { prepare, checkout, ...place }: CommandOptions = {},
): Promise<CreateExitCode> {
  const { output, errors } = { ...processPlace(), ...place };
  try {
    const given = readArguments(args);
    if (given.help) {
      output.write(`${USAGE}\n`);
      return EXIT.ok;
    }
    if (given.component !== undefined) {
      const created = startComponent(given, given.component, place.folder ?? process.cwd());
      output.write(created);
      return EXIT.ok;
    }
    const project = await settle(given, { ...processPlace(), ...place });
    if (project === undefined) return EXIT.interrupted;
    const { folder, files } = createProject({ ...project, checkout });
    await prepare?.(folder);
    const name = relative(place.folder ?? process.cwd(), folder) || ".";
    for (const file of files) output.write(`  ${name}/${file}\n`);
    const enter = name === "." ? "" : `  cd ${shellWord(name)}\n`;
    const install = prepare === undefined ? "  npm install\n" : "";
    output.write(`\nNext:\n${enter}${install}  npm test\n  npm run dev\n`);
    return EXIT.ok;
  } catch (error) {
    if (!CreatePluginError.isInstance(error)) throw error;
    errors.write(`create-openclaw-plugin: ${error.message}\n`);
    return exitCodeOf(error);
  }
}

/** Writes a WebAssembly component, which has no prompts, and returns what to print. */
function startComponent(
  { folder: given, id: named }: CommandArguments,
  language: ComponentLanguage,
  place: string,
): string {
  const id = named ?? (given && idFromFolder(basename(resolve(place, given)))) ?? "my-tool";
  const target = resolve(place, given ?? ownName(id));
  const { folder, files } = createComponentProject({ folder: target, id, language });
  const name = relative(place, folder) || ".";
  const steps = {
    typescript: ["npm install", "npm test", "npm run build"],
    rust: ["cargo test", "cargo build --target wasm32-wasip2 --release"],
  };
  const enter = name === "." ? [] : [`cd ${shellWord(name)}`];
  const lines = [...enter, ...steps[language]].map((step) => `  ${step}\n`);
  return `${files.map((file) => `  ${name}/${file}\n`).join("")}\nNext:\n${lines.join("")}`;
}

/** Returns the complete arguments, from the command line, prompts or defaults. */
async function settle(
  given: CommandArguments,
  place: CommandPlace,
): Promise<PluginProject | undefined> {
  const folder = given.folder === undefined ? undefined : resolve(place.folder, given.folder);
  const suggested = (folder && idFromFolder(basename(folder))) ?? "my-plugin";
  if (given.yes) {
    const { id = suggested, kind = "tool", language = "typescript" } = given;
    return { folder: folder ?? resolve(place.folder, ownName(id)), id, kind, language };
  }
  if (place.input.isTTY !== true) {
    throw new CreatePluginUsageError(
      "standard input is not a terminal; pass --template and --id, or --yes to accept the defaults",
    );
  }
  const answers = await askQuestions(given, suggested, place);
  if (answers === undefined) return undefined;
  return { folder: folder ?? resolve(place.folder, ownName(answers.id)), ...answers };
}

/** Returns a path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\p{L}\p{N}_./~@+-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Returns the folder name of a plugin, which does not include the scope. */
function ownName(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

function processPlace(): CommandPlace {
  const { stdin: input, stdout: output, stderr: errors } = process;
  return { folder: process.cwd(), input, output, errors };
}
