import { pathToFileURL } from "node:url";

/** Modules of one plugin in one load. */
export class PluginModules {
  /** URL of the plugin's folder, ending in a slash. */
  readonly rootUrl: string;
  readonly #reached: string[] = [];
  #typeless: string | undefined;
  #loading = true;

  /**
   * @param rootDir - real path of the plugin's folder
   * @param mark - query parameter that distinguishes the URLs of this load from earlier ones
   */
  constructor(
    rootDir: string,
    readonly mark: string | undefined,
  ) {
    this.rootUrl = `${fileUrl(rootDir)}/`;
  }

  /** URLs of the modules in the order in which they were loaded. */
  get reached(): readonly string[] {
    return this.#reached;
  }

  /**
   * Returns true for a module of the plugin itself, false for its dependencies.
   * @param url - URL of a module
   */
  owns(url: string): boolean {
    return url.startsWith(this.rootUrl) && !url.includes("/node_modules/", this.rootUrl.length - 1);
  }

  /**
   * Records a loaded module; after a failure the last one shows where the load stopped.
   * @param url - URL of the module
   */
  reach(url: string): void {
    if (this.#loading) this.#reached.push(url);
  }

  /** URL of the first ES module whose `package.json` does not say that it is one. */
  get typeless(): string | undefined {
    return this.#typeless;
  }

  /**
   * Records an ES module whose `package.json` has no `type`.
   * @param url - URL of the module
   */
  noteTypeless(url: string): void {
    this.#typeless ??= url;
  }

  /** Ends the load; later imports of the plugin are not recorded. */
  settle(): void {
    this.#loading = false;
  }
}

/** Characters that a URL represents without escaping. */
const PLAIN_PATH = /^\/[\w./@-]*$/;

/**
 * Returns the URL of a file. Avoids escaping for the frequent paths that do not need it.
 * @param path - absolute path
 */
export function fileUrl(path: string): string {
  return PLAIN_PATH.test(path) ? `file://${path}` : pathToFileURL(path).href;
}
