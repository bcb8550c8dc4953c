import { makeTool } from "@openclaw/plugin-sdk/tool";

export const register = (api) => api.registerTool(makeTool({}));
