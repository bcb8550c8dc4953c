import { registerHooks } from "node:module";
import { resolveSdkModule } from "./sdk-modules.js";

/** Marks the address of a module that was loaded again, and of all it imports from its own folder. */
const RELOAD = "openclaw-reload";

const reloads = new Map<string, string>();
const watches = new Set<{ readonly rootUrl: string; readonly urls: string[] }>();
let installed = false;

/**
 * Makes Node give every plugin the host's one copy of the SDK, and lets a plugin's own modules be
 * loaded again. Once per process: Node keeps such hooks for good, and one pair serves all runtimes.
 */
export function installModuleHooks(): void {
  if (installed) return;
  installed = true;
  registerHooks({
    resolve(specifier, context, next) {
      const sdk = resolveSdkModule(specifier, context.parentURL ?? "the host");
      if (sdk !== undefined) return { url: sdk, format: "module", shortCircuit: true };
      const resolved = next(specifier, context);
      const url = withReload(resolved.url, context.parentURL);
      for (const { rootUrl, urls } of watches) if (url.startsWith(rootUrl)) urls.push(url);
      return url === resolved.url ? resolved : { ...resolved, url };
    },
  });
}

/**
 * Notes which modules below a folder are loaded, the last one last, until it is told to stop.
 * @param rootUrl - address of a plugin's folder, ending in a slash
 */
export function watchModules(rootUrl: string): { readonly urls: readonly string[]; stop(): void } {
  const watch = { rootUrl, urls: [] };
  watches.add(watch);
  return { urls: watch.urls, stop: () => watches.delete(watch) };
}

/**
 * The address under which a module, and what it imports from its own folder, is evaluated anew.
 * @param url - address of a plugin's entry
 * @param rootUrl - address of the plugin's folder, ending in a slash
 */
export function reloadedUrl(url: string, rootUrl: string): string {
  const mark = String(reloads.size + 1);
  reloads.set(mark, rootUrl);
  return `${url}?${RELOAD}=${mark}`;
}

function withReload(url: string, parentUrl: string | undefined): string {
  if (parentUrl === undefined || !parentUrl.includes(RELOAD)) return url;
  const mark = new URL(parentUrl).searchParams.get(RELOAD);
  const rootUrl = mark === null ? undefined : reloads.get(mark);
  if (rootUrl === undefined || !url.startsWith(rootUrl) || url.includes("/node_modules/"))
    return url;
  return `${url}?${RELOAD}=${mark}`;
}
