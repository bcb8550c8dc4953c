import { SdkGaps } from "../missing-parts/sdk-gaps.js";
import { fileUrl } from "./file-url.js";

/** Modules of one plugin in one load. */
export class PluginModules {
  /** URL of the plugin's folder, ending in a slash. */
  readonly rootUrl: string;
  /** Parts of the SDK that the modules import and this host lacks. */
  readonly gaps: SdkGaps;
  /** `runtime.agent` of the plugin, once it registers. */
  agent: Readonly<Record<string, unknown>> | undefined;
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
    readonly pluginId: string,
  ) {
    this.rootUrl = `${fileUrl(rootDir)}/`;
    this.gaps = new SdkGaps(pluginId);
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
   * Returns the path of a module below the plugin's folder.
   * @param url - URL of a module of the plugin or of one of its dependencies
   */
  pathOf(url: string): string {
    return decodeURI(url.slice(this.rootUrl.length).replace(/[?#].*$/, ""));
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

  /** Ends the load; later imports of the plugin are not recorded, and a call of a missing part throws. */
  settle(): void {
    this.#loading = false;
    this.gaps.settle();
  }
}
