export { type TemporaryFolder, temporaryFolder } from "./temporary-folder.js";
export { type TemporaryWorkspace, temporaryWorkspace } from "./temporary-workspace.js";
