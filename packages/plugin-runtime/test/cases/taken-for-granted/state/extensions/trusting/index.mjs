import { createGuard } from "./guard.mjs";

export function register(api) {
  api.registerSessionCatalog({ id: "sessions" });
  api.on("before_tool_call", createGuard(api.runtime.modelAuth));
}
