import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { ServiceDefinition } from "./definition.js";
import { ServiceManagerMissingError } from "./errors.js";
import type { ServiceManager, ServiceState } from "./manager.js";
import { ManagerCommand } from "./manager-command.js";
import { systemdUnit } from "./systemd-unit.js";

const UNIT = "openclaw.service";
const NEXT_STEP =
  "log in as this user (not with su or sudo), or run `openclaw gateway run` as the command of the container or of another supervisor";

/** The user manager of systemd. */
export class Systemd implements ServiceManager {
  readonly name = "systemd";
  readonly file: string;
  readonly logs = `journalctl --user -u ${UNIT} -e`;
  readonly #command: ManagerCommand;

  /** @param environment - environment variables of the command */
  constructor(environment: NodeJS.ProcessEnv) {
    const configured = environment.XDG_CONFIG_HOME;
    const folder = configured ? configured : join(environment.HOME || homedir(), ".config");
    this.file = join(folder, "systemd/user", UNIT);
    this.#command = new ManagerCommand("systemctl", ["--user"], this.logs, environment);
  }

  render(service: ServiceDefinition): string {
    return systemdUnit(service);
  }

  async check(): Promise<void> {
    const output = await this.#command.try("show-environment");
    if (output?.exitCode === 0) return;
    const [said = ""] = output?.stderr.trim().split("\n") ?? [];
    const problem = output === undefined ? "systemctl not found" : said || "it does not respond";
    throw new ServiceManagerMissingError("the systemd of this user", problem, NEXT_STEP);
  }

  async enable(): Promise<void> {
    await this.#command.run("daemon-reload");
    await this.#command.run("enable", UNIT);
  }

  async disable(): Promise<void> {
    await this.#command.run("disable", "--now", UNIT);
  }

  async removed(): Promise<void> {
    await this.#command.run("daemon-reload");
    // A failed unit would be listed until the next login.
    await this.#command.try("reset-failed", UNIT);
  }

  async start(): Promise<void> {
    // Too many failures in a row would refuse a start that the user asks for.
    await this.#command.try("reset-failed", UNIT);
    await this.#command.run("start", UNIT);
  }

  async stop(): Promise<void> {
    await this.#command.run("stop", UNIT);
  }

  async restart(): Promise<void> {
    await this.#command.try("reset-failed", UNIT);
    await this.#command.run("restart", UNIT);
  }

  async state(): Promise<ServiceState> {
    const properties = "ActiveState,SubState,MainPID,UnitFileState,Result";
    const output = await this.#command.run("show", UNIT, `--property=${properties}`);
    const values = new Map(
      output.split("\n").map((line) => {
        const [name = "", ...value] = line.split("=");
        return [name, value.join("=")] as const;
      }),
    );
    const active = values.get("ActiveState") ?? "unknown";
    const result = values.get("Result") ?? "success";
    const pid = Number(values.get("MainPID"));
    return {
      isActive: ["active", "activating", "reloading"].includes(active),
      isEnabled: values.get("UnitFileState") === "enabled",
      pid: pid > 0 ? pid : undefined,
      detail: `${active} (${values.get("SubState") ?? "unknown"}${result === "success" ? "" : `, ${result}`})`,
    };
  }

  sessionNotice(): string | undefined {
    const { username } = userInfo();
    if (existsSync(`/var/lib/systemd/linger/${username}`)) return undefined;
    return `It runs while ${username} is logged in; for a server run \`loginctl enable-linger ${username}\`.`;
  }
}
