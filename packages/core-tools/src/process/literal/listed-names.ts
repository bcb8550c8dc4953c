import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type ListedNames, type LiteralPipeline, sensitivePath } from "@openclaw/safety";
import { ToolRefusalError } from "../../errors.js";
import { realPathOf } from "../../files/real-path.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";
import type { GroupEnd } from "../group.js";
import type { KeptFiles } from "./kept-files.js";
import type { FilledProgram, OutputSlots } from "./output-slots.js";

/** Maximum length of all names together; a system starts a program with at least that much. */
const LONGEST = 96 * 1024;
/** Exit code of `xargs` when its program fails. */
const FAILED_FOR_NAMES = 123;
const QUOTE = /['"\\]/;
/** Beginnings that programs read as something other than a file: options, lists of words, commands and assignments. */
const UNUSUAL = /^[-+@]|^[A-Za-z_]\w*=/;

/** Programs of a pipeline that run together. */
export interface PipelinePart {
  readonly programs: readonly FilledProgram[];
  /** Separator of the names that its first program gets; undefined when it gets none. */
  readonly names?: ListedNames;
}

/**
 * Fills in the late words of a pipeline, and divides it before each program that gets names.
 * @param pipeline - pipeline that runs next
 * @param lastExitCode - exit code of the one before; null when a signal ended it
 * @param slots - kept output
 * @param files - keeps output that a program reads as a file
 */
export async function filledParts(
  pipeline: LiteralPipeline,
  lastExitCode: number | null,
  slots: OutputSlots,
  files: KeptFiles,
): Promise<readonly PipelinePart[]> {
  const parts: { programs: FilledProgram[]; names?: ListedNames }[] = [{ programs: [] }];
  for (const program of await slots.filled(pipeline, lastExitCode, files)) {
    const names = namesOf(program);
    if (names === undefined) parts.at(-1)?.programs.push(program);
    else parts.push({ programs: [program], names });
  }
  return parts;
}

function namesOf({ authorized }: FilledProgram): ListedNames | undefined {
  for (const { parts } of authorized.late ?? []) {
    for (const part of parts) if (typeof part === "object" && "isNames" in part) return part;
  }
  return undefined;
}

/**
 * Returns the programs of a part with the names in the words of the first one.
 * @param programs - programs of the part
 * @param names - separator of the names
 * @param printed - names as the part before printed them
 * @param workdir - folder that relative names start from
 * @param paths - folders of the agent
 * @returns undefined when the program does not start, because there is no name
 * @throws ToolRefusalError when a name is not that of a file of the workspace, or the file may hold secrets
 */
export async function withNames(
  [first, ...others]: readonly FilledProgram[],
  names: ListedNames,
  printed: string,
  workdir: string,
  paths: WorkspacePaths,
): Promise<readonly FilledProgram[] | undefined> {
  if (first === undefined) throw new RangeError("a part needs a program");
  const found = separated(printed, names.separator);
  if (found.length === 0 && names.needsOne === true) return undefined;
  for (const name of found) await assertReadable(name, workdir, paths);
  const at = first.authorized.late?.find(({ parts: [part] }) => part === names)?.index;
  if (at === undefined) throw new RangeError("the names have no place");
  const words = [...first.words.slice(0, at), ...found, ...first.words.slice(at + 1)];
  return [{ ...first, words }, ...others];
}

/**
 * Checks that names fit into one start of a program.
 * @param printed - names as they are printed
 * @throws ToolRefusalError when they do not
 */
export function assertFewNames(printed: string): void {
  if (printed.length <= LONGEST) return;
  throw refusal("xargs would get more names than one start of a program takes. List fewer files");
}

/**
 * Returns the end of a program with names as `xargs` reports it.
 * @param end - end of the program
 */
export function endOfXargs(end: GroupEnd): GroupEnd {
  const { exitCode } = end;
  if (exitCode === null || exitCode === 0 || exitCode > 125) return end;
  return { ...end, exitCode: FAILED_FOR_NAMES };
}

function separated(text: string, separator: ListedNames["separator"]): readonly string[] {
  if (separator === "\0") return text.split("\0").filter((name) => name !== "");
  if (QUOTE.test(text)) {
    throw refusal("a file name contains a quote, which xargs does not read as part of it. Add -0");
  }
  if (separator === "\n") return text.split("\n").filter((name) => name.trim() !== "");
  return text.split(/[ \t\n]+/).filter((name) => name !== "");
}

async function assertReadable(name: string, workdir: string, paths: WorkspacePaths): Promise<void> {
  if (UNUSUAL.test(name)) throw refusal(`"${name}" could be read as something other than a file`);
  // Not normalised, because what `..` means depends on the links before it.
  const real = await realPathOf(isAbsolute(name) ? name : `${workdir}/${name}`);
  if (!(await paths.isInside(real))) throw refusal(`"${name}" is outside the workspace`);
  if (sensitivePath(real) !== undefined || sensitivePath(name) !== undefined) {
    throw refusal(`"${name}" may hold secrets`);
  }
  const kind = await stat(real).catch(() => undefined);
  if (kind !== undefined && !kind.isFile()) throw refusal(`"${name}" is not a regular file`);
}

function refusal(reason: string): ToolRefusalError {
  return new ToolRefusalError(
    "refused",
    `The command was not run to its end: ${reason}, or name the files in the command.`,
  );
}
