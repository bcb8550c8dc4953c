export { waitUnlessAborted } from "./abortable-wait.js";
export { canonicalJson, sha256 } from "./canonical-json.js";
export { type Clock, systemClock, type TimerHandle, type Timers } from "./clock.js";
export { audioTypeOf } from "./content/audio-type.js";
export { imageTypeOf } from "./content/image-type.js";
export { characterStart, endOfText, startOfText } from "./content/text-cut.js";
export { DeadlineExceededError, waitAtMost, withDeadline } from "./deadline.js";
export { type Defined, defined } from "./defined.js";
export { displayUsd, parseUsd, usdOfNumber, usdText } from "./display/money.js";
export { operatorName } from "./display/operator-name.js";
export { escapeUnseen } from "./display/unseen-text.js";
export { errorMessage, textOf } from "./error-message.js";
export {
  ERROR_KINDS,
  type ErrorKind,
  type ErrorKindMapping,
  exitCodeOf,
  httpStatusOf,
  isErrorKind,
  isErrorOfClass,
  kindOfHttpStatus,
  OpenClawError,
  type OpenClawErrorOptions,
  wireCodeOf,
} from "./errors.js";
export { fileNameOfHeader, headerText, textOfHeader } from "./header-text.js";
export { parseExactJson } from "./inexact-number.js";
export { type JsonData, jsonCopy, jsonText } from "./json-copy.js";
export { schemaFault } from "./json-schema/fault.js";
export { asObjectSchema, plainObjectSchema } from "./json-schema/object-schema.js";
export { isSchema, withSubSchemas } from "./json-schema/sub-schemas.js";
export { createManualClock, type ManualClock } from "./manual-clock.js";
export { KeyedMutex, Mutex } from "./mutex.js";
export { nearestName, nearestNames } from "./nearest-names.js";
export { orderedId, orderedIds } from "./ordered-id.js";
export { randomIdBytes } from "./random-bytes.js";
export { didYouMean, quotedChoice, withSuggestion } from "./suggestion.js";
export { BackgroundTasks, type TaskSchedule, type TaskState } from "./tasks/background-tasks.js";
export { type TraceChannel, traceChannel } from "./trace-channel.js";
export { describeValue, type Misfit, misfits, type ValueSchema } from "./value-schema.js";
export { isIdText, parseWellFormed, stringifyWellFormed, wellFormed } from "./well-formed.js";
