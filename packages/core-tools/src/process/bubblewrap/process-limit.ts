import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** Beginning of the names of the control groups of commands. */
const PREFIX = "openclaw-sandbox-";
/** Entry of `/proc/self/cgroup` for the second version, which has one hierarchy for all controllers. */
const UNIFIED = "";
const CONTROLLER = "pids";

/** Limit for the processes of one command, where the limit of the shell does not hold. */
export interface ProcessLimit {
  /** File to which a process writes its id before it starts the command. */
  readonly joinFile: string;
  /** Removes the limit after the command. */
  readonly end: () => Promise<void>;
}

/** Returns true for root, whose processes the kernel does not count. */
export function isUncounted(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0;
}

/**
 * Returns the folder of the control group of a process in which groups with a limit for processes can be made.
 * @param groups - content of `/proc/self/cgroup`
 * @param mounts - content of `/proc/self/mountinfo`
 */
export function groupFolder(groups: string, mounts: string): string | undefined {
  const entries = groups.split("\n").map((line) => line.split(":"));
  const own = (controller: string) =>
    entries.find(([, controllers = ""]) => controllers.split(",").includes(controller))?.[2];
  const first = own(CONTROLLER);
  const path = first ?? own(UNIFIED);
  if (path === undefined) return undefined;
  for (const line of mounts.split("\n")) {
    const [place = "", kind = ""] = line.split(" - ");
    const [, , , root = "", folder = ""] = place.split(" ");
    const [type, , options = ""] = kind.split(" ");
    const isFitting =
      first === undefined
        ? type === "cgroup2"
        : type === "cgroup" && options.split(",").includes(CONTROLLER);
    const below = relative(root, path);
    if (isFitting && !below.startsWith("..")) return join(folder, below);
  }
  return undefined;
}

let made = 0;
/** Groups of commands that ended, whose last process the kernel may not have removed yet. */
const ended = new Set<string>();

/**
 * Makes a control group that limits the processes of one command.
 * @param most - maximum number of processes and threads
 * @returns undefined where the machine does not allow it
 */
export async function openProcessLimit(most: number): Promise<ProcessLimit | undefined> {
  const parent = await ownFolder();
  if (parent === undefined) return undefined;
  made += 1;
  const folder = join(parent, `${PREFIX}${process.pid}-${made}`);
  try {
    await mkdir(folder);
    // Without the controller the group has no such file, and none can be made.
    await writeFile(join(folder, "pids.max"), String(most), { flag: "r+" });
  } catch {
    await removeGroup(folder);
    return undefined;
  }
  return { joinFile: join(folder, "cgroup.procs"), end: () => removeGroups(parent, folder) };
}

async function ownFolder(): Promise<string | undefined> {
  const [groups, mounts] = await Promise.all(
    ["/proc/self/cgroup", "/proc/self/mountinfo"].map((file) =>
      readFile(file, "utf8").catch(() => ""),
    ),
  );
  return groupFolder(groups ?? "", mounts ?? "");
}

/** Removes a group, and empty ones that killed commands and hosts left. */
async function removeGroups(parent: string, folder: string): Promise<void> {
  ended.add(folder);
  for (const one of ended) if (await removeGroup(one)) ended.delete(one);
  const names = await readdir(parent).catch(() => []);
  const left = names.filter((name) => name.startsWith(PREFIX) && isOver(name));
  for (const name of left) await removeGroup(join(parent, name));
}

/** Groups of this process are in use or waited for the end of a process. */
function isOver(name: string): boolean {
  const [pid] = name.slice(PREFIX.length).split("-").map(Number);
  if (pid === undefined || pid === process.pid || !Number.isInteger(pid)) return false;
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

/** The kernel keeps a group that still has processes. */
async function removeGroup(folder: string): Promise<boolean> {
  return await rmdir(folder).then(
    () => true,
    () => false,
  );
}
