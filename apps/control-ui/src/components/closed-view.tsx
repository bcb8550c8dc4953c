import type { GatewayMethodName } from "@openclaw/client";
import type { ComponentChildren } from "preact";
import { gateway, mayCall } from "../state/link.js";
import { text } from "./messages.js";

/** Shows a view only to a token that may read it, and else which scope that needs. */
export function ReadersOnly({
  method,
  scope,
  children,
}: {
  /** Method without which the view has nothing to show. */
  method: GatewayMethodName;
  /** Scope of the method. */
  scope: string;
  children: ComponentChildren;
}) {
  if (gateway.value === undefined || mayCall(method)) return <>{children}</>;
  return (
    <div class="empty">
      <h1>{text.mayNotSee}</h1>
      <p>{text.needsScope(scope)}</p>
    </div>
  );
}
