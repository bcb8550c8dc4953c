import { defineTool } from "@openclaw/plugin-sdk/tool";

export const register = (api) => api.registerTool(defineTool({}));
