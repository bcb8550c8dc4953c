export { anyText } from "./any-text.js";
export { bindMount, canBindMount } from "./bind-mount.js";
export {
  type ErrorClass,
  type ErrorSample,
  expectOneCodeEach,
  expectRecognised,
} from "./error-family.js";
export { folderContents } from "./folder-contents.js";
export {
  generatedCases,
  generatedTimeout,
  isReleaseCheck,
} from "./generated-cases.js";
export { startNpmRegistry } from "./npm-registry.js";
export { type PluginFiles, packFolder, writePlugin } from "./plugin-folder.js";
export {
  type RecordedBenchmark,
  type RecordedFigure,
  reachesGoal,
  recordedBenchmark,
  recordedFigure,
} from "./recorded-benchmark.js";
export { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";
export { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-workspace.js";
