import { constants } from "node:fs";
import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import { sensitivePath } from "@openclaw/safety";
import { realPathOf } from "../files/real-path.js";
import { runProcessGroup } from "./group.js";
import type { EnclosedProgram } from "./literal/command.js";
import { OutputWindow } from "./output-window.js";

const PROBE_TIMEOUT_MS = 10_000;
/** Where the sandbox program is looked for; never in PATH, which a call may influence. */
const BUBBLEWRAP = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];
/** What programs need of the system; nothing else of it is there. */
const SYSTEM_FOLDERS = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/localtime",
];
const HOME = "/home/sandbox";

/** Whether commands run in the read-only sandbox, or why they do not. */
export type SandboxState =
  | { readonly active: true }
  | { readonly active: false; readonly cause: string; readonly remedy: string };

/** Folders that decide what the sandbox shows. */
export interface ReadOnlyReach {
  /** Shown read-only: the workspace and further roots. */
  readonly folders: readonly string[];
  /** The host's state folder, hidden. */
  readonly stateDir: string;
  /** The part of the state folder that is shown. */
  readonly stateWorkspaceDir?: string | undefined;
}

/**
 * The sandbox of commands that only read (TURN-059): the workspace read-only, private files of its top folder
 * and the state folder hidden, no network, no other processes, an empty home. It needs bubblewrap, which
 * is tried once with a real program.
 */
export class ReadOnlySandbox {
  readonly #reach: ReadOnlyReach;
  readonly #candidates: readonly string[];
  #probed: Promise<{ readonly state: SandboxState; readonly program: string }> | undefined;

  /**
   * @param reach - what programs see
   * @param candidates - absolute paths at which bubblewrap is looked for
   */
  constructor(reach: ReadOnlyReach, candidates: readonly string[] = BUBBLEWRAP) {
    this.#reach = reach;
    this.#candidates = candidates;
  }

  /** Returns whether the sandbox works here, as a real probe found. */
  async state(): Promise<SandboxState> {
    return (await this.#probe()).state;
  }

  /**
   * Returns what puts programs into the sandbox.
   * @returns undefined where no sandbox works
   */
  async enclosure(): Promise<((program: EnclosedProgram) => EnclosedProgram) | undefined> {
    const { state, program } = await this.#probe();
    if (!state.active) return undefined;
    const view = await this.#view();
    return (enclosed) => ({
      ...enclosed,
      program,
      arguments: [...view, ...startOf(enclosed)],
    });
  }

  #probe(): Promise<{ readonly state: SandboxState; readonly program: string }> {
    this.#probed ??= this.#try();
    return this.#probed;
  }

  async #try(): Promise<{ readonly state: SandboxState; readonly program: string }> {
    const program = await firstExecutable(this.#candidates);
    if (program === undefined) {
      const state = {
        active: false,
        cause: process.platform === "linux" ? "bubblewrap is not installed" : "it needs Linux",
        remedy: "install the package bubblewrap, and restart the gateway",
      } as const;
      return { state, program: "" };
    }
    const [workdir = "/"] = this.#reach.folders;
    try {
      const truth = (await firstExecutable(["/usr/bin/true", "/bin/true"])) ?? "/usr/bin/true";
      const view = await this.#view();
      const output = new OutputWindow(1024);
      const { exitCode } = await runProcessGroup(
        {
          program,
          arguments: [...view, ...startOf({ program: truth, arguments: [], workdir })],
          workdir: "/",
          environment: {},
          onOutput: (text) => output.append(text),
        },
        AbortSignal.timeout(PROBE_TIMEOUT_MS),
      );
      if (exitCode === 0) return { state: { active: true }, program };
      return { state: await failure(output.text().trim()), program };
    } catch (error) {
      return { state: await failure(errorMessage(error)), program };
    }
  }

  /** Made for each command: files and folders may have come since the last one. */
  async #view(): Promise<string[]> {
    const { folders, stateDir, stateWorkspaceDir } = this.#reach;
    const words = ["--unshare-all", "--die-with-parent", "--new-session", "--tmpfs", "/"];
    for (const folder of SYSTEM_FOLDERS) words.push("--ro-bind-try", folder, folder);
    words.push("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", HOME);
    const state = await realPathOf(stateDir);
    for (const given of folders) {
      const folder = await realPathOf(given);
      words.push("--ro-bind", folder, folder);
      if (state.startsWith(folder + sep)) words.push("--tmpfs", state);
      words.push(...(await hiddenIn(folder)));
    }
    if (stateWorkspaceDir !== undefined) {
      const open = await realPathOf(stateWorkspaceDir);
      words.push("--ro-bind-try", open, open);
    }
    return [...words, "--setenv", "HOME", HOME, "--remount-ro", "/"];
  }
}

/** A program outside the system's folders is shown with its folder. */
function startOf({ program, arguments: words, workdir }: EnclosedProgram): string[] {
  const isSystem = SYSTEM_FOLDERS.some((folder) => program.startsWith(folder + sep));
  const shown = isSystem ? [] : ["--ro-bind", dirname(program), dirname(program)];
  return [...shown, "--chdir", workdir, "--", program, ...words];
}

/** Covers the private files and folders directly in a folder. */
async function hiddenIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (sensitivePath(path) === undefined) return [];
    if (entry.isDirectory()) return ["--tmpfs", path];
    return entry.isFile() ? ["--ro-bind", "/dev/null", path] : [];
  });
}

async function failure(output: string): Promise<SandboxState> {
  const said = output === "" ? "the probe failed" : output;
  if (await isSet("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")) {
    return inactive(
      `AppArmor forbids unprivileged user namespaces (${said})`,
      "allow them for bwrap with an AppArmor profile, or set kernel.apparmor_restrict_unprivileged_userns=0",
    );
  }
  if (await isSet("/proc/sys/kernel/unprivileged_userns_clone", "0")) {
    return inactive(
      `the kernel forbids unprivileged user namespaces (${said})`,
      "set kernel.unprivileged_userns_clone=1",
    );
  }
  const marks = ["/.dockerenv", "/run/.containerenv"];
  if ((await Promise.all(marks.map(exists))).includes(true)) {
    return inactive(
      `the container forbids namespaces (${said})`,
      "start the container with a seccomp profile that allows user namespaces and with an unmasked /proc",
    );
  }
  return inactive(`bubblewrap failed (${said})`, "run bwrap by hand to find the cause");
}

function inactive(cause: string, remedy: string): SandboxState {
  return { active: false, cause, remedy };
}

async function isSet(file: string, value: string): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => "")).trim() === value;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
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
