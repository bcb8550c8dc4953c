export { jsonResult } from "@openclaw/plugin-sdk/tool-results";
