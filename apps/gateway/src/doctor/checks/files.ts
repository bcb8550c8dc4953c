import { accessSync, chmodSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { StateFolder } from "@openclaw/gateway";
import { sizeOf } from "../../shell/size.js";
import { type CheckResult, passed } from "./check.js";

const LITTLE_SPACE = 1024 ** 3;
const NO_SPACE = 100 * 1024 ** 2;
/** Clocks of file systems and containers differ by less. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * Checks the state folder, its secret files and the configuration file: that this user can write them, and that no
 * other user can read them.
 * @param configurationFile - path of the configuration file
 */
export function checkFiles(state: StateFolder, configurationFile: string): CheckResult[] {
  if (!existsSync(state.dir)) {
    return [passed("state", `${state.dir} does not exist yet; the first start creates it`)];
  }
  const results = [writable(state.dir), privateTo("state-mode", state.dir, 0o700)];
  const names = ["secrets.key", ".env"].map((name) => join(state.dir, name));
  const secretFiles = [state.tokenFile, ...names, configurationFile];
  for (const file of secretFiles.filter((each) => existsSync(each))) {
    results.push(privateTo("file-mode", file, 0o600));
  }
  return results;
}

function writable(dir: string): CheckResult {
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return passed("state", `${dir} can be written`);
  } catch (error) {
    return {
      name: "state",
      status: "fail",
      message: `${dir} cannot be written (${errorMessage(error)})`,
      hint: "give this user access, or select another folder with OPENCLAW_STATE_DIR",
    };
  }
}

function privateTo(name: string, path: string, mode: number): CheckResult {
  // Windows has no mode of this kind.
  if (process.platform === "win32") return passed(name, `${path}: not checked on Windows`);
  const found = statSync(path).mode & 0o777;
  if ((found & 0o077) === 0) return passed(name, `only this user can access ${path}`);
  const octal = mode.toString(8);
  return {
    name,
    status: "warn",
    message: `other users can access ${path} (mode ${found.toString(8)})`,
    hint: `run \`chmod ${octal} ${path}\``,
    repair: {
      id: `${name}:${path}`,
      description: `chmod ${octal} ${path} (was ${found.toString(8)})`,
      apply: () => chmodSync(path, mode),
    },
  };
}

/**
 * Checks the free space of the disk with the state folder.
 * @param state - state folder, which may not exist
 */
export function checkDiskSpace({ dir }: StateFolder): CheckResult {
  let folder = dir;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${sizeOf(free)} free at ${folder}`;
  if (free >= LITTLE_SPACE) return passed("disk", message);
  const hint = "free some space; `openclaw db status` shows the size of the database";
  return { name: "disk", status: free < NO_SPACE ? "fail" : "warn", message, hint };
}

/** Checks that the clock of this machine is not behind the files that the gateway wrote. */
export function checkClock(state: StateFolder): CheckResult {
  const written = [state.logFile, state.databaseFile]
    .filter((file) => existsSync(file))
    .map((file) => statSync(file).mtimeMs);
  const ahead = Math.max(0, ...written) - Date.now();
  if (ahead <= CLOCK_TOLERANCE_MS) return passed("clock", new Date().toISOString());
  return {
    name: "clock",
    status: "warn",
    message: `the clock is ${Math.round(ahead / 60_000)} minutes behind the newest file in ${state.dir}`,
    hint: "set the clock; approvals, grants and tokens expire by it",
  };
}
