import type { GatewayMethodResult } from "@openclaw/protocol";
import { call, mayCall } from "../../state/link.js";
import { watched } from "../../state/watched.js";

/** Result of one check of the doctor. */
export type Finding = GatewayMethodResult<"doctor.examine">["findings"][number];

/** Findings of the doctor; undefined for a token that may not read them. */
export const examination = watched(async () =>
  mayCall("doctor.examine") ? (await call("doctor.examine", {})).findings : undefined,
);

/**
 * Makes a change that the doctor offers, as `openclaw doctor --fix` does.
 * @param repair - ID of the change
 * @returns description of the change; undefined when it failed
 */
export async function makeRepair(repair: string): Promise<string | undefined> {
  return (await examination.change(() => call("doctor.repair", { repair })))?.description;
}

/** Views in which the problem of a check is fixed, by the first part of its name. */
const VIEWS: ReadonlyMap<string, string> = new Map([
  ["channels", "/channels"],
  ["config", "/settings"],
  ["secrets", "/settings"],
  ["model", "/models"],
  ["skills", "/plugins"],
  ["plugins", "/plugins"],
]);

/**
 * Returns the path of the view in which the problem of a finding is fixed; undefined when the console has none.
 * @param finding - result of a check
 */
export function pathOf({ name }: Pick<Finding, "name">): string | undefined {
  const [kind = "", ...rest] = name.split(":");
  const id = encodeURIComponent(rest.join(":"));
  if (kind === "plugin") return `/plugins?id=${id}`;
  if (kind === "mcp") return `/plugins?server=${id}`;
  return VIEWS.get(kind);
}
