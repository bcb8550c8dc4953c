import { errorMessage, startOfText } from "@openclaw/foundation";
import { ToolRefusalError } from "../errors.js";
import { limitedWords } from "./bubblewrap/limits.js";
import { runProcessGroup } from "./group.js";
import { quoted } from "./literal/shell-text.js";
import { OutputWindow } from "./output-window.js";

const PROBE_TIMEOUT_MS = 10_000;
const PROBE = "sandboxed";

/** Access rules of the sandbox runtime. */
export interface SandboxRules {
  network: { allowedDomains: string[]; deniedDomains: string[] };
  filesystem: {
    denyRead: string[];
    allowRead: string[];
    allowWrite: string[];
    denyWrite: string[];
  };
}

/**
 * The part of the sandbox runtime that is used; the package itself is an optional dependency. There is one
 * in a process, and it keeps the rules of its first `initialize` for as long as it lives.
 */
export interface SandboxRuntime {
  initialize(rules: SandboxRules): Promise<void>;
  /** @returns a command for `sh -c` that runs the given one inside the sandbox, by these rules */
  wrapWithSandbox(command: string, shell: string, rules: SandboxRules): Promise<string>;
  /** Removes the empty files that it mounted over in the folders of a wrapped command; called once for each, after its end. */
  cleanupAfterCommand(): void;
}

/** Denies all writes and network access; each command brings the rules of its agent. */
const CLOSED: SandboxRules = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
};

/** Folders that commands inside the sandbox may access. */
export interface SandboxReach {
  /** Folders they may write. */
  readonly folders: readonly string[];
  /** The host's state folder, which they may not even read. */
  readonly stateDir: string;
  /** The one part of the state folder that is open. */
  readonly stateWorkspaceDir?: string | undefined;
}

/**
 * Runs commands inside the operating system's sandbox: they write only the agent's folders, read the
 * state folder never, and have no network. A single test command determines if a sandbox is available;
 * without one every command is rejected (TURN-059).
 */
export class Sandbox {
  /** Folders that commands may access. */
  readonly reach: SandboxReach;
  readonly #rules: SandboxRules;
  readonly #load: () => Promise<SandboxRuntime>;
  readonly #environment: Readonly<Record<string, string>>;
  #ready: Promise<SandboxRuntime> | undefined;

  /**
   * @param reach - folders that commands may access
   * @param environment - variables the probe runs with
   */
  constructor(
    reach: SandboxReach,
    environment: Readonly<Record<string, string>>,
    load: () => Promise<SandboxRuntime> = loadRuntime,
  ) {
    this.reach = reach;
    this.#rules = rulesOf(reach);
    this.#environment = environment;
    this.#load = load;
  }

  /**
   * Returns the command that runs another one inside the sandbox, with limits for processes, memory and the size of files.
   * {@link Sandbox.ended} must be called after its end.
   * @param command - for a shell
   * @param shell - the shell to run it, absolute
   * @param readOnly - further paths that it must not write, absolute
   * @throws ToolRefusalError with `no-sandbox` and how to install one, when there is none that works
   */
  async wrap(command: string, shell: string, readOnly: readonly string[] = []): Promise<string> {
    this.#ready ??= this.#probe(shell);
    const runtime = await this.#ready.catch((error: unknown) => {
      // Not cached, so that an installation takes effect without a restart.
      this.#ready = undefined;
      throw error;
    });
    // The limits of a shell on macOS count all processes of the user.
    const isLimited = process.platform === "linux";
    const words = limitedWords(shell, ["-c", command]).map(quoted);
    const limited = isLimited ? `exec ${words.join(" ")}` : command;
    const { network, filesystem } = this.#rules;
    const denyWrite = [...filesystem.denyWrite, ...readOnly];
    const rules = { network, filesystem: { ...filesystem, denyWrite } };
    return await runtime.wrapWithSandbox(limited, shell, rules);
  }

  /** Removes what the sandbox created for a wrapped command. */
  async ended(): Promise<void> {
    (await this.#ready)?.cleanupAfterCommand();
  }

  async #probe(shell: string): Promise<SandboxRuntime> {
    try {
      const runtime = await this.#load();
      await runtime.initialize(CLOSED);
      const output = new OutputWindow(1024);
      const { exitCode } = await runProcessGroup(
        {
          program: shell,
          arguments: ["-c", await runtime.wrapWithSandbox(`printf ${PROBE}`, shell, this.#rules)],
          workdir: "/",
          environment: this.#environment,
          onOutput: (text) => output.append(text),
        },
        AbortSignal.timeout(PROBE_TIMEOUT_MS),
      ).finally(() => runtime.cleanupAfterCommand());
      if (exitCode === 0 && output.text() === PROBE) return runtime;
      throw new Error(
        `a probe ended with exit code ${exitCode}: ${startOfText(output.text(), 200)}`,
      );
    } catch (error) {
      throw new ToolRefusalError(
        "no-sandbox",
        `The command was not run: tools.exec.sandbox is "required", but there is no working sandbox (${errorMessage(error)}). The operator can install it with: npm install @anthropic-ai/sandbox-runtime; on Linux also the packages bubblewrap, socat and ripgrep. Or set tools.exec.sandbox to "off".`,
        { cause: error },
      );
    }
  }
}

async function loadRuntime(): Promise<SandboxRuntime> {
  const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");
  return SandboxManager;
}

function rulesOf({ folders, stateDir, stateWorkspaceDir }: SandboxReach): SandboxRules {
  return {
    network: CLOSED.network,
    filesystem: {
      denyRead: [stateDir],
      allowRead: stateWorkspaceDir === undefined ? [] : [stateWorkspaceDir],
      allowWrite: [...folders],
      denyWrite: folders.includes(stateWorkspaceDir ?? "") ? [] : [stateDir],
    },
  };
}
