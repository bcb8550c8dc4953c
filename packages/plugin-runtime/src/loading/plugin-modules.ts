import { pathToFileURL } from "node:url";

/** The modules that belong to one plugin, in one load of it. */
export class PluginModules {
  /** Address of the plugin's folder, ending in a slash. */
  readonly rootUrl: string;
  readonly #reached: string[] = [];
  #loading = true;

  /**
   * @param rootDir - real path of the plugin's folder
   * @param mark - what makes the addresses of this load differ from those of an earlier one
   */
  constructor(
    rootDir: string,
    readonly mark: string | undefined,
  ) {
    this.rootUrl = `${fileUrl(rootDir)}/`;
  }

  /** Modules that were reached while the plugin was loaded, the last one last. */
  get reached(): readonly string[] {
    return this.#reached;
  }

  /**
   * Whether an address is that of the plugin's own code, not of what it depends on.
   * @param url - address of a module
   */
  owns(url: string): boolean {
    return url.startsWith(this.rootUrl) && !url.includes("/node_modules/", this.rootUrl.length - 1);
  }

  /**
   * Notes a module; where a load fails, the last one tells how far it had come.
   * @param url - its address
   */
  reach(url: string): void {
    if (this.#loading) this.#reached.push(url);
  }

  /** Ends the load; what the plugin imports from now on is not noted. */
  settle(): void {
    this.#loading = false;
  }
}

/** Characters that stand for themselves in a path and in an address. */
const PLAIN_PATH = /^\/[\w./@-]*$/;

/**
 * The address of a file. Most paths need no escaping, and a loader makes very many addresses.
 * @param path - absolute path
 */
export function fileUrl(path: string): string {
  return PLAIN_PATH.test(path) ? `file://${path}` : pathToFileURL(path).href;
}
