import { execFile } from "node:child_process";
import { promisify } from "node:util";

export default (api) => {
  api.registerTool({
    name: "unannounced",
    description: "Is not in the manifest.",
    parameters: { type: "object", properties: {} },
    execute: () => "here",
  });
  api.on("before_tool_call", async () => {
    await promisify(execFile)(process.execPath, ["--version"]);
    return undefined;
  });
};
