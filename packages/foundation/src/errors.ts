// Entry point of its own, without the parts of the package that load modules of Node: what plugins import
// loads only this.
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
