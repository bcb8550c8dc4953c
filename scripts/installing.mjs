// Says at the terminal that dependencies are being installed, and for how long. pnpm runs it before an install, whose own
// output is limited to errors (pnpm-workspace.yaml); it hides the output of this script too, so the line goes to the
// terminal.
// usage: node scripts/installing.mjs
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv, execPath, kill, platform, ppid } from "node:process";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(import.meta.url);
/** pnpm writes it at the end of an install. */
const RECORD = join(dirname(dirname(FILE)), "node_modules/.modules.yaml");
const LOOK_MS = 100;
const TICK_MS = 1000;
const LONGEST_MS = 10 * 60_000;

if (argv[2] === "--tick") tick(Number(argv[3]));
else begin();

function begin() {
  let terminal;
  try {
    terminal = openSync(platform === "win32" ? "\\\\.\\CONOUT$" : "/dev/tty", "w");
  } catch {
    // Without a terminal nobody waits for the line.
    return;
  }
  const pnpm = findPnpm();
  const isTicking = pnpm !== undefined;
  writeSync(terminal, `\r\u001b[KInstalling dependencies …${isTicking ? "" : "\r\n"}`);
  if (isTicking) {
    // In the same process group, so that Ctrl-C ends it too.
    const stdio = ["ignore", terminal, "ignore"];
    spawn(execPath, [FILE, "--tick", String(pnpm)], { stdio }).unref();
  }
  closeSync(terminal);
}

/** Returns the process ID of pnpm, which runs this script itself or with a shell; undefined where `ps` is missing. */
function findPnpm() {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(ppid)], {
    encoding: "utf8",
  });
  const [, parent, command] = /^\s*(\d+)\s+(\S+)/.exec(stdout ?? "") ?? [];
  if (parent === undefined) return undefined;
  return /^(?:.*\/)?-?(?:ba|da|z|k)?sh$/.test(command) ? Number(parent) : ppid;
}

/** Shows the time that passed until pnpm has ended the install, or has ended. */
function tick(pnpm) {
  const startedAt = Date.now();
  const before = recordedAt();
  let shownAt = startedAt;
  const looking = setInterval(() => {
    const now = Date.now();
    if (recordedAt() !== before || !isRunning(pnpm) || now - startedAt > LONGEST_MS) {
      clearInterval(looking);
      writeSync(1, "\r\u001b[K");
    } else if (now - shownAt >= TICK_MS) {
      shownAt = now;
      writeSync(1, `\r\u001b[KInstalling dependencies … ${Math.round((now - startedAt) / 1000)} s`);
    }
  }, LOOK_MS);
}

function recordedAt() {
  return statSync(RECORD, { throwIfNoEntry: false })?.mtimeMs;
}

function isRunning(pid) {
  try {
    return kill(pid, 0);
  } catch {
    return false;
  }
}
