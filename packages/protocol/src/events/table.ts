import { approvalEvent } from "./approval.js";

/** Every event of the gateway, by name. */
export const gatewayEvents = { approval: approvalEvent };
