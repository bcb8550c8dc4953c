import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import type { DoctorFinding } from "../../src/diagnostics/doctor.js";
import { startTestGateway } from "../support/gateway.js";

it("[GW-760] returns the findings of the doctor, makes one repair, and records it in the audit log", async () => {
  using folder = temporaryFolder("doctor");
  const applied: string[] = [];
  const finding = (path: string): DoctorFinding => {
    const isFixed = applied.includes(path);
    const base = { name: "file-mode", message: `${path} is ${isFixed ? "private" : "open"}` };
    if (isFixed) return { ...base, status: "ok" };
    const repair = {
      ...{ id: `file-mode:${path}`, description: `chmod 600 ${path}` },
      apply: () => void applied.push(path),
    };
    return { ...base, status: "warn", hint: "close it", repair };
  };
  const doctor = { examine: async () => [finding("/a"), finding("/b")] };
  const gateway = await startTestGateway(folder, { doctor });
  const methods = await gateway.methods();
  const { findings } = await methods.call("doctor.examine", {});
  expect(findings[1]).toEqual({
    ...{ name: "file-mode", status: "warn", message: "/b is open", hint: "close it" },
    repair: { id: "file-mode:/b", description: "chmod 600 /b" },
  });
  const repair = { repair: "file-mode:/b" };
  expect(await methods.call("doctor.repair", repair)).toEqual({ description: "chmod 600 /b" });
  expect(applied).toEqual(["/b"]);
  const { entries } = await methods.call("approvals.audit", {});
  expect(entries[0]).toMatchObject({ event: "installation-repaired", reason: "chmod 600 /b" });
  // What is made already, or was never offered, is not in the log.
  for (const id of ["file-mode:/b", "file-mode:/c"]) {
    await expect(methods.call("doctor.repair", { repair: id })).rejects.toMatchObject({
      code: "REPAIR_NOT_FOUND",
      message: expect.stringContaining("doctor.examine"),
    });
  }
  expect((await methods.call("approvals.audit", {})).entries).toHaveLength(1);
  await gateway.stop("command");
});

it("[GW-760] says that a gateway of an application has no doctor", async () => {
  using folder = temporaryFolder("doctor");
  const gateway = await startTestGateway(folder);
  const methods = await gateway.methods();
  for (const call of [
    methods.call("doctor.examine", {}),
    methods.call("doctor.repair", { repair: "any" }),
  ]) {
    await expect(call).rejects.toMatchObject({
      code: "DOCTOR_UNAVAILABLE",
      message: expect.stringContaining("openclaw gateway run"),
    });
  }
  await gateway.stop("command");
});
