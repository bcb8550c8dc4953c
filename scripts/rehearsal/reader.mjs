import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { PRESENT, shims } from "./reader-programs.mjs";

const READY_MS = 30_000;
const FENCE_MS = 120_000;
const OUTPUT_SHOWN = 3000;
const FAILED = "@failed";

/** Reader of a page: a home, programs, a state folder, and a gateway that is there whenever a fence begins. */
export class Reader {
  #folder;
  #environment;
  #port;
  #gateway;
  #script;
  #scene = {};
  #hasGateway;
  #running = [];

  /**
   * Makes the home of a reader.
   * @param root - the checkout, built
   * @param prepare - makes what the page assumes, see scenes.mjs; with `hasGateway: false` before any gateway runs
   */
  static async open(root, prepare) {
    const reader = new Reader();
    const folder = mkdtempSync(join(tmpdir(), "openclaw-reader-"));
    const [bin, home] = [join(folder, "bin"), join(folder, "home")];
    for (const each of [bin, join(home, "notes"), join(home, "project")]) {
      mkdirSync(each, { recursive: true });
    }
    reader.#folder = folder;
    reader.#port = await freePort();
    reader.#script = join(root, "apps/gateway/bin/openclaw.cjs");
    writeFileSync(join(home, "notes/garden.md"), "Tomatoes grow in the south bed.\n");
    writeFileSync(join(home, "project/README.md"), "# A project\n");
    // What the pages tell the reader to write, next to the project and in it.
    for (const place of [home, join(home, "project")]) {
      cpSync(join(root, "docs/examples/search-guard"), join(place, "search-guard"), {
        recursive: true,
      });
    }
    cpSync(join(root, "docs/examples/lobster"), join(home, "project"), { recursive: true });
    for (const each of ["docs", "extensions", "deployment"]) {
      symlinkSync(join(root, each), join(home, "project", each));
    }
    for (const program of PRESENT) {
      const found = ["/usr/local/bin", "/usr/bin", "/bin"]
        .map((place) => join(place, program))
        .find(existsSync);
      if (found !== undefined) symlinkSync(found, join(bin, program));
    }
    symlinkSync(execPath, join(bin, "node"));
    for (const [name, text] of Object.entries(shims(execPath, reader.#script, root))) {
      rmSync(join(bin, name), { force: true });
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    reader.#environment = {
      ...{
        PATH: `${join(folder, "programs")}:${bin}`,
        HOME: home,
        USER: "reader",
        LANG: "C.UTF-8",
        NO_COLOR: "1",
        CI: "1",
        EDITOR: "true",
      },
      OPENCLAW_STATE_DIR: join(home, ".openclaw"),
      OPENCLAW_PORT: String(reader.#port),
    };
    reader.#hasGateway = prepare?.hasGateway !== false;
    try {
      if (prepare !== undefined) {
        await reader.#assertGateway();
        reader.#scene = (await prepare(reader)) ?? {};
      }
      Object.assign(reader.#environment, reader.#scene.environment);
    } catch (error) {
      await reader[Symbol.asyncDispose]();
      throw error;
    }
    return reader;
  }

  /** Folder in which the commands run. */
  get project() {
    return join(this.#folder, "home/project");
  }

  /** Writes files into the project. */
  write(files) {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.project, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Gives the reader a program of the rehearsal, which replaces one of the system. */
  program(name, text) {
    const path = join(this.#folder, "programs", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }

  /** Runs `openclaw` to its end, and returns its output; a scene decides by it whether the command worked. */
  async openclaw(args) {
    return await this.#output([join(this.#folder, "bin/openclaw"), ...args]);
  }

  /** Runs commands of a shell in the project. */
  async shell(commands) {
    await this.#output(["/bin/bash", "-e", "-c", commands]);
  }

  /** Starts `openclaw` and leaves it running; it ends with the reader. */
  background(args) {
    const [program, options] = [join(this.#folder, "bin/openclaw"), this.#options()];
    this.#running.push(spawn(program, args, { ...options, stdio: "ignore", detached: true }));
  }

  /** Starts a module of JavaScript and leaves it running; `GATEWAY_URL` names the gateway. */
  module(code) {
    const { env, cwd } = this.#options();
    const url = { GATEWAY_URL: `http://127.0.0.1:${this.#port}` };
    const args = ["--input-type=module", "--eval", code];
    const options = { cwd, env: { ...env, ...url }, stdio: "ignore", detached: true };
    this.#running.push(spawn(execPath, args, options));
  }

  /** Repeats a command until its output has what is looked for, and returns that. */
  async awaited(args, pattern) {
    for (const until = Date.now() + READY_MS; Date.now() < until; await wait(300)) {
      const found = pattern.exec(await this.openclaw(args));
      if (found !== null) return found[0];
    }
    throw new Error(`openclaw ${args.join(" ")} did not print ${pattern} in time`);
  }

  async #output([program, ...args]) {
    const child = spawn(program, args, { ...this.#options(), stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), FENCE_MS);
    await new Promise((resolve) => child.once("exit", resolve));
    clearTimeout(timer);
    return output;
  }

  #options() {
    return { cwd: this.project, env: this.#environment };
  }

  /** Replaces what the page names by what the scene made. */
  #replaced(text) {
    const { replaced = {} } = this.#scene;
    return Object.entries(replaced).reduce(
      (changed, [name, values]) =>
        changed.replaceAll(name, () => (values.length > 1 ? values.shift() : values[0]) ?? name),
      text,
    );
  }

  /**
   * Runs the commands of a fence in the project of the reader; a line that fails does not stop the next ones.
   * @param lines - lines of the page; an empty one is left out
   * @returns exit codes of the lines that failed by their indexes, and the end of the output
   */
  async run(lines) {
    await this.#assertGateway();
    const written = this.#replaced(lines.join("\n")).replaceAll("18789", String(this.#port));
    const script = `trap 'echo "${FAILED} $LINENO $?"' ERR\n${written}\n`;
    const child = spawn("/bin/bash", ["-O", "expand_aliases", "-c", script], {
      ...this.#options(),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const timer = setTimeout(() => end(child), FENCE_MS);
    const signal = await new Promise((resolve) => {
      child.once("exit", (_code, reason) => resolve(reason));
    });
    clearTimeout(timer);
    end(child);
    const found = output.matchAll(new RegExp(`${FAILED} (\\d+) (\\d+)`, "g"));
    const failed = new Map([...found].map(([, line, code]) => [Number(line) - 2, Number(code)]));
    // Ended because it took too long: its last line did not end.
    if (signal !== null) failed.set(lines.length - 1, undefined);
    return { failed, output: output.trim().slice(-OUTPUT_SHOWN) };
  }

  /** Starts the gateway unless it runs; a fence may have stopped it. */
  async #assertGateway() {
    if (!this.#hasGateway) return;
    const isServed = () =>
      fetch(`http://127.0.0.1:${this.#port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (await isServed()) return;
    if (this.#gateway !== undefined) end(this.#gateway);
    const { PATH } = this.#environment;
    this.#gateway = spawn(execPath, [this.#script, "run"], {
      cwd: this.project,
      env: { ...this.#environment, PATH: `/usr/local/bin:/usr/bin:/bin:${PATH}` },
      stdio: "ignore",
      detached: true,
    });
    for (const until = Date.now() + READY_MS; Date.now() < until; await wait(200)) {
      if (await isServed()) return;
    }
  }

  async [Symbol.asyncDispose]() {
    for (const each of [...this.#running, this.#gateway]) if (each !== undefined) end(each);
    for (const service of this.#scene.services ?? []) await service.close();
    await wait(200);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
