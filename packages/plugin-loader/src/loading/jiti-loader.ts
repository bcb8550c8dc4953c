import { join } from "node:path";
import { withDeadline } from "@openclaw/foundation";
import { virtualSdk, withSdkNames } from "./jiti-sdk.js";

/** Maximum time that a module that never settles delays the next one, in milliseconds. */
const LONGEST_TURN_MS = 10_000;

type Jiti = ReturnType<typeof import("jiti")["createJiti"]>;

let jiti: Promise<Jiti> | undefined;
let instance: Jiti | undefined;
let cacheDir: string | undefined;
let turn: Promise<void> = Promise.resolve();

/**
 * Sets the folder in which compiled modules are stored for later processes. Only this user may have write access to
 * it, because code from it is executed. Without a folder every process compiles again.
 * @param folder - absolute path
 */
export function keepCompiled(folder: string): void {
  cacheDir ??= folder;
}

/**
 * Loads a module and its imports through the jiti instance of the process. Entries load one after another, because jiti
 * would evaluate a module twice that two of them import at the same time.
 * @param file - absolute path
 */
export async function loadWithJiti(file: string): Promise<unknown> {
  const before = turn;
  let finish = () => {};
  turn = new Promise((resolve) => {
    finish = resolve;
  });
  try {
    await withDeadline(LONGEST_TURN_MS, () => before).catch(() => undefined);
    jiti ??= createProcessJiti();
    instance = await jiti;
    return await instance.import(file);
  } finally {
    finish();
  }
}

/**
 * Removes modules from the cache of jiti, so that the next load reads them again.
 * @param chosen - returns true for the absolute path of a module to remove
 */
export function forgetInJiti(chosen: (file: string) => boolean): void {
  const cache = instance?.cache ?? {};
  for (const file of Object.keys(cache)) if (chosen(file)) delete cache[file];
}

async function createProcessJiti(): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const compiler = createJiti(import.meta.url, { fsCache: false });
  return createJiti(import.meta.url, {
    tryNative: false,
    fsCache: cacheDir === undefined ? false : join(cacheDir, "jiti-modules"),
    virtualModules: virtualSdk(),
    transform: (options) => ({
      code: withSdkNames(compiler.transform(options), options.filename ?? ""),
    }),
  });
}
