import type { HttpBindings } from "@hono/node-server";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Context } from "hono";
import type { RouteOwner } from "./route-fault.js";

/** Context of a request that a plugin serves. */
export type PluginContext = Context<{ Bindings: HttpBindings }>;

/** Dependencies of a call of a plugin's handler. */
export interface HandlerHost {
  readonly plugins: Pick<PluginRuntime, "callPlugin">;
  readonly logger: Logger;
}

/** A request and the plugin that serves it. */
export interface PluginExchange extends HandlerHost {
  readonly context: PluginContext;
  readonly owner: RouteOwner;
}
