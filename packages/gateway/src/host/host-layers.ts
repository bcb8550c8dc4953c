import type { Jobs } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { Routines } from "@openclaw/routines";
import type { HostChannels } from "./channels.js";
import type { HostContext } from "./context.js";
import type { PluginLayer } from "./plugin-layer.js";
import type { ServiceLayer } from "./service-layer.js";
import type { SessionTools } from "./tools/session.js";

/** Layers of a host, from bottom to top. */
export interface HostLayers {
  readonly context: Pick<HostContext, "store" | "logger" | "tasks">;
  readonly lower: PluginLayer;
  readonly turns: Pick<
    ServiceLayer,
    "model" | "embeddings" | "router" | "services" | "webSearchProblem"
  >;
  readonly messaging: Messaging;
  readonly sessionTools: SessionTools;
  readonly channels: HostChannels;
  readonly jobs: Jobs;
  readonly routines: Routines;
}
