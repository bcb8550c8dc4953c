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
import { join } from "node:path";
import { execPath } from "node:process";
import { setTimeout as wait } from "node:timers/promises";

/** Programs that every reader has. */
const PRESENT = [
  ...[
    "git",
    "curl",
    "bash",
    "sh",
    "cat",
    "cp",
    "date",
    "echo",
    "head",
    "ls",
    "mkdir",
    "mv",
    "printf",
  ],
  ...[
    "rm",
    "sed",
    "tail",
    "tee",
    "test",
    "true",
    "sleep",
    "sort",
    "grep",
    "wc",
    "env",
    "chmod",
    "timeout",
  ],
  ...[
    "find",
    "tr",
    "cut",
    "dirname",
    "basename",
    "uname",
    "id",
    "ps",
    "which",
    "ln",
    "touch",
    "setsid",
  ],
];
const READY_MS = 30_000;
const FENCE_MS = 60_000;
const OUTPUT_SHOWN = 3000;
const FAILED = "@failed";

/** Reader of a page: a home, programs, a state folder, and a gateway that is there whenever a fence begins. */
export class Reader {
  #folder;
  #environment;
  #port;
  #gateway;
  #script;

  /**
   * Makes the home of a reader.
   * @param root - the checkout, built
   */
  static async open(root) {
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
    for (const program of PRESENT) {
      const found = ["/usr/bin", "/bin"].map((place) => join(place, program)).find(existsSync);
      if (found !== undefined) symlinkSync(found, join(bin, program));
    }
    symlinkSync(execPath, join(bin, "node"));
    const shims = { openclaw: openclawShim(reader.#script), npx: NPX };
    for (const [name, text] of Object.entries(shims)) {
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    reader.#environment = {
      ...{
        PATH: bin,
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
    return reader;
  }

  /**
   * Runs the commands of a fence in the project of the reader; a line that fails does not stop the next ones.
   * @param lines - lines of the page; an empty one is left out
   * @returns indexes of the lines that failed, and the end of the output
   */
  async run(lines) {
    await this.#assertGateway();
    const written = lines.join("\n").replaceAll("18789", String(this.#port));
    const script = `trap 'echo "${FAILED} $LINENO"' ERR\n${written}\n`;
    const child = spawn("/bin/bash", ["-O", "expand_aliases", "-c", script], {
      cwd: join(this.#folder, "home/project"),
      env: this.#environment,
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
    const found = output.matchAll(new RegExp(`${FAILED} (\\d+)`, "g"));
    const failed = new Set([...found].map(([, line]) => Number(line) - 2));
    // Ended because it took too long: its last line did not end.
    if (signal !== null) failed.add(lines.length - 1);
    return { failed, output: output.trim().slice(-OUTPUT_SHOWN) };
  }

  /** Starts the gateway unless it runs; a fence may have stopped it. */
  async #assertGateway() {
    const isServed = () =>
      fetch(`http://127.0.0.1:${this.#port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (await isServed()) return;
    if (this.#gateway !== undefined) end(this.#gateway);
    this.#gateway = spawn(execPath, [this.#script, "run"], {
      cwd: join(this.#folder, "home/project"),
      env: this.#environment,
      stdio: "ignore",
      detached: true,
    });
    for (const until = Date.now() + READY_MS; Date.now() < until; await wait(200)) {
      if (await isServed()) return;
    }
  }

  async [Symbol.asyncDispose]() {
    if (this.#gateway !== undefined) end(this.#gateway);
    await wait(200);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A command that serves until it is stopped has done its work when it still runs after some seconds. */
function openclawShim(script) {
  return `#!/bin/sh
case "$1 $2" in
  "run "*|"gateway run"|"plugins dev"|"logs -f"|"logs --follow")
    timeout 6 "${execPath}" "${script}" "$@"
    status=$?
    [ $status = 124 ] && exit 0
    exit $status ;;
esac
exec "${execPath}" "${script}" "$@"
`;
}

/** In a checkout \`openclaw\` is a script of pnpm; nothing else is fetched. */
const NPX = `#!/bin/sh
[ "$1" = -y ] && shift
case "$1" in pnpm@*) shift ;; *) echo "npx needs a registry" >&2; exit 99 ;; esac
case "$1" in -s|--silent) shift ;; esac
[ "$1" = openclaw ] && shift && exec openclaw "$@"
echo "pnpm $1 needs a checkout" >&2
exit 99
`;

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
