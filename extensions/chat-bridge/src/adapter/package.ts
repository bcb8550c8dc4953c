import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ChannelStartupFailedError } from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { Adapter } from "chat";

/** Package of an adapter. */
export interface AdapterPackage {
  /** Name of the package, for example `@chat-adapter/slack`. */
  readonly name: string;
  /** Version to install; the newest when absent. */
  readonly version?: string | undefined;
  /** Exported function that creates the adapter; the only one named `create…Adapter` when absent. */
  readonly factory?: string | undefined;
}

/** Package of an adapter, loaded. */
export interface LoadedAdapter {
  /** Creates the adapter from its options. */
  create(options: Readonly<Record<string, unknown>>): Adapter;
  /** Folder of the package. */
  readonly folder: string;
}

const FACTORY = /^create[A-Za-z0-9]*Adapter$/;
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/**
 * Loads the function of a package that creates an adapter.
 * @param channel - name of the channel, for messages
 * @param folders - folders to search; the last one is where the operator installs adapters
 * @throws ChannelStartupFailedError that has the command to install a missing package
 */
export async function loadAdapter(
  channel: string,
  source: AdapterPackage,
  folders: readonly string[],
): Promise<LoadedAdapter> {
  const { name } = source;
  if (!PACKAGE_NAME.test(name)) {
    throw failure(
      channel,
      `"${name}" is not a name of a package; correct channels.${channel}.adapter`,
    );
  }
  const folder = folders
    .map((each) => packageFolder(name, each))
    .find((each) => each !== undefined);
  if (folder === undefined) {
    throw failure(
      channel,
      `the package ${name} is not installed; run: ${installCommand(source, folders.at(-1) ?? ".")}`,
    );
  }
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await importFrom(folder);
  } catch (error) {
    const reason = errorMessage(error);
    const problem = `the package ${name} in ${folder} cannot be loaded: ${reason}; install it again`;
    throw failure(channel, problem, error);
  }
  const wanted = source.factory ?? Object.keys(exported).find((key) => FACTORY.test(key));
  const factory = wanted === undefined ? undefined : exported[wanted];
  if (typeof factory !== "function") {
    const found = Object.keys(exported).filter((key) => typeof exported[key] === "function");
    const problem = `the package ${name} does not export ${source.factory ?? "a function create…Adapter"}; set channels.${channel}.factory to one of ${found.join(", ") || "its functions"}`;
    throw failure(channel, problem);
  }
  return { folder, create: (options) => factory(options) };
}

/**
 * Loads a package that an adapter depends on.
 * @param name - name of the package
 * @param folder - folder of the adapter
 * @returns its exports; undefined when it is not installed
 */
export async function loadDependency(
  name: string,
  folder: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const found = packageFolder(name, folder);
  return found === undefined ? undefined : importFrom(found);
}

async function importFrom(folder: string): Promise<Readonly<Record<string, unknown>>> {
  return await import(pathToFileURL(join(folder, entryOf(folder))).href);
}

/**
 * Returns the command that installs a package where the bridge finds it.
 * @param source - the package
 * @param folder - folder of the adapters
 */
export function installCommand({ name, version }: AdapterPackage, folder: string): string {
  return `npm install --prefix ${JSON.stringify(folder)} ${name}${version === undefined ? "" : `@${version}`}`;
}

/**
 * Finds a package as Node does, in the `node_modules` of a folder and of the folders above it.
 * @param name - name of the package
 * @param from - folder
 */
export function packageFolder(name: string, from: string): string | undefined {
  const candidate = join(from, "node_modules", ...name.split("/"));
  if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
  const above = dirname(from);
  return above === from ? undefined : packageFolder(name, above);
}

/** Returns the file that `import` of a package loads. */
function entryOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { exports, module, main } = fieldsOf(manifest);
  const root = typeof exports === "string" ? exports : (fieldsOf(exports)["."] ?? exports);
  return conditional(root) ?? textOf(module) ?? textOf(main) ?? "index.js";
}

function conditional(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  const conditions = fieldsOf(target);
  for (const condition of ["node", "import", "module-sync", "default"]) {
    const found = conditions[condition];
    if (found !== undefined) return conditional(found);
  }
  return undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function failure(channel: string, problem: string, cause?: unknown): ChannelStartupFailedError {
  return new ChannelStartupFailedError(channel, problem, { cause });
}
