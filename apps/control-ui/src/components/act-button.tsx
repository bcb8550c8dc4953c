import type { MethodScope } from "@openclaw/protocol";
import type { ComponentChildren } from "preact";
import { isLive, missingScope } from "../state/link.js";
import { text } from "./messages.js";

/**
 * Returns why an action is not possible now; undefined when it is.
 * @param scope - scope that its method needs
 */
export function closedReason(scope: MethodScope): string | undefined {
  const missing = missingScope(scope);
  if (missing !== undefined) return text.needsScope(missing);
  return isLive.value ? undefined : text.noConnection;
}

/** Button of an action, which says why it does nothing. */
export function ActButton({
  scope,
  reason: otherReason,
  label,
  isDangerous = false,
  isQuiet = false,
  children,
  onAct,
}: {
  scope: MethodScope;
  /** Another reason why it is not possible now. */
  reason?: string | undefined;
  /** Name for screen readers, where the visible one is the same in several rows. */
  label?: string | undefined;
  isDangerous?: boolean;
  isQuiet?: boolean;
  children: ComponentChildren;
  onAct(): void;
}) {
  const reason = closedReason(scope) ?? otherReason;
  const names = ["btn small", isDangerous ? "danger" : "", isQuiet ? "quiet" : ""];
  return (
    <button
      class={names.filter((each) => each !== "").join(" ")}
      type="button"
      aria-label={label}
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason === undefined) onAct();
      }}
    >
      {children}
    </button>
  );
}
