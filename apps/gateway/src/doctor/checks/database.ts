import { errorMessage, withDeadline } from "@openclaw/foundation";
import {
  acceptLostCommits,
  type DatabaseOwner,
  hostDatabaseStatus,
} from "@openclaw/gateway/upkeep";
import { databaseOwner } from "../../database/owner.js";
import { type CheckResult, passed } from "./check.js";

/** Time for the database to answer, in milliseconds (HOST-036). */
const DEADLINE_MS = 5000;

/**
 * Checks that the database answers, and the state of its migrations.
 * @param environment - environment variables
 */
export async function checkDatabase(environment: NodeJS.ProcessEnv): Promise<CheckResult[]> {
  try {
    const owner = await databaseOwner({ environment });
    const status = await withDeadline(DEADLINE_MS, () => hostDatabaseStatus(owner));
    const { name, dialect, exists, migrations, copyingFrom, lost } = status;
    const complete = lost === undefined ? [] : [lostCommits(lost, owner)];
    if (!exists) return [passed("database", "none yet; the first start creates it"), ...complete];
    const wrong = migrations.filter(({ state }) => state === "changed" || state === "unknown");
    const pending = migrations.filter(({ state }) => state === "pending").length;
    const applied =
      pending === 0 ? "all applied" : `${pending} pending; the next start applies them`;
    return [
      passed("database", `${name} (${dialect}) answers`),
      ...complete,
      wrong.length === 0
        ? passed("migrations", applied)
        : {
            name: "migrations",
            status: "fail",
            message: `${wrong.map((each) => each.name).join(", ")} are not of this version`,
            hint: "start the version that wrote this database, or restore a backup of this one",
          },
      ...(copyingFrom === undefined
        ? []
        : [
            {
              name: "database-copy",
              status: "fail" as const,
              message: `the copy from ${copyingFrom} is incomplete`,
              hint: "run the same `openclaw db migrate` command again",
            },
          ]),
    ];
  } catch (error) {
    return [
      {
        name: "database",
        status: "fail",
        message: errorMessage(error),
        hint: "`openclaw db status` shows its location; `openclaw db restore` replaces it with a backup",
      },
    ];
  }
}

function lostCommits(message: string, owner: DatabaseOwner): CheckResult {
  return {
    name: "database-complete",
    status: "fail",
    message,
    repair: {
      id: "database-complete",
      description: "accepted that the database lacks this content",
      apply: () => acceptLostCommits(owner),
    },
  };
}
