export { RoutineConversation } from "./conversation.js";
export { createRoutineMethods } from "./methods.js";
export { Routines } from "./routines.js";
export {
  type RoutinesConfiguration,
  routineSettings,
  routinesConfigurationSchema,
} from "./settings.js";
export { createRoutineTools, ROUTINE_TOOL_NAMES } from "./tools.js";
