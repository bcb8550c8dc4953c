import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Place } from "./place.js";

/** Asks the manager in the process of the test, as `systemctl` asks that of the user. */
const SYSTEMCTL = (port: number) => `#!${process.execPath}
const [, verb] = process.argv.slice(2);
fetch("http://127.0.0.1:${port}/" + verb).then(async (answer) => {
  process.stdout.write(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
});
`;

/**
 * Manager of a user's services that runs the unit of the gateway, for machines without a systemd of the user. It knows
 * start, stop, restart and show; a `systemctl` in `bin` asks it.
 */
export class UserServices implements AsyncDisposable {
  /** Folder of `systemctl`, for the `PATH` of commands. */
  readonly bin: string;
  readonly #unit: string;
  readonly #server = createServer((request, response) => {
    this.#answer(request.url?.slice(1) ?? "").then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  #child: ChildProcess | undefined;

  private constructor(place: Place) {
    this.bin = join(place.workspace, "bin");
    this.#unit = join(place.state, ".config/systemd/user/openclaw.service");
  }

  /**
   * Starts the manager of a place, whose state folder is the home of its commands.
   * @param place - folders of the commands
   */
  static async start(place: Place): Promise<UserServices> {
    const services = new UserServices(place);
    services.#server.listen(0, "127.0.0.1");
    await once(services.#server, "listening");
    const address = services.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    mkdirSync(services.bin, { recursive: true });
    writeFileSync(join(services.bin, "systemctl"), SYSTEMCTL(port));
    chmodSync(join(services.bin, "systemctl"), 0o755);
    return services;
  }

  async #answer(verb: string): Promise<string> {
    if (verb === "stop" || verb === "restart" || verb === "disable") await this.#stop();
    if (verb === "start" || verb === "restart") this.#start();
    const pid = this.#child?.exitCode === null ? this.#child.pid : undefined;
    const [active, sub] = pid === undefined ? ["inactive", "dead"] : ["active", "running"];
    return verb === "show"
      ? `MainPID=${pid ?? 0}\nResult=success\nActiveState=${active}\nSubState=${sub}\nUnitFileState=enabled\n`
      : "";
  }

  #start(): void {
    const unit = readFileSync(this.#unit, "utf8");
    const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
    const [, folder = ""] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? [];
    const [program = "", ...args] = [...command.matchAll(/"([^"]*)"/g)].map(
      ([, word = ""]) => word,
    );
    const variables = [...unit.matchAll(/^Environment="(\w+)=(.*)"$/gm)];
    mkdirSync(folder, { recursive: true });
    this.#child = spawn(program, args, {
      cwd: folder,
      env: Object.fromEntries(variables.map(([, name = "", value = ""]) => [name, value])),
      stdio: "ignore",
    });
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    this.#server.close();
  }
}
