import type { HttpRoute, OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { currentScope, type PluginScope } from "../faults/plugin-scope.js";

/** Key under which the modules of `openclaw/plugin-sdk`, which are built apart, find the routes of the process. */
const KEY = Symbol.for("openclaw.plugin-routes");

/** Registers a route of a plugin, and returns the function that removes it; undefined when it is not registered. */
export type AddRoute = (route: HttpRoute) => (() => void) | undefined;

const routesOfApi = new WeakMap<OpenClawPluginApi, AddRoute>();
const routesOfPlugin = new WeakMap<PluginScope, AddRoute>();

/**
 * Notes how a plugin registers routes without its `api`.
 * @param api - `api` of the plugin
 * @param add - registers a route of the plugin
 */
export function noteRoutes(api: OpenClawPluginApi, add: AddRoute): void {
  routesOfApi.set(api, add);
}

/**
 * Lets an older plugin register routes without its `api`: a route belongs to the plugin whose code registers it
 * (PLUG-151). The newest generation of a plugin replaces the earlier one.
 * @param api - `api` of the plugin
 * @param scope - scope in which its code is called
 */
export function publishRoutes(api: OpenClawPluginApi, scope: PluginScope): void {
  const add = routesOfApi.get(api);
  if (add === undefined) return;
  routesOfPlugin.set(scope, add);
  Reflect.set(globalThis, KEY, { register });
}

function register(route: HttpRoute): (() => void) | undefined {
  const scope = currentScope();
  return scope === undefined ? undefined : routesOfPlugin.get(scope)?.(route);
}
