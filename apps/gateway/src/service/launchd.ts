import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { ServiceDefinition } from "./definition.js";
import { ServiceManagerMissingError } from "./errors.js";
import { AGENT_LABEL, launchAgent } from "./launch-agent.js";
import type { ServiceManager, ServiceState } from "./manager.js";
import { ManagerCommand } from "./manager-command.js";

/** The launchd of this user's graphical session. */
export class Launchd implements ServiceManager {
  readonly name = "launchd";
  readonly file: string;
  readonly #domain = `gui/${userInfo().uid}`;
  readonly #target = `${this.#domain}/${AGENT_LABEL}`;
  readonly logs = `launchctl print ${this.#target}`;
  readonly #command: ManagerCommand;

  /** @param environment - environment variables of the command */
  constructor(environment: NodeJS.ProcessEnv) {
    const home = environment.HOME || homedir();
    this.file = join(home, "Library/LaunchAgents", `${AGENT_LABEL}.plist`);
    this.#command = new ManagerCommand("launchctl", [], this.logs, environment);
  }

  render(service: ServiceDefinition): string {
    return launchAgent(service);
  }

  async check(): Promise<void> {
    const output = await this.#command.try("print", this.#domain);
    if (output?.exitCode === 0) return;
    throw new ServiceManagerMissingError(
      "the launchd of this user",
      output === undefined ? "launchctl not found" : output.stderr.trim() || "no session",
      "log in at the screen of this machine once, or run `openclaw gateway run` under another supervisor",
    );
  }

  async enable(): Promise<void> {
    // An agent that is loaded keeps the old file.
    await this.#command.try("bootout", this.#target);
    await this.#command.run("enable", this.#target);
  }

  async disable(): Promise<void> {
    await this.#command.try("bootout", this.#target);
  }

  async removed(): Promise<void> {}

  async start(): Promise<void> {
    const { isActive } = await this.state();
    if (isActive) return;
    await this.#command.try("bootout", this.#target);
    await this.#command.run("bootstrap", this.#domain, this.file);
  }

  async stop(): Promise<void> {
    // launchd starts an agent with KeepAlive again unless it is unloaded.
    await this.#command.try("bootout", this.#target);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async state(): Promise<ServiceState> {
    const output = await this.#command.try("print", this.#target);
    if (output?.exitCode !== 0) return { isActive: false, isEnabled: false, detail: "not loaded" };
    const [, detail = "unknown"] = /^\s*state = (.+)$/m.exec(output.stdout) ?? [];
    const [, pid] = /^\s*pid = (\d+)$/m.exec(output.stdout) ?? [];
    return {
      isActive: detail === "running",
      isEnabled: true,
      pid: pid === undefined ? undefined : Number(pid),
      detail,
    };
  }

  sessionNotice(): string | undefined {
    return "It runs while you are logged in.";
  }
}
