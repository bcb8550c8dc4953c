export {
  characterStart,
  endOfText,
  errorMessage,
  startOfText,
} from "@openclaw/foundation/display";
export { isRecord } from "./kit/is-record.js";
export { SlidingWindow, type WindowDecision } from "./kit/sliding-window.js";
