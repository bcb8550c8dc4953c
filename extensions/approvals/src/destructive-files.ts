import { isAbsolute, resolve } from "node:path";
import type { CommandView, DestructiveRule } from "./destructive-rule.js";
import { isGiven, readWords } from "./parsed-arguments.js";
import type { Folders, Workspace } from "./workspace.js";

const DEVICE =
  /^\/dev\/(?!(?:null|zero|full|stdin|stdout|stderr|tty\d*|fd\/\d+|pts\/\d+|shm\/.+|u?random)$)./;
const SYSTEM_FOLDERS =
  /^(?:\/|\/(?:bin|boot|dev|etc|home|lib\d*|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|Users)(?:\/.*)?)$/;
const WRITERS = new Set(["tee", "cp", "mv", "install", "sponge", "wipefs", "blkdiscard"]);
const EVERYTHING = /^[*?.{},!]+$/;
const FILTERS =
  /^-(?:name|iname|path|ipath|regex|iregex|newer.*|[acm]time|[acm]min|size|user|empty)$/;

/** Commands that destroy files, disks or their permissions. */
export const DESTRUCTIVE_FILE_RULES: readonly DestructiveRule[] = [
  {
    id: "removal",
    reason:
      "removes files outside the workspace, the whole workspace, or files known only when it runs",
    matches: removesTooMuch,
  },
  {
    id: "find-delete",
    reason: "removes files found outside the workspace, or the whole workspace",
    matches: deletesWhatItFinds,
  },
  {
    id: "make-filesystem",
    reason: "creates a file system, which erases the volume",
    matches: ({ name, words }) =>
      /^(?:mkfs(?:\..+)?|mke2fs|mkntfs|mkdosfs|newfs|mkswap)$/.test(name) &&
      !words.every((word) => /^(?:-V|--version|-h|--help)$/.test(word ?? "")),
  },
  {
    id: "dd-device",
    reason: "writes to a device with dd",
    matches: ({ name, words }) =>
      name === "dd" &&
      words.some(
        (word) => word === undefined || (word.startsWith("of=") && DEVICE.test(word.slice(3))),
      ),
  },
  {
    id: "shred",
    reason: "overwrites files beyond recovery",
    matches: ({ name }) => name === "shred",
  },
  {
    id: "device-write",
    reason: "writes to a device",
    matches: ({ name, words, command }) =>
      command.redirections.some(
        ({ operator, target }) => operator.includes(">") && DEVICE.test(target ?? ""),
      ) ||
      (WRITERS.has(name) && DEVICE.test(readWords(words).operands.at(-1) ?? "")),
  },
  {
    id: "fork-bomb",
    reason: "starts copies of itself until the machine stops responding",
    matches: isForkBomb,
  },
  {
    id: "system-permissions",
    reason: "changes owner or permissions of system folders and everything in them",
    matches: ({ name, words }) => {
      if (name !== "chmod" && name !== "chown" && name !== "chgrp") return false;
      const given = readWords(words);
      return (
        isGiven(given, "R", ["recursive"]) &&
        given.operands.slice(1).some((path) => path === undefined || isSystemPath(path))
      );
    },
  },
];

async function removesTooMuch({ name, words, index, place }: CommandView): Promise<boolean> {
  if (name !== "rm") return false;
  const given = readWords(words);
  const hidesOptions = words.includes(undefined);
  if (!hidesOptions && !isGiven(given, "rRf", ["recursive", "force"])) return false;
  const folders = place.folders[index];
  for (const path of given.operands) {
    if (path === undefined || (await isTooMuch(path, place.workspace, folders))) return true;
  }
  return false;
}

async function deletesWhatItFinds({ name, words, index, place }: CommandView): Promise<boolean> {
  const deletes = words.some(
    (word) => word === undefined || word === "-delete" || /(?:^|\/)rm$/.test(word),
  );
  if (name !== "find" || !deletes) return false;
  const start = words.findIndex((word) => word?.startsWith("-") === true);
  const isFiltered = words.some((word) => FILTERS.test(word ?? ""));
  const places = words.slice(0, start);
  for (const path of places.length === 0 ? ["."] : places) {
    if (path === undefined) return true;
    const folders = place.folders[index];
    const isOutside = !(await place.workspace.includes(path, folders));
    if (isOutside || (!isFiltered && (await isTooMuch(path, place.workspace, folders))))
      return true;
  }
  return false;
}

/** Returns whether a path is outside the workspace, its root, or everything in its root. */
async function isTooMuch(path: string, workspace: Workspace, folders: Folders): Promise<boolean> {
  const slash = path.lastIndexOf("/");
  const named = EVERYTHING.test(path.slice(slash + 1)) && !/^\.{1,2}$/.test(path.slice(slash + 1));
  const meant = named ? path.slice(0, slash + 1) || "." : path;
  const found = await workspace.locate(meant, folders);
  if (found === undefined) return true;
  return found.some((real) => !workspace.holds(real) || real === workspace.root);
}

function isSystemPath(path: string): boolean {
  if (path.startsWith("~")) return !path.includes("/") || /^~[^/]*\/?\*?$/.test(path);
  return isAbsolute(path) && SYSTEM_FOLDERS.test(resolve(path.replace(/\/\*+$/, "") || "/"));
}

/** Returns whether a function calls itself through a pipe or, several times, in the background. */
function isForkBomb({ parsed, index }: CommandView): boolean {
  return parsed.definitions.some(({ name, commands: body }) => {
    const calls = body.filter((at) => parsed.commands[at]?.program === name);
    const pipes = calls.some((at) =>
      parsed.commands[at]?.input.some((source) => calls.includes(source)),
    );
    const spreads = calls.length > 1 && calls.every((at) => parsed.commands[at]?.background);
    return calls.includes(index) && (pipes || spreads);
  });
}
