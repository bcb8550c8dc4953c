// Probes of a platform: what OpenClaw expects of the file system, of processes and of native code. Each returns a short
// observation, or throws with what is wrong.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { execPath, platform } from "node:process";

/** Probes by name. `folder` is empty and removed afterwards, `root` is the checkout. */
export const PROBES = {
  "case of file names": ({ folder }) => {
    writeFileSync(join(folder, "Case.txt"), "");
    return existsSync(join(folder, "case.txt")) ? "ignored by the file system" : "distinguished";
  },
  "file names in Unicode": ({ folder }) => {
    const composed = "\u00e9.txt";
    mkdirSync(join(folder, "unicode"));
    writeFileSync(join(folder, "unicode", composed), "");
    const [found] = readdirSync(join(folder, "unicode"));
    return found === composed ? "kept" : "decomposed by the file system";
  },
  "spaces and long paths": ({ folder }) => {
    const place = join(
      folder,
      "with a space",
      ..."x"
        .repeat(20)
        .split("")
        .map((x) => x.repeat(15)),
    );
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "file.txt"), "text");
    return `${place.length} characters`;
  },
  "line ends of the checkout": ({ root }) => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    if (text.includes("\r\n")) throw new Error("CRLF; clone with `git config core.autocrlf false`");
    return "LF";
  },
  "modes of files": ({ folder }) => {
    const place = join(folder, "private");
    writeFileSync(place, "");
    chmodSync(place, 0o600);
    const mode = (statSync(place).mode & 0o777).toString(8);
    if (mode !== "600" && platform !== "win32") throw new Error(`0600 became 0${mode}`);
    return `0${mode}`;
  },
  "symbolic links": ({ folder }) => {
    writeFileSync(join(folder, "target"), "text");
    symlinkSync("target", join(folder, "link"));
    return readFileSync(join(folder, "link"), "utf8") === "text" ? "followed" : "not followed";
  },
  "replacing an open file": ({ folder }) => {
    writeFileSync(join(folder, "open"), "old");
    writeFileSync(join(folder, "new"), "new");
    const handle = openSync(join(folder, "open"), "r");
    try {
      renameSync(join(folder, "new"), join(folder, "open"));
    } finally {
      closeSync(handle);
    }
    return readFileSync(join(folder, "open"), "utf8") === "new" ? "allowed" : "not replaced";
  },
  signals: async () => {
    const seen = [];
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      if ((await exitOf(signal)) === 7) seen.push(signal);
    }
    if (seen.length < 3) throw new Error(`a program handles only ${seen.join(", ") || "none"}`);
    return seen.join(", ");
  },
  shell: () => {
    const found = ["bash", "sh"].find((each) => spawnSync(each, ["-c", "exit 0"]).status === 0);
    if (found === undefined) throw new Error("neither bash nor sh; `exec` needs one");
    return found;
  },
  "native modules": ({ root }) => {
    const load = createRequire(join(root, "packages/store/package.json"));
    const Database = load("better-sqlite3");
    const database = new Database(":memory:");
    const { version } = database.prepare("select sqlite_version() as version").get();
    database.close();
    return `SQLite ${version}`;
  },
  version: (context) => openclaw(context, ["version"]),
  "start of a gateway": (context) => openclaw(context, ["gateway", "check"]),
  "turn with the demo model": (context) => openclaw(context, ["chat", "-m", "what time is it"]),
  "guards of every path to a tool": (context) => openclaw(context, ["doctor", "guards", "--prove"]),
};

/** Starts a program that ends with 7 on a signal, sends the signal, and returns the exit code. */
function exitOf(signal) {
  const program = `process.on("${signal}", () => process.exit(7)); process.stdout.write("r"); setInterval(() => {}, 1e3)`;
  const child = spawn(execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.once("data", () => child.kill(signal));
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Runs the command line with the state of this check, and returns the last line that it prints. */
function openclaw({ root, folder }, args) {
  const workspace = join(folder, "workspace");
  mkdirSync(workspace, { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    execPath,
    [join(root, "apps/gateway/bin/openclaw.cjs"), ...args],
    {
      encoding: "utf8",
      cwd: workspace,
      timeout: 120_000,
      env: { ...process.env, NO_COLOR: "1", OPENCLAW_STATE_DIR: join(folder, "state") },
    },
  );
  const last = (text) => text?.trim().split("\n").at(-1) ?? "";
  if (status !== 0) throw new Error(`exit code ${status}: ${last(stderr) || last(stdout)}`);
  return last(stdout);
}
