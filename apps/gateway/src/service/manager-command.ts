import { execFile } from "node:child_process";
import { ServiceCommandError } from "./errors.js";

/** Time after which a command of a service manager is ended, in milliseconds; a stop takes up to 30 s. */
const DEADLINE_MS = 60_000;

/** Output of a command that may have failed. */
export interface ManagerOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands of a service manager. */
export class ManagerCommand {
  /**
   * @param program - `systemctl` or `launchctl`
   * @param fixed - arguments before those of each call
   * @param logs - command that shows what the service printed
   * @param environment - environment variables of the program
   */
  constructor(
    private readonly program: string,
    private readonly fixed: readonly string[],
    private readonly logs: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * Runs a command.
   * @returns its output, also when it failed; undefined when the program does not exist
   */
  try(...args: readonly string[]): Promise<ManagerOutput | undefined> {
    const options = { env: this.environment, timeout: DEADLINE_MS };
    return new Promise((resolve, reject) => {
      execFile(this.program, [...this.fixed, ...args], options, (error, stdout, stderr) => {
        if (error === null) resolve({ exitCode: 0, stdout, stderr });
        else if (error.code === "ENOENT") resolve(undefined);
        else if (typeof error.code === "number") resolve({ exitCode: error.code, stdout, stderr });
        else reject(error);
      });
    });
  }

  /**
   * Runs a command that must succeed.
   * @returns its standard output
   * @throws ServiceCommandError
   */
  async run(...args: readonly string[]): Promise<string> {
    const output = await this.try(...args);
    if (output?.exitCode === 0) return output.stdout;
    const command = [this.program, ...this.fixed, ...args].join(" ");
    const said = output?.stderr.trim() || output?.stdout.trim();
    const problem = said || (output ? `exit code ${output.exitCode}` : "program not found");
    throw new ServiceCommandError(command, problem, this.logs);
  }
}
