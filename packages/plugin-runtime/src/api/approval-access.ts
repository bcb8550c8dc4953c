import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HostApprovalPort } from "@openclaw/plugin-sdk/services";
import { readApprovalHandler } from "../registration/approval-handler.js";
import { readApprovalRequest, readApprovalSubmission } from "../registration/approval-request.js";
import { expectText } from "../registration/check.js";
import type { Registrar } from "../registration/registrar.js";
import { lackOf } from "./missing-capability.js";

/**
 * Creates `api.approvals` of one plugin. Its methods reject on a host without approvals.
 * @param registrar - adds the handlers of resolved requests
 * @param host - approvals of the host, if it has them
 */
export function createApprovals(
  registrar: Registrar,
  { approvals }: HostApprovalPort,
): OpenClawPluginApi["approvals"] {
  const { instance } = registrar;
  return {
    async request(request) {
      instance.assertAlive("approvals.request");
      if (approvals === undefined) throw lackOf(instance.id, "approvals.request");
      return approvals.request(instance.id, readApprovalRequest(instance.origin, request));
    },
    async submit(request) {
      instance.assertAlive("approvals.submit");
      if (approvals === undefined) throw lackOf(instance.id, "approvals.submit");
      return approvals.submit(instance.id, readApprovalSubmission(instance.origin, request));
    },
    async reach(sessionKey) {
      instance.assertAlive("approvals.reach");
      if (approvals?.reach === undefined) throw lackOf(instance.id, "approvals.reach");
      const call = { origin: instance.origin, member: "approvals.reach" };
      return approvals.reach(instance.id, expectText(call, "sessionKey", sessionKey));
    },
    async cancel(id) {
      instance.assertAlive("approvals.cancel");
      if (approvals === undefined) throw lackOf(instance.id, "approvals.cancel");
      return approvals.cancel(instance.id, id);
    },
    onResolved(handler) {
      registrar.add("approvals.onResolved", "approvalHandlers", () =>
        readApprovalHandler(instance.origin, handler),
      );
    },
    async get(id) {
      instance.assertAlive("approvals.get");
      if (approvals === undefined) throw lackOf(instance.id, "approvals.get");
      return approvals.get(instance.id, id);
    },
  };
}
