export {
  characterStart,
  endOfText,
  errorMessage,
  startOfText,
} from "@openclaw/foundation/display";
export { type ClientCall, clientCall, hostParams, hostTool } from "./kit/client-tools.js";
export { isRecord } from "./kit/is-record.js";
export {
  type PromptArgumentValues,
  promptArguments,
  promptUsage,
  type WrittenArgument,
  writtenArgument,
} from "./kit/prompt-arguments.js";
export { SlidingWindow, type WindowDecision } from "./kit/sliding-window.js";
