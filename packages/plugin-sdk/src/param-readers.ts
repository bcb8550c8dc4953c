export { ParameterError } from "./errors.js";
export {
  type NumberParameterOptions,
  type ParameterOptions,
  type ParameterRecord,
  type ParameterValue,
  readBoolean,
  readNumber,
  readString,
  readStringArray,
  type StringArrayParameterOptions,
  type StringParameterOptions,
} from "./tools/parameter-reader.js";
