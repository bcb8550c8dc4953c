import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { installation } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { buildForPlugins } from "./build-for-plugins.js";

/** Packages that every plugin can import. */
const ALWAYS = ["openclaw", "@openclaw/plugin-sdk", "@openclaw/plugin-testkit"] as const;

type PackageManifest = Readonly<
  Record<
    "dependencies" | "devDependencies" | "peerDependencies",
    Readonly<Record<string, string>> | undefined
  >
> & {
  readonly name?: string;
  readonly bin?: string | Readonly<Record<string, string>>;
};

/**
 * Runs `openclaw plugins link`: lets a plugin import the packages of this checkout, as `npm install` would let it import
 * published ones (SDK-041), and builds those that are not built yet.
 * @param path - folder of the plugin
 * @param options - format
 * @throws UsageError outside a checkout, and for a path that is not a folder
 */
export async function linkCommand(
  path: string,
  { json = false }: { json?: boolean },
  { terminal }: CommandContext,
): Promise<ExitCode> {
  const { checkout } = installation;
  if (checkout === undefined) {
    throw new UsageError(
      "this openclaw is not run from a checkout; run `npm install` in the plugin's folder instead",
    );
  }
  const folder = resolve(path);
  if (!existsSync(folder))
    throw new UsageError(`${folder} does not exist; name the plugin's folder`);
  const linked = linkCheckout(folder, checkout);
  if (!(await buildForPlugins(checkout, linked))) return EXIT.error;
  if (json) terminal.print(JSON.stringify({ folder, linked }));
  else terminal.print(`${folder}/node_modules has ${linked.join(", ")} of this checkout.`);
  return EXIT.ok;
}

/**
 * Links the packages that a plugin depends on, and their programs, to those of a checkout. What is there already stays.
 * @param folder - absolute path of the plugin
 * @param checkout - root of the checkout
 * @returns names of the linked packages
 */
export function linkCheckout(folder: string, checkout: string): string[] {
  const places = packagePlaces(checkout);
  const linked: string[] = [];
  for (const name of packagesOf(folder)) {
    const target = places.get(name) ?? foundBelow(checkout, name);
    if (target === undefined) continue;
    const link = join(folder, "node_modules", name);
    if (!existsSync(link)) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target, link);
    }
    for (const [program, file] of programsOf(target)) writeProgram(folder, program, file);
    linked.push(name);
  }
  return linked;
}

/**
 * Returns the names of the packages that a plugin imports: those of every plugin, and those of its `package.json`.
 * @param folder - absolute path of the plugin
 */
export function packagesOf(folder: string): Set<string> {
  const manifest = readManifest(join(folder, "package.json"));
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const wanted = { ...dependencies, ...devDependencies, ...peerDependencies };
  return new Set([...ALWAYS, ...Object.keys(wanted)]);
}

/** Returns the folders of the packages of the checkout by name. */
function packagePlaces(checkout: string): Map<string, string> {
  const files = globSync("{packages,extensions,apps}/*/package.json", { cwd: checkout });
  return new Map(
    files.flatMap((file) => {
      const { name } = readManifest(join(checkout, file));
      return name === undefined ? [] : [[name, join(checkout, dirname(file))] as const];
    }),
  );
}

/** Finds a package that the checkout itself depends on. */
function foundBelow(checkout: string, name: string): string | undefined {
  const folders = ["node_modules", "{packages,extensions,apps}/*/node_modules"];
  const [found] = folders.flatMap((folder) => globSync(`${folder}/${name}`, { cwd: checkout }));
  return found === undefined ? undefined : join(checkout, found);
}

function programsOf(target: string): [name: string, file: string][] {
  const { name = "", bin } = readManifest(join(target, "package.json"));
  const named =
    typeof bin === "string" ? { [name.slice(name.indexOf("/") + 1)]: bin } : (bin ?? {});
  return Object.entries(named).map(([program, file]) => [program, join(target, file)]);
}

/** The program runs with the Node of the checkout, which may be newer than that of the system. */
function writeProgram(folder: string, program: string, file: string): void {
  const path = join(folder, "node_modules/.bin", program);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, { mode: 0o755 });
}

function readManifest(file: string): PackageManifest {
  const none = { dependencies: undefined, devDependencies: undefined, peerDependencies: undefined };
  if (!existsSync(file)) return none;
  return { ...none, ...(JSON.parse(readFileSync(file, "utf8")) as object) };
}
