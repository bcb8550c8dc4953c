import { join } from "node:path";
import { withDeadline } from "@openclaw/foundation";
import { checkSdkUse } from "./sdk-import-check.js";
import { loadSdkModule, sdkModules } from "./sdk-modules.js";

/** How long a module that never settles may keep the next one waiting, in milliseconds. */
const LONGEST_TURN_MS = 10_000;

type Jiti = ReturnType<typeof import("jiti")["createJiti"]>;

let jiti: Promise<Jiti> | undefined;
let instance: Jiti | undefined;
let cacheDir: string | undefined;
let turn: Promise<void> = Promise.resolve();

/**
 * Keeps what jiti compiles for later processes; without it every process compiles anew. The folder must
 * be one that only this user may write to, since code is run from it.
 * @param folder - absolute path
 */
export function keepCompiled(folder: string): void {
  cacheDir ??= folder;
}

/**
 * Loads a module and all it imports through the process's one jiti instance, one entry after another:
 * what two of them share while both are loading, jiti would evaluate twice.
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
 * Makes jiti read modules anew when they are loaded the next time.
 * @param chosen - tells of a file's absolute path whether to forget it
 */
export function forgetInJiti(chosen: (file: string) => boolean): void {
  const cache = instance?.cache ?? {};
  for (const file of Object.keys(cache)) if (chosen(file)) delete cache[file];
}

/** Jiti has a module graph of its own; listing the SDK as virtual modules keeps the SDK one. */
async function createProcessJiti(): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const compiler = createJiti(import.meta.url, { fsCache: false });
  return createJiti(import.meta.url, {
    tryNative: false,
    fsCache: cacheDir === undefined ? false : join(cacheDir, "jiti"),
    virtualModules: virtualSdk(),
    transform(options) {
      const code = compiler.transform(options);
      checkSdkUse(code, options.filename ?? "");
      return { code };
    },
  });
}

/** Each part of the SDK is loaded when it is first asked for, into the graph that Node has. */
function virtualSdk(): Record<string, unknown> {
  const modules = {};
  for (const [specifier, url] of sdkModules()) {
    Object.defineProperty(modules, specifier, {
      enumerable: true,
      get: () => loadSdkModule(url),
    });
  }
  return modules;
}
