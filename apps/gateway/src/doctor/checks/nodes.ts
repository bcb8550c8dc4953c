import { errorMessage } from "@openclaw/foundation";
import type { RunningGateway } from "../../host/running-gateway.js";
import { type CheckResult, passed } from "./check.js";

const NAME = "nodes";

/** A gateway that can be asked. */
export interface AskedGateway {
  readonly http?:
    | { readonly client: Pick<NonNullable<RunningGateway["http"]>["client"], "call"> }
    | undefined;
}

/**
 * Checks that the gateways that share the database of a running one agree (SCALE-022).
 * @param running - the gateway; undefined when none runs
 */
export async function checkNodes(
  running: AskedGateway | undefined,
): Promise<readonly CheckResult[]> {
  if (running?.http === undefined) return [];
  try {
    const { isShared, nodes } = await running.http.client.call("nodes.list", {});
    if (!isShared) return [];
    const live = nodes.filter(({ state }) => state !== "gone");
    const problems = live.flatMap(({ name, differs }): CheckResult[] =>
      differs.length === 0
        ? []
        : [
            {
              ...{ name: NAME, status: "warn" },
              message: `${name} differs from most other nodes in ${differs.join(", ")}`,
              hint: "give every node the same configuration, plugins and version, and restart it; `openclaw nodes list` compares them",
            },
          ],
    );
    const isLed = live.some(({ isLeading }) => isLeading);
    const unled: CheckResult = {
      ...{ name: NAME, status: "warn" },
      message: "no node leads, so that channels, jobs and routines wait",
      hint: "let one take work with `openclaw nodes resume`; after the end of the leading node it takes up to 13 seconds",
    };
    const found = isLed ? problems : [...problems, unled];
    return found.length > 0 ? found : [passed(NAME, `${live.length} agree`)];
  } catch (error) {
    return [{ name: NAME, status: "warn", message: errorMessage(error) }];
  }
}
