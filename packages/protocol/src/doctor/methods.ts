import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };

const finding = Type.Object({
  name: Type.String({ description: "Name of the check, for example `file-mode`." }),
  status: Type.Enum(["ok", "warn", "fail"]),
  message: Type.String(),
  hint: Type.Optional(Type.String({ description: "Way to fix the problem." })),
  repair: Type.Optional(
    Type.Object(
      {
        id: Type.String({ description: "Identifies the change for `doctor.repair`." }),
        description: Type.String({
          description: "The change, for example `chmod 600 <file> (was 644)`.",
        }),
      },
      { description: "Change that fixes the problem; absent when a person has to decide." },
    ),
  ),
});

/** The methods of `openclaw doctor` (GW-760). */
export const doctorMethods = methodTable(
  defineMethod({
    name: "doctor.examine",
    summary: "Checks the installation and the running gateway, as `openclaw doctor` does.",
    params: Type.Object({}, closed),
    result: Type.Object({ findings: Type.Array(finding) }),
    errors: ["DOCTOR_UNAVAILABLE"],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "doctor.repair",
    summary:
      "Makes one change that `doctor.examine` offers, as `openclaw doctor --fix` does, and records it in the audit log.",
    params: Type.Object(
      { repair: Type.String({ minLength: 1, maxLength: 4096, description: "ID of the change." }) },
      closed,
    ),
    result: Type.Object({ description: Type.String({ description: "The change that was made." }) }),
    errors: ["DOCTOR_UNAVAILABLE", "REPAIR_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
);
