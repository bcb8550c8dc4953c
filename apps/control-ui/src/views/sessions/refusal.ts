import { isLive, missingScope } from "../../state/link.js";
import { text } from "./messages.js";

/**
 * Returns why an action is not possible now; undefined when it is.
 * @param scope - scope that its method needs
 */
export function refusalOf(scope: Parameters<typeof missingScope>[0]): string | undefined {
  const missing = missingScope(scope);
  if (missing !== undefined) return text.missingScope(missing);
  return isLive.value ? undefined : text.noConnection;
}
