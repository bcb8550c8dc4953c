import type { FileHandle } from "node:fs/promises";
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import type { Writable } from "node:stream";
import { errorMessage } from "@openclaw/foundation";
import type { LiteralCommand, LiteralFile, LiteralPipeline } from "@openclaw/safety";
import { ToolRefusalError } from "../../errors.js";
import { realPathOf } from "../../files/real-path.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";
import { systemErrorCode } from "../../system-error.js";
import { assertWritesNotFollowed } from "../followed-writes.js";
import type { GroupEnd } from "../group.js";
import type { RepositoryViews } from "../repository/view.js";
import { KeptFiles } from "./kept-files.js";
import {
  assertFewNames,
  endOfXargs,
  filledParts,
  type PipelinePart,
  withNames,
} from "./listed-names.js";
import { type FilledProgram, OutputSlots } from "./output-slots.js";
import { type PipelineScene, type PreparedProgram, runPipeline } from "./pipeline.js";
import { redirect } from "./redirections.js";

/** Input of {@link runLiteralCommand}. */
export interface LiteralRun {
  readonly command: LiteralCommand;
  /** A real path. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly paths: WorkspacePaths;
  readonly onOutput: (text: string) => void;
  /** Gets the input of each pipeline's first program; without it that input is empty. */
  readonly onInput?: ((input: Writable) => void) | undefined;
  /** Puts a program into a sandbox. */
  readonly enclose?: ((program: EnclosedProgram) => EnclosedProgram) | undefined;
  /** The repositories of its programs. */
  readonly repositories: RepositoryViews;
}

/** A program with its arguments, and the folder it runs in. */
export interface EnclosedProgram {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly workdir: string;
  /** Folders outside the workspace that it reads, absolute. */
  readonly extraFolders?: readonly string[];
  /** True for git with its repository, whose folder it needs. */
  readonly isGit?: boolean;
}

const SUCCEEDED: GroupEnd = { exitCode: 0, signal: null, leftovers: false };
const FAILED: GroupEnd = { exitCode: 1, signal: null, leftovers: false };

/**
 * Runs a literal command without a shell, as bash would run its text: pipelines one after the other as `;`,
 * `&&` and `||` say, `cd` in between (APPR-038). Nothing is parsed or looked up here.
 * @param run - the command, with absolute programs
 * @param signal - ends it early
 * @returns the end of the last pipeline that ran
 * @throws ToolRefusalError when a program, folder or file is not one that the command was authorized for
 */
export async function runLiteralCommand(run: LiteralRun, signal: AbortSignal): Promise<GroupEnd> {
  let end = SUCCEEDED;
  let leftovers = false;
  let workdir = run.workdir;
  await using files = new KeptFiles(run.paths);
  const slots = new OutputSlots();
  for (const pipeline of run.command.pipelines) {
    if (signal.aborted) break;
    const succeeded = end.exitCode === 0;
    if (pipeline.after === "&&" && !succeeded) continue;
    if (pipeline.after === "||" && succeeded) continue;
    const folder = folderChange(pipeline);
    if (folder !== undefined) {
      const next = await changedFolder(folder, workdir, run);
      end = next === undefined ? FAILED : SUCCEEDED;
      workdir = next ?? workdir;
    } else {
      const onKept = slots.keeper(pipeline);
      const parts = await filledParts(pipeline, end.exitCode, slots, files);
      end = await runParts(
        parts,
        workdir,
        { ...run, onKept, keptFolder: () => files.folder },
        signal,
      );
      leftovers ||= end.leftovers;
    }
  }
  return { ...end, leftovers };
}

function folderChange({ programs }: LiteralPipeline): string | undefined {
  const [first] = programs;
  return first?.program === "cd" ? first.arguments[0] : undefined;
}

/** Rejects links, because after one `..` means different folders to shells and programs. */
async function changedFolder(
  folder: string,
  workdir: string,
  { paths, onOutput }: LiteralRun,
): Promise<string | undefined> {
  const target = resolve(workdir, folder);
  const real = await realpath(target).catch((error: unknown) => {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw error;
  });
  if (real === undefined) {
    onOutput(`cd: ${folder}: no such folder\n`);
    return undefined;
  }
  if (real !== target || !(await paths.isInside(real))) throw paths.refusal(folder);
  return real;
}

/** Run of the programs of one pipeline. */
interface FolderRun extends LiteralRun, Pick<PipelineScene, "onKept"> {
  /** Returns the folder of files with kept output; undefined while there is none. */
  keptFolder(): string | undefined;
}

/**
 * Runs the parts of a pipeline one after the other: each part after the first gets the names that the one before it printed.
 * @throws ToolRefusalError when one of the names may not be read
 */
async function runParts(
  parts: readonly PipelinePart[],
  workdir: string,
  run: FolderRun,
  signal: AbortSignal,
): Promise<GroupEnd> {
  let end = SUCCEEDED;
  let printed = "";
  for (const [index, { programs, names }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const given =
      names === undefined
        ? programs
        : await withNames(programs, names, printed, workdir, run.paths);
    if (given === undefined) return SUCCEEDED;
    printed = "";
    const keep = (text: string) => {
      printed += text;
      assertFewNames(printed);
    };
    const { leftovers } = end;
    end = await runInFolder(given, workdir, isLast ? run : { ...run, onKept: keep }, signal);
    if (names !== undefined && given.length === 1) end = endOfXargs(end);
    end = { ...end, leftovers: end.leftovers || leftovers };
    if (signal.aborted) break;
  }
  return end;
}

async function runInFolder(
  programs: readonly FilledProgram[],
  workdir: string,
  run: FolderRun,
  signal: AbortSignal,
): Promise<GroupEnd> {
  const { paths, environment, onOutput, onKept, onInput, repositories } = run;
  const kept = run.keptFolder();
  const opened: FileHandle[] = [];
  try {
    const prepared: PreparedProgram[] = [];
    for (const { authorized, words, redirections } of programs) {
      const { program, files = [], variables } = authorized;
      await assertTrusted(program, paths);
      for (const file of files) await assertUnchanged(file, workdir);
      await assertWritesNotFollowed(paths, authorized, workdir);
      const endpoints = await redirect(redirections, workdir, paths, opened);
      const view = repositories.of(authorized);
      const extraFolders = [view?.folder, kept].filter((folder) => folder !== undefined);
      const isGit = view !== undefined;
      const enclosed = { program, arguments: words, workdir, extraFolders, isGit };
      const started = run.enclose?.(enclosed) ?? enclosed;
      const own = { ...variables, ...view?.environment };
      prepared.push({ ...started, endpoints, environment: own });
    }
    const scene = { workdir, environment, onOutput, onKept, onInput };
    return await runPipeline(prepared, scene, signal);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    // As in a shell, a file that cannot be opened fails this pipeline and not the command.
    onOutput(`${errorMessage(error)}\n`);
    return FAILED;
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }
}

/** A link may have been changed since the command was authorized. */
async function assertUnchanged({ path, realPaths }: LiteralFile, workdir: string): Promise<void> {
  // Not normalised, because what `..` means depends on the links before it.
  const real = await realPathOf(isAbsolute(path) ? path : `${workdir}/${path}`);
  if (realPaths.includes(real)) return;
  throw new ToolRefusalError(
    "refused",
    `The command was not run: "${path}" is another file now than when the command was authorized. Repeat the call.`,
  );
}

/** Rejects a program that the tools can write; programs were resolved when the command was authorized. */
async function assertTrusted(program: string, paths: WorkspacePaths): Promise<void> {
  if (isAbsolute(program) && !(await paths.isInside(await realpath(program)))) return;
  throw new ToolRefusalError(
    "refused",
    `The command was not run: the program ${program} is not outside the folders that tools can write.`,
  );
}
