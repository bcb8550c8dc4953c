// Separate entry point without modules that import Node.js modules, because plugins load it.
export {
  ERROR_KINDS,
  type ErrorExitCode,
  type ErrorKind,
  type ErrorKindMapping,
  isErrorKind,
  kindOfHttpStatus,
} from "./error-kind.js";
export {
  exitCodeOf,
  httpStatusOf,
  isErrorOfClass,
  OpenClawError,
  type OpenClawErrorOptions,
  wireCodeOf,
} from "./open-claw-error.js";
