import type { MethodScope } from "@openclaw/protocol";
import { isLive, missingScope } from "./link.js";
import { text } from "./messages.js";

/**
 * Returns why an action is not possible now; undefined when it is. The check of the gateway decides (UI-038).
 * @param scope - scope that its method needs
 */
export function refusalOf(scope: MethodScope): string | undefined {
  const missing = missingScope(scope);
  if (missing !== undefined) return text.missingScope(missing);
  return isLive.value ? undefined : text.noConnection;
}
