export { JobConversation } from "./conversation.js";
export {
  creatorOfCaller,
  creatorOfSession,
  type JobCreator,
  type JobViewer,
  ownerOf,
  readCreator,
  targetOf,
  viewerOf,
  writeCreator,
} from "./creator.js";
export { Jobs } from "./jobs.js";
export { createJobMethods } from "./methods.js";
export { createPluginJobs, type PluginJobsDependencies } from "./plugin-jobs.js";
export { type JobsConfiguration, jobSettings, jobsConfigurationSchema } from "./settings.js";
export { createJobTools, JOB_TOOL_NAMES } from "./tools.js";
export { JOB_BLOCKED } from "./verdict.js";
export { BubblewrapBackend } from "./workers/backends/bubblewrap.js";
export { hostsOf } from "./workers/egress/allow-list.js";
export { createGateTools } from "./workers/external/gate-tools.js";
export type { WorkerHostPort, WorkerModelCall, WorkerModelReply } from "./workers/model-port.js";
export { workerSettings } from "./workers/settings.js";
export { Workers } from "./workers/workers.js";
