import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { errorMessage } from "@openclaw/foundation";
import { runProcessGroup } from "../group.js";
import type { EnclosedProgram } from "../literal/command.js";
import { OutputWindow } from "../output-window.js";
import { renamedNotice } from "./created-files.js";
import { MOST_PROCESSES } from "./limits.js";
import { probeFailure, type SandboxState } from "./probe-failure.js";
import { isUncounted, openProcessLimit, type ProcessLimit } from "./process-limit.js";
import { type SandboxAccess, type SandboxFolders, type SandboxView, sandboxView } from "./view.js";
import { type EnclosedWorker, type WorkerProgram, workerView } from "./worker-view.js";

const PROBE_TIMEOUT_MS = 10_000;
/** Paths of the sandbox program; PATH is not searched because a call may influence it. */
const BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];
const SHELL = "/bin/sh";
/** Said where the processes of commands have no limit. */
const UNLIMITED =
  "the number of processes of a command is not limited, because the host runs as root and this machine offers no control group for it; run the host as another user";
const FILTER = "--seccomp";
const SIZE = "--size";

/** Result of looking for a sandbox that works. */
interface Probe {
  readonly state: SandboxState;
  readonly program: string;
  /** Options that this version of bubblewrap offers. */
  readonly options: ReadonlySet<string>;
}

/** Puts programs into the sandbox for one command. */
export interface Enclosure {
  /** @returns the program to start instead */
  readonly enclose: (program: EnclosedProgram) => EnclosedProgram;
  /** Returns the notice about the sandbox for the model, after the command; undefined when there is none. */
  readonly notice: () => string | undefined;
  /** Stops the command; undefined where nothing does. */
  readonly signal: AbortSignal | undefined;
  /** Clears up after the command. */
  readonly close: () => Promise<void>;
}

/**
 * Runs commands without an individual approval in a sandbox (TURN-059). Programs see the workspace, read-only
 * or writable, without its private files; they do not see the state folder and other processes, and have no
 * network and an empty home. It needs bubblewrap, which is tried once with a real program.
 */
export class BubblewrapSandbox {
  readonly #reach: SandboxFolders;
  readonly #candidates: readonly string[];
  #probed: Promise<Probe> | undefined;

  /**
   * @param reach - folders of the agent
   * @param candidates - absolute paths at which bubblewrap is looked for
   */
  constructor(reach: SandboxFolders, candidates: readonly string[] = BUBBLEWRAP) {
    this.#reach = reach;
    this.#candidates = candidates;
  }

  /** Returns the availability of the sandbox, determined by a real probe. */
  async state(): Promise<SandboxState> {
    return (await this.#probe()).state;
  }

  /**
   * Returns the enclosure that puts the programs of one command into the sandbox.
   * @param use - access to the workspace
   * @param path - their `PATH`
   * @returns undefined where no sandbox works
   */
  async enclosure(use: SandboxAccess, path: string): Promise<Enclosure | undefined> {
    const { state, program, options } = await this.#probe();
    if (!state.active) return undefined;
    const view = await sandboxView(this.#reach, use, path, (option) => options.has(option));
    const limit = isUncounted() ? await openProcessLimit(MOST_PROCESSES) : undefined;
    let renamed: readonly string[] = [];
    return {
      enclose: (enclosed) => startOf(program, view, enclosed, limit),
      signal: view.signal,
      notice: () => {
        const notices = [...cutNotice(view.cutFolders), renamedNotice(renamed) ?? []].flat();
        return notices.length === 0 ? undefined : notices.join(" ");
      },
      async close() {
        renamed = await view.clear();
        await limit?.end();
      },
    };
  }

  /**
   * Returns how a program starts that lives longer than one command and sees only what it is given.
   * @param program - the program, its mounts and its limits
   * @returns undefined where no sandbox works
   */
  async worker(program: WorkerProgram): Promise<EnclosedWorker | undefined> {
    const { state, program: bubblewrap, options } = await this.#probe();
    if (!state.active) return undefined;
    const view = await workerView(program, (option) => options.has(option));
    const limit = isUncounted() ? await openProcessLimit(program.limits.processes) : undefined;
    const start = startOf(bubblewrap, view, { program: "", arguments: [], workdir: "/" }, limit);
    return {
      program: start.program,
      arguments: start.arguments,
      async close() {
        await view.clear();
        await limit?.end();
      },
    };
  }

  #probe(): Promise<Probe> {
    this.#probed ??= this.#find();
    return this.#probed;
  }

  async #find(): Promise<Probe> {
    const program = await firstExecutable(this.#candidates);
    if (program === undefined) {
      const state = {
        active: false,
        cause: process.platform === "linux" ? "bubblewrap is not installed" : "it needs Linux",
        remedy: "install the package bubblewrap, and restart the gateway",
      } as const;
      return { state, program: "", options: new Set() };
    }
    const options = await offeredOptions(program);
    const probe = await this.#try(program, options);
    if (probe.state.active || !options.delete(FILTER)) return probe;
    // A kernel without filters.
    const unfiltered = await this.#try(program, options);
    return unfiltered.state.active ? unfiltered : probe;
  }

  async #try(program: string, offered: ReadonlySet<string>): Promise<Probe> {
    const options = new Set(offered);
    const [workdir = "/"] = this.#reach.folders;
    try {
      const truth = (await firstExecutable(["/usr/bin/true", "/bin/true"])) ?? "/usr/bin/true";
      const view = await sandboxView(this.#reach, "probe", "", (option) => options.has(option));
      const start = startOf(program, view, { program: truth, arguments: [], workdir });
      const { exitCode, text } = await outputOf({ ...start, workdir: "/" }).finally(() =>
        view.clear(),
      );
      const state = exitCode === 0 ? await activeState() : await probeFailure(text.trim());
      return { state, program, options };
    } catch (error) {
      return { state: await probeFailure(errorMessage(error)), program, options };
    }
  }
}

async function activeState(): Promise<SandboxState> {
  if (!isUncounted()) return { active: true };
  const limit = await openProcessLimit(MOST_PROCESSES);
  await limit?.end();
  return limit === undefined ? { active: true, notice: UNLIMITED } : { active: true };
}

/**
 * Returns how a program starts in the sandbox; a shell joins the group that limits processes, and opens the filter, which
 * bubblewrap reads from a descriptor.
 */
function startOf(
  bubblewrap: string,
  view: Pick<SandboxView, "filter" | "wordsFor">,
  enclosed: EnclosedProgram,
  limit?: ProcessLimit,
): EnclosedProgram {
  const words = view.wordsFor(enclosed);
  const filter = view.filter === undefined ? [] : [FILTER, "9"];
  if (view.filter === undefined && limit === undefined) {
    return { ...enclosed, program: bubblewrap, arguments: words };
  }
  const join = limit === undefined ? "" : 'echo $$ > "$1" || exit 126; ';
  const start = view.filter === undefined ? 'shift; exec "$@"' : 'shift; exec "$@" 9<"$0"';
  const open = ["-c", `${join}${start}`, view.filter ?? "sh", limit?.joinFile ?? ""];
  return { ...enclosed, program: SHELL, arguments: [...open, bubblewrap, ...filter, ...words] };
}

/** Options by installed program, because each load of plugins and each agent asks again. */
const knownOptions = new Map<string, ReadonlySet<string>>();

/** Returns the options of an installed bubblewrap that its older versions lack. */
async function offeredOptions(program: string): Promise<Set<string>> {
  const file = await stat(program).catch(() => undefined);
  // An update replaces the file.
  const installed = `${program} ${file?.ino} ${file?.mtimeMs}`;
  const known = knownOptions.get(installed);
  if (known !== undefined) return new Set(known);
  const help = await outputOf({ program, arguments: ["--help"], workdir: "/" }).catch(
    () => undefined,
  );
  const options = new Set(
    [FILTER, SIZE].filter((name) => help?.text.includes(`${name} `) === true),
  );
  if (help?.exitCode === 0) knownOptions.set(installed, new Set(options));
  return options;
}

async function outputOf({ program, arguments: words, workdir }: EnclosedProgram) {
  const output = new OutputWindow(16_384);
  const { exitCode } = await runProcessGroup(
    {
      program,
      arguments: words,
      workdir,
      environment: {},
      onOutput: (text) => output.append(text),
    },
    AbortSignal.timeout(PROBE_TIMEOUT_MS),
  );
  return { exitCode, text: output.text() };
}

function cutNotice(folders: readonly string[]): readonly string[] {
  if (folders.length === 0) return [];
  return [
    `The sandbox hides folders of ${folders.join(", ")}, which is too large to look through for private files.`,
  ];
}

async function firstExecutable(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const isUsable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isUsable) return candidate;
  }
  return undefined;
}
