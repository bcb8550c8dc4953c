export { RoutineConversation } from "./conversation.js";
export type { HeartbeatFile } from "./heartbeat/checks.js";
export { createHeartbeatMethods } from "./heartbeat/methods.js";
export {
  type HeartbeatConfiguration,
  heartbeatConfigurationSchema,
  heartbeatSettings,
} from "./heartbeat/settings.js";
export { HEARTBEAT_FILE } from "./heartbeat/tasks.js";
export { createRoutineMethods } from "./methods.js";
export { Routines, type RoutinesDependencies } from "./routines.js";
export { isKnownZone } from "./schedules/zone.js";
export {
  type RoutinesConfiguration,
  routineSettings,
  routinesConfigurationSchema,
} from "./settings.js";
export { createRoutineTools, ROUTINE_TOOL_NAMES } from "./tools.js";
