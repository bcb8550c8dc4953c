import { SlidingWindow } from "@openclaw/plugin-sdk/kit";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { HttpBoundary, HttpFailure } from "@openclaw/wasm-host";
import type { LoadedComponent } from "./library/folder-scan.js";
import type { ComponentLogins } from "./logins.js";

/** Requests and invocations of one component, whose limits hold across its calls. */
interface Boundary {
  readonly http: HttpBoundary | undefined;
  readonly minute: SlidingWindow | undefined;
  readonly hour: SlidingWindow | undefined;
}

/** Keeps what the components may still do, by component; a new version begins again. */
export class Boundaries {
  readonly #api: Pick<OpenClawPluginApi, "runtime" | "store">;
  readonly #logins: ComponentLogins;
  readonly #known = new WeakMap<LoadedComponent, Boundary>();

  /**
   * @param api - network and secrets of the plugin
   * @param logins - access tokens of components
   */
  constructor(api: Pick<OpenClawPluginApi, "runtime" | "store">, logins: ComponentLogins) {
    this.#api = api;
    this.#logins = logins;
  }

  /** Returns the requests of a component; undefined when its capabilities allow none. */
  httpOf(component: LoadedComponent): HttpBoundary | undefined {
    return this.#of(component).http;
  }

  /** Counts a tool invocation, and returns false when there are too many. */
  mayInvoke(component: LoadedComponent): boolean {
    const { minute, hour } = this.#of(component);
    const now = Date.now();
    return [minute, hour].every((window) => window?.take("", now).isAllowed ?? true);
  }

  /** Returns true when a component has a value of a secret: the token of its login, or what the operator stored. */
  async secretExists(component: LoadedComponent, name: string): Promise<boolean> {
    const token = await this.#logins.token(component, name).catch(() => undefined);
    return token !== undefined || (await this.#api.store.secrets?.get(name)) !== undefined;
  }

  /** @throws HttpFailure when no user has logged in, and no secret is stored instead */
  async #secret(component: LoadedComponent, name: string): Promise<string | undefined> {
    const token = await this.#logins.token(component, name);
    const value = token ?? (await this.#api.store.secrets?.get(name));
    if (value !== undefined || !this.#logins.needs(component, name)) return value;
    throw new HttpFailure(
      "auth-required",
      "LoginRequired",
      `${component.name} needs a login; the operator runs \`openclaw secrets login wasm/${component.name}\``,
    );
  }

  #of(component: LoadedComponent): Boundary {
    const known = this.#known.get(component);
    if (known !== undefined) return known;
    const { http, toolInvoke } = component.capabilities;
    const { runtime } = this.#api;
    const made: Boundary = {
      http:
        http === undefined
          ? undefined
          : new HttpBoundary(http, {
              checkUrl: (url) => runtime.checkUrl(url),
              fetch: (url, init) => runtime.fetch(url, init),
              secret: (name) => this.#secret(component, name),
              refreshedSecret: (name, rejected) => this.#logins.token(component, name, rejected),
              findSecrets: (text) => runtime.safety.findSecrets(text),
              now: Date.now,
            }),
      minute: toolInvoke && new SlidingWindow(toolInvoke.rateLimit.perMinute, 60_000),
      hour: toolInvoke && new SlidingWindow(toolInvoke.rateLimit.perHour, 3_600_000),
    };
    this.#known.set(component, made);
    return made;
  }
}
