import { join } from "node:path";
import { DEFAULT_ACCOUNT_ID, type OpenClawPluginApi } from "openclaw/plugin-sdk";
import { type Day, Shift } from "./src/shift.ts";
import { createShiftTool } from "./src/shift-tool.js";

const days: Day[] = ["mon", "tue"];

export default function register(api: OpenClawPluginApi) {
  const { version } = require("./package.json");
  api.logger.info(
    `${version} ${Shift.Early} ${DEFAULT_ACCOUNT_ID} ${join(__dirname, "index.ts") === __filename}`,
  );
  api.registerTool(createShiftTool(days), { optional: true });
}
