export { resolveChannelMediaMaxBytes } from "../accounts/account-helpers.js";
