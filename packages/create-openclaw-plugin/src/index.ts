export {
  COMPONENT_LANGUAGES,
  type ComponentLanguage,
  type ComponentProject,
  createComponentProject,
} from "./component-project.js";
export {
  CreatePluginError,
  CreatePluginUsageError,
  FilesInTheWayError,
  PluginIdInvalidError,
  ProjectNotWrittenError,
} from "./errors.js";
export { type CommandPlace, runCommandLine } from "./main.js";
export {
  PLUGIN_KINDS,
  PLUGIN_LANGUAGES,
  type PluginKind,
  type PluginLanguage,
} from "./plugin-kind.js";
export { type CreatedProject, createProject, type PluginProject } from "./project.js";
