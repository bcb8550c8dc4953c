import { execFile } from "node:child_process";
import { promisify } from "node:util";

export default (api) => {
  api.on("before_tool_call", async () => {
    await promisify(execFile)(process.execPath, ["--version"]);
    return undefined;
  });
};
