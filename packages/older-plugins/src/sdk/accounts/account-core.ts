export { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "../account-id.js";
export { createAccountListHelpers, hasConfiguredAccountValue } from "./account-helpers.js";
export {
  resolveAccountWithDefaultFallback,
  resolveMergedAccountConfig,
} from "./account-resolution.js";
