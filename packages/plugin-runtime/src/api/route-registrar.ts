import type { HttpRoute } from "@openclaw/plugin-sdk";
import type { HttpNodeHandler, HttpRouteAuth } from "@openclaw/plugin-sdk/http";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import {
  ownerOfPath,
  type PluginHttpRouteRegistration,
  type RoutePlace,
  readHttpHandler,
  readHttpRoute,
} from "../registration/http-route.js";
import { type Registrar, unregister } from "../registration/registrar.js";

/** Registers a plugin's HTTP handlers (PLUG-034). */
export class RouteRegistrar {
  readonly #routes: { readonly item: PluginHttpRouteRegistration; remove(): void }[] = [];

  constructor(
    private readonly registrar: Registrar,
    /** First path segments reserved for the host. */
    private readonly reserved: readonly string[],
    /** Channels of the plugin, which may become more. */
    private readonly channels: readonly string[] = [],
  ) {}

  /** `api.registerHttpRoute`, in both signatures. */
  readonly registerRoute = (route: HttpRoute | string, handler?: HttpNodeHandler): Unregister => {
    const remove = this.add(route, handler);
    return unregister(() => remove?.());
  };

  /**
   * Registers a route.
   * @param route - the route, or its path
   * @param handler - handler of a route that is given by its path
   * @param isBelowOnly - true for a path of the host, such as `/webhook`, which is meant below that of the plugin
   * @returns function that removes it; undefined when it is not registered
   */
  add(
    route: HttpRoute | string,
    handler?: HttpNodeHandler,
    isBelowOnly = false,
  ): (() => void) | undefined {
    const member = "registerHttpRoute";
    const { instance } = this.registrar;
    instance.assertUsable(member);
    // A handler of the wrong type is rejected when the route is read.
    const given =
      typeof route === "string" ? { path: route, handler: handler as HttpNodeHandler } : route;
    const item = this.registrar.read(member, () =>
      readHttpRoute(instance.origin, given, this.#place),
    );
    if (item === undefined) return undefined;
    const owner = ownerOfPath(item, isBelowOnly ? [] : this.reserved, this.channels);
    if (owner !== undefined) {
      instance.diagnose({
        level: "error",
        code: "name-taken",
        message: `HTTP route "${item.given}" of plugin "${instance.id}" is left out: the path belongs to ${owner}`,
        hint: `register another path; it is relative to /plugins/${instance.id}, below which it is served`,
      });
      return undefined;
    }
    if (typeof route === "string") instance.noteUse("registerHttpRoute(path, handler)");
    this.#tellAddress(item);
    if (given.auth === undefined) this.#tellAuth(`the route "${item.path}"`);
    const replaced = given.replaceExisting === true ? this.#sameAs(item) : [];
    const remove = this.registrar.add(member, "httpRoutes", () => item);
    // In this order and in one tick, so that every request finds the old or the new route.
    for (const route of replaced) route.remove();
    this.#routes.push({ item, remove });
    return remove;
  }

  /** `api.registerHttpHandler`. */
  readonly registerHandler = (handler: HttpNodeHandler): void => {
    const { instance } = this.registrar;
    this.registrar.add("registerHttpHandler", "httpHandlers", () =>
      readHttpHandler(instance.origin, handler, this.#place),
    );
    this.#tellAuth("an HTTP handler");
  };

  #sameAs({ addresses }: PluginHttpRouteRegistration) {
    return this.#routes.filter(({ item }) =>
      item.addresses.some((each) => addresses.includes(each)),
    );
  }

  get #place(): RoutePlace {
    const { channels } = this;
    return { channels, defaultAuth: this.#defaultAuth(), reportFailure: this.#reportFailure };
  }

  /**
   * The documentation of older plugins gives the path without the mount, and so webhooks of services point to it. A
   * manifest that declares the route was written for paths that are relative to the mount.
   */
  #tellAddress({ path, given, addresses }: PluginHttpRouteRegistration): void {
    const { instance, gate } = this.registrar;
    const [address = ""] = addresses;
    if (addresses.includes(given) || gate.declares("routes", path)) return;
    instance.diagnose({
      level: "info",
      code: "route-moved",
      message: `HTTP route "${given}" of plugin "${instance.id}" is served at ${address}`,
      hint: `use ${address} where the plugin's documentation says ${given}`,
    });
  }

  /** The log has every failure; a diagnostic is added once per route and problem. */
  readonly #reportFailure = (route: string, problem: string): void => {
    const { instance } = this.registrar;
    instance.diagnoseOnce(`request-failed ${route} ${problem}`, {
      level: "error",
      code: "request-failed",
      message: `HTTP route "${route}" of plugin "${instance.id}" ${problem}`,
      hint: "correct the handler of the route; the log has each failed request",
    });
  };

  #defaultAuth(): HttpRouteAuth {
    return this.registrar.instance.grants.entry?.http?.auth ?? "gateway";
  }

  /**
   * Older plugins expect their routes to be open; the operator must learn how to open them (D23).
   */
  #tellAuth(what: string): void {
    const { instance } = this.registrar;
    if (this.#defaultAuth() === "plugin") return;
    instance.diagnose({
      level: "info",
      code: "route-behind-gateway",
      message: `plugin "${instance.id}" does not declare who authenticates requests for ${what}, so the gateway's token is required`,
      hint: `give the route auth: "gateway" or "plugin"; plugins.entries.${instance.id}.http.auth: "plugin" opens it to everyone the plugin admits`,
    });
  }
}
