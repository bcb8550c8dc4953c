import { type ChildProcess, spawn } from "node:child_process";
import { hostname } from "node:os";
import { StringDecoder } from "node:string_decoder";
import { characterStart, endOfText, errorMessage } from "@openclaw/foundation";
import type { CommandView } from "../view.js";
import { commandContext, type RanCommand } from "./command-context.js";

/** Characters of the beginning and of the end of an output that are kept for the model. */
const KEPT_CHARACTERS = 8_000;
/** Commands that are shown to the model with the next message; older ones are left out. */
const KEPT_COMMANDS = 10;

const COMMAND = /^!\s*(\S[\s\S]*)/;

/**
 * Returns the command of an input that begins with `!`.
 * @param text - input
 * @returns undefined for any other input
 */
export function commandOf(text: string): string | undefined {
  return COMMAND.exec(text.trimEnd())?.[1];
}

/** Dependencies of {@link PersonCommands}. */
export interface PersonCommandsDependencies {
  readonly workspaceDir: string;
  readonly environment: NodeJS.ProcessEnv;
  /** URL of the gateway, when it runs on another machine. */
  readonly remoteUrl?: string | undefined;
  /**
   * Shows a command.
   * @param command - as the user typed it
   * @param place - where it runs, when that is not obvious
   */
  show(command: string, place: string | undefined): CommandView;
}

/**
 * Runs commands of the user, which need no approval: the user could run them in another shell. Models cannot
 * start them. They see the commands and their output with the next message.
 */
export class PersonCommands {
  readonly #dependencies: PersonCommandsDependencies;
  #ran: RanCommand[] = [];
  /** Context of a message that was not sent. */
  #unsent = "";
  #running: ChildProcess | undefined;
  #isInterrupted = false;

  /** @param dependencies - folder, environment and screen */
  constructor(dependencies: PersonCommandsDependencies) {
    this.#dependencies = dependencies;
  }

  /** True while a command runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Runs a command, and shows its output while it runs.
   * @param command - command for the shell of the user
   */
  async run(command: string): Promise<void> {
    const { show, workspaceDir, environment, remoteUrl } = this.#dependencies;
    const place =
      remoteUrl === undefined
        ? undefined
        : `runs on ${hostname()}, the machine of this terminal, in ${workspaceDir}; the gateway is at ${remoteUrl}`;
    const view = show(command, place);
    const startedAt = Date.now();
    const output = new BoundedText();
    const child = spawn(environment.SHELL || "/bin/sh", ["-c", command], {
      cwd: workspaceDir,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      // With its process group Ctrl-C also reaches what the command started.
      detached: true,
    });
    this.#running = child;
    this.#isInterrupted = false;
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder("utf8");
      const add = (text: string) => {
        if (text === "") return;
        output.add(text);
        view.output(text);
      };
      stream.on("data", (data: Buffer) => add(decoder.write(data)));
      stream.on("end", () => add(decoder.end()));
    }
    const end = await endOf(child);
    this.#running = undefined;
    const text = this.#isInterrupted ? `ended with Ctrl-C (${end.text})` : end.text;
    view.finish({ isOk: end.isOk, text: `${text}, ${Date.now() - startedAt} ms` });
    const machine = remoteUrl === undefined ? undefined : hostname();
    const ran = { command, folder: workspaceDir, machine, end: text, output: output.text };
    this.#ran = [...this.#ran, ran].slice(-KEPT_COMMANDS);
  }

  /**
   * Ends the running command as Ctrl-C does in a shell; a second time it is killed.
   * @returns false when none runs
   */
  interrupt(): boolean {
    if (this.#running === undefined) return false;
    signalGroup(this.#running, this.#isInterrupted ? "SIGKILL" : "SIGINT");
    this.#isInterrupted = true;
    return true;
  }

  /** Ends the running command because the chat ends. */
  end(): void {
    if (this.#running !== undefined) signalGroup(this.#running, "SIGHUP");
  }

  /**
   * Returns the commands that models have not seen yet as text before a message, and forgets them.
   * @returns empty when there are none
   */
  takeContext(): string {
    const ran = this.#ran;
    const unsent = this.#unsent;
    this.#ran = [];
    this.#unsent = "";
    return ran.length === 0 ? unsent : `${unsent}${commandContext(ran)}`;
  }

  /**
   * Keeps the commands of a message that was not sent for the next one.
   * @param context - as {@link takeContext} returned it
   */
  restoreContext(context: string): void {
    this.#unsent = context;
  }
}

/** Beginning and end of a text. */
class BoundedText {
  #start = "";
  #end = "";
  #leftOut = 0;

  add(text: string): void {
    const room = this.#end === "" ? KEPT_CHARACTERS - this.#start.length : 0;
    const at = Math.min(text.length, characterStart(text, room));
    this.#start += text.slice(0, at);
    const end = this.#end + text.slice(at);
    this.#end = endOfText(end, KEPT_CHARACTERS);
    this.#leftOut += end.length - this.#end.length;
  }

  get text(): string {
    const between = this.#leftOut === 0 ? "" : `\n[… ${this.#leftOut} characters left out …]\n`;
    return `${this.#start}${between}${this.#end}`;
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The command has ended meanwhile.
  }
}

function endOf(child: ChildProcess): Promise<{ readonly isOk: boolean; readonly text: string }> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ isOk: false, text: errorMessage(error) }));
    child.once("close", (code, signal) => {
      if (signal !== null) resolve({ isOk: false, text: `signal ${signal}` });
      else resolve({ isOk: code === 0, text: `exit code ${code ?? "unknown"}` });
    });
  });
}
