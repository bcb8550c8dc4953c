import { defined } from "@openclaw/foundation";
import { doctorMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import { actorOf } from "../devices/audit-actor.js";
import type { Doctor } from "../diagnostics/doctor.js";
import { DoctorUnavailableError, RepairNotFoundError } from "../errors.js";

/** Dependencies of {@link createDoctorMethods}. */
export interface DoctorMethodDependencies {
  /** Undefined in a gateway of an application without checks. */
  readonly doctor: Doctor | undefined;
  readonly store: Pick<Store, "decisions">;
}

/**
 * Creates the methods of `openclaw doctor`.
 * @param dependencies - checks, and the store of the audit log
 */
export function createDoctorMethods({
  doctor,
  store,
}: DoctorMethodDependencies): MethodRegistry<typeof doctorMethods> {
  const examine = async () => {
    if (doctor === undefined) throw new DoctorUnavailableError();
    return await doctor.examine();
  };
  return MethodRegistry.of(doctorMethods, {
    "doctor.examine": async () => {
      const findings = await examine();
      return {
        findings: findings.map(({ name, status, message, hint, repair }) => ({
          ...{ name, status, message },
          ...defined({ hint }),
          ...(repair === undefined
            ? {}
            : { repair: { id: repair.id, description: repair.description } }),
        })),
      };
    },
    "doctor.repair": async ({ repair: id }, { caller }) => {
      const findings = await examine();
      const repair = findings.map((finding) => finding.repair).find((found) => found?.id === id);
      if (repair === undefined) throw new RepairNotFoundError(id);
      const { description } = repair;
      const event = "installation-repaired" as const;
      // Before the change: one without an entry must not exist.
      await store.decisions.auditLog.append({ event, reason: description, ...actorOf(caller) });
      repair.apply();
      return { description };
    },
  });
}
