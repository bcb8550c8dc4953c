import { jsonResults } from "openclaw/plugin-sdk/core";

export function register() {
  jsonResults();
}
