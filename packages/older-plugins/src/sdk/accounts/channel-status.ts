export { PAIRING_APPROVED_MESSAGE } from "../channel-core.js";
export {
  buildBaseChannelStatusSummary,
  buildComputedAccountStatusSnapshot,
  createDefaultChannelRuntimeState,
} from "./status-helpers.js";
