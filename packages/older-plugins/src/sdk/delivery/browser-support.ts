export {
  /** @deprecated Import it from `openclaw/plugin-sdk/tool-results`. */
  jsonResult,
} from "@openclaw/plugin-sdk/tool-results";
