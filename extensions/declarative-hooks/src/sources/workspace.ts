import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { HookApproval, HookSetProblem } from "@openclaw/plugin-sdk/hooks";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { HookDefinition } from "../definition/definition.js";
import type { ReadContext } from "../definition/read-context.js";
import { readHooks } from "../definition/reader.js";
import { HookConfigurationError } from "../errors.js";
import { failsClosed } from "../points/point.js";
import type { HookSource } from "./source.js";
import type { GoodVersion, HookState } from "./state.js";

/** Folder of hook files in a workspace. */
export const HOOK_FOLDER = "hooks";
const MAIN_FILE = "hooks.json";
const SUFFIX = ".hook.json";
/** Largest hook file, in bytes. */
const LARGEST_FILE = 200 * 1024;
/** Maximum number of hook files of a workspace. */
const MOST_FILES = 100;

/** Context of reading a workspace. */
export interface WorkspaceContext {
  /** Folder of the workspace. */
  readonly folder: string;
  readonly isTrusted: () => boolean;
  readonly read: ReadContext;
  readonly state: HookState;
}

/**
 * Reads the hook files of a workspace. A file that is not valid, or whose programs are not approved, keeps its last
 * version that was in force (DHOOK-014, DHOOK-015).
 * @param context - folder, trust, reader and stored decisions
 */
export async function readWorkspace(context: WorkspaceContext): Promise<readonly HookSource[]> {
  const files = hookFiles(context.folder);
  if (files.length > 0 && !context.isTrusted()) {
    const message = `the workspace is not trusted, so its ${files.length} hook file(s) are not read; run "openclaw trust" in it`;
    return [emptySource(context.folder, [{ source: context.folder, message }])];
  }
  return await Promise.all(files.map((file) => readFile(file, context)));
}

/**
 * Returns true for the path of a hook file of a workspace.
 * @param folder - the workspace
 * @param path - path of a file in it
 */
export function isHookFile(folder: string, path: string): boolean {
  const name = relative(folder, path).split(sep);
  const last = name.at(-1) ?? "";
  if (name.length === 2 && name[0] === HOOK_FOLDER)
    return last === MAIN_FILE || last.endsWith(SUFFIX);
  return name.length === 1 && last.endsWith(SUFFIX);
}

/**
 * Returns what an approval of a file covers, and stores the approval when the given hash is that of its content.
 * @param file - path, absolute or relative to the workspace
 * @param hash - hash that the operator has seen
 * @param context - folder, reader and stored decisions
 * @returns undefined when the file has no programs
 * @throws HookConfigurationError when the file is not valid
 */
export async function approveFile(
  file: string,
  hash: string | undefined,
  context: WorkspaceContext,
): Promise<HookApproval | undefined> {
  const path = isAbsolute(file) ? file : resolve(context.folder, file);
  if (!existsSync(path) || !isHookFile(context.folder, path)) return undefined;
  const version = contentOf(path);
  const name = nameOf(path, context.folder);
  const commands = commandsOf(parse(version.text, name, context.read));
  if (commands.length === 0) return undefined;
  const real = realpathSync(path);
  if (hash === version.hash) await context.state.approve(real, hash);
  const approved = (await context.state.approvedHash(real)) === version.hash;
  return { file: path, hash: version.hash, commands, approved };
}

function hookFiles(folder: string): readonly string[] {
  const inFolder = (place: string) =>
    existsSync(place) && lstatSync(place).isDirectory()
      ? readdirSync(place, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => join(place, name))
      : [];
  return [...inFolder(join(folder, HOOK_FOLDER)), ...inFolder(folder)]
    .filter((path) => isHookFile(folder, path))
    .sort()
    .slice(0, MOST_FILES);
}

async function readFile(path: string, context: WorkspaceContext): Promise<HookSource> {
  const { folder, state, read } = context;
  const name = nameOf(path, folder);
  const place = { location: path, cwd: folder };
  const real = realpathSync(path);
  let version: GoodVersion;
  let definitions: readonly HookDefinition[];
  try {
    version = contentOf(path);
    definitions = parse(version.text, name, read);
  } catch (error) {
    const message = errorMessage(error);
    return await lastGood({ ...place, real, name, message }, context);
  }
  const hasPrograms = commandsOf(definitions).length > 0;
  if (!hasPrograms || (await state.approvedHash(real)) === version.hash) {
    await state.keep(real, version);
    return { ...place, definitions, approved: true, problems: [] };
  }
  const gates = definitions.filter(
    ({ action, enabled, points, mode }) =>
      action.type === "shell" && enabled && points.some((point) => failsClosed(point, mode)),
  );
  const named = gates.map((gate) => `"${gate.name}"`).join(", ");
  const stop =
    gates.length === 1 ? "stops the events that it decides" : "stop the events that they decide";
  const effect = gates.length === 0 ? "" : `; until then ${named} ${stop} about`;
  const message = `its programs are not approved${effect}; run "openclaw hooks approve ${name}"`;
  const kept = await lastGood({ ...place, real, name, message }, context);
  if (kept.definitions.length > 0) return kept;
  return {
    ...place,
    file: name,
    definitions,
    approved: false,
    problems: [{ source: path, message }],
  };
}

interface Unusable {
  readonly location: string;
  readonly cwd: string;
  readonly real: string;
  readonly name: string;
  readonly message: string;
}

async function lastGood(
  { location, cwd, real, name, message }: Unusable,
  { state, read }: WorkspaceContext,
): Promise<HookSource> {
  const good = await state.goodVersion(real);
  if (good !== undefined) {
    try {
      const definitions = parse(good.text, name, read);
      const told = `${message}\n  The last version in force is still used.`;
      return {
        location,
        cwd,
        definitions,
        approved: true,
        problems: [{ source: location, message: told }],
      };
    } catch {
      // For example a secret that the version refers to was removed.
    }
  }
  return { ...emptySource(location, [{ source: location, message }]), cwd };
}

function parse(text: string, source: string, read: ReadContext): readonly HookDefinition[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = `it is not JSON: ${errorMessage(error)}`;
    throw new HookConfigurationError(source, [
      { problem: "InvalidFormat", hook: undefined, path: "", message },
    ]);
  }
  return readHooks(value, source, read);
}

function contentOf(path: string): GoodVersion {
  const { size } = lstatSync(path);
  if (size > LARGEST_FILE) {
    throw new HookConfigurationError(path, [
      {
        ...{ problem: "InvalidFormat", hook: undefined, path: "" },
        message: `it has ${size} bytes; at most ${LARGEST_FILE} are read`,
      },
    ]);
  }
  const text = readFileSync(path, "utf8");
  return { text, hash: createHash("sha256").update(text).digest("hex") };
}

function commandsOf(definitions: readonly HookDefinition[]): readonly string[] {
  return definitions.flatMap(({ action }) => (action.type === "shell" ? [action.shown] : []));
}

function nameOf(path: string, folder: string): string {
  return relative(folder, path).split(sep).join("/");
}

function emptySource(location: string, problems: readonly HookSetProblem[]): HookSource {
  return { location, cwd: location, definitions: [], approved: true, problems };
}
