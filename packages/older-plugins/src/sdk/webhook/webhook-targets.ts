import type { IncomingMessage, ServerResponse } from "node:http";

/** Routes of the plugin whose code runs, as the host publishes them. */
interface PublishedRoutes {
  register(route: object): (() => void) | undefined;
}

/** Route of a plugin. */
export interface PluginHttpRoute {
  readonly path?: string | null;
  readonly fallbackPath?: string | null;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly auth: "gateway" | "plugin";
  readonly match?: "exact" | "prefix";
  readonly replaceExisting?: boolean;
  readonly throwOnFailure?: boolean;
  readonly pluginId?: string;
  readonly accountId?: string;
  readonly log?: (message: string) => void;
}

/**
 * Registers an HTTP route of the plugin whose code calls it.
 * @param route - path, handler and authentication
 * @returns function that removes the route
 * @throws Error with `throwOnFailure` when the route is not registered
 * @deprecated Call `api.registerHttpRoute`.
 */
export function registerPluginHttpRoute(route: PluginHttpRoute): () => void {
  const { path, fallbackPath, handler, auth, match = "exact", log } = route;
  const given = [path, fallbackPath].find((text) => (text?.trim() ?? "") !== "")?.trim();
  const refuse = (problem: string) => {
    if (route.throwOnFailure === true) throw new Error(problem);
    log?.(problem);
    return () => undefined;
  };
  if (given === undefined) return refuse("a route of a webhook has no path; it is not registered");
  const routes: unknown = Reflect.get(globalThis, Symbol.for("openclaw.plugin-routes"));
  if (!isPublished(routes)) return refuse(`no host runs; the route ${given} is not registered`);
  const absolute = given.startsWith("/") ? given : `/${given}`;
  const remove = routes.register({ path: absolute, handler, auth, match, replaceExisting: true });
  return remove ?? refuse(`the route ${absolute} is not registered: no plugin of a host calls it`);
}

/** The host and this module are built apart, so that its routes are checked. */
function isPublished(value: unknown): value is PublishedRoutes {
  if (typeof value !== "object" || value === null || !("register" in value)) return false;
  return typeof value.register === "function";
}
