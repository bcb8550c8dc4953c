import type { ConfiguredHook } from "@openclaw/plugin-sdk/hooks";
import type { HookDefinition } from "../definition/definition.js";
import { failsClosed, type PointName } from "../points/point.js";

/**
 * Returns the points at which a hook has handlers. A gate that cannot run, because it is not valid or its program is not
 * approved, must not let events pass; a webhook and what fails open are left out.
 * @param definition - the hook
 */
export function pointsIn(
  state: ConfiguredHook["state"],
  { points, mode, action }: HookDefinition,
): readonly PointName[] {
  if (action.type === "invalid" && !action.decides) return [];
  switch (state) {
    case "active":
      return points;
    case "invalid":
    case "unapproved":
      return points.filter((point) => failsClosed(point, mode));
    case "disabled":
      return [];
  }
}

/**
 * Returns the reason why a program does not run.
 * @param entry - hook with the name of its file
 */
export function notApproved({ file }: { readonly file: string }): string {
  return `its program is not approved; run "openclaw hooks approve ${file}"`;
}

/**
 * Returns the reason why a hook that is not valid does not run.
 * @param definition - the hook
 * @param problem - mistakes in its definition
 */
export function notValid({ name }: HookDefinition, problem: string): string {
  return `hook "${name}" is not valid (${problem}); correct it, or run "openclaw hooks disable ${name}"`;
}
